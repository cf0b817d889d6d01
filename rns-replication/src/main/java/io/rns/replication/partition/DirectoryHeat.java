package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The heat of directories, each without that of the directories below it.
 *
 * @param heats by directory
 */
public record DirectoryHeat(SortedMap<RnsPath, Heat> heats) {
  /** Of reads that cost as much as a write, where it matters which directory is hotter. */
  private static final double WRITE_COST = PlanSettings.DEFAULT.writeCost();

  /** Copies the map. */
  public DirectoryHeat {
    heats = Collections.unmodifiableSortedMap(new TreeMap<>(heats));
  }

  /** What several servers have counted, together. */
  public static DirectoryHeat sum(List<DirectoryHeat> parts) {
    TreeMap<RnsPath, Heat> sum = new TreeMap<>();
    parts.forEach(part -> part.heats().forEach((path, heat) -> sum.merge(path, heat, Heat::plus)));
    return new DirectoryHeat(sum);
  }

  /**
   * The same in about {@code most} directories: the heat of colder ones is added to the directory above, in the same
   * partition. So that of every subtree of more than one part in {@code most} stays what it is.
   */
  public DirectoryHeat folded(int most, PartitionMap map) {
    if (heats.size() <= most) {
      return this;
    }
    Set<RnsPath> roots = new HashSet<>();
    map.partitions().forEach(partition -> roots.add(partition.path()));
    double least = heats.values().stream().mapToDouble(heat -> heat.load(WRITE_COST)).sum() / most;
    TreeMap<RnsPath, Heat> folded = new TreeMap<>();
    List<Map<RnsPath, Heat>> levels = new ArrayList<>();
    heats.forEach((path, heat) -> level(levels, path).merge(path, heat, Heat::plus));
    for (int depth = levels.size() - 1; depth >= 0; depth--) {
      levels.get(depth).forEach((path, heat) -> {
        if (heat.load(WRITE_COST) >= least || roots.contains(path)) {
          folded.put(path, heat);
        } else {
          level(levels, path.parent()).merge(path.parent(), heat, Heat::plus);
        }
      });
    }
    return new DirectoryHeat(folded);
  }

  private static Map<RnsPath, Heat> level(List<Map<RnsPath, Heat>> levels, RnsPath path) {
    while (levels.size() <= path.depth()) {
      levels.add(new TreeMap<>());
    }
    return levels.get(path.depth());
  }
}
