package io.rns.api;

/**
 * A result and the position it reflects.
 *
 * @param value the result
 * @param position for a write, where it stands in the order of changes; for a read, a position whose changes it sees
 * @param ageMillis how old a read's result may be: what was answered to anybody this long ago or earlier, it sees; 0
 *        from the primary
 */
public record Answer<T>(T value, Position position, long ageMillis) {
  /** A result that is not old. */
  public Answer(T value, Position position) {
    this(value, position, 0);
  }

  /** Another result that was made of this one. */
  public <U> Answer<U> with(U other) {
    return new Answer<>(other, position, ageMillis);
  }
}
