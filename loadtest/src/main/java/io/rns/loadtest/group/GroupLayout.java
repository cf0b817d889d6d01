package io.rns.loadtest.group;

import io.rns.loadtest.link.Delay;
import java.util.List;

/**
 * What a group consists of.
 *
 * @param replicas the number of servers beside the primary
 * @param engine of their databases: {@code mariadb} or {@code mysql}
 * @param topology of their replication: {@code source-replica} or {@code group}
 * @param lines by which the other members reach each member and its database: a delay for each member, the first one's
 *        first; empty if they reach each other directly
 * @param faultyDisks whether {@link ServerGroup#disks} are needed
 */
public record GroupLayout(int replicas, String engine, String topology, List<Delay> lines, boolean faultyDisks) {
  /**
   * Checks and copies the lines.
   *
   * @throws IllegalArgumentException if they are not as many as members
   */
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
