package io.rns.server.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The row of an entry, which can be had in one column. The database describes each column of a result, and the driver
 * reads that, with every answer: for the rows of a whole path that costs more than to find them.
 *
 * <p>The packed form: identity, kind, version, both times, bytes of the references and of the metadata as decimal
 * numbers, each with a space behind it; then the content, unless it is too large to be read with others.
 *
 * @param epr the column of that name; without bytes if it is null, or not read
 * @param metadata the same
 * @param bytes of references and metadata in the table
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record EntryRow(
    long id, int kind, long version, long created, long modified, byte[] epr, byte[] metadata, long bytes) {
  private static final int NUMBERS = 7;

  /**
   * The column for a row, which is null if there is none.
   *
   * @param row what the statement calls the table, with a point behind it
   * @param most bytes of content that are read
   */
  static String packed(String row, int most) {
    String epr = "COALESCE(LENGTH(" + row + "epr), 0)";
    String metadata = "COALESCE(LENGTH(" + row + "metadata), 0)";
    String content = "CONCAT(COALESCE(" + row + "epr, ''), COALESCE(" + row + "metadata, ''))";
    StringBuilder packed = new StringBuilder("CONCAT(");
    for (String number : new String[]{"entry_id", "kind", "version", "created_at", "modified_at"}) {
      packed.append(row).append(number).append(", ' ', ");
    }
    return packed
        .append(epr).append(", ' ', ").append(metadata).append(", ' ', IF(").append(epr).append(" + ").append(metadata)
        .append(" <= ").append(most).append(", ").append(content).append(", ''))").toString();
  }

  /** The row that a column has, or null. */
  static @Nullable EntryRow unpack(byte @Nullable [] column) {
    if (column == null) {
      return null;
    }
    long[] numbers = new long[NUMBERS];
    int at = 0;
    for (int i = 0; i < NUMBERS; i++) {
      boolean negative = column[at] == '-';
      at += negative ? 1 : 0;
      long number = 0;
      while (column[at] != ' ') {
        // Down from zero: the least number has no positive counterpart.
        number = number * 10 - (column[at++] - '0');
      }
      at++;
      numbers[i] = negative ? number : -number;
    }
    int eprBytes = (int) Math.min(numbers[5], column.length - at);
    return new EntryRow(
        numbers[0], (int) numbers[1], numbers[2], numbers[3], numbers[4], Arrays.copyOfRange(column, at, at + eprBytes),
        Arrays.copyOfRange(column, at + eprBytes, column.length), numbers[5] + numbers[6]);
  }
}
