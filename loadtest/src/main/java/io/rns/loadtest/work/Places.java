package io.rns.loadtest.work;

/** The entries that a load finds, which nobody changes. Thread-safe. */
public interface Places {
  /** How many junctions there are. */
  int junctions();

  /** How many of them a directory has. */
  int perDirectory();

  /** The path of the junction of a number. */
  String junction(int number);
}
