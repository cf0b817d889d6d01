package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Positions of several server groups, at most one of each: what a session has seen. A group that is not among them has
 * shown it nothing.
 *
 * <p>Additions and updates of entries advance a group's position all the time, and lead no request elsewhere. So that a
 * server of another group, whose map of the partitions is a moment older, need not ask for each of them, a position may
 * come with an earlier one: that of the last change of the group by which paths may lead to other partitions. In the
 * text form, the earlier one names the position that it comes with, and is ignored with another: a client that keeps it
 * beside a later position is not led by an old map.
 *
 * @param each the positions, by ascending group
 * @param cuts for some groups, the position of the last change up to {@code each} that assigned, moved or removed
 *        directories; by ascending group
 */
public record Positions(List<Position> each, List<Position> cuts) {
  /** Nothing seen. */
  public static final Positions NONE = new Positions(List.of());

  private static final char SEPARATOR = ',';
  private static final String CUTS = "cuts-";

  /**
   * Positions of several groups.
   *
   * @throws IllegalArgumentException if the groups do not ascend
   */
  public Positions {
    each = ascending(each);
    cuts = ascending(cuts);
  }

  /** Positions of which it is not known what was assigned, moved or removed last. */
  public Positions(List<Position> each) {
    this(each, List.of());
  }

  private static List<Position> ascending(List<Position> positions) {
    for (int i = 1; i < positions.size(); i++) {
      if (positions.get(i - 1).group() >= positions.get(i).group()) {
        throw new IllegalArgumentException("position " + positions.get(i) + " follows " + positions.get(i - 1));
      }
    }
    return List.copyOf(positions);
  }

  /** The position of one group. */
  public static Positions of(Position position) {
    return new Positions(List.of(position));
  }

  /**
   * Parses {@code group-epoch-sequence}, or several of them separated by commas, in any order. Of several positions of
   * one group, the latest counts. {@code cuts-}, a position, and {@code -epoch-sequence} of the group's {@link #cuts}
   * up to there counts if that position does, and is ignored otherwise.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}; {@link RnsError#LIMIT_EXCEEDED} if there are more than
   *         {@value Limits#SESSION_GROUPS} groups
   */
  public static Positions parse(String text) {
    return bounded(text, null);
  }

  /** Parses what follows the first position, {@code own}, in {@link #toText}; the same limits as {@link #parse}. */
  public static Positions parseOthers(String text, Position own) {
    return bounded(text, own);
  }

  private static Positions bounded(String text, @Nullable Position own) {
    long count = 1 + text.chars().filter(c -> c == SEPARATOR).count();
    Limits.check("positions of a session", count, 2L * Limits.SESSION_GROUPS, "positions");
    Positions all = read(text, own, false);
    Limits.check("positions of a session", all.each.size(), Limits.SESSION_GROUPS, "server groups");
    return all;
  }

  /** Parses {@link #toString}, of as many groups as there are, also {@link #cuts} of a position that is kept apart. */
  public static Positions ofStored(String text) {
    return read(text, null, true);
  }

  private static Positions read(String text, @Nullable Position own, boolean stored) {
    List<Position> all = List.of();
    List<String> cuts = new ArrayList<>(0);
    int from = 0;
    while (from <= text.length()) {
      int separator = text.indexOf(SEPARATOR, from);
      int to = separator < 0 ? text.length() : separator;
      if (text.startsWith(CUTS, from)) {
        cuts.add(text.substring(from + CUTS.length(), to));
      } else {
        all = with(all, Position.parse(text.substring(from, to)));
      }
      from = to + 1;
    }
    Positions positions = new Positions(all);
    for (String each : cuts) {
      positions = positions.withCuts(each, own, stored);
    }
    return positions;
  }

