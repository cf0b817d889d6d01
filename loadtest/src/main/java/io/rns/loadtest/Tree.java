package io.rns.loadtest;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.loadtest.http.Template;

/**
 * A tree of many junctions, three names below its top: 100 in each directory, 100 directories in each directory of those.
 *
 * @param top where it is
 * @param leaves how many junctions it has
 */
record Tree(RnsPath top, long leaves) {
  static final int LEAVES_PER_DIRECTORY = 100;
  private static final int DIRECTORIES_PER_DIRECTORY = 100;

  /** How many directories hold the junctions. */
  long directories() {
    return Math.ceilDiv(leaves, LEAVES_PER_DIRECTORY);
  }

  /** The path of the directory of a number. */
  RnsPath directory(long number) {
    EntryName upper = EntryName.of("d" + number / DIRECTORIES_PER_DIRECTORY);
    return top.child(upper).child(EntryName.of("d" + number % DIRECTORIES_PER_DIRECTORY));
  }

  /** The path of the junction of a number. */
  RnsPath leaf(long number) {
    return directory(number / LEAVES_PER_DIRECTORY).child(leafName(number));
  }

  /** The name of the junction of a number, in the tree and in directories of many junctions. */
  static EntryName leafName(long number) {
    return EntryName.of("e" + Template.digits(number));
  }
}
