package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.DrillEvent;
import io.rns.loadtest.history.DrillEvent.FailedRead;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A client whose reads and writes are recorded. Safe for use by many threads.
 *
 * @param server the one that the client asks, and which is to take writes itself or to refuse them; empty if the client
 *        may go to any
 */
record RecordedClient(NameService client, Optional<String> server, Recorder recorder) {
  /** In place of a server, for a client that may go to any. */
  static final String ANY = "any";

  private static final EndpointReference FIRST = EndpointReference.ofAddress("https://storage.example.org/first");
  private static final EndpointReference SECOND = EndpointReference.ofAddress("https://storage.example.org/second");

  /** Makes one call of a request. */
  Write write(String requestId, boolean repetition, String path, Change.Kind kind) {
    CallContext call = CallContext.ANONYMOUS.with(new RequestId(requestId));
    long invoked = recorder.now();
    DrillEvent.Outcome outcome =
        outcome(server.isPresent() ? call.with(Routing.HERE) : call, Target.of(path), kind);
    Write write = new Write(requestId, repetition, path, kind, server, invoked, recorder.now(), outcome);
    recorder.add(write);
    return write;
  }

  private DrillEvent.Outcome outcome(CallContext call, Target target, Change.Kind kind) {
    try {
      Answer<List<Outcome<Entry>>> answer =
          switch (kind) {
            case ADDED -> client.add(call, AddRequest.of(NewEntry.junction(target, FIRST)));
            case CHANGED -> client.update(call, UpdateRequest.of(EntryChange.references(target, List.of(SECOND))));
            case REMOVED -> client.remove(call, RemoveRequest.of(Removal.of(target)));
            case MOVED -> throw new IllegalArgumentException("nothing moves in a drill: " + target);
          };
      return switch (answer.value().get(0)) {
        case Outcome.Done<Entry> done -> new DrillEvent.Acknowledged(answer.position());
        case Outcome.Refused<Entry> refused -> refused(refused.refusal().toException());
      };
    } catch (RnsException e) {
      // A client that asks several servers, or one several times, may have reached the primary before it was refused.
      boolean certain =
          e.error().kind() == RnsError.Kind.CALLER || (e.error() == RnsError.NOT_PRIMARY && server.isPresent());
      return certain ? refused(e) : new DrillEvent.Unknown(e.error() + ": " + e.getMessage());
    }
  }

  private static DrillEvent.Refused refused(RnsException e) {
    return new DrillEvent.Refused(e.error().name(), String.valueOf(e.getMessage()));
  }

  /** Reads an entry, in a session or with a bound; returns the position of the answer, if there was one. */
  Optional<Position> read(String session, Optional<Duration> bound, Optional<Position> token, String path) {
    CallContext call = CallContext.ANONYMOUS.with(consistency(bound));
    String from = server.orElse(ANY);
    long invoked = recorder.now();
    try {
      Answer<List<Outcome<Entry>>> answer =
          client.query(token.map(call::withSeen).orElse(call), QueryRequest.of(Target.of(path)));
      OptionalLong version = version(answer.value().get(0));
      recorder.add(new Read(session, from, bound, token, path, invoked, recorder.now(), version, answer.position()));
      return Optional.of(answer.position());
    } catch (RnsException e) {
      recorder.add(new FailedRead(session, from, invoked, recorder.now(), e.error() + ": " + e.getMessage()));
      return Optional.empty();
    }
  }

  private static Consistency consistency(Optional<Duration> bound) {
    return bound.map(age -> age.isZero() ? Consistency.PRIMARY : Consistency.bounded(age)).orElse(Consistency.SESSION);
  }

  private static OptionalLong version(Outcome<Entry> outcome) {
    return switch (outcome) {
      case Outcome.Done<Entry> done -> OptionalLong.of(done.value().version());
      case Outcome.Refused<Entry> refused -> {
        RnsException e = refused.refusal().toException();
        if (e.error() != RnsError.NO_SUCH_ENTRY) {
          throw e;
        }
        yield OptionalLong.empty();
      }
    };
  }
}
