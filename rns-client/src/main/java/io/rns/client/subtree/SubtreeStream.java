package io.rns.client.subtree;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Positions;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.client.call.Deadline;
import io.rns.client.http.BackgroundReader;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.SoapAddress;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A subtree as a server sends it, read ahead a little by a thread of its own. If the connection breaks, or the server
 * is restarted, it goes on behind the last entry, at another server of the group if there is one: without gap or
 * duplicate. For one consumer.
 */
public final class SubtreeStream implements AutoCloseable {
  /** Entries that are handed over together, to spare both threads work. */
  private static final int BATCH_ENTRIES = 256;

  /** References and metadata that are handed over together, about: with large entries fewer of them are. */
  private static final long BATCH_BYTES = 128 << 10;

  private static final int BATCHES_AHEAD = 8;

  /** A server that sends nothing for this time counts as gone: it sends its position at least every few seconds. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final int MOST_REFERRALS = 3;
  private static final int REDIRECT = 307;
  private static final int MOST_ERROR_BYTES = 65_536;
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final Session session;
  private final SubtreeRequest request;
  private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(BATCHES_AHEAD);
  private final BackgroundReader reader = new BackgroundReader("rns-subtree", SILENCE, this::run);

  // ---- of the reader's thread

  private List<Visit> batch = new ArrayList<>();
  private long batchBytes;
  private Optional<SubtreePosition> reached;

  /** Whether what is not behind {@link #reached} is sent once more, since that was too long for a URL. */
  private boolean repeats;

  private boolean started;
  private long progress;

  // ---- of the consumer

  private List<Visit> visits = List.of();
  private int at;
  private @Nullable Step over;

  /**
   * Whose reads these are.
   *
   * @param servers tells the addresses of the servers, the one to ask first
   * @param call tells what is to be seen
   * @param seen takes what was seen
   * @param http sends the requests
   * @param direct whether a front may send them on to a server
   * @param patience the longest time without progress, once a server has answered, and for its first answer
   */
  public record Session(
      Supplier<List<URI>> servers,
      Supplier<CallContext> call,
      Consumer<Positions> seen,
      Supplier<HttpCalls> http,
      DirectOffers direct,
      Duration patience) {}

  /** What comes next. */
  public sealed interface Step {}

  /** An entry. */
  public record Entry(Visit visit) implements Step {}

  /** There is nothing else. */
  public record End() implements Step {}

  /** No server is known to read subtrees at once, and nothing was read: another way is to be taken. */
  public record Unsupported() implements Step {}

  /** Nothing came before the deadline. */
  public record Late() implements Step {}

  private record Batch(List<Visit> visits) implements Step {}

  private record Failure(RnsException error) implements Step {}

  private SubtreeStream(Session session, SubtreeRequest request) {
    this.session = session;
    this.request = request;
    this.reached = request.after();
  }

  /** Begins to read. */
  public static SubtreeStream open(Session session, SubtreeRequest request) {
    SubtreeStream stream = new SubtreeStream(session, request);
    stream.reader.start();
    return stream;
  }

  /**
   * The next entry, or why there is none.
   *
   * @throws RnsException if the server refuses the request, with the error of the refusal; {@link RnsError#UNAVAILABLE}
   *         if no server goes on in time
   */
  public Step next(Deadline deadline) {
    if (at < visits.size()) {
      return new Entry(visits.get(at++));
    }
    Step step = over != null ? over : await(deadline);
    if (step instanceof Batch given) {
      visits = given.visits();
      at = 1;
      return new Entry(visits.get(0));
    }
    if (!(step instanceof Late)) {
      over = step;
    }
    if (step instanceof Failure failed) {
      throw failed.error();
    }
    return step;
  }

  /** Whether {@link #next} has an entry without waiting. */
  public boolean isReady() {
    return at < visits.size() || steps.peek() instanceof Batch;
  }

