package io.rns.server.http;

import io.rns.api.Explanation;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.replication.partition.PartitionTable;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says which answers a front may keep and give to all anonymous clients, until a log has a change of their entry, of a
 * directory above it, or, of a directory, in it. Only fronts and servers that know the secret learn it.
 */
public final class SharedAnswers {
  /**
   * The header of such an answer: what it depends on, separated by spaces. For each server group on the way to the
   * entry, the one that has the entry first: {@code POSITION=PATH}, with the percent-encoded path in the words of the
   * group. Any change since then that matters is in the group's log, at this path.
   */
  public static final String HEADER = "RNS-Shared";

  /** The attribute of the servlet context under which filters find it. */
  public static final String ATTRIBUTE = "io.rns.server.http.SharedAnswers";

  private final Supplier<PartitionTable> partitions;
  private final boolean unrecorded;

  /**
   * What a server lets fronts keep.
   *
   * @param partitions what is known of the partitions of the tree
   * @param unrecorded whether no log of this server has to have each read
   */
  public SharedAnswers(Supplier<PartitionTable> partitions, boolean unrecorded) {
    this.partitions = partitions;
    this.unrecorded = unrecorded;
  }

  /** Whether there may be any: not where reads are logged. */
  public boolean areAllowed() {
    return unrecorded;
  }

  /** Whether a front asks for an anonymous client. */
  public static boolean isAskedBy(HttpServletRequest request) {
    return Callers.isPassedOn(request) && Callers.of(request).name().isEmpty();
  }

  /** Begins a lookup for a front; empty if the front may not keep the answer. */
  public Optional<SharedLookup> begin(RnsPath path) {
    if (!unrecorded) {
      return Optional.empty();
    }
    try {
      PartitionTable table = partitions.get();
      return table.wayToOwn(path).map(way -> new SharedLookup(partitions, table, way, new Explanation()));
    } catch (RnsException e) {
      // Nothing is known of the partitions yet.
      return Optional.empty();
    }
  }
}
