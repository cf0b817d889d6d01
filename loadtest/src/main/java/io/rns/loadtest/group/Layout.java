package io.rns.loadtest.group;

import io.rns.loadtest.link.Delay;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a group consists of.
 *
 * @param replicas how many servers beside the primary
 * @param engine which databases they have: {@code mariadb} or {@code mysql}
 * @param topology how those are kept alike: {@code source-replica} or {@code group}
 * @param lines by which the other members reach each member and its database: a delay for each, the first one's first;
 *        empty if they reach each other directly
 */
public record Layout(int replicas, String engine, String topology, Optional<List<Delay>> lines) {
  /**
   * Checks and copies the lines.
   *
   * @throws IllegalArgumentException if they are not as many as members
   */
  public Layout {
    lines = lines.map(List::copyOf);
    if (lines.isPresent() && lines.get().size() != replicas + 1) {
      throw new IllegalArgumentException(lines.get().size() + " lines for " + (replicas + 1) + " members");
    }
  }

  /** Members with embedded databases that reach each other directly. */
  public static Layout of(int replicas) {
    return new Layout(replicas, "mariadb", "source-replica", Optional.empty());
  }

  /** The same with lines that have these delays. */
  public Layout withLines(List<Delay> delays) {
    return new Layout(replicas, engine, topology, Optional.of(delays));
  }

  /** The same with lines without delay, which can be cut. */
  public Layout withLines() {
    return withLines(Collections.nCopies(replicas + 1, Delay.NONE));
  }
}
