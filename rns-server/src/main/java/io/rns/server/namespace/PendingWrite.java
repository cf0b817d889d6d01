package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.ConcludeRequest;
import io.rns.api.ContentRequest;
import io.rns.api.DepartRequest;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.UpdateRequest;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessDecisions;
import io.rns.server.store.EntryTable;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A write on its way through the queue: its caller waits here, the writer answers. */
final class PendingWrite {
  private static final Logger LOG = LoggerFactory.getLogger(PendingWrite.class);

  /** Bytes of each half of a fingerprint. */
  private static final int HALF = 16;

  private enum State {
    QUEUED, TAKEN, WITHDRAWN
  }

  private final CallContext call;
  private final WriteRequest request;
  private final @Nullable AccessDecisions decisions = AccessDecisions.current();
  private final @Nullable RequestKey key;
  private final long contentBytes;
  private final byte[] fingerprint;
  private final CompletableFuture<Answer<List<Outcome<Entry>>>> answer = new CompletableFuture<>();
  private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

  PendingWrite(CallContext call, WriteRequest request) {
    this.call = call;
    this.request = request;
    this.key = call.requestId().map(id -> RequestKey.of(call.caller(), id)).orElse(null);
    this.contentBytes = contentBytes(request);
    this.fingerprint = call.requestId().isEmpty() ? new byte[0] : fingerprint(call, request);
  }

  /**
   * Tells a repetition from another request under the same id. The second half is of the text form of the request,
   * which names all of it; the first one is without the directories, which a repetition may name in another way once
   * their content has moved to another server group.
   */
  private static byte[] fingerprint(CallContext call, WriteRequest request) {
    byte[] fingerprint = Arrays.copyOf(digest(call, withoutDirectories(request)), 2 * HALF);
    System.arraycopy(digest(call, request.toString()), 0, fingerprint, HALF, HALF);
    return fingerprint;
  }

  private static byte[] digest(CallContext call, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(call.caller().name().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      return digest.digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String withoutDirectories(WriteRequest request) {
    return switch (request) {
      case AddRequest add -> add.allOrNothing() + " " + add.parents() + add.entries().stream()
          .map(item -> new AddRequest.NewEntry(named(item.target()), item.references(), item.metadata(),
              item.precondition()))
          .toList();
      case UpdateRequest update -> update.allOrNothing() + " " + update.changes().stream()
          .map(item -> new UpdateRequest.EntryChange(named(item.target()), item.name(),
              item.parent().map(to -> Target.ROOT),
              item.references(), item.metadata(), item.precondition()))
          .toList();
      case RemoveRequest remove -> remove.allOrNothing() + " " + remove.removals().stream()
          .map(item -> new RemoveRequest.Removal(named(item.target()), item.recursive(), item.precondition()))
          .toList();
      // Made by servers, whose repetitions are the same to the letter.
      case AssignRequest assign -> assign.toString();
      case ContentRequest content -> content.toString();
      case DepartRequest depart -> depart.toString();
      case ArriveRequest arrive -> arrive.toString();
      case ConcludeRequest conclude -> conclude.toString();
    };
  }

  private static Target named(Target target) {
    return target.path().isRoot() ? target : Target.ROOT.child(target.path().name());
  }

  /** Whether an answered request was this one, to the letter. */
  boolean repeats(AnsweredRequest former) {
    return Arrays.equals(fingerprint, former.fingerprint());
  }

  /** Whether it may have been this one, and have named its directories in another way. */
  boolean resembles(AnsweredRequest former) {
    return former.fingerprint().length == 2 * HALF
        && Arrays.equals(fingerprint, 0, HALF, former.fingerprint(), 0, HALF);
  }

  /** The answer to a request that met a defect before anything of it was committed. */
  static RnsException notApplied(Throwable e) {
    if (e instanceof RnsException known) {
      return known;
    }
    if (e instanceof EntryMoving moving) {
      return moving.refused();
    }
    LOG.error("a write failed and was not applied", e);
    return new RnsException(RnsError.INTERNAL, "the write failed and was not applied", e);
  }

  CallContext call() {
    return call;
  }

  WriteRequest request() {
    return request;
  }

  /** Where it is noted why its caller may do it; null for nowhere. */
  @Nullable
  AccessDecisions decisions() {
    return decisions;
  }

  /** Whose share of the writer it takes. */
  String account() {
    return call.account();
  }

  /** Under what its answer is kept; null if it has no id. */
  @Nullable
  RequestKey key() {
    return key;
  }

  /** References and metadata that it brings along, in bytes, about. */
  long contentBytes() {
    return contentBytes;
  }

  private static long contentBytes(WriteRequest request) {
    long bytes = 0;
    switch (request) {
      case AddRequest add -> {
        for (AddRequest.NewEntry entry : add.entries()) {
          bytes += contentBytes(entry.references(), entry.metadata());
        }
      }
      case UpdateRequest update -> {
        for (UpdateRequest.EntryChange change : update.changes()) {
          bytes += contentBytes(change);
        }
      }
      case RemoveRequest remove -> {
      }
      case AssignRequest assign -> {
      }
      case DepartRequest depart -> bytes += contentBytes(depart.change());
      case ArriveRequest arrive -> bytes += EntryTable.contentBytes(arrive.entry());
      case ConcludeRequest conclude -> {
      }
      case ContentRequest content -> {
        if (content.step() instanceof ContentRequest.Insert insert) {
          bytes += insert.entries().stream().mapToLong(EntryTable::contentBytes).sum();
        }
      }
    }
    return bytes;
  }

  private static long contentBytes(EntryChange change) {
    return contentBytes(change.references().orElse(List.of()), change.metadata().orElse(Metadata.NONE));
  }

  private static long contentBytes(List<EndpointReference> references, Metadata metadata) {
    long bytes = metadata.xml().length();
    for (EndpointReference reference : references) {
      bytes += reference.address().length() + reference.content().length();
    }
    return bytes;
  }

  byte[] fingerprint() {
    return fingerprint;
  }

  /** Takes the request out of the queue for good; false if its caller has given up. */
  boolean take() {
    return state.compareAndSet(State.QUEUED, State.TAKEN);
  }

  /** Whether its caller has been answered. */
  boolean isAnswered() {
    return answer.isDone();
  }

  void complete(Answer<List<Outcome<Entry>>> value) {
    answer.complete(value);
  }

  void fail(RnsException error) {
    answer.completeExceptionally(error);
  }

  /**
   * Waits for the answer.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the request was not begun in time, and never will be;
   *         {@link RnsError#TIMEOUT} if it was begun and its outcome is not known
   */
  Answer<List<Outcome<Entry>>> await(Duration timeout) {
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      RnsException cause = (RnsException) e.getCause();
      if (cause.retryMillis().isPresent()) {
        throw RnsException.busy(String.valueOf(cause.getMessage()), cause.retryMillis().getAsLong());
      }
      throw new RnsException(cause.error(), cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw gaveUp("no answer within " + timeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw gaveUp("the service is stopping", e);
    }
  }

  private RnsException gaveUp(String why, Exception cause) {
    if (state.compareAndSet(State.QUEUED, State.WITHDRAWN)) {
      return new RnsException(RnsError.UNAVAILABLE, "the write was not started: " + why, cause);
    }
    return new RnsException(
        RnsError.TIMEOUT,
        "the write may or may not have been applied (" + why + "); repeat it with the same request id", cause);
  }
}
