package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@link Promise#MONOTONIC_READS}: neither the positions of a session's answers go back, nor what it sees of an entry.
 */
final class MonotonicReads implements Check {
  /** Of an entry that was there and then was not. */
  private static final long GONE = Long.MAX_VALUE;

  private static final class Session {
    private long position;
    private final Map<String, Long> versions = new HashMap<>();
  }

  @Override
  public List<Violation> of(History history, Paths paths) {
    Map<String, Session> sessions = new HashMap<>();
    List<Violation> found = new ArrayList<>();
    for (Read read : history.reads()) {
      if (read.isOfSession()) {
        Session session = sessions.computeIfAbsent(read.session(), name -> new Session());
        wentBack(session, read, paths).ifPresent(what -> found.add(new Violation(Promise.MONOTONIC_READS, what)));
      }
    }
    return found;
  }

  private static Optional<String> wentBack(Session session, Read read, Paths paths) {
    long known = Math.max(session.position, read.token().map(t -> t.sequence()).orElse(0L));
    session.position = Math.max(known, read.position().sequence());
    long seen = session.versions.getOrDefault(read.path(), 0L);
    long now = read.version().orElse(seen == 0 ? 0 : GONE);
    session.versions.put(read.path(), Math.max(seen, now));
    if (now < seen) {
      return Optional.of(read + ", after the session had seen " + (seen == GONE ? "it gone" : "version " + seen));
    }
    if (now == GONE && seen != GONE && !paths.mayBeRemoved(read.path(), read.answered())) {
      return Optional.of(read + ", after the session had seen version " + seen + ", without a removal");
    }
    return read.position().sequence() < known
        ? Optional.of(read + ", after the session had got to " + known)
        : Optional.empty();
  }
}
