package io.rns.loadtest.dns;

import static io.rns.loadtest.work.TraceLines.require;

import io.rns.loadtest.work.TraceLines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * The questions that clients sent to a DNS server, with their times.
 *
 * <p>As text, a line for each question: milliseconds since any moment, client, type and name, separated by tabs, as
 * servers log them ({@code RNS_DNS_LOG}); lines that begin with {@code #} are comments. Lines need not be sorted, since
 * several threads of a server write them.
 *
 * @param questions in the order of their times, at least one; the first is at 0
 * @param clients number of the clients that sent them
 */
public record QuestionTrace(List<TimedQuestion> questions, int clients) {
  private static final int COLUMNS = 4;
  /** In nanoseconds, and how many a millisecond has: milliseconds since 1970 are no more precise than that. */
  private static final long MICROSECOND = 1_000;
  /** In the year 2286. */
  private static final double LATEST_MILLIS = 1e13;

  /** A question of class IN. */
  public record Question(int type, Name name) {}

  /**
   * A question at its time.
   *
   * @param nanos since the first
   */
  public record TimedQuestion(long nanos, Question question) {}

  /**
   * Reads a trace.
   *
   * @throws IllegalArgumentException if a line is rejected, with its number; if the trace is longer than a day
   */
  public static QuestionTrace parse(Stream<String> lines) {
    Set<String> clients = new HashSet<>();
    // Most questions are repeated: one object for each.
    Map<Question, Question> distinct = new HashMap<>();
    List<TimedQuestion> all = new ArrayList<>();
    TraceLines.read(lines, "question", Map.of(), columns -> {
      require(columns.length == COLUMNS,
          "has " + columns.length + " columns instead of milliseconds, client, type, name");
      double millis = TraceLines.millis(columns[0]);
      require(millis >= 0 && millis <= LATEST_MILLIS, "has no time in its first column");
      Question question = new Question(type(columns[2]), name(columns[3]));
      all.add(
          new TimedQuestion(
              MICROSECOND * Math.round(millis * MICROSECOND),
              distinct.computeIfAbsent(question, itself -> itself)));
      clients.add(columns[1]);
    });
    all.sort(Comparator.comparingLong(TimedQuestion::nanos));
    long begin = all.getFirst().nanos();
    all.replaceAll(timed -> new TimedQuestion(timed.nanos() - begin, timed.question()));
    require(all.getLast().nanos() <= TraceLines.LONGEST.toNanos(), "its last question is more than a day later");
    return new QuestionTrace(List.copyOf(all), clients.size());
  }

  private static int type(String text) {
    int type = Type.value(text);
    require(type >= 0, "has no DNS type in its third column");
    return type;
  }

  private static Name name(String text) {
    try {
      return Name.fromString(text, Name.root);
    } catch (TextParseException e) {
      throw new IllegalArgumentException("has no DNS name in its fourth column: " + e.getMessage(), e);
    }
  }

  /** The time of the last question, in nanoseconds since the first. */
  public long length() {
    return questions.getLast().nanos();
  }
}
