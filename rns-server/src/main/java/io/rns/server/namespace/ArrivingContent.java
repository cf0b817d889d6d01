package io.rns.server.namespace;

import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Abandon;
import io.rns.api.ContentRequest.Forget;
import io.rns.api.ContentRequest.Insert;
import io.rns.api.ContentRequest.Own;
import io.rns.api.ContentRequest.Receive;
import io.rns.api.ContentRequest.Remember;
import io.rns.api.ContentRequest.Remove;
import io.rns.api.ContentRequest.Step;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Anchors;
import io.rns.server.namespace.LocalNameService.Ownership;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** At the primary of the group that a directory's content goes to: takes it in. */
final class ArrivingContent implements ContentTarget {
  /** Entries that are read together. */
  private static final int READ = 100;

  private final ContentSteps steps;
  private final GroupSnapshots snapshots;
  private final EntryId directory;
  private final BiFunction<Integer, EntryId, Ownership> owners;
  private final LongSupplier lag;

  /** @param owners asks the primary of a group what it knows of a directory's content */
  ArrivingContent(
      ContentSteps steps, GroupSnapshots snapshots, EntryId directory, BiFunction<Integer, EntryId, Ownership> owners,
      LongSupplier lag) {
    this.steps = steps;
    this.snapshots = snapshots;
    this.directory = directory;
    this.owners = owners;
    this.lag = lag;
  }

  @Override
  public long version() {
    Entry known = snapshots.readSnapshot(rows -> rows.find(directory));
    return known == null ? 0 : known.version();
  }

  @Override
  public Receipt receive(int from, long offered, long at, boolean afresh) {
    checkCleared();
    long token =
        orForget(steps, directory, offered, () -> step(new Receive(from, offered, at, afresh)).version());
    // If a former try has copied something that is not kept, it is now that it is deleted.
    checkCleared();
    return new Receipt(token, snapshots.readSnapshot(rows -> rows.copiedSince(directory)));
  }

  @Override
  public boolean isCleared() {
    return snapshots.readSnapshot(GroupRows::isCleared);
  }

  private void checkCleared() {
    if (!isCleared()) {
      throw new RnsException(RnsError.BUSY, "content that was removed is being deleted");
    }
  }

  private Entry step(Step step) {
    return steps.take(new ContentRequest(directory, step)).value().orThrow();
  }

  /**
   * Does something that fails with {@link RnsError#BUSY} while this group has an entry in a copy, of a move that came
   * to nothing; then has that copy deleted.
   *
   * @param steps at the primary
   * @param version of the entry at the group that has it
   */
  static <T> T orForget(ContentSteps steps, EntryId entry, long version, Supplier<T> work) {
    try {
      return work.get();
    } catch (RnsException e) {
      if (e.error() == RnsError.BUSY) {
        forget(steps, entry, version);
      }
      throw e;
    }
  }

  /** Has a copy deleted that has an entry as it was before a version; nothing if there is none. */
  static void forget(ContentSteps steps, EntryId entry, long version) {
    Outcome<Entry> unused = steps.take(new ContentRequest(entry, new Forget(version))).value();
  }

  @Override
  public void insert(long token, List<Entry> entries) {
    checkGiftsTaken(entries);
    try {
      Entry unused = step(new Insert(token, entries));
    } catch (RnsException e) {
      if (e.error() == RnsError.BUSY) {
        forgetOtherCopies(entries);
      }
      throw e;
    }
  }

