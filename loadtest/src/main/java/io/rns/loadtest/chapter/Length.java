package io.rns.loadtest.chapter;

/** How long is measured. */
public enum Length {
  /** Minutes, for figures to quote. */
  FULL,
  /** Seconds, to see that everything runs. */
  QUICK;

  /** One of two texts, usually options of a command. */
  String of(String full, String quick) {
    return this == FULL ? full : quick;
  }

  /** How often things are measured in turns that take no turns by themselves. */
  int turns() {
    return this == FULL ? 3 : 1;
  }
}
