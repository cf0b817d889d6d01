package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A position in the change log of one server group.
 *
 * @param group the server group, 0 to 32767
 * @param epoch the number of changes of primary in the group
 * @param sequence the number of the last change included; consecutive from 1, 0 before the first change
 */
public record Position(int group, int epoch, long sequence) implements Comparable<Position> {
  /** The greatest number of a server group. */
  public static final int MAX_GROUP = 32_767;
  private static final int GROUP_DIGITS = 5;
  private static final int EPOCH_DIGITS = 10;
  private static final int SEQUENCE_DIGITS = 19;

  public Position {
    if (group < 0 || group > MAX_GROUP || epoch < 0 || sequence < 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "position " + group + "-" + epoch + "-" + sequence + " has a negative part or a group above " + MAX_GROUP);
    }
  }

  /**
   * Parses {@code group-epoch-sequence}, three decimal numbers.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static Position parse(String text) {
    int epoch = text.indexOf('-') + 1;
    int sequence = text.indexOf('-', epoch) + 1;
    boolean formed =
        isNumber(text, 0, epoch - 1, GROUP_DIGITS)
            && isNumber(text, epoch, sequence - 1, EPOCH_DIGITS)
            && isNumber(text, sequence, text.length(), SEQUENCE_DIGITS);
    if (!formed) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "position '" + Text.shown(text) + "' is not of the form group-epoch-sequence");
    }
    try {
      return new Position(Integer.parseInt(text, 0, epoch - 1, 10), Integer.parseInt(text, epoch, sequence - 1, 10),
          Long.parseLong(text, sequence, text.length(), 10));
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "position '" + Text.shown(text) + "' has a number that is too large", e);
    }
  }

  private static boolean isNumber(String text, int from, int to, int mostDigits) {
    boolean ofDigits = from < to && to - from <= mostDigits;
    for (int i = from; ofDigits && i < to; i++) {
      // The digits of other scripts are digits to Integer.parseInt, too.
      ofDigits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return ofDigits;
  }

  /**
   * Whether this position belongs to the same group as {@code other} and is not earlier: a read at this position is at
   * least as recent as a read at {@code other}.
   */
  public boolean covers(Position other) {
    return group == other.group && compareTo(other) >= 0;
  }

  /**
   * Orders by epoch, then by sequence: if a failed primary lost writes, its successor reuses their sequence numbers in
   * a new epoch. Positions of different groups have no order.
   */
  @Override
  public int compareTo(Position other) {
    if (group != other.group) {
      throw new IllegalArgumentException("positions of groups " + group + " and " + other.group + " have no order");
    }
    int order = Integer.compare(epoch, other.epoch);
    return order != 0 ? order : Long.compare(sequence, other.sequence);
  }

  /** The text form {@code group-epoch-sequence}. */
  @Override
  public String toString() {
    return group + "-" + epoch + "-" + sequence;
  }
}