  private Step await(Deadline deadline) {
    try {
      while (true) {
        long most = Math.min(deadline.nanosLeft(), SILENCE.toNanos() / 4);
        Step step = most <= 0 ? steps.poll() : steps.poll(most, TimeUnit.NANOSECONDS);
        if (step != null) {
          return step;
        }
        if (deadline.nanosLeft() <= 0) {
          return new Late();
        }
        reader.breakSilence();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while reading " + request.directory(), e);
    }
  }

  // ---- the reader's thread

  private void run() throws InterruptedException {
    Step end;
    try {
      end = read();
    } catch (RnsException e) {
      end = new Failure(e);
    } catch (RuntimeException | Error e) {
      // Of the library: the consumer must not wait for ever.
      end = new Failure(new RnsException(RnsError.INTERNAL, "the subtree cannot be read: " + e, e));
    }
    steps.put(end);
  }

  /** Reads everything, over as many connections as that takes; returns what comes after the last entry. */
  private Step read() throws InterruptedException {
    int failed = 0;
    long progressAt = System.nanoTime();
    while (true) {
      List<URI> servers = session.servers().get();
      URI server = servers.get(failed % servers.size());
      long before = progress;
      Trouble trouble;
      try {
        Optional<Step> end = connect(server);
        if (end.isPresent()) {
          return end.get();
        }
        trouble = new Trouble(server + " broke off", 0);
      } catch (IOException e) {
        trouble = e instanceof Trouble known ? known : new Trouble("cannot read from " + server + ": " + e, 0);
      }
      hand();
      if (progress > before) {
        failed = 0;
        progressAt = System.nanoTime();
      } else {
        failed++;
      }
      if (!started && failed >= servers.size()) {
        return new Unsupported();
      }
      if (System.nanoTime() - progressAt > session.patience().toNanos()) {
        return new Failure(new RnsException(RnsError.UNAVAILABLE,
            "the subtree of " + request.directory() + reached.map(place -> " behind " + place).orElse("")
                + " cannot be read: " + trouble.getMessage()));
      }
      pause(failed, servers.size(), trouble.retryMillis);
    }
  }

  private void pause(int failed, int servers, long retryMillis) throws InterruptedException {
    long bound = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(10, failed / servers));
    // A server may ask for more patience than the caller has.
    long pause =
        Math.min(retryMillis, session.patience().toMillis()) + ThreadLocalRandom.current().nextLong(1, bound + 1);
    if (reader.pause(pause)) {
      throw new InterruptedException();
    }
  }

  /** What ends a connection, and not the stream. */
  private static final class Trouble extends IOException {
    private static final long serialVersionUID = 1L;
    private final long retryMillis;

    Trouble(String message, long retryMillis) {
      super(message);
      this.retryMillis = retryMillis;
    }
  }

  /** One connection, after referrals if need be. */
  private Optional<Step> connect(URI first) throws IOException, InterruptedException {
    URI server = first;
    for (int referrals = 0; referrals <= MOST_REFERRALS; referrals++) {
      Optional<URI> address = SubtreeAddress.of(server, request, reached);
      if (address.isEmpty()) {
        return Optional.of(new Unsupported());
      }
      repeats = reached.isPresent();
      boolean direct = session.direct().areMade();
      HttpCalls.Reply<InputStream> reply = send(address.get(), direct);
      if (direct && reply.status() == REDIRECT) {
        reply.body().close();
        Optional<Step> end = readDirectly(address.get(), reply.header("Location").orElse(""));
        if (end.isPresent()) {
          return end;
        }
        reply = send(address.get(), false);
      }
      try (InputStream lines = reply.body()) {
        reader.reads(lines);
        if (reader.isClosed()) {
          throw new InterruptedException();
        }
        if (isSubtree(reply)) {
          return Optional.of(readSubtree(reply, lines));
        }
        Map<String, String> refusal = refusal(reply, lines);
        String referral = refusal.get("referral");
        if (referral == null) {
          return refused(reply, refusal);
        }
        URI next = referred(server, referral);
        if (!SecureAddress.isFollowed(server, next)) {
          return notFollowed(server, next);
        }
        server = next;
      } finally {
        reader.reads(null);
      }
    }
    throw new Trouble("referred " + MOST_REFERRALS + " times from " + first, 0);
  }

  private HttpCalls.Reply<InputStream> send(URI address, boolean direct) throws IOException, InterruptedException {
    reader.heard();
    return session.http().get()
        .stream(new HttpCalls.Call("GET", address, headers(direct), HttpCalls.Body.NONE, session.patience()));
  }

  /**
   * Reads from the server to which a front has sent this client.
   *
   * @return empty if it does not send the subtree, so that the front has to
   * @throws IOException if the connection breaks off
   */
  private Optional<Step> readDirectly(URI front, String location) throws IOException, InterruptedException {
    HttpCalls.Reply<InputStream> reply;
    try {
      reply = send(directServer(front, location), false);
    } catch (IOException e) {
      session.direct().failed();
      return Optional.empty();
    }
    try (InputStream lines = reply.body()) {
      reader.reads(lines);
      return isSubtree(reply) ? Optional.of(readSubtree(reply, lines)) : Optional.empty();
    } finally {
      reader.reads(null);
    }
  }

  private Step readSubtree(HttpCalls.Reply<InputStream> reply, InputStream lines)
      throws IOException, InterruptedException {
    if (reader.isClosed()) {
      throw new InterruptedException();
    }
    reply.header("RNS-Position").map(Positions::parse).ifPresent(session.seen());
    return read(lines);
  }

