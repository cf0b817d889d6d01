package io.rns.cli;

import java.util.ArrayList;
import java.util.List;

/** What became of some lines. Belongs to one thread at a time. */
final class ImportResult {
  /**
   * A line that was not imported.
   *
   * @param line its number
   * @param message why
   */
  record BadLine(long line, String message) {}

  /** Entries that were made. */
  long added;

  /** Entries that were there, just as the line has them. */
  long present;

  /** Entries that were there and are now as the line has them. */
  long changed;

  /** The last line that is settled, one way or the other, with all before it; 0 for none. */
  long lastLine;

  /** Lines that were not imported, in order. */
  final List<BadLine> bad = new ArrayList<>();

  void refuse(long line, String message) {
    bad.add(new BadLine(line, message));
  }
}
