package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose content could move: below it to the next cuts.
 *
 * @param group that owns the content
 * @param targets the groups that could own it
 * @param isNewCut whether no partition begins here
 */
record MovableDirectory(RnsPath path, int group, Heat heat, double load, Set<Integer> targets, boolean isNewCut) {
  private static final Comparator<MovableDirectory> HOTTEST_FIRST =
      Comparator.comparingDouble(MovableDirectory::load).reversed().thenComparing(MovableDirectory::path);

  /**
   * The directories of some groups that are used, the hottest first. Of those with the same load, one below the other,
   * the highest: a cut costs least there.
   *
   * @param from groups whose content moves
   * @param to groups to which it moves
   */
  static List<MovableDirectory> of(Situation situation, double writeCost, IntPredicate from, IntPredicate to) {
    PartitionMap map = situation.map();
    Set<RnsPath> cuts = new HashSet<>();
    map.partitions().forEach(partition -> cuts.add(partition.path()));
    List<MovableDirectory> all = new ArrayList<>();
    Map<RnsPath, @Nullable MovableDirectory> nearest = new HashMap<>();
    // In the order of paths a directory comes before those below it.
    subtrees(situation, from).forEach((path, heat) -> {
      double load = heat.load(writeCost);
      boolean isFixed = load == 0 || situation.fixed().containsKey(path);
      Set<Integer> targets = isFixed ? Set.of() : targets(situation, path, to);
      @Nullable
      MovableDirectory above = path.depth() == 1 || cuts.contains(path) ? null : nearest.get(path.parent());
      if (targets.isEmpty() || (above != null && above.load == load && above.targets.containsAll(targets))) {
        nearest.put(path, above);
      } else {
        MovableDirectory movable =
            new MovableDirectory(path, map.ofContent(path).group(), heat, load, targets, !cuts.contains(path));
        nearest.put(path, movable);
        all.add(movable);
      }
    });
    all.sort(HOTTEST_FIRST);
    return all;
  }

  /** The heat of each directory of some groups with what is below it in the same partition, except the root. */
  static SortedMap<RnsPath, Heat> subtrees(Situation situation, IntPredicate groups) {
    SortedMap<RnsPath, Heat> subtrees = new TreeMap<>();
    situation.heat().heats().forEach((path, heat) -> {
      Partition partition = situation.map().ofContent(path);
      if (groups.test(partition.group())) {
        for (int depth = Math.max(1, partition.path().depth()); depth <= path.depth(); depth++) {
          subtrees.merge(path.prefix(depth), heat, Heat::plus);
        }
      }
    });
    return subtrees;
  }

  private static Set<Integer> targets(Situation situation, RnsPath path, IntPredicate to) {
    PartitionMap map = situation.map();
    Set<Integer> targets = new TreeSet<>(situation.groups());
    targets.removeIf(group -> !to.test(group) || group == map.ofContent(path).group());
    for (Partition partition : map.partitions()) {
      if (partition.path().depth() > path.depth() && path.contains(partition.path())) {
        // What a group owns already would have to go back before content around it comes.
        targets.remove(partition.group());
      }
    }
    return targets;
  }

  /** Whether one of two directories is in the other. */
  boolean overlaps(MovableDirectory other) {
    return path.contains(other.path) || other.path.contains(path);
  }
}