  /**
   * Entries of directories take the place of what this group knows of their content: also that it has given that away,
   * which the next owner may have to ask for.
   */
  private void checkGiftsTaken(List<Entry> entries) {
    List<EntryId> cuts =
        entries.stream().filter(entry -> entry instanceof VirtualDirectory cut && cut.owner().isPresent())
            .map(Entry::id).toList();
    if (cuts.isEmpty()) {
      return;
    }
    List<VirtualDirectory> given = new ArrayList<>();
    int group = snapshots.readSnapshot(rows -> {
      chunks(cuts).forEach(some -> rows.findIds(some).values().forEach(known -> {
        if (known instanceof VirtualDirectory anchor && anchor.owner().isPresent()
            && (Anchors.IN_ROOT.isAnchor(anchor) || Anchors.OUTSIDE_ROOT.isAnchor(anchor))) {
          given.add(anchor);
        }
      }));
      return rows.position().group();
    });
    for (VirtualDirectory anchor : given) {
      int owner = anchor.owner().orElseThrow();
      if (receives(owner, anchor.id(), group)) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "server group " + owner + " has not begun to own the content of " + anchor.id() + " yet; retry");
      }
    }
  }

  private boolean receives(int by, EntryId content, int from) {
    try {
      Ownership there = owners.apply(by, content);
      return there.receives() && there.owner() == from;
    } catch (RnsException e) {
      if (e.error() == RnsError.NO_SUCH_ENTRY) {
        return false;
      }
      throw e;
    }
  }

  private void forgetOtherCopies(List<Entry> entries) {
    Set<EntryId> known = snapshots.readSnapshot(rows -> {
      Set<EntryId> found = new HashSet<>();
      chunks(entries.stream().map(Entry::id).toList()).forEach(some -> found.addAll(rows.findIds(some).keySet()));
      return found;
    });
    known.removeAll(has(known));
    entries.stream().filter(entry -> known.contains(entry.id()))
        .forEach(entry -> forget(steps, entry.id(), entry.version()));
  }

  @Override
  public void remove(long token, List<EntryId> entries, boolean forever) {
    Entry unused = step(new Remove(token, entries, forever));
  }

  @Override
  public void remember(long token, String answers) {
    Entry unused = step(new Remember(token, answers));
  }

  @Override
  public void abandon(long token) {
    Entry unused = step(new Abandon(token));
  }

  @Override
  public long lagMillis() {
    return lag.getAsLong();
  }

  @Override
  public Set<EntryId> has(Collection<EntryId> entries) {
    return has(entries, any -> true);
  }

  @Override
  public Set<EntryId> settled(Collection<EntryId> entries) {
    return has(entries, entry -> !MovingEntries.isLifted(entry));
  }

  private Set<EntryId> has(Collection<EntryId> entries, Predicate<Entry> wanted) {
    return snapshots.readSnapshot(
        rows -> {
          Set<EntryId> known = new HashSet<>();
          Depths depths = new Depths(rows, directory);
          for (List<EntryId> some : chunks(entries)) {
            Collection<Entry> found = rows.findIds(some).values();
            depths.load(found);
            for (Entry entry : found) {
              if (depths.of(entry) > 0 && wanted.test(entry)) {
                known.add(entry.id());
              }
            }
          }
          return known;
        });
  }

  /** Identities in parts that are read together. */
  static List<List<EntryId>> chunks(Collection<EntryId> ids) {
    return chunks(ids, READ);
  }

  /** Identities in parts of so many. */
  static List<List<EntryId>> chunks(Collection<EntryId> ids, int size) {
    List<EntryId> all = List.copyOf(ids);
    List<List<EntryId>> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      chunks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return chunks;
  }

  @Override
  public ContentSum sum() {
    return snapshots.readAll(rows -> sum(rows, directory));
  }

  static ContentSum sum(GroupRows rows, EntryId directory) {
    ContentSum[] sum = {ContentSum.ZERO};
    rows.subtree(directory, all -> true, entry -> sum[0] = sum[0].plus(entry));
    return sum[0];
  }

  @Override
  public void own(long token, Positions given, long version) {
    Entry unused = step(new Own(token, given, version));
  }

  /** How far entries are below a directory, or one of several, in one snapshot. */
  static final class Depths {
    /** What is kept in memory of directories that are asked for one by one: about 10 MB. */
    private static final int MOST_KNOWN = 100_000;

    private final GroupRows rows;
    private final Map<EntryId, Integer> tops = new HashMap<>();
    private final Map<EntryId, Integer> known = new HashMap<>();
    /** Those of the known that other groups own. */
    private final Set<EntryId> cuts = new HashSet<>();
    private final Map<EntryId, Entry> loaded = new HashMap<>();

    Depths(GroupRows rows, EntryId top) {
      this(rows, List.of(top));
    }

    Depths(GroupRows rows, Collection<EntryId> tops) {
      this.rows = rows;
      tops.forEach(top -> this.tops.put(top, 0));
      this.tops.put(EntryId.ROOT, -1);
      this.tops.put(Anchors.OUTSIDE_ROOT.parent(), -1);
      known.putAll(this.tops);
    }

    /**
     * Those of some directories that are the directory or below it.
     *
     * @param gone whether those are among them that are no longer there: it is not known where they were
     */
    Set<EntryId> within(Set<EntryId> ids, boolean gone) {
      if (known.size() >= tops.size() + MOST_KNOWN) {
        known.clear();
        cuts.clear();
        known.putAll(tops);
      }
      for (List<EntryId> some : chunks(ids.stream().filter(id -> !known.containsKey(id)).toList())) {
        Collection<Entry> found = rows.findIds(some).values();
        load(found);
        found.forEach(this::of);
        loaded.clear();
      }
      return ids.stream().filter(id -> known.containsKey(id) ? known.get(id) >= 0 : gone).collect(Collectors.toSet());
    }

    /** Reads what the depths of entries depend on, many directories at a time. */
    void load(Collection<Entry> entries) {
      Set<EntryId> above = above(entries);
      while (!above.isEmpty()) {
        List<Entry> found = new ArrayList<>();
        for (List<EntryId> some : chunks(above)) {
          found.addAll(rows.findIds(some).values());
        }
        found.forEach(directory -> loaded.put(directory.id(), directory));
        above = above(found);
      }
    }

    private Set<EntryId> above(Collection<Entry> entries) {
      return entries.stream().filter(entry -> !entry.isRoot()).map(entry -> entry.binding().parent())
          .filter(id -> !known.containsKey(id) && !loaded.containsKey(id)).collect(Collectors.toSet());
    }

    private @Nullable Entry find(EntryId id) {
      Entry known = loaded.get(id);
      return known == null ? rows.find(id) : known;
    }

    /**
     * The number of levels; -1 if it is not below the directory, or below a cut: what such a one had here is still
     * being deleted.
     */
    int of(Entry entry) {
      Deque<EntryId> climbed = new ArrayDeque<>();
      EntryId at = entry.id();
      Entry found = entry;
      while (found != null && !known.containsKey(at)) {
        climbed.push(at);
        if (found instanceof VirtualDirectory directory && directory.owner().isPresent()) {
          cuts.add(at);
        }
        at = found.binding().parent();
        found = known.containsKey(at) ? found : find(at);
      }
      int depth = known.getOrDefault(at, -1);
      for (EntryId below : climbed) {
        depth = depth < 0 || cuts.contains(at) ? -1 : depth + 1;
        known.put(below, depth);
        at = below;
      }
      return known.getOrDefault(entry.id(), -1);
    }
  }
}
