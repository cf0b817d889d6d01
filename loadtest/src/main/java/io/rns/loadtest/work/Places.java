package io.rns.loadtest.work;

import java.util.List;

/** The paths of the junctions that a load finds, which nobody changes, in the order of their directories. */
public record Places(List<String> paths, int perDirectory) {
  public int junctions() {
    return paths.size();
  }

  public String junction(int number) {
    return paths.get(number);
  }
}
