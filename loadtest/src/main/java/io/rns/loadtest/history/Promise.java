package io.rns.loadtest.history;

import java.util.Collection;
import java.util.function.Function;

/** What a server group promises, each kept or broken. */
public enum Promise {
  /** A write that was acknowledged, or read by any client, is there at the end. */
  NOTHING_LOST("acknowledged but missing", HistoryChecker::nothingLost),
  /** A request is applied once, however often it is made. */
  APPLIED_ONCE("applied twice", HistoryChecker::appliedOnce),
  /** A refused request was not applied, and a valid one is not refused. */
  HONEST_REFUSALS("refused wrongly", HistoryChecker::honestRefusals),
  /** A read of a session sees what its token, and its own answer's position, stand for. */
  READ_YOUR_WRITES("read-your-writes violations", HistoryChecker::readYourWrites),
  /** What a session has seen does not go back. */
  MONOTONIC_READS("monotonic violations", HistoryChecker::monotonicReads),
  /** A bounded read sees every write that was acknowledged earlier than its bound. */
  BOUNDED_AGE("bounded reads too old", HistoryChecker::boundedAge),
  /** A watcher receives every change, once, in order. */
  WATCH_COMPLETE("watch gaps or duplicates", HistoryChecker::watchComplete),
  /** One server takes writes at a time. */
  ONE_PRIMARY("writes accepted by two primaries", HistoryChecker::onePrimary),
  /** No request fails while nothing is broken. */
  NO_FAILURE("failed in a planned switchover", HistoryChecker::noFailure);

  private final String broken;
  private final Function<HistoryChecker, Collection<String>> check;

  Promise(String broken, Function<HistoryChecker, Collection<String>> check) {
    this.broken = broken;
    this.check = check;
  }

  /** What a breach is called. */
  public String broken() {
    return broken;
  }

  Collection<String> breaches(HistoryChecker checker) {
    return check.apply(checker);
  }
}
