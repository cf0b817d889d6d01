package io.rns.wire;

/**
 * Options of a whole request.
 *
 * @param allOrNothing one refused item keeps the others from being applied; writes
 * @param parents missing directories are made; add
 * @param counts directories say how many entries they have; query
 */
public record BatchOptions(boolean allOrNothing, boolean parents, boolean counts) {
  /** None of them. */
  public static final BatchOptions NONE = new BatchOptions(false, false, false);
}
