package io.rns.api;

import io.rns.error.RnsException;

/**
 * The answer to one item of a request.
 *
 * @param <T> what a success gives
 */
public sealed interface Outcome<T> {
  /**
   * It was done.
   *
   * @param value what came of it
   */
  record Done<T>(T value) implements Outcome<T> {}

  /**
   * The namespace says no; nothing of this item was applied.
   *
   * @param refusal why
   */
  record Refused<T>(Refusal refusal) implements Outcome<T> {}

  /** Success. */
  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  /** Refusal. */
  static <T> Outcome<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }

  /**
   * The value.
   *
   * @throws RnsException with the refusal's code and message, if it was refused
   */
  default T orThrow() {
    if (this instanceof Done<T> done) {
      return done.value();
    }
    throw ((Refused<T>) this).refusal().toException();
  }
}
