package io.rns.server.partition;

import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.LocalNameService.Ownership;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a group owes to what others have given: it serves what is its own by now, and completes moves of content whose
 * last steps were interrupted, so that it serves what was given to it, and names the owner of what is no longer where
 * its own entry says.
 *
 * @param group the number of this server's group
 * @param owners asks the primary of a group what it knows of a directory's content
 */
record GivenContent(int group, BiFunction<Integer, EntryId, Ownership> owners) {
  private static final Logger LOG = LoggerFactory.getLogger(GivenContent.class);

  /** What this group has for directories. */
  interface Rows {
    /** Its cuts. */
    List<Partition> partitions();

    /** As {@link LocalNameService#has}. */
    boolean has(EntryId directory);

    /** As {@link LocalNameService#row}. */
    VirtualDirectory row(EntryId directory);

    /** As {@link LocalNameService#serve}. */
    void serve(EntryId directory, long epoch);

    /** As {@link LocalNameService#own}. */
    void own(EntryId directory, long version, Positions given, long there);

    /** As {@link LocalNameService#point}. */
    void point(EntryId directory, int to, long version);
  }

  /** Those of a server's copy. */
  record CopyRows(LocalNameService copy) implements Rows {
    @Override
    public List<Partition> partitions() {
      return copy.partitions().value().partitions();
    }

    @Override
    public boolean has(EntryId directory) {
      return copy.has(directory);
    }

    @Override
    public VirtualDirectory row(EntryId directory) {
      return copy.row(directory);
    }

    @Override
    public void serve(EntryId directory, long epoch) {
      copy.serve(directory, epoch);
    }

    @Override
    public void own(EntryId directory, long version, Positions given, long there) {
      copy.own(directory, version, given, there);
    }

    @Override
    public void point(EntryId directory, int to, long version) {
      copy.point(directory, to, version);
    }
  }

  /**
   * At the primary: begins to own what the map says, and those who have given it.
   *
   * @param owned what this primary has begun to own; kept up to date
   * @throws RnsException what made one of the directories wait; the others are owned
   */
  void serve(Rows rows, PartitionMap map, Set<EntryId> owned) {
    List<Partition> mine =
        map.partitions().stream().filter(each -> each.group() == group && !each.path().isRoot()).toList();
    owned.retainAll(mine.stream().map(Partition::root).toList());
    RnsException failed = null;
    for (Partition partition : mine) {
      if (owned.contains(partition.root())) {
        continue;
      }
      try {
        boolean has = rows.has(partition.root());
        if (has || isGiven(map, partition)) {
          if (!has) {
            rows.serve(partition.root(), partition.epoch());
          }
          owned.add(partition.root());
          LOG.info("this group owns {} (id {})", partition.path(), partition.root());
        }
      } catch (RnsException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * Whether a group has given a directory to this one: that of its entry, or the next one to which that leads. Not if
   * it takes the content in from this one, which has given it away then, and perhaps the entry, and knows nothing of it
   * any more.
   */
  private boolean isGiven(PartitionMap map, Partition partition) {
    int at = map.ofEntry(partition.path()).group();
    for (Set<Integer> asked = new HashSet<>(); asked.add(at);) {
      Ownership there = owners.apply(at, partition.root());
      if (there.owner() == group) {
        return !there.receives();
      }
      at = there.owner();
    }
    return false;
  }

  /**
   * At the primary: completes moves.
   *
   * @param map which is a hint: that it has another owner of a directory's content than this group's own entry
   * @throws RnsException what made one of the moves wait; the others are completed
   */
  void follow(Rows rows, PartitionMap map) {
    Map<EntryId, Partition> mapped = new HashMap<>();
    map.partitions().forEach(partition -> mapped.put(partition.root(), partition));
    RnsException failed = null;
    for (Partition cut : rows.partitions()) {
      Partition now = mapped.get(cut.root());
      if (now == null || cut.path().isRoot()) {
        continue;
      }
      int entry = map.ofEntry(now.path()).group();
      // Where the content is taken in from, the map does not lead on; that group may have given it, and the entry.
      boolean mayBeGiven = now.group() == cut.group() && entry != cut.group() && entry != group;
      if (now.group() == cut.group() && !mayBeGiven) {
        continue;
      }
      try {
        if (now.group() == group || mayBeGiven) {
          take(rows, cut, now, entry);
        } else if (now.epoch() == cut.epoch()) {
          point(rows, cut, now);
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
  private void take(Rows rows, Partition cut, Partition now, int entry) {
    long version = rows.row(cut.root()).version();
    Ownership there = giver(cut, entry);
    // Of two groups that name each other, the one with the later epoch has given the content away.
    if (there.owner() == group && !there.receives() && there.epoch() > cut.epoch()) {
      rows.own(cut.root(), version, there.positions().without(group), there.epoch());
      LOG.info("this group owns the content of {} (id {}), which it has taken in", now.path(), cut.root());
    }
  }

  /**
   * What the group says that this one takes the content from. If the directory's entry has moved since it was given,
   * with other content, what that group knew of it has moved along.
   *
   * @param entry the group that has the entry
   */
  private Ownership giver(Partition cut, int entry) {
    try {
      return owners.apply(cut.group(), cut.root());
    } catch (RnsException e) {
      if (e.error() != RnsError.NO_SUCH_ENTRY || entry == cut.group() || entry == group) {
        throw e;
      }
      return owners.apply(entry, cut.root());
    }
  }

  /** To a group that says itself that it owns the content: to another one this group would look like its giver. */
  private void point(Rows rows, Partition cut, Partition now) {
    long version = rows.row(cut.root()).version();
    if (owners.apply(now.group(), cut.root()).owner() == now.group()) {
      rows.point(cut.root(), now.group(), version);
    }
  }
}
