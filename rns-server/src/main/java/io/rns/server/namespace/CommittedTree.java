package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Anchors;
import io.rns.server.store.ContentBudget;
import io.rns.server.store.DepartureTable;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable.GroupRow;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The committed tree as a write transaction finds it, read through the cache. What was read is kept: from there on the
 * transaction sees one state, whatever the cache drops. Belongs to the writer's thread.
 */
final class CommittedTree {
  /** Where the number of the group begins in an identity. */
  static final int GROUP_SHIFT = 48;

  private static final String CONTENT = "what the request is about";

  private final GroupRows rows;
  private final EntryCache cache;
  private final GroupRow group;

  private final ContentBudget budget = new ContentBudget(CONTENT);
  private final Map<EntryKey, CachedBinding> known = new HashMap<>();
  private final Set<EntryKey> assumedMissing = new HashSet<>();
  private final Map<EntryId, Optional<EntryKey>> places = new HashMap<>();
  private final Map<EntryId, DirectoryCountTable.Row> directories = new HashMap<>();

  /**
   * A tree of which nothing is known.
   *
   * @param group its state, which the database has to have when the transaction is committed
   */
  CommittedTree(GroupRows rows, EntryCache cache, GroupRow group) {
    this.rows = rows;
    this.cache = cache;
    this.group = group;
  }

  /** What is known of a key without asking the database, or null. */
  @Nullable
  CachedBinding peek(EntryKey key) {
    // A directory made by this transaction has no committed entries.
    CachedBinding binding = isNew(key.parent()) ? CachedBinding.MISSING : known.get(key);
    if (binding == null && assumedMissing.contains(key)) {
      binding = CachedBinding.MISSING;
    }
    if (binding == null) {
      binding = cache.peek(key);
      if (binding != null) {
        keep(key, binding);
      }
    }
    return binding;
  }

  /** Whether a directory is of this transaction. */
  boolean isNew(long directory) {
    long number = directory >>> GROUP_SHIFT;
    return number == group.position().group() && directory - (number << GROUP_SHIFT) > group.lastEntry();
  }

  /** Asks the database for keys, all at once. */
  void load(Collection<EntryKey> keys) {
    // Its own budget while it reads; what stays counts below.
    Map<EntryKey, Entry> found = rows.find(keys);
    keys.forEach(key -> keep(key, CachedBinding.of(found.get(key))));
  }

  /** Asks the database for a key and names below it, as {@link EntrySource#loadPath}. */
  void loadPath(EntryKey key, List<EntryName> below) {
    Map<EntryKey, Optional<Entry>> found = rows.findPath(key, below);
    found.forEach((reached, entry) -> keep(reached, CachedBinding.of(entry.orElse(null))));
  }

  /**
   * Keeps what was read.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if that is more than one transaction may have to do with
   */
  private void keep(EntryKey key, CachedBinding binding) {
    Entry entry = binding.entry();
    if (known.put(key, binding) == null && entry != null) {
      budget.take(EntryTable.contentBytes(entry));
      places.put(entry.id(), Optional.of(key));
    }
  }

  private void keep(EntryId id, @Nullable Entry entry) {
    if (entry == null) {
      places.put(id, Optional.empty());
    } else {
      keep(EntryTable.keyOf(entry), CachedBinding.of(entry));
    }
  }

  /** The entry of a key, or null. */
  @Nullable
  Entry find(EntryKey key) {
    CachedBinding binding = peek(key);
    if (binding == null) {
      load(List.of(key));
      binding = known.get(key);
    }
    return binding == null ? null : binding.entry();
  }

  /** The entry of an identity, or null; it may be one that is no longer in the tree. */
  @Nullable
  Entry find(EntryId id) {
    Optional<EntryKey> place = places.get(id);
    if (place != null && place.isEmpty()) {
      return null;
    }
    EntryKey key = place == null ? cache.peekPlace(id) : place.get();
    Entry entry = key == null ? null : find(key);
    if (entry == null || !entry.id().equals(id)) {
      entry = rows.find(id);
      keep(id, entry);
    }
    return entry;
  }

  /**
   * The entry of an identity as the database has it, or null: the cache may have one that was deleted after it had left
   * the tree.
   */
  @Nullable
  Entry stored(EntryId id) {
    Entry entry = rows.find(id);
    keep(id, entry);
    return entry;
  }

  /** Whether what a directory had is still to be deleted. */
  boolean isBeingDeleted(EntryId directory) {
    return rows.isBeingDeleted(directory);
  }

  /** Takes a name for a new one if nothing is known of it. */
  void assumeMissing(EntryKey key) {
    if (peek(key) == null) {
      assumedMissing.add(key);
    }
  }

  /** The names that were taken for new ones. */
  Set<EntryKey> assumedMissing() {
    return Collections.unmodifiableSet(assumedMissing);
  }

  /**
   * Asks the database for what resolutions from identities need, these entries and the directories above them, with one
   * statement for all that are equally far from where they begin.
   */
  void loadStarts(Collection<EntryId> starts) {
    Set<EntryId> climbed = new HashSet<>();
    Collection<EntryId> level = starts;
    while (!level.isEmpty()) {
      Set<EntryId> unknown = new LinkedHashSet<>();
      level.forEach(start -> climbToUnknown(start, climbed).ifPresent(unknown::add));
      // Its own budget while it reads; what stays counts in keep.
      Map<EntryId, Entry> found = rows.findIds(unknown);
      unknown.forEach(id -> keep(id, found.get(id)));
      level = found.values().stream().filter(entry -> !entry.isRoot()).map(entry -> entry.binding().parent()).toList();
    }
  }

  /**
   * The first directory on the way from an identity to the root that only the database knows; empty if another climb
   * came by.
   */
  private Optional<EntryId> climbToUnknown(EntryId start, Set<EntryId> climbed) {
    EntryId at = start;
    while (!at.equals(EntryId.ROOT) && !at.equals(Anchors.OUTSIDE_ROOT.parent()) && climbed.add(at)) {
      Optional<EntryKey> place = places.get(at);
      EntryKey key = place == null ? cache.peekPlace(at) : place.orElse(null);
      CachedBinding binding = key == null ? null : peek(key);
      if (binding == null) {
        return place == null ? Optional.of(at) : Optional.empty();
      }
      if (binding.entry() == null) {
        return Optional.empty();
      }
      at = binding.entry().binding().parent();
    }
    return Optional.empty();
  }

  /** Asks the database for counts and heights of directories, all at once. */
  void loadDirectories(Collection<EntryId> ids) {
    directories.putAll(rows.counts(ids));
  }

  /** The directories whose content other server groups own. */
  List<EntryId> delegated() {
    return rows.delegated();
  }

  /** As {@link GroupRows#copiedSince}. */
  long copiedSince(EntryId directory) {
    return rows.copiedSince(directory);
  }

  /** The entries that are moving to other server groups. */
  List<DepartureTable.Departure> departures() {
    return rows.departures(group.position().group());
  }

  /** Count and height of a directory. */
  DirectoryCountTable.Row directory(EntryId id) {
    return directories.computeIfAbsent(id,
        unknown -> Objects.requireNonNull(rows.counts(List.of(unknown)).get(unknown)));
  }

  /** All that was read. */
  Map<EntryKey, CachedBinding> known() {
    return Collections.unmodifiableMap(known);
  }
}
