package io.rns.client;

import io.rns.api.AddRequest;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RnsPath;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a call is about.
 *
 * @param write whether only the primary can answer
 * @param small whether a server that works answers soon
 * @param place tells the narrowest place with everything that the call names
 */
record Subject(boolean write, boolean small, Supplier<Place> place) {
  private static final int SMALL_ITEMS = 64;

  /** A call that is about no part of the tree, and that every server answers. */
  static final Subject NONE = new Subject(false, false, () -> Place.ANYWHERE);

  /**
   * Where entries are.
   *
   * @param directory whose content they are, or are below; the root for what is named by an id
   * @param group the server group that made the ids by which they are named; empty if they are named otherwise, or by
   *        ids of several groups
   */
  record Place(RnsPath directory, OptionalInt group) {
    /** No place in particular. */
    static final Place ANYWHERE = new Place(RnsPath.ROOT, OptionalInt.empty());

    /** The content of a directory. */
    private static Place below(Target directory) {
      return directory.start().equals(EntryId.ROOT)
          ? new Place(directory.path(), OptionalInt.empty())
          : new Place(RnsPath.ROOT, OptionalInt.of(directory.start().group()));
    }

    /** An entry, which is content of the directory above it. */
    private static Place of(Target entry) {
      boolean named = entry.start().equals(EntryId.ROOT) && !entry.path().isRoot();
      return below(named ? new Target(EntryId.ROOT, entry.path().parent()) : entry);
    }

    private Place with(Place other) {
      if (group.isPresent() || other.group.isPresent()) {
        return equals(other) ? this : ANYWHERE;
      }
      int most = Math.min(directory.depth(), other.directory.depth());
      int shared = 0;
      while (shared < most && directory.names().get(shared).equals(other.directory.names().get(shared))) {
        shared++;
      }
      return new Place(directory.prefix(shared), group);
    }
  }

  static Subject of(AddRequest request) {
    return new Subject(true, isSmall(request.entries()),
        () -> common(request.entries().stream().map(AddRequest.NewEntry::target)));
  }

  static Subject of(ListRequest request) {
    return new Subject(false, false, () -> Place.below(request.directory()));
  }

  static Subject of(SubtreeRequest request) {
    return new Subject(false, false, () -> Place.below(request.directory()));
  }

  static Subject of(QueryRequest request) {
    List<Target> targets = request.targets();
    return new Subject(false, isSmall(targets),
        () -> targets.size() == 1 ? Place.of(targets.get(0)) : common(targets.stream()));
  }

  static Subject of(UpdateRequest request) {
    return new Subject(
        true, isSmall(request.changes()), () -> commonPlace(request.changes().stream()
            .flatMap(change -> Stream.concat(
                Stream.of(Place.of(change.target())), change.parent().stream().map(Place::below)))));
  }

  static Subject of(RemoveRequest request) {
    return new Subject(true, isSmall(request.removals()),
        () -> common(request.removals().stream().map(RemoveRequest.Removal::target)));
  }

  private static boolean isSmall(List<?> items) {
    return items.size() <= SMALL_ITEMS;
  }

  private static Place common(Stream<Target> entries) {
    return commonPlace(entries.map(Place::of));
  }

  private static Place commonPlace(Stream<Place> places) {
    return places.reduce(Place::with).orElse(Place.ANYWHERE);
  }
}
