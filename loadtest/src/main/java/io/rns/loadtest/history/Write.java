package io.rns.loadtest.history;

import io.rns.api.Change;
import io.rns.api.Position;
import java.util.Optional;

/**
 * One call that was to change one entry, and what its caller was told. An entry is added once, never moved, perhaps
 * changed once and removed once, each when the former was acknowledged: two changes of one kind at one path are one
 * request that was applied twice, and no request gives a reason to refuse it.
 *
 * @param requestId the same for repetitions of a request
 * @param repetition whether the caller had made this request before
 * @param path of the entry
 * @param kind what is to happen to it
 * @param directly the one server that was asked to take it itself; empty if any server might take it
 * @param invoked when the call began, in nanoseconds of the history's clock
 * @param answered when it ended
 * @param told what the caller knows now
 */
public record Write(
    String requestId,
    boolean repetition,
    String path,
    Change.Kind kind,
    Optional<String> directly,
    long invoked,
    long answered,
    WriteOutcome told) {

  /** Where it stands in the order of changes, if it was acknowledged. */
  public Optional<Position> acknowledged() {
    return told instanceof WriteOutcome.Acknowledged done ? Optional.of(done.position()) : Optional.empty();
  }

  boolean isAcknowledged() {
    return told instanceof WriteOutcome.Acknowledged;
  }

  /** The number of the change; of acknowledged ones only. */
  long sequence() {
    return acknowledged().orElseThrow().sequence();
  }

  @Override
  public String toString() {
    String how = repetition ? " again" : "";
    return kind + " " + path + " (request " + requestId + how + ", " + Moment.between(invoked, answered) + ")";
  }
}
