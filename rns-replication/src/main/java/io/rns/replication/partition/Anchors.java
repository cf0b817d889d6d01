package io.rns.replication.partition;

import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Where a server group keeps content of directories whose own entries belong to other groups: below anchors, each of
 * which is named by the identity of the directory. No path of a caller leads there.
 */
public final class Anchors {
  /**
   * Of the group that owns the root. They are in no directory: their parent is an identity that no entry has, and their
   * paths begin with a name that no entry can have.
   */
  public static final Anchors OUTSIDE_ROOT =
      new Anchors(
          new EntryId(Long.MAX_VALUE - 1), RnsPath.of(EntryName.ofUtf8("..".getBytes(StandardCharsets.US_ASCII))));
  /** Of all other groups, whose own root has nothing else. */
  public static final Anchors IN_ROOT = new Anchors(EntryId.ROOT, RnsPath.ROOT);

  private final EntryId parent;
  private final RnsPath path;

  private Anchors(EntryId parent, RnsPath path) {
    this.parent = parent;
    this.path = path;
  }

  /** Those of a group. */
  public static Anchors of(boolean ownsRoot) {
    return ownsRoot ? OUTSIDE_ROOT : IN_ROOT;
  }

  /** The parent of all anchors. */
  public EntryId parent() {
    return parent;
  }

  /** The path of the parent in the group's own words. */
  public RnsPath path() {
    return path;
  }

  /** The place of the anchor of a directory. */
  public Binding binding(EntryId directory) {
    return new Binding(parent, EntryName.of(directory.toString()));
  }

  /** Whether an entry of the group is an anchor. */
  public boolean isAnchor(Entry entry) {
    return !entry.isRoot() && entry.binding().parent().equals(parent);
  }

  /**
   * A path in the words of all groups.
   *
   * @param partition the root directory of a partition
   * @param names from there
   */
  public record Place(EntryId partition, List<EntryName> names) {}

  /** What a path in the group's own words leads to; empty if that is no part of the tree of callers. */
  public Optional<Place> place(RnsPath inner) {
    if (!path.contains(inner)) {
      return Optional.of(new Place(EntryId.ROOT, inner.names()));
    }
    List<EntryName> names = inner.names().subList(path.depth(), inner.depth());
    if (names.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Place(EntryId.parse(names.getFirst().toString()), names.subList(1, names.size())));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  /**
   * A path in the group's own words.
   *
   * @param partition one of the group's
   * @param names from its root directory
   */
  public RnsPath inner(EntryId partition, List<EntryName> names) {
    return (partition.equals(EntryId.ROOT) ? RnsPath.ROOT : path.child(binding(partition).name()))
        .resolve(RnsPath.of(names));
  }
}
