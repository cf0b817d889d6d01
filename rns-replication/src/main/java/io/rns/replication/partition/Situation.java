package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a plan starts from.
 *
 * @param map the partitions
 * @param groups the groups that answer; others neither give nor take anything
 * @param heat of the directories
 * @param fixed directories that cannot move now, and why
 */
public record Situation(
    PartitionMap map, SortedSet<Integer> groups, DirectoryHeat heat, Map<RnsPath, String> fixed) {
  /** Copies the collections. */
  public Situation {
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    fixed = Collections.unmodifiableSortedMap(new TreeMap<>(fixed));
  }

  /** The heat of everything that a group owns. */
  Heat of(int group) {
    return heat.heats().entrySet().stream()
        .filter(each -> map.ofContent(each.getKey()).group() == group)
        .map(Map.Entry::getValue)
        .reduce(Heat.NONE, Heat::plus);
  }
}
