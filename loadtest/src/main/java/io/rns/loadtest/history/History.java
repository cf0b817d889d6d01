package io.rns.loadtest.history;

import io.rns.api.Position;
import java.util.List;

/**
 * All that clients of a server group did and were told.
 *
 * @param writes in any order
 * @param reads those of one session in the order in which they were made
 * @param failedReads in any order
 * @param watchedFrom where the watcher of the whole tree began
 * @param events what it was told, in that order
 * @param claims of servers to be the primary
 * @param calm when no request may fail
 * @param ending what is there at the end
 */
public record History(
    List<Write> writes,
    List<Read> reads,
    List<FailedRead> failedReads,
    Position watchedFrom,
    List<Event> events,
    List<Claim> claims,
    List<Window> calm,
    Ending ending) {
  /** Copies what it is given. */
  public History {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
    failedReads = List.copyOf(failedReads);
    events = List.copyOf(events);
    claims = List.copyOf(claims);
    calm = List.copyOf(calm);
  }
}
