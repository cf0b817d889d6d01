package io.rns.loadtest.drill;

import java.util.Locale;

/** What can happen to a primary. */
public enum Fault {
  /** Its database dies at once. */
  KILL_DATABASE,
  /** Its application server dies at once. */
  KILL_SERVER,
  /** Its database stands still, longer than anybody waits, and goes on when another is the primary. */
  PAUSE_DATABASE,
  /** Its application server stands still, and goes on when another is the primary. */
  PAUSE_SERVER,
  /** Both die at once, as with their machine. */
  KILL_BOTH,
  /** Both stand still, and go on when another is the primary. */
  PAUSE_BOTH,
  /**
   * No other member reaches it and its database, which go on beside their clients; mended when another is the primary.
   */
  CUT_OFF,
  /** No other member reaches it; its database goes on with them. Mended when another is the primary. */
  CUT_OFF_SERVER,
  /** No other member reaches its database; it goes on beside it and with them. Mended when another is the primary. */
  CUT_OFF_DATABASE,
  /** Nothing: another one takes over as planned. */
  SWITCHOVER;

  /** Whether another primary has to be chosen by force. */
  boolean breaks() {
    return this != SWITCHOVER;
  }

  /** Whether it needs lines that can be cut. */
  public boolean cuts() {
    return this == CUT_OFF || this == CUT_OFF_SERVER || this == CUT_OFF_DATABASE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
