package io.rns.loadtest.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.access.AccessLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Traces of what servers were asked. */
class AccessLogsTest {
  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

  /** A line, from milliseconds, session, operation, path, new path, outcome. */
  private static String line(String words) {
    String[] column = words.split(" ", -1);
    return new AccessLine(
        BEGIN.plusMillis(Long.parseLong(column[0])), column[1], "", column[2], column[3], column[4].replace("-", ""),
        column[5], 17)
        .toString();
  }

  private static Stream<String> log(String... lines) {
    return Stream.concat(Stream.of(AccessLine.HEADER, AccessLine.COLUMNS), Stream.of(lines).map(AccessLogsTest::line));
  }

  private static AccessLogs below(String path) {
    return new AccessLogs(new AccessLogs.Wanted(path, Instant.MIN, Instant.MAX));
  }

  private static List<String> trace(AccessLogs logs) {
    List<String> trace = new ArrayList<>();
    logs.make(line -> trace.add(line.replace('\t', ' ')));
    return trace;
  }

  private static List<String> trace(String... lines) {
    AccessLogs logs = below("/");
    logs.read(log(lines));
    return trace(logs);
  }

  @Test
  void severalLogsAreOneTraceInTheOrderOfTime() {
    AccessLogs logs = below("/");
    logs.read(log("1500 b query /d/e - ok", "1700 a move /d/e /d/f ok"));
    logs.read(log("1000 a list /d - ok", "1600 a watch / - ok"));
    List<String> lines = new ArrayList<>();
    AccessLogs.Made made = logs.make(lines::add);
    assertThat(lines)
        .containsExactly(
            "0.000\ta\tlist\t/d", "500.000\tb\tquery\t/d/e", "600.000\ta\twatch\t/", "700.000\ta\tmove\t/d/e\t/d/f");
    assertThat(made).isEqualTo(new AccessLogs.Made(4, 2, Duration.ofMillis(700), Map.of()));
    assertThat(Trace.parse(lines.stream()).sessions()).containsOnlyKeys("a", "b");
  }

  @Test
  void whatIsNotWantedIsLeftOutAndCounted() {
    AccessLogs logs = new AccessLogs(new AccessLogs.Wanted("/top", BEGIN.plusMillis(10), BEGIN.plusMillis(20)));
    logs.read(
        log(
            "9 a query /top/x - ok",
            "10 a query /top/x - ok",
            "11 a query /topple/x - ok",
            "11 a move /top/x /else ok",
            "12 a query [7]/x - ok",
            "12 a move /top/x [7]/y ok",
            "13 a query /top/x - NO_SUCH_ENTRY",
            "14 a list /top - ok",
            "15 a swim /top/x - ok",
            "20 a query /top/x - ok"));
    List<String> lines = new ArrayList<>();
    AccessLogs.Made made = logs.make(lines::add);
    assertThat(lines).containsExactly("0.000\ta\tquery\t/x", "4.000\ta\tlist\t/");
    assertThat(made.left())
        .isEqualTo(
            Map.of(
                AccessLogs.LeftOut.OTHER_TIME, 2L,
                AccessLogs.LeftOut.ELSEWHERE, 2L,
                AccessLogs.LeftOut.BY_IDENTITY, 2L,
                AccessLogs.LeftOut.REFUSED, 1L,
                AccessLogs.LeftOut.UNREADABLE, 1L));
  }

  @Test
  void linesThatAreNoneAreCountedAndAFileThatIsNoLogIsRefused() {
    AccessLogs logs = below("/");
    String controls = new AccessLine(BEGIN, "s", "", "query", "/a\tb", "", "ok", 1).toString();
    logs.read(Stream.of(AccessLine.HEADER, "2026-01-02T0", "", "# x", controls, line("1 a query /ü/e - ok")));
    List<String> lines = new ArrayList<>();
    AccessLogs.Made made = logs.make(lines::add);
    assertThat(lines).containsExactly("0.000\ta\tquery\t/ü/e");
    assertThat(made.left()).isEqualTo(Map.of(AccessLogs.LeftOut.UNREADABLE, 2L));
    assertThatThrownBy(() -> logs.read(Stream.of())).hasMessageContaining("does not begin with '# rns access log 1'");
    assertThatThrownBy(() -> logs.read(Stream.of("0\ta\tquery\t/d"))).hasMessageContaining("does not begin with");
    assertThatThrownBy(() -> Trace.parse(log("1 a query /e - ok"))).hasMessageContaining("./rns trace");
  }

  @Test
  void aDayIsTheLongest() {
    AccessLogs logs = below("/");
    logs.read(log("0 a query /e - ok", "86400000 a query /e - ok"));
    assertThat(logs.make(line -> {}).isShortEnough()).isTrue();
    logs.read(log("86400001 a query /e - ok"));
    assertThat(logs.make(line -> {}).isShortEnough()).isFalse();
  }

