package io.rns.loadtest.work;

import java.util.List;

/** The entries that a load finds, which nobody changes. Thread-safe. */
public interface Places {
  /**
   * Places with known paths.
   *
   * @param perDirectory how many of them a directory has
   */
  static Places of(List<String> paths, int perDirectory) {
    record Listed(List<String> paths, int perDirectory) implements Places {
      @Override
      public int junctions() {
        return paths.size();
      }

      @Override
      public String junction(int number) {
        return paths.get(number);
      }
    }
    return new Listed(List.copyOf(paths), perDirectory);
  }

  /** How many junctions there are. */
  int junctions();

  /** How many of them a directory has. */
  int perDirectory();

  /** The path of the junction of a number. */
  String junction(int number);
}
