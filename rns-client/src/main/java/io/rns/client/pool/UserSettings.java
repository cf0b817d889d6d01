package io.rns.client.pool;

/**
 * How a user behaves; times in milliseconds.
 *
 * @param items how many elements are asked for, the first to use and the others to fail over to
 * @param staleMillis how long what was resolved may be used while no server can be asked
 * @param deadlineMillis the most time of a call, begun attempts not counted
 * @param rounds how many times the elements are gone through, the first included
 * @param firstPauseMillis the bound of the random pause before the second round; it doubles
 * @param longestPauseMillis what the bound grows to
 * @param warmUpMillis how long an element of an adaptive pool that has just been met gets less than its share
 */
record UserSettings(
    int items,
    long staleMillis,
    long deadlineMillis,
    int rounds,
    long firstPauseMillis,
    long longestPauseMillis,
    long warmUpMillis) {
  private static final int MOST_DOUBLINGS = 20;

  static final UserSettings STANDARD = new UserSettings(3, 30_000, 30_000, 8, 200, 2_000, 0);

  UserSettings withItems(int number) {
    return new UserSettings(number, staleMillis, deadlineMillis, rounds, firstPauseMillis, longestPauseMillis,
        warmUpMillis);
  }

  UserSettings withStale(long millis) {
    return new UserSettings(items, millis, deadlineMillis, rounds, firstPauseMillis, longestPauseMillis, warmUpMillis);
  }

  UserSettings withDeadline(long millis) {
    return new UserSettings(items, staleMillis, millis, rounds, firstPauseMillis, longestPauseMillis, warmUpMillis);
  }

  UserSettings withWarmUp(long millis) {
    return new UserSettings(items, staleMillis, deadlineMillis, rounds, firstPauseMillis, longestPauseMillis, millis);
  }

  /** The bound of the pause behind so many rounds. */
  long pauseBound(int done) {
    return Math.min(longestPauseMillis, firstPauseMillis << Math.min(done - 1, MOST_DOUBLINGS));
  }
}
