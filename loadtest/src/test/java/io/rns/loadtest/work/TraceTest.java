package io.rns.loadtest.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private static Trace trace(String... lines) {
    return Trace.parse(Stream.of(lines).map(line -> line.replace(' ', '\t')));
  }

  @Test
  void readsSessionsWithTheirTimes() {
    Trace trace = trace("# comment", "", "0 a query /d/e", "2.5 b list /d", "10 a move /d/e /f/g");
    assertThat(trace.sessions()).containsOnlyKeys("a", "b");
    assertThat(trace.sessions().get("a"))
        .containsExactly(
            new Trace.Event(0, Call.of(Kind.QUERY, "/d/e")),
            new Trace.Event(10 * MILLI, new Call(Kind.MOVE, "/d/e", "/f/g")));
    assertThat(trace.sessions().get("b")).containsExactly(new Trace.Event(5 * MILLI / 2, Call.of(Kind.LIST, "/d")));
    assertThat(trace.sessions().values().stream().mapToInt(List::size).sum()).isEqualTo(3);
    assertThat(trace.length()).isEqualTo(10 * MILLI);
  }

  @Test
  void readsWhatIsRecorded() {
    StringWriter out = new StringWriter();
    TraceWriter writer = new TraceWriter(out, 1_000 * MILLI, "/top");
    writer.write(1_000 * MILLI, "a", Call.of(Kind.LIST, "/top"));
    writer.write(1_001 * MILLI + MILLI / 4, "b", new Call(Kind.MOVE, "/top/x/y", "/top/z"));
    assertThat(Trace.parse(out.toString().lines()))
        .isEqualTo(trace("0 a list /", "1.25 b move /x/y /z"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
      "0 a query | line 2 '0 a query' has 3 columns",
      "0 a query /d /e /f | has 6 columns",
      "0 a swim /d | has no operation in its third column",
      "x a query /d | has no number of milliseconds",
      "-1 a query /d | is not within a day",
      "NaN a query /d | is not within a day",
      "86400001 a query /d | is not within a day",
      "0 a query d | has 'd' for a path",
      "0 a query /d/ | has '/d/' for a path",
      "0 a query /d//e | has '/d//e' for a path",
      "0 a move /d | must have a new path",
      "0 a query /d /e | must have a new path"
  })
  void refusesLinesThatAreNone(String line, String complaint) {
    assertThatThrownBy(() -> trace("5 b query /d", line)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void refusesATraceThatGoesBackOrHasNothing() {
    assertThatThrownBy(() -> trace("5 a query /d", "4 a query /d")).hasMessageContaining("line 2")
        .hasMessageContaining("earlier");
    assertThatThrownBy(() -> trace("# nothing")).hasMessageContaining("no operation in 1 lines");
    assertThat(trace("5 a query /d", "4 b query /d").sessions()).hasSize(2);
  }

  @Test
  void preparesWhatIsExpectedAndNotWhatIsMade() {
    Trace trace =
        trace(
            "0 a query /d/e", "1 a add /d/new", "2 b query /d/new", "3 b remove /d/old", "4 b mkdir /m", "5 b add /m/x",
            "6 a list /m", "7 a list /l",
            "8 b move /d/mv /k/mw", "9 a query /k/mw", "9 a query /l");
    TraceCopies once = new TraceCopies(trace, 1);
    assertThat(once.directories()).containsExactly("/d", "/k", "/l");
    assertThat(once.junctions()).containsExactly("/d/e", "/d/mv", "/d/old");
  }

  @Test
  void copiesReadTheSameAndChangeTheirOwn() {
    Trace trace =
        trace("0 a query /d/e", "1 a add /d/new", "2 a remove /d/new", "3 a remove /d/old", "4 a mkdir /m",
            "5 a add /m/x", "6 a move /d/mv /k/mw");
    TraceCopies copies = new TraceCopies(trace, 3);
    assertThat(copies.path("/d/e", 2)).isEqualTo("/d/e");
    assertThat(copies.path("/d/new", 0)).isEqualTo("/d/new");
    assertThat(copies.path("/d/new", 2)).isEqualTo("/d/new-2");
    assertThat(copies.path("/m/x", 1)).isEqualTo("/m-1/x-1");
    assertThat(copies.call(new Call(Kind.MOVE, "/d/mv", "/k/mw"), 1))
        .isEqualTo(new Call(Kind.MOVE, "/d/mv-1", "/k/mw-1"));
    assertThat(copies.junctions()).containsExactly("/d/e", "/d/mv", "/d/mv-1", "/d/mv-2", "/d/old", "/d/old-1",
        "/d/old-2");
    assertThat(copies.directories()).containsExactly("/d", "/k");
  }
}
