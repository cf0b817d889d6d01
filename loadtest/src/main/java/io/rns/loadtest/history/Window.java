package io.rns.loadtest.history;

/**
 * A time in which no request may fail.
 *
 * @param from its begin, in nanoseconds of the history's clock
 * @param to its end
 * @param what happened meanwhile
 */
public record Window(long from, long to, String what) {
  boolean touches(long begin, long end) {
    return end >= from && begin <= to;
  }
}
