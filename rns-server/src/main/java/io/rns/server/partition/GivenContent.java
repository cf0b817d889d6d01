package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.namespace.LocalNameService;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes moves of content whose last steps were interrupted: a group serves what was given to it, and names the
 * owner of what is no longer where its own entry says.
 *
 * @param group the number of this server's group
 * @param owners asks the primary of a group what it knows of a directory's content
 */
record GivenContent(int group, BiFunction<Integer, EntryId, OwnerJson> owners) {
  private static final Logger LOG = LoggerFactory.getLogger(GivenContent.class);

  /**
   * At the primary.
   *
   * @param map which is a hint: that it has another owner of a directory's content than this group's own entry
   * @throws RnsException what made one of the moves wait; the others are completed
   */
  void follow(LocalNameService copy, PartitionMap map) {
    Map<EntryId, Partition> mapped = new HashMap<>();
    map.partitions().forEach(partition -> mapped.put(partition.root(), partition));
    RnsException failed = null;
    for (Partition cut : copy.partitions().value().partitions()) {
      Partition now = mapped.get(cut.root());
      if (now == null || now.group() == cut.group() || cut.path().isRoot()) {
        continue;
      }
      try {
        if (now.group() == group) {
          take(copy, cut, now);
        } else if (now.epoch() == cut.epoch()) {
          copy.point(cut.root(), now.group());
        }
      } catch (RnsException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /** While the content is taken in, the former owner is the one that this group names. */
  private void take(LocalNameService copy, Partition cut, Partition now) {
    long version = copy.row(cut.root()).version();
    OwnerJson there = owners.apply(cut.group(), cut.root());
    // Of two groups that name each other, the one with the later epoch has given the content away.
    if (there.group() == group && there.epoch() > cut.epoch()) {
      copy.own(cut.root(), version, there.position(), there.epoch());
      LOG.info("this group owns the content of {} (id {}), which it has taken in", now.path(), cut.root());
    }
  }
}
