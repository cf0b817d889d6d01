package io.rns.loadtest.work;

import java.util.List;

/**
 * The entries that a load finds, which nobody changes.
 *
 * @param paths of the junctions, in the order of their directories
 * @param perDirectory how many of them a directory has
 */
public record Places(List<String> paths, int perDirectory) {
  /** Copies the paths. */
  public Places {
    paths = List.copyOf(paths);
  }

  /** How many junctions there are. */
  public int junctions() {
    return paths.size();
  }

  /** The path of the junction of a number. */
  public String junction(int number) {
    return paths.get(number);
  }
}
