package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A place in the order of committed changes of one server group.
 *
 * @param group the server group, 0 to 32767
 * @param epoch how many times the group has changed its primary
 * @param sequence the number of the last change that is covered; consecutive, starting at 1, 0 before the first
 */
public record Position(int group, int epoch, long sequence) implements Comparable<Position> {
  /**
   * Reads the text form {@code group-epoch-sequence}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static Position parse(String text) {
    String[] parts = text.split("-", -1);
    try {
      if (parts.length == 3) {
        return new Position(
            Integer.parseUnsignedInt(parts[0]), Integer.parseUnsignedInt(parts[1]), Long.parseUnsignedLong(parts[2]));
      }
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "position '" + Text.shown(text) + "' has a part that is no number", e);
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST, "position '" + Text.shown(text) + "' is not of the form group-epoch-sequence");
  }

  /** Order of the sequence; only positions of one group can be compared. */
  @Override
  public int compareTo(Position other) {
    if (group != other.group) {
      throw new IllegalArgumentException("positions of groups " + group + " and " + other.group + " have no order");
    }
    return Long.compare(sequence, other.sequence);
  }

  /** The text form. */
  @Override
  public String toString() {
    return group + "-" + epoch + "-" + sequence;
  }
}
