package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Positions of several server groups, at most one of each: what a session has seen. A group that is not among them has
 * shown it nothing.
 *
 * @param each the positions, by ascending group
 */
public record Positions(List<Position> each) {
  /** Nothing seen. */
  public static final Positions NONE = new Positions(List.of());

  private static final char SEPARATOR = ',';

  /**
   * Positions of several groups.
   *
   * @throws IllegalArgumentException if the groups do not ascend
   */
  public Positions {
    each = List.copyOf(each);
    for (int i = 1; i < each.size(); i++) {
      if (each.get(i - 1).group() >= each.get(i).group()) {
        throw new IllegalArgumentException("position " + each.get(i) + " follows " + each.get(i - 1));
      }
    }
  }

  /** The position of one group. */
  public static Positions of(Position position) {
    return new Positions(List.of(position));
  }

  /**
   * Parses {@code group-epoch-sequence}, or several of them separated by commas, in any order. Of several positions of
   * one group, the latest counts.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}; {@link RnsError#LIMIT_EXCEEDED} if there are more than
   *         {@value Limits#SESSION_GROUPS}
   */
  public static Positions parse(String text) {
    long count = 1 + text.chars().filter(c -> c == SEPARATOR).count();
    Limits.check("positions of a session", count, Limits.SESSION_GROUPS, "server groups");
    Positions all = NONE;
    int from = 0;
    for (int i = 1; i < count; i++) {
      int to = text.indexOf(SEPARATOR, from);
      all = all.with(Position.parse(text.substring(from, to)));
      from = to + 1;
    }
    return all.with(Position.parse(text.substring(from)));
  }

  public boolean isEmpty() {
    return each.isEmpty();
  }

  /** The position of a group; empty if nothing was seen of it. */
  public Optional<Position> of(int group) {
    for (Position position : each) {
      if (position.group() == group) {
        return Optional.of(position);
      }
    }
    return Optional.empty();
  }

  /** Whether the position of its group is not earlier than {@code position}. */
  public boolean covers(Position position) {
    return of(position.group()).map(own -> own.covers(position)).orElse(false);
  }

  /** Returns these positions with {@code position} in place of an earlier one of its group. */
  public Positions with(Position position) {
    if (covers(position)) {
      return this;
    }
    List<Position> with = new ArrayList<>(each);
    with.removeIf(other -> other.group() == position.group());
    int before = 0;
    while (before < with.size() && with.get(before).group() < position.group()) {
      before++;
    }
    with.add(before, position);
    return new Positions(with);
  }

  /** Returns the later position of each group. */
  public Positions with(Positions others) {
    Positions all = this;
    for (Position position : others.each) {
      all = all.with(position);
    }
    return all;
  }

  /** Returns these positions without that of a group. */
  public Positions without(int group) {
    return of(group).isEmpty()
        ? this
        : new Positions(each.stream().filter(position -> position.group() != group).toList());
  }

  /** The text form of an answer's positions: that of its own group first. */
  public static String toText(Position own, Positions others) {
    return others.isEmpty() ? own.toString() : own.toString() + SEPARATOR + others;
  }

  /** The text form: positions separated by commas; empty if there is none. */
  @Override
  public String toString() {
    return each.stream().map(Position::toString).collect(Collectors.joining(String.valueOf(SEPARATOR)));
  }
}
