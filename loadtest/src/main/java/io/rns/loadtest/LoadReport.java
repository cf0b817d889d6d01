package io.rns.loadtest;

import io.rns.loadtest.measure.Series;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load gave.
 *
 * @param settings what was run
 * @param load its own series
 * @param yardsticks what it was compared with in the same run
 * @param missing yardsticks that were not run, and why
 * @param database what the database is and how durable its commits are; empty if it was not asked
 * @param added what became of additions; null if there were none
 */
public record LoadReport(
    LoadSettings settings,
    Series load,
    List<Series> yardsticks,
    Map<String, String> missing,
    Map<String, String> database,
    @Nullable Added added) {

  /**
   * What became of additions, warm-up included.
   *
   * @param acknowledged how many entries the service said it had added
   * @param found how many it says the directory has afterwards; fewer means that acknowledged writes were lost
   */
  public record Added(long acknowledged, long found) {
    /** How many acknowledged entries are missing. */
    public long lost() {
      return Math.max(0, acknowledged - found);
    }
  }
}
