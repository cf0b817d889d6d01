package io.rns.api;

import java.util.Arrays;
import java.util.List;

/**
 * Entries to look up by path.
 *
 * @param targets the entries, 1 to {@value io.rns.error.Limits#BATCH_ITEMS}
 * @param counts whether to return the number of entries of each directory, at the cost of one additional look-up each
 */
public record QueryRequest(List<Target> targets, boolean counts) implements EntriesRequest {
  public QueryRequest {
    targets = List.copyOf(targets);
    Batches.check("query", targets.size());
  }

  /** Looks up entries without counts. */
  public static QueryRequest of(Target... targets) {
    return new QueryRequest(Arrays.asList(targets), false);
  }

  /** Returns a copy that also requests counts. */
  public QueryRequest withCounts() {
    return new QueryRequest(targets, true);
  }
}
