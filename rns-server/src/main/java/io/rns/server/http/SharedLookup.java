package io.rns.server.http;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Explanation;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.pool.PoolReference;
import io.rns.replication.partition.GroupPath;
import io.rns.replication.partition.PartitionTable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A lookup for a front that may keep the answer.
 *
 * @param latest what is known of the partitions at any time
 * @param table what was known before the lookup
 * @param way what the entry depends on by that
 * @param explanation shows whether another server was asked
 */
public record SharedLookup(
    Supplier<PartitionTable> latest, PartitionTable table, List<GroupPath> way, Explanation explanation) {
  /**
   * The header of the answer; empty if it depends on more than logs of changes, or it is not known exactly on what: if
   * another server was asked, or the partitions changed meanwhile.
   *
   * @param position of the group, as the answer has it
   */
  @SuppressWarnings("ReferenceEquality") // an equal one may have been replaced twice
  public Optional<String> header(Entry entry, Position position) {
    boolean asKnown =
        position.group() == table.group() && explanation.hops().isEmpty() && latest.get() == table;
    return isOfLog(entry) && asKnown
        ? Optional.of(way.stream().map(each -> text(each, position)).collect(Collectors.joining(" ")))
        : Optional.empty();
  }

  /** The same of a page of a directory. */
  public Optional<String> header(Page page, Position position) {
    return page.entries().stream().allMatch(SharedLookup::isOfLog) ? header(page.directory(), position)
        : Optional.empty();
  }

  private String text(GroupPath part, Position own) {
    Position since = part.group() == own.group() ? own : table.asOf().of(part.group()).orElseThrow();
    return since + "=" + URLEncoder.encode(part.path().toString(), StandardCharsets.UTF_8);
  }

  /** Not so a junction to pools, also if they could not be asked, and a directory whose content is elsewhere. */
  private static boolean isOfLog(Entry entry) {
    return switch (entry) {
      case VirtualDirectory directory -> directory.owner().isEmpty();
      case Junction junction -> junction.pool().isEmpty()
          && junction.references().stream().allMatch(reference -> PoolReference.handle(reference).isEmpty());
    };
  }
}
