package io.rns.api;

import java.util.List;
import java.util.Optional;

/**
 * One server on the way of a request, or the front before it.
 *
 * @param level 1 for a server that the client asked, 2 for one that such a server asked, and so on
 * @param asked how it was asked; empty in what the server itself reports
 * @param answered what it reports; empty if it did not answer or cannot explain
 */
public record Hop(int level, Optional<Asked> asked, Optional<Answered> answered) {
  /** The role of a front, which is no server. */
  public static final String FRONT = "front";

  private static final int MOST_CHARS = 300;

  static String shortened(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "...";
  }

  /**
   * What the asking side knows.
   *
   * @param url the address of the server
   * @param reason why this server, in a few words
   * @param micros until the answer was there
   * @param failure why there is no answer
   */
  public record Asked(String url, String reason, long micros, Optional<String> failure) {
    /** Shortens long texts. */
    public Asked {
      url = shortened(url);
      reason = shortened(reason);
      failure = failure.map(Hop::shortened);
    }
  }

  /**
   * What the server reports.
   *
   * @param self the server as the request found it
   * @param position what its group had reached there when it answered
   * @param micros how long it took, other servers included; of a front, until it passed the request on
   * @param steps what it did, in order
   */
  public record Answered(Self self, Optional<Position> position, long micros, List<HopStep> steps) {
    /** Copies. */
    public Answered {
      steps = List.copyOf(steps);
    }
  }

  /**
   * A server at one moment.
   *
   * @param server its name
   * @param group the number of its group; of a front, of the group that it asked
   * @param role {@code primary}, {@code replica}, {@code out}, or {@value Hop#FRONT}
   * @param position the position that its reads reflect
   */
  public record Self(String server, int group, String role, Optional<Position> position) {}

  /** The same, farther from the client. */
  Hop below(int levels) {
    return new Hop(level + levels, asked, answered);
  }

  /** The same, seen by one whose path is longer than the one that this server was asked for. */
  Hop deeper(int depth) {
    return depth == 0 ? this
        : new Hop(level, asked, answered.map(own -> new Answered(
            own.self(), own.position(), own.micros(), own.steps().stream().map(step -> deeper(step, depth)).toList())));
  }

  private static HopStep deeper(HopStep step, int depth) {
    return step instanceof HopStep.Cut cut ? new HopStep.Cut(cut.depth() + depth, cut.group(), cut.byMap()) : step;
  }
}
