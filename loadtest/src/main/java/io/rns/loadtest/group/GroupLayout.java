package io.rns.loadtest.group;

import io.rns.loadtest.link.Delay;
import java.util.List;

/**
 * What a group consists of.
 *
 * @param lines by which the other members reach each member and its database: a delay for each member, the first one's
 *        first; empty if they reach each other directly
 */
public record GroupLayout(int replicas, String engine, String topology, List<Delay> lines, boolean faultyDisks) {
  public GroupLayout {
    lines = List.copyOf(lines);
    if (!lines.isEmpty() && lines.size() != replicas + 1) {
      throw new IllegalArgumentException(lines.size() + " lines for " + (replicas + 1) + " members");
    }
  }

  /** Members with embedded databases, which reach each other directly unless there are delays. */
  public static GroupLayout of(int replicas, Delay... lines) {
    return new GroupLayout(replicas, "mariadb", "source-replica", List.of(lines), false);
  }
}
