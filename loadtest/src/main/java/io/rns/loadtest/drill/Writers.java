package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.Write;
import io.rns.loadtest.history.WriteOutcome;
import java.util.List;
import java.util.Optional;

/** Makes one write and records what came of it. Safe for use by many threads. */
final class Writers {
  private static final EndpointReference FIRST = EndpointReference.ofAddress("https://storage.example.org/first");
  private static final EndpointReference SECOND = EndpointReference.ofAddress("https://storage.example.org/second");

  private final NameService client;
  private final Recorder recorder;
  private final Optional<String> directly;

  /**
   * Writers that ask a client.
   *
   * @param directly the name of the one server that the client asks, which is to take the writes itself or to refuse
   *        them; empty if the client may go anywhere
   */
  Writers(NameService client, Recorder recorder, Optional<String> directly) {
    this.client = client;
    this.recorder = recorder;
    this.directly = directly;
  }

  /** One call of a request. */
  WriteOutcome call(String requestId, boolean repetition, String path, Change.Kind kind) {
    CallContext call = CallContext.ANONYMOUS.with(new RequestId(requestId));
    CallContext routed = directly.isPresent() ? call.with(Routing.HERE) : call;
    long invoked = recorder.now();
    WriteOutcome told = told(routed, Target.of(path), kind);
    recorder.add(new Write(requestId, repetition, path, kind, directly, invoked, recorder.now(), told));
    return told;
  }

  private WriteOutcome told(CallContext call, Target target, Change.Kind kind) {
    try {
      Answer<List<Outcome<Entry>>> answer =
          switch (kind) {
            case ADDED -> client.add(call, AddRequest.of(NewEntry.junction(target, FIRST)));
            case CHANGED -> client.update(call, UpdateRequest.of(EntryChange.references(target, List.of(SECOND))));
            case REMOVED -> client.remove(call, RemoveRequest.of(Removal.of(target)));
            case MOVED -> throw new IllegalArgumentException("nothing moves in a drill: " + target);
          };
      return switch (answer.value().get(0)) {
        case Outcome.Done<Entry> done -> new WriteOutcome.Acknowledged(answer.position());
        case Outcome.Refused<Entry> refused -> refused(refused.refusal().toException());
      };
    } catch (RnsException e) {
      // A client that asks several servers, or one several times, may have reached the primary before it was refused.
      boolean certain =
          e.error().kind() == RnsError.Kind.CALLER || (e.error() == RnsError.NOT_PRIMARY && directly.isPresent());
      return certain ? refused(e) : new WriteOutcome.Unknown(e.error() + ": " + e.getMessage());
    }
  }

  private static WriteOutcome refused(RnsException e) {
    return new WriteOutcome.Refused(e.error().name(), String.valueOf(e.getMessage()));
  }
}
