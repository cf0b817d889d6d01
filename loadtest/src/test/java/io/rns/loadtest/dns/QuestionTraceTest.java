package io.rns.loadtest.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.loadtest.dns.QuestionTrace.Question;
import io.rns.loadtest.dns.QuestionTrace.TimedQuestion;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

class QuestionTraceTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private static QuestionTrace trace(String... lines) {
    return QuestionTrace.parse(Stream.of(lines).map(line -> line.replace(' ', '\t')));
  }

  private static Question question(int type, String name) {
    return new Question(type, Name.fromConstantString(name));
  }

  @Test
  void theFirstQuestionIsTheBeginning() {
    QuestionTrace trace =
        trace(
            "#_milliseconds", "1790000000000.500 a A p.example.org.",
            "1790000000003.000 b SRV _http._tcp.p.example.org.",
            "", "1790000000010.500 a TYPE65280 a\\009b.example.org");
    assertThat(trace.clients()).isEqualTo(2);
    assertThat(trace.length()).isEqualTo(10 * MILLI);
    assertThat(trace.questions())
        .containsExactly(
            new TimedQuestion(0, question(Type.A, "p.example.org.")),
            new TimedQuestion(5 * MILLI / 2, question(Type.SRV, "_http._tcp.p.example.org.")),
            new TimedQuestion(10 * MILLI, question(65_280, "a\\009b.example.org.")));
  }

  /** Threads of a server write what they take at the same moment in any order. */
  @Test
  void questionsAreSortedByTheirTimes() {
    QuestionTrace trace = trace("5 a A b.", "4.5 a A a.", "5 a A c.");
    assertThat(trace.questions().stream().map(timed -> timed.nanos() + " " + timed.question().name()))
        .containsExactly("0 a.", "500000 b.", "500000 c.");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
      "0 a A | line 2 '0 a A' has 3 columns",
      "0 a A a. b | has 5 columns",
      "x a A a. | has no number of milliseconds",
      "-1 a A a. | has no time in its first column",
      "NaN a A a. | has no time in its first column",
      "1e14 a A a. | has no time in its first column",
      "0 a query a. | has no DNS type in its third column",
      "0 a A a..b | has no DNS name in its fourth column"
  })
  void refusesLinesThatAreNone(String line, String complaint) {
    assertThatThrownBy(() -> trace("5 b A a.", line)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void refusesATraceThatIsLongerThanADayOrHasNothing() {
    assertThat(trace("0 a A a.", "86400000 a A a.").length()).isEqualTo(TimeUnit.DAYS.toNanos(1));
    assertThatThrownBy(() -> trace("0 a A a.", "86400001 a A a.")).hasMessageContaining("more than a day later");
    assertThatThrownBy(() -> trace("# nothing")).hasMessageContaining("no question in 1 lines");
  }
}
