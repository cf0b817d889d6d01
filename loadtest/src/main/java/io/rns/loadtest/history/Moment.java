package io.rns.loadtest.history;

import java.util.Locale;

/** Times of a history, as people read them. */
final class Moment {
  private static final double NANOS_PER_SECOND = 1e9;

  private Moment() {}

  static String at(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / NANOS_PER_SECOND);
  }

  static String between(long from, long to) {
    return String.format(Locale.ROOT, "%.3f to %.3f s", from / NANOS_PER_SECOND, to / NANOS_PER_SECOND);
  }
}
