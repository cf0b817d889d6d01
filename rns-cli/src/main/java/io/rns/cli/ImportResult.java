package io.rns.cli;

import java.util.ArrayList;
import java.util.List;

/** The result of some lines. Not shared between threads. */
final class ImportResult {
  /**
   * A refused line.
   *
   * @param line its number
   * @param message why
   */
  record BadLine(long line, String message) {}

  /** Entries added. */
  long added;

  /** Existing entries that match their line. */
  long present;

  /** Existing entries changed to match their line. */
  long changed;

  /** The last line that is imported or refused, with all before it; 0 for none. */
  long lastLine;

  /** Refused lines, in order. */
  final List<BadLine> bad = new ArrayList<>();

  void refuse(long line, String message) {
    bad.add(new BadLine(line, message));
  }
}
