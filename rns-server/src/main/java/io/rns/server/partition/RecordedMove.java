package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.rns.api.RnsPath;
import io.rns.replication.partition.PastMove;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A move of a directory to another group, as it is recorded.
 *
 * @param number counts the moves; 0 of one that is not recorded yet
 * @param at when it began
 * @param from the group that owned the content
 * @param undoes the number of the move that it takes back; 0 if none
 * @param failure why it failed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RecordedMove(
    long number, Instant at, RnsPath path, int from, int to, Cause by, long undoes, State state,
    @Nullable String failure) {
  /** Who wanted it. */
  enum Cause {
    /** An operator, by {@code partition assign}. */
    ASSIGN,
    /** An operator, by {@code partition apply}. */
    APPLY,
    /** An operator, by {@code partition undo}. */
    UNDO,
    /** The server. */
    AUTO;

    /** As it is written. */
    @JsonValue
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What has come of it. */
  enum State {
    /** It may be under way. */
    BEGUN,
    /** The group serves the directory. */
    DONE,
    /** It was refused. */
    FAILED;

    /** As it is written. */
    @JsonValue
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static RecordedMove begun(Instant at, RnsPath path, int from, int to, Reason reason) {
    return new RecordedMove(0, at, path, from, to, reason.by(), reason.undoes(), State.BEGUN, null);
  }

  /**
   * Why something is assigned.
   *
   * @param undoes the number of the move that is taken back; 0 if none
   */
  record Reason(Cause by, long undoes) {
    static final Reason ASSIGN = new Reason(Cause.ASSIGN, 0);
    static final Reason AUTO = new Reason(Cause.AUTO, 0);

    /** The reason in the parameters of a request. */
    static Reason of(QueryParameters parameters) {
      return new Reason(
          parameters.oneOf("by", Cause.ASSIGN, Cause.values()),
          (long) parameters.number("undoes", 0, 0, Integer.MAX_VALUE));
    }

    String parameters() {
      return "&by=" + by.text() + "&undoes=" + undoes;
    }
  }

  RecordedMove numbered(long as) {
    return new RecordedMove(as, at, path, from, to, by, undoes, state, failure);
  }

  RecordedMove done() {
    return new RecordedMove(number, at, path, from, to, by, undoes, State.DONE, null);
  }

  RecordedMove failed(String why) {
    return new RecordedMove(number, at, path, from, to, by, undoes, State.FAILED, why);
  }

  /** Whether it has happened, or may be happening. */
  boolean counts() {
    return state != State.FAILED;
  }

  PastMove past() {
    return new PastMove(at, path, from, to, by != Cause.ASSIGN);
  }
}