  /** Returns these positions with the text form of {@link #cuts}, unless it belongs to another position. */
  private Positions withCuts(String text, @Nullable Position own, boolean stored) {
    int epoch = text.indexOf('-') + 1;
    int sequence = text.indexOf('-', epoch) + 1;
    int end = text.indexOf('-', sequence);
    if (end < 0) {
      Position last = Position.parse(text);
      return stored && find(each, last.group()) == null ? withCuts(last) : this;
    }
    Position with = Position.parse(text.substring(0, end));
    Position last = Position.parse(with.group() + text.substring(end));
    return with.equals(shown(with.group(), own)) ? withCuts(last) : this;
  }

  private @Nullable Position shown(int group, @Nullable Position own) {
    return own != null && own.group() == group ? own : find(each, group);
  }

  public boolean isEmpty() {
    return each.isEmpty() && cuts.isEmpty();
  }

  /** The position of a group; empty if nothing was seen of it. */
  public Optional<Position> of(int group) {
    return Optional.ofNullable(find(each, group));
  }

  /** A position of a group by which it had done all that leads paths elsewhere; empty if nothing was seen of it. */
  public Optional<Position> cutsOf(int group) {
    return Optional.ofNullable(find(cuts, group)).or(() -> of(group));
  }

  private static @Nullable Position find(List<Position> positions, int group) {
    for (Position position : positions) {
      if (position.group() == group) {
        return position;
      }
    }
    return null;
  }

  /** Whether the position of its group is not earlier than {@code position}. */
  public boolean covers(Position position) {
    return covers(each, position);
  }

  private static boolean covers(List<Position> positions, Position position) {
    Position own = find(positions, position.group());
    return own != null && own.covers(position);
  }

  /** Returns these positions with {@code position} in place of an earlier one of its group. */
  public Positions with(Position position) {
    if (covers(position)) {
      return this;
    }
    boolean replaces = find(each, position.group()) != null;
    return new Positions(with(each, position), replaces ? without(cuts, position.group()) : cuts);
  }

  /** Returns these positions and that of a group's last change that assigned, moved or removed directories. */
  public Positions withCuts(Position position) {
    return new Positions(each, with(without(cuts, position.group()), position));
  }

  /** Returns the later position of each group. */
  public Positions with(Positions others) {
    if (others.isEmpty() || others.equals(this)) {
      return this;
    }
    Positions all = this;
    for (Position position : others.each) {
      if (!all.covers(position)) {
        all = new Positions(with(all.each, position), without(all.cuts, position.group()));
      }
    }
    for (Position position : others.cuts) {
      Position shown = find(all.each, position.group());
      // Those of another position say nothing of this one.
      if (find(all.cuts, position.group()) == null && Objects.equals(shown, find(others.each, position.group()))) {
        all = all.withCuts(position);
      }
    }
    return all;
  }

  private static List<Position> with(List<Position> positions, Position position) {
    if (covers(positions, position)) {
      return positions;
    }
    List<Position> with = new ArrayList<>(without(positions, position.group()));
    int before = 0;
    while (before < with.size() && with.get(before).group() < position.group()) {
      before++;
    }
    with.add(before, position);
    return with;
  }

  /** Returns these positions without that of a group. Its {@link #cuts} stay, for who keeps that one by itself. */
  public Positions without(int group) {
    return of(group).isEmpty() ? this : new Positions(without(each, group), cuts);
  }

  private static List<Position> without(List<Position> positions, int group) {
    return find(positions, group) == null
        ? positions
        : positions.stream().filter(position -> position.group() != group).toList();
  }

  /** The text form of an answer's positions: that of its own group first. */
  public static String toText(Position own, Positions others) {
    return others.isEmpty() ? own.toString() : own.toString() + SEPARATOR + others.toText(own);
  }

  /** The text form: positions separated by commas; empty if there is none. */
  @Override
  public String toString() {
    return toText(null);
  }

  private String toText(@Nullable Position own) {
    return Stream.concat(each.stream().map(Position::toString), cuts.stream().map(last -> toText(last, own)))
        .collect(Collectors.joining(String.valueOf(SEPARATOR)));
  }

  private String toText(Position last, @Nullable Position own) {
    Position with = shown(last.group(), own);
    return CUTS + (with == null ? last : with + "-" + last.epoch() + "-" + last.sequence());
  }
}
