package io.rns.api;

import java.util.Arrays;
import java.util.List;

/**
 * Entries to look up, each over as many components as its path has.
 *
 * @param targets what to look up, 1 to {@value io.rns.error.Limits#BATCH_ITEMS}
 * @param counts whether directories shall say how many entries they have, which costs one more look-up each
 */
public record QueryRequest(List<Target> targets, boolean counts) {
  /** Checks the size. */
  public QueryRequest {
    targets = List.copyOf(targets);
    Batches.check("query", targets.size());
  }

  /** Looks up without counts. */
  public static QueryRequest of(Target... targets) {
    return new QueryRequest(Arrays.asList(targets), false);
  }

  /** The same with counts. */
  public QueryRequest withCounts() {
    return new QueryRequest(targets, true);
  }
}
