package io.rns.loadtest.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.rns.loadtest.measure.Series;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load gave.
 *
 * @param steps its own series, one for each number of clients, in the order of the settings; at least one
 * @param missing yardsticks that were not run, and why
 * @param database what the database is and how durable its commits are; empty if it was not asked
 * @param added what became of additions; null if there were none
 */
public record LoadReport(
    LoadSettings settings,
    List<Step> steps,
    List<Series> yardsticks,
    Map<String, String> missing,
    Map<String, String> database,
    @Nullable Added added,
    boolean interrupted) {

  public record Step(int clients, Series series) {}

  /** The step with the most requests per second. */
  public Step best() {
    return Collections.max(steps, Comparator.comparingDouble(step -> step.series().throughput()));
  }

  public Series load() {
    return best().series();
  }

  /**
   * What became of additions, warm-up included.
   *
   * @param found how many it says the directory has afterwards; fewer means that acknowledged writes were lost
   */
  public record Added(long acknowledged, long found) {
    @JsonProperty
    public long lost() {
      return Math.max(0, acknowledged - found);
    }
  }
}
