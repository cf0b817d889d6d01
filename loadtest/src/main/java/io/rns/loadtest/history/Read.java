package io.rns.loadtest.history;

import io.rns.api.Position;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One look at one entry that was answered.
 *
 * @param session who asked; the reads of a session follow one another
 * @param server who was asked
 * @param bound the age that was asked for, zero for all that was answered to anybody; empty for a read of a session
 * @param token the position that was handed over with the request
 * @param path what was looked up
 * @param invoked when the call began, in nanoseconds of the history's clock
 * @param answered when it ended
 * @param version of the entry, the number of its last change; empty if there was no entry
 * @param position that the answer claims to reflect
 */
public record Read(
    String session,
    String server,
    Optional<Duration> bound,
    Optional<Position> token,
    String path,
    long invoked,
    long answered,
    OptionalLong version,
    Position position) {

  boolean isOfSession() {
    return bound.isEmpty();
  }

  /** What was seen, in words. */
  String seen() {
    return version.isPresent() ? "version " + version.getAsLong() : "no entry";
  }

  @Override
  public String toString() {
    String asked = bound.map(age -> "bounded(" + age.toMillis() + ")").orElse("session " + session);
    String with = token.map(t -> " with token " + t).orElse("");
    return asked + with + " at " + server + ", " + Moment.between(invoked, answered) + ": " + seen() + " of " + path
        + " at position " + position;
  }
}