  @Test
  void anAdditionThatReplacedIsAnUpdate() {
    assertThat(
        trace("0 a add /d/e - ok", "1 a add /d/e - ok", "2 a query /x - ok", "3 a add /x - ok", "4 a mkdir /d - ok"))
        .containsExactly("0.000 a add /d/e", "1.000 a update /d/e", "2.000 a query /x", "3.000 a update /x");
  }

  @Test
  void aDirectoryThatWasRemovedWithItsEntriesStays() {
    assertThat(
        trace(
            "0 a mkdir /d - ok",
            "1 a add /d/e - ok",
            "2 a remove /d - ok",
            "3 a mkdir /d - ok",
            "4 a add /d/e - ok",
            "5 a remove /d/e - ok",
            "6 a remove /d - ok",
            "7 a query /d/e - ok",
            "8 a mkdir /d - ok"))
        .containsExactly(
            "0.000 a mkdir /d", "1.000 a add /d/e", "4.000 a update /d/e", "5.000 a remove /d/e", "6.000 a remove /d",
            "8.000 a mkdir /d");
  }

  @Test
  void aDirectoryThatHadEntriesIsNotMoved() {
    assertThat(
        trace(
            "0 a list /d - ok",
            "1 a query /d/seen - ok",
            "2 a move /d /m ok",
            "3 a query /m/seen - ok",
            "4 a mkdir /n - ok",
            "5 a move /n /o ok",
            "6 a add /o/x - ok",
            "7 a update /o - ok",
            "8 a remove / - ok",
            "9 a move /x /o ok",
            "9 a query /o/y - ok"))
        .containsExactly(
            "0.000 a list /d", "1.000 a query /d/seen", "3.000 a query /m/seen", "4.000 a mkdir /n",
            "5.000 a move /n /o", "6.000 a add /o/x");
  }

  /** Does to names what a replay does: it makes first what the copies tell, then one call after the other. */
  private static void replay(List<String> lines) {
    Trace trace = Trace.parse(lines.stream());
    TraceCopies copies = new TraceCopies(trace, 1);
    TreeSet<String> there = new TreeSet<>(List.of("/"));
    TreeSet<String> directories = new TreeSet<>(List.of("/"));
    copies.directories().forEach(path -> {
      there.add(path);
      directories.add(path);
    });
    there.addAll(copies.junctions());
    for (Trace.Event event : trace.sessions().values().iterator().next()) {
      Call call = event.call();
      String path = call.path();
      if (call.kind() == Kind.ADD || call.kind() == Kind.MKDIR) {
        assertThat(directories).as("%s", call).contains(Call.directoryOf(path));
        assertThat(there.add(path)).as("%s", call).isTrue();
      } else {
        assertThat(there).as("%s", call).contains(path);
      }
      switch (call.kind()) {
        case MKDIR -> directories.add(path);
        case LIST, WATCH -> assertThat(directories).as("%s", call).contains(path);
        case UPDATE -> assertThat(directories).as("%s", call).doesNotContain(path);
        case REMOVE -> {
          assertThat(there.subSet(path + "/", path + "0")).as("%s", call).isEmpty();
          there.remove(path);
          directories.remove(path);
        }
        case MOVE -> {
          assertThat(directories).as("%s", call).contains(Call.directoryOf(call.to()));
          assertThat(there).as("%s", call).doesNotContain(call.to());
          for (TreeSet<String> paths : List.of(there, directories)) {
            for (String moved : List.copyOf(paths.subSet(path, true, path + "0", false))) {
              if (moved.equals(path) || moved.startsWith(path + "/")) {
                paths.remove(moved);
                paths.add(call.to() + moved.substring(path.length()));
              }
            }
          }
        }
        case ADD, QUERY -> {
        }
      }
    }
  }

  /** Whatever the log says, even what cannot have been. */
  @Test
  void aReplayFindsWhatItExpects() {
    Random random = new Random(7);
    List<String> names = List.of("/a", "/b", "/a/c", "/a/d", "/b/c", "/b/c/e", "/a/c/e");
    List<Kind> kinds = List.of(Kind.values());
    int kept = 0;
    for (int round = 0; round < 3_000; round++) {
      List<String> lines = new ArrayList<>();
      for (int time = 0; time < 12; time++) {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        String to = kind == Kind.MOVE ? names.get(random.nextInt(names.size())) : "-";
        lines.add(time + " s " + kind + " " + names.get(random.nextInt(names.size())) + " " + to + " ok");
      }
      List<String> trace = trace(lines.toArray(String[]::new)).stream().map(line -> line.replace(' ', '\t')).toList();
      kept += trace.size();
      if (!trace.isEmpty()) {
        replay(trace);
      }
    }
    assertThat(kept).isGreaterThan(12_000);
  }
}
