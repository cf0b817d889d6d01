package io.rns.loadtest.handlespace;

import java.time.Duration;
import java.util.List;

/**
 * How long is measured, and on how much.
 *
 * @param sizes how many elements, one pool after the other; each at least 3
 * @param iterations how often each operation is measured, at least 1; before that it is warmed up twice as often
 * @param iteration how long each time
 * @param forks processes for each operation, one after the other; 0 measures in this process, where one operation
 *        disturbs the next
 */
public record RunSettings(List<Integer> sizes, int iterations, Duration iteration, int forks) {
  private static final int FEWEST = 3;

  /** Checks the bounds. */
  public RunSettings {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < FEWEST)) {
      throw new IllegalArgumentException("sizes " + sizes + " are not all " + FEWEST + " or more");
    }
    if (iterations < 1 || iteration.toMillis() < 1 || forks < 0) {
      throw new IllegalArgumentException(
          iterations + " iterations of " + iteration + " in " + forks + " processes measure nothing");
    }
  }
}
