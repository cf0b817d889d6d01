package io.rns.wire;

/**
 * Options of a whole request.
 *
 * @param allOrNothing for writes: whether one refused item prevents the whole batch
 * @param parents for additions: whether to create missing parent directories
 * @param counts for queries: whether to return the number of entries of each directory
 */
public record BatchOptions(boolean allOrNothing, boolean parents, boolean counts) {
  public static final BatchOptions NONE = new BatchOptions(false, false, false);
}
