package io.rns.loadtest.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;

/** Replays over real sockets. */
@Timeout(120)
class QuestionReplayTest {
  /** Questions of one client at the given milliseconds, for a., b., and so on. */
  private static QuestionTrace trace(int... millis) {
    return QuestionTrace.parse(
        IntStream.range(0, millis.length).mapToObj(i -> millis[i] + "\tclient\tA\t" + (char) ('a' + i) + "."));
  }

  private static ReplayReport replay(QuestionTrace trace, int factor, InetSocketAddress server, Duration timeout) {
    return new QuestionReplay(trace, factor, server, timeout).run();
  }

  private static ReplayReport replay(QuestionTrace trace, int factor, InetSocketAddress server) {
    return replay(trace, factor, server, QuestionReplay.TIMEOUT);
  }

  @Test
  void everyCopyOfEveryQuestionIsCounted() {
    QuestionTrace trace = trace(IntStream.range(0, 20).map(i -> 5 * i).toArray());
    try (ImmediateResponder server = ImmediateResponder.start()) {
      ReplayReport report = replay(trace, 4, server.address());
      assertThat(report.sent()).isEqualTo(80);
      assertThat(report.codes()).isEqualTo(Map.of("NOERROR", 80L));
      assertThat(report.lost()).isZero();
      assertThat(report.errors()).isZero();
      assertThat(report.wrong()).isZero();
      assertThat(report.responses().getTotalCount()).isEqualTo(80);
      assertThat(report.responses().getMinValue()).isPositive();
      assertThat(report.meanNanos().mean()).isPositive();
      assertThat(report.lateness().getTotalCount()).isEqualTo(80);
      assertThat(report.perSecond()).isEqualTo(80 / 0.095);
      assertThat(report.interrupted()).isFalse();
    }
  }

  @Test
  void copiesAreSentTogetherAndQuestionsInTheirOrder() throws Exception {
    try (ScriptedResponder server =
        new ScriptedResponder(question -> List.of(ScriptedResponder.answer(question, Rcode.NOERROR)))) {
      ReplayReport report = replay(trace(0, 20, 20), 3, server.address());
      assertThat(report.answered()).isEqualTo(9);
      assertThat(server.asked()).containsExactly("a.", "a.", "a.", "b.", "b.", "b.", "c.", "c.", "c.");
    }
  }

  @Test
  void questionsWithoutAnAnswerAreLost() throws Exception {
    AtomicInteger count = new AtomicInteger();
    try (ScriptedResponder server =
        new ScriptedResponder(
            question -> count.incrementAndGet() % 10 == 0
                ? List.of()
                : List.of(ScriptedResponder.answer(question, Rcode.NOERROR)))) {
      ReplayReport report = replay(trace(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 4, server.address());
      assertThat(report.sent()).isEqualTo(40);
      assertThat(report.answered()).isEqualTo(36);
      assertThat(report.lost()).isEqualTo(4);
      assertThat(report.errors()).isEqualTo(4);
    }
  }

  @Test
  void aNameThatIsNotThereIsNoErrorAndARefusalIs() throws Exception {
    Map<String, Integer> codes = Map.of("a.", Rcode.NXDOMAIN, "b.", Rcode.REFUSED, "c.", Rcode.SERVFAIL);
    try (ScriptedResponder server =
        new ScriptedResponder(
            question -> List.of(ScriptedResponder.answer(question, codes.get(name(question)))))) {
      ReplayReport report = replay(trace(0, 0, 0), 1, server.address());
      assertThat(report.codes()).isEqualTo(Map.of("NXDOMAIN", 1L, "REFUSED", 1L, "SERVFAIL", 1L));
      assertThat(report.errors()).isEqualTo(2);
      assertThat(report.lost()).isZero();
    }
  }

  private static String name(Message question) {
    return question.getQuestion().getName().toString();
  }

  @Test
  void questionsToAPortWhereNobodyListensAreLost() throws Exception {
    InetSocketAddress nobody;
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      nobody = new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
    }
    ReplayReport report = replay(trace(0, 1), 50, nobody, Duration.ofMillis(100));
    assertThat(report.sent()).isEqualTo(100);
    assertThat(report.lost()).isEqualTo(100);
    assertThat(report.meanNanos().mean()).isZero();
  }

  @Test
  void anInterruptEndsItWithWhatWasSent() {
    QuestionTrace trace = QuestionTrace.parse(Stream.of("0\tc\tA\ta.", "3600000\tc\tA\ta."));
    Thread.currentThread().interrupt();
    try (ImmediateResponder server = ImmediateResponder.start()) {
      ReplayReport report = replay(trace, 1, server.address());
      assertThat(report.interrupted()).isTrue();
      assertThat(report.sent()).isLessThan(2);
      assertThat(report.measured()).isLessThan(Duration.ofMinutes(10));
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  @Test
  void aLoadWhoseQuestionsAreLateIsNotThatOfTheTrace() {
    try (ImmediateResponder server = ImmediateResponder.start()) {
      ReplayReport some = replay(trace(0), 100, server.address());
      some.lateness().reset();
      some.lateness().recordValueWithCount(0, 99);
      some.lateness().recordValue(ReplayReport.LATE.multipliedBy(2).toNanos());
      assertThat(some.isInTime()).isTrue();
      some.lateness().recordValue(ReplayReport.LATE.multipliedBy(2).toNanos());
      assertThat(some.isInTime()).isFalse();
    }
  }
}
