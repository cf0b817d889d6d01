package io.rns.api;

import io.rns.error.RnsException;
import java.util.function.Function;

/**
 * The result of one item of a request.
 *
 * @param <T> the value of a success
 */
public sealed interface Outcome<T> {
  /**
   * The item succeeded.
   *
   * @param value the result
   */
  record Done<T>(T value) implements Outcome<T> {}

  /**
   * The namespace refused the item; no part of it was applied.
   *
   * @param refusal the reason
   */
  record Refused<T>(Refusal refusal) implements Outcome<T> {}

  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }

  /** Returns the outcome with the value of a success mapped; a refusal stays the same. */
  default <U> Outcome<U> map(Function<? super T, ? extends U> mapping) {
    return this instanceof Done<T> done ? done(mapping.apply(done.value())) : refused(((Refused<T>) this).refusal());
  }

  /**
   * Returns the value of a success.
   *
   * @throws RnsException with the code and message of the refusal
   */
  default T orThrow() {
    if (this instanceof Done<T> done) {
      return done.value();
    }
    throw ((Refused<T>) this).refusal().toException();
  }
}
