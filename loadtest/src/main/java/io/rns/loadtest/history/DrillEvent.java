package io.rns.loadtest.history;

import io.rns.api.Change;
import io.rns.api.Position;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** What a client did and observed, or a server reported. All times are nanoseconds of the history's clock. */
public sealed interface DrillEvent {
  /**
   * One call to change one entry. An entry is added once, never moved, perhaps changed once and removed once, each
   * after the former was acknowledged: two changes of one kind at one path are one request that was applied twice, and
   * no request gives a reason to refuse it.
   *
   * @param requestId the same for repetitions of a request
   * @param repetition whether the client has made this request before
   * @param directly the server that was to take the write itself; empty if any server might take it
   */
  record Write(
      String requestId,
      boolean repetition,
      String path,
      Change.Kind kind,
      Optional<String> directly,
      long invoked,
      long answered,
      Outcome outcome) implements DrillEvent {

    public boolean isAcknowledged() {
      return outcome instanceof Acknowledged;
    }

    /** Its place in the order of changes; of acknowledged writes only. */
    public Position position() {
      if (outcome instanceof Acknowledged done) {
        return done.position();
      }
      throw new IllegalStateException(this + " was not acknowledged");
    }

    long sequence() {
      return position().sequence();
    }

    int epoch() {
      return position().epoch();
    }

    @Override
    public String toString() {
      String again = repetition ? " again" : "";
      return kind + " " + path + " (request " + requestId + again + ", " + between(invoked, answered) + ")";
    }
  }

  /** What the client of a write was answered. */
  sealed interface Outcome {}

  /** The write is done, at a place in the order of changes. */
  record Acknowledged(Position position) implements Outcome {}

  /** The write is not done, and this request will not do it; with the name of the error. */
  record Refused(String code, String message) implements Outcome {}

  /** Whether the write is done is not known. */
  record Unknown(String why) implements Outcome {}

  /**
   * One answered read of one entry.
   *
   * @param session the client; the reads of a session follow one another
   * @param server that was asked
   * @param bound the requested age, zero for all acknowledged writes; empty for a read of a session
   * @param token the position that was sent with the request
   * @param version of the entry, the number of its last change; empty if there was no entry
   * @param position that the answer claims to reflect
   */
  record Read(
      String session,
      String server,
      Optional<Duration> bound,
      Optional<Position> token,
      String path,
      long invoked,
      long answered,
      OptionalLong version,
      Position position) implements DrillEvent {

    public boolean isOfSession() {
      return bound.isEmpty();
    }

    long tokenSequence() {
      return token.map(Position::sequence).orElse(0L);
    }

    /** The last change that its token, or its answer's position, stands for. */
    long knownSequence() {
      return Math.max(tokenSequence(), position.sequence());
    }

    @Override
    public String toString() {
      String asked = bound.map(age -> "bounded(" + age.toMillis() + ")").orElse("session " + session);
      String with = token.map(t -> " with token " + t).orElse("");
      String seen = version.isPresent() ? "version " + version.getAsLong() : "no entry";
      return asked + with + " at " + server + ", " + between(invoked, answered) + ": " + seen + " of " + path
          + " at position " + position;
    }
  }

  /** A read that was not answered, and the client's reason. */
  record FailedRead(String session, String server, long invoked, long answered, String why) implements DrillEvent {
    @Override
    public String toString() {
      return "read of " + session + " at " + server + ", " + between(invoked, answered) + ": " + why;
    }
  }

  /**
   * A change that the watcher received.
   *
   * @param stream the number of times the watcher had started again, perhaps at another server
   */
  record WatchedChange(Position position, Change.Kind kind, String path, long received, int stream)
      implements
        DrillEvent {
    @Override
    public String toString() {
      return position + " " + kind + " " + path + " (stream " + stream + ", " + at(received) + ")";
    }
  }

  /** A server that claimed to be the primary of an epoch. */
  record Claim(String server, int epoch, long at) implements DrillEvent {}

  /** A time in which no request may fail, and what happens meanwhile. */
  record Window(long from, long to, String what) implements DrillEvent {
    boolean touches(long begin, long end) {
      return end >= from && begin <= to;
    }
  }

  /** How far a replica was behind in its last minute: half of the time, and 99 % of it. */
  record Lag(double p50Millis, double p99Millis) implements DrillEvent {}

  /** A time for people. */
  static String at(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }

  private static String between(long from, long to) {
    return String.format(Locale.ROOT, "%.3f to %.3f s", from / 1e9, to / 1e9);
  }
}