  /** The server gets the credential, and the subtree: over TLS if the front does. */
  private static URI directServer(URI front, String location) throws IOException {
    try {
      URI server = URI.create(location);
      if (server.getHost() != null && String.valueOf(server.getScheme()).matches("https?")
          && SecureAddress.isFollowed(front, server)) {
        return server;
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(front + " redirects to '" + location + "'", e);
    }
    throw new IOException(front + " redirects to '" + location + "'");
  }

  /** The server of a referral; no other server knows better. */
  private static URI referred(URI from, String referral) {
    try {
      return SoapAddress.server(SoapAddress.of(URI.create(referral)));
    } catch (IllegalArgumentException | RnsException e) {
      throw new RnsException(
          RnsError.NOT_PRIMARY, from + " refers to '" + referral + "', which is no address of a server", e);
    }
  }

  /** Servers forward single requests, but no subtrees. */
  private Optional<Step> notFollowed(URI from, URI next) {
    if (!started) {
      return Optional.of(new Unsupported());
    }
    throw new RnsException(
        RnsError.NOT_PRIMARY, from + " refers to " + next + ", which is not asked without HTTPS");
  }

  private Map<String, String> headers(boolean direct) {
    Map<String, String> headers = new LinkedHashMap<>();
    CallContext call = session.call().get();
    headers.put("Accept", "application/x-ndjson");
    headers.put("RNS-Referrals", "tell");
    if (direct) {
      headers.put("RNS-Direct", "accept");
    }
    if (!call.seen().isEmpty()) {
      headers.put("RNS-Position", call.seen().toString());
    }
    if (!(call.consistency() instanceof Consistency.Session)) {
      headers.put("RNS-Consistency", call.consistency().toString());
    }
    return headers;
  }

  private static boolean isSubtree(HttpCalls.Reply<?> reply) {
    return reply.status() == 200
        && reply.header("Content-Type").map(type -> type.startsWith("application/x-ndjson")).orElse(false);
  }

  private static Map<String, String> refusal(HttpCalls.Reply<?> reply, InputStream body) throws IOException {
    boolean problem =
        reply.header("Content-Type").map(type -> type.startsWith("application/problem+json")).orElse(false);
    return problem ? SubtreeLineReader.texts(body.readNBytes(MOST_ERROR_BYTES)) : Map.of();
  }

  /** What an answer without lines means: what ends the stream, or empty or an exception if only the connection. */
  private Optional<Step> refused(HttpCalls.Reply<?> reply, Map<String, String> refusal) throws IOException {
    Optional<RnsError> code = code(refusal);
    boolean unknown =
        code.isEmpty() || code.get() == RnsError.UNKNOWN_OPERATION || code.get() == RnsError.NOT_PERMITTED;
    if (unknown && !started) {
      return Optional.of(new Unsupported());
    }
    long retrySeconds = reply.header("Retry-After").filter(text -> text.matches("[0-9]{1,4}")).map(Long::parseLong)
        .orElse(0L);
    return failed(code, String.valueOf(refusal.getOrDefault("detail", "HTTP " + reply.status())), 1_000 * retrySeconds);
  }

  private static Optional<RnsError> code(Map<String, String> error) {
    String code = error.get("code");
    for (RnsError known : RnsError.values()) {
      if (known.name().equals(code)) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }

  private static Optional<Step> failed(Optional<RnsError> code, String message, long retryMillis) throws Trouble {
    boolean passes = code.isEmpty() || code.get().kind() == RnsError.Kind.TRANSIENT
        || code.get() == RnsError.NOT_PRIMARY;
    if (passes) {
      throw new Trouble(message, retryMillis);
    }
    return Optional.of(new Failure(new RnsException(code.get(), message)));
  }

  private Step read(InputStream stream) throws IOException, InterruptedException {
    SubtreeLineReader lines = new SubtreeLineReader(stream, request.directory().path());
    while (true) {
      SubtreeLine line = lines.next();
      reader.heard();
      started = true;
      if (line instanceof SubtreeLine.Found found) {
        take(found);
      } else if (line instanceof SubtreeLine.Reached mark) {
        advance(mark.position());
        hand();
      } else if (line instanceof SubtreeLine.End end) {
        session.seen().accept(end.positions());
        hand();
        return new End();
      } else if (line instanceof SubtreeLine.Failed failed) {
        hand();
        return failed(code(failed.error()), failed.error().getOrDefault("message", "the answer broke off"),
            failed.retryMillis().orElse(0)).orElseThrow();
      }
    }
  }

  private void take(SubtreeLine.Found found) throws InterruptedException {
    if (!advance(found.visit().position())) {
      return;
    }
    batch.add(found.visit());
    batchBytes += found.bytes();
    if (batch.size() == BATCH_ENTRIES || batchBytes > BATCH_BYTES) {
      hand();
    }
  }

  /** Moves on to a position; false if it was reached before. */
  private boolean advance(SubtreePosition position) {
    if (repeats && reached.isPresent() && request.order().compare(position, reached.get()) <= 0) {
      return false;
    }
    repeats = false;
    reached = Optional.of(position);
    progress++;
    return true;
  }

  /** Hands over what was read. */
  private void hand() throws InterruptedException {
    if (!batch.isEmpty()) {
      steps.put(new Batch(batch));
      batch = new ArrayList<>();
      batchBytes = 0;
    }
  }

  /** Ends the stream, its thread and its connection. */
  @Override
  public void close() {
    reader.close();
  }
}
