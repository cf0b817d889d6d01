package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds every promise that a history breaks. */
public final class Checker {
  private static final Map<Promise, Check> CHECKS =
      new EnumMap<>(
          Map.of(
              Promise.NOTHING_LOST, new NothingLost(),
              Promise.APPLIED_ONCE, new AppliedOnce(),
              Promise.HONEST_REFUSALS, new HonestRefusals(),
              Promise.READ_YOUR_WRITES, new ReadYourWrites(),
              Promise.MONOTONIC_READS, new MonotonicReads(),
              Promise.BOUNDED_AGE, new BoundedAge(),
              Promise.WATCH_COMPLETE, new WatchComplete(),
              Promise.ONE_PRIMARY, new OnePrimary(),
              Promise.NO_FAILURE, new NoFailure()));

  private Checker() {}

  /** The breaches, in the order of the promises; empty if all were kept. */
  public static List<Violation> check(History history) {
    Paths paths = new Paths(history.writes());
    List<Violation> found = new ArrayList<>();
    for (Promise promise : Promise.values()) {
      Check check = CHECKS.get(promise);
      if (check == null) {
        throw new IllegalStateException("no check of " + promise);
      }
      found.addAll(check.of(history, paths));
    }
    return found;
  }
}
