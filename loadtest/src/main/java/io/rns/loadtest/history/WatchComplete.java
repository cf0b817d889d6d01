package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.List;

/**
 * {@link Promise#WATCH_COMPLETE}: the numbers of the changes of a whole tree have no gap, in the order they are told.
 */
final class WatchComplete implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    List<Violation> found = new ArrayList<>();
    long last = history.watchedFrom().sequence();
    for (Event event : history.events()) {
      long sequence = event.position().sequence();
      if (sequence <= last) {
        found.add(new Violation(Promise.WATCH_COMPLETE, event + " was received after " + last));
      } else if (sequence > last + 1) {
        found.add(new Violation(Promise.WATCH_COMPLETE, event + " was received right after " + last));
      }
      last = Math.max(last, sequence);
    }
    if (last < history.ending().position().sequence()) {
      found.add(
          new Violation(Promise.WATCH_COMPLETE,
              "nothing was received after " + last + ", the end is " + history.ending().position()));
    }
    return found;
  }
}
