package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.List;

/** {@link Promise#BOUNDED_AGE}. */
final class BoundedAge implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    List<Violation> found = new ArrayList<>();
    for (Read read : history.reads()) {
      if (read.bound().isEmpty()) {
        continue;
      }
      long before = read.invoked() - read.bound().get().toNanos();
      paths
          .missedBy(read, write -> write.answered() < before)
          .ifPresent(what -> found.add(new Violation(Promise.BOUNDED_AGE, what)));
    }
    return found;
  }
}
