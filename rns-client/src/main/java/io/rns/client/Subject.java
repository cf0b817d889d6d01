package io.rns.client;

import io.rns.api.AddRequest;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a call is about.
 *
 * @param write whether only the primary can answer
 * @param small whether a server that works answers soon
 * @param path tells the narrowest path that everything the call names is at or below: the root for what is named by an
 *        id
 */
record Subject(boolean write, boolean small, Supplier<RnsPath> path) {
  private static final int SMALL_ITEMS = 64;

  /** A call that is about no part of the tree, and that every server answers. */
  static final Subject NONE = new Subject(false, false, () -> RnsPath.ROOT);

  static Subject of(AddRequest request) {
    return new Subject(true, isSmall(request.entries()),
        () -> common(request.entries().stream().map(AddRequest.NewEntry::target)));
  }

  static Subject of(ListRequest request) {
    return new Subject(false, false, () -> path(request.directory()));
  }

  static Subject of(QueryRequest request) {
    List<Target> targets = request.targets();
    return new Subject(false, isSmall(targets),
        () -> targets.size() == 1 ? path(targets.get(0)) : common(targets.stream()));
  }

  static Subject of(UpdateRequest request) {
    return new Subject(
        true, isSmall(request.changes()), () -> common(request.changes().stream()
            .flatMap(change -> Stream.concat(Stream.of(change.target()), change.parent().stream()))));
  }

  static Subject of(RemoveRequest request) {
    return new Subject(true, isSmall(request.removals()),
        () -> common(request.removals().stream().map(RemoveRequest.Removal::target)));
  }

  private static boolean isSmall(List<?> items) {
    return items.size() <= SMALL_ITEMS;
  }

  private static RnsPath path(Target target) {
    return target.start().equals(EntryId.ROOT) ? target.path() : RnsPath.ROOT;
  }

  private static RnsPath common(Stream<Target> targets) {
    return targets.map(Subject::path).reduce(Subject::common).orElse(RnsPath.ROOT);
  }

  private static RnsPath common(RnsPath one, RnsPath other) {
    int most = Math.min(one.depth(), other.depth());
    int shared = 0;
    while (shared < most && one.names().get(shared).equals(other.names().get(shared))) {
      shared++;
    }
    return one.prefix(shared);
  }
}
