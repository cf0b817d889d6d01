package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.List;

/** {@link Promise#NO_FAILURE}. A server that is asked to take a write itself may say that it is not the primary. */
final class NoFailure implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    List<Violation> found = new ArrayList<>();
    for (Window window : history.calm()) {
      for (Write write : history.writes()) {
        boolean failed = !write.isAcknowledged() && write.directly().isEmpty();
        if (failed && window.touches(write.invoked(), write.answered())) {
          found.add(new Violation(Promise.NO_FAILURE, write + " in " + window.what() + ": " + write.told()));
        }
      }
      for (FailedRead read : history.failedReads()) {
        if (window.touches(read.invoked(), read.answered())) {
          found.add(new Violation(Promise.NO_FAILURE, read + " in " + window.what()));
        }
      }
    }
    return found;
  }
}
