package io.rns.api;

/**
 * A result and the position it reflects.
 *
 * @param value the result
 * @param position for a write, its position in the change log; for a read, a position whose changes are all visible in
 *        the result
 * @param ageMillis maximum staleness of a read in ms: the result includes every change acknowledged at least this long
 *        ago; 0 from the primary
 */
public record Answer<T>(T value, Position position, long ageMillis) {
  /** A result with an age of 0 ms. */
  public Answer(T value, Position position) {
    this(value, position, 0);
  }

  /** Returns another value with the same position and age. */
  public <U> Answer<U> with(U other) {
    return new Answer<>(other, position, ageMillis);
  }
}
