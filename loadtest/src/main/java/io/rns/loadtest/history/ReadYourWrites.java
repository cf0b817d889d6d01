package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.List;

/** {@link Promise#READ_YOUR_WRITES}. */
final class ReadYourWrites implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    List<Violation> found = new ArrayList<>();
    for (Read read : history.reads()) {
      if (!read.isOfSession()) {
        continue;
      }
      // An answer's position is handed on as a token: it must not claim what the answer has not seen.
      long known = Math.max(read.token().map(t -> t.sequence()).orElse(0L), read.position().sequence());
      paths
          .missedBy(read, write -> write.sequence() <= known)
          .ifPresent(what -> found.add(new Violation(Promise.READ_YOUR_WRITES, what)));
    }
    return found;
  }
}
