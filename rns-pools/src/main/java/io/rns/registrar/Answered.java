package io.rns.registrar;

import java.util.List;

/**
 * The answer to a caller in the same process.
 *
 * @param answer the result of the call
 * @param effects what the carrier has to do, in order
 */
public record Answered<T>(T answer, List<Effect> effects) {
  /** Copies the effects. */
  public Answered {
    effects = List.copyOf(effects);
  }
}
