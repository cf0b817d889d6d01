package io.rns.registrar;

import java.util.List;

/**
 * An answer for somebody in this process.
 *
 * @param answer what was asked
 * @param effects what is to be done, in order
 */
public record Answered<T>(T answer, List<Effect> effects) {
  /** Copies. */
  public Answered {
    effects = List.copyOf(effects);
  }
}
