package io.rns.server.http;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.pool.PoolReference;
import io.rns.replication.partition.PartitionTable;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says which answers a front may keep and give to all anonymous clients, until the log has a change of their entry, of
 * a directory above it, or, of a directory, in it. Only fronts and servers that know the secret learn it.
 */
public final class SharedAnswers {
  /** The header of such an answer: the path that it depends on, percent-encoded. */
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

  /** Whether there may be any: not where reads are logged, nor in a tree of several groups, with a log each. */
  public boolean areAllowed() {
    try {
      PartitionTable table = partitions.get();
      return unrecorded && table.isRoots() && !table.hasCuts();
    } catch (RnsException e) {
      // Nothing is known of the partitions yet.
      return false;
    }
  }

  /** Whether a front asks for an anonymous client. */
  public static boolean isAskedBy(HttpServletRequest request) {
    return Callers.isPassedOn(request) && Callers.of(request).name().isEmpty();
  }

  /**
   * The header for an entry as it was answered to a front; empty if it depends on more than the log.
   *
   * @param reflected what the answer reflects
   */
  public Optional<String> header(RnsPath path, Entry entry, Positions reflected) {
    boolean shared =
        isOfLog(entry) && reflected.each().size() == 1 && reflected.cuts().isEmpty() && areAllowed();
    return shared ? Optional.of(URLEncoder.encode(path.toString(), StandardCharsets.UTF_8)) : Optional.empty();
  }

  /** Not so a junction to pools, also if they could not be asked. */
  private static boolean isOfLog(Entry entry) {
    return !(entry instanceof Junction junction) || (junction.pool().isEmpty()
        && junction.references().stream().allMatch(reference -> PoolReference.handle(reference).isEmpty()));
  }
}
