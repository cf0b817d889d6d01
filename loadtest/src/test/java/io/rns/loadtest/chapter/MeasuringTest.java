package io.rns.loadtest.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MeasuringTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir private Path directory;
  private final List<String> said = new ArrayList<>();
  private FakeLauncher launcher = new FakeLauncher(Path.of(""), Path.of(""));

  /** A chapter with some command lines. */
  private static Chapter chapter(List<String> lines) {
    return new Chapter("lines", "Lines", "To see.", lines, "rate {{$num(load.throughput, \"\")}}");
  }

  @BeforeEach
  void launcher() throws IOException {
    launcher = FakeLauncher.in(directory);
  }

  private Results run(String... lines) throws InterruptedException {
    return run(Results.none("lines"), kept -> {}, lines);
  }

  private Results run(Results begun, Consumer<Results> kept, String... lines) throws InterruptedException {
    return runUntil(Instant.MAX, begun, kept, lines);
  }

  private Results runUntil(Instant end, Results begun, Consumer<Results> kept, String... lines)
      throws InterruptedException {
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    return new Measuring(launcher.script(), Length.FULL, clock, end, said::add)
        .run(chapter(List.of(lines)), begun, kept);
  }

  @Test
  void commandsMeanTheServicesThatWereStartedBefore() throws Exception {
    Results results =
        run(
            "RNS_DNS_PORT=$DNS ./rns up --detach",
            "./rns up --replicas 2 --data $GROUP",
            "load: ./rns load --op query",
            "group: ./rns load --server $PRIMARY --read-from $REPLICA --asap $ASAP --dns $DNS");
    List<String> called = launcher.called();
    String port = called.getFirst().split(" ", -1)[1];
    assertThat(port).matches("[0-9]+");
    assertThat(called)
        .contains("http://one/rns none load --op query")
        .contains("http://one/rns none load --server http://p/rns --read-from http://r/rns --asap 3863 --dns " + port);
    String group = called.get(1).replaceFirst(".*--data ", "");
    assertThat(called.subList(called.size() - 2, called.size()))
        .satisfiesExactly(
            first -> assertThat(first).endsWith("down --data " + group),
            second -> assertThat(second).matches(".*down --data .*/one"));
    assertThat(Path.of(group).getParent()).doesNotExist();
    assertThat(results.isComplete()).isTrue();
    assertThat(results.commands()).contains("./rns up --replicas 2 --data $GROUP", "./rns load --op query");
    assertThat(results.text()).contains("\"throughput\":5.1235").doesNotContain("secret", "456789");
    assertThat(said).contains("lines: ./rns load --op query");
  }

  @Test
  void aCommandThatFailsEndsTheChapterWithItsReason() throws Exception {
    Results results = run("./rns up", "load: ./rns load", "x: ./rns broken",
        "y: ./rns load");
    assertThat(results.isComplete()).isFalse();
    assertThat(results.facts().get("incomplete")).isEqualTo("./rns broken: rns load: no such service");
    assertThat(results.printed()).containsOnlyKeys("load");
    assertThat(launcher.called().getLast()).contains(" down ");
  }

  @Test
  void aDocumentCountsAlsoWhereTheCommandDidNotLikeWhatItFound() throws Exception {
    Results results = run("load: ./rns late");
    assertThat(results.isComplete()).isTrue();
    assertThat(results.errors()).isEqualTo(2);
  }

  @Test
  void whoIsStoppedCleansUp() throws Exception {
    assertThatThrownBy(() -> run("./rns up", "x: ./rns stopped"))
        .isInstanceOf(InterruptedException.class);
    assertThat(launcher.called().getLast()).contains(" down ");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> run("./rns up")).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("left as it was found by the wait").isFalse();
  }

  @Test
  void aRunGoesOnAfterTheCommandsThatAnInterruptedOneCompleted() throws Exception {
    Volume volume = Volume.open(directory.resolve("out"), List.of(chapter(List.of())));
    String[] lines = {"load: ./rns load 1", "load: ./rns load 2", "x: ./rns stopped"};
    assertThatThrownBy(() -> run(volume.begun("lines"), volume::keepBegun, lines))
        .isInstanceOf(InterruptedException.class);
    assertThat(Volume.open(directory.resolve("out"), List.of()).begun("lines").commands())
        .containsExactly("./rns load 1", "./rns load 2");
    said.clear();
    Results whole = run(volume.begun("lines"), volume::keepBegun, "load: ./rns load 1", "load: ./rns load 3",
        "load: ./rns load 2");
    assertThat(said).containsExactly("lines: ./rns load 3");
    assertThat(whole.commands()).containsExactly("./rns load 1", "./rns load 3", "./rns load 2");
    volume.keep(whole);
    assertThat(volume.begun("lines").commands()).isEmpty();
  }

  @Test
  void noCommandBeginsAfterTheEndUnlessItSharesAService() throws Exception {
    Instant end = NOW.minusMillis(1);
    Results first = run("load: ./rns load 1");
    said.clear();
    Results results = runUntil(end, first, kept -> {}, "load: ./rns load 1", "load: ./rns load 2");
    assertThat(results.commands()).containsExactly("./rns load 1");
    assertThat(results.facts().get("incomplete")).asString().contains("before ./rns load 2", "--resume");
    assertThat(runUntil(end, Results.none("lines"), kept -> {}, "./rns up", "load: ./rns load").isComplete()).isTrue();
    assertThat(runUntil(NOW, Results.none("lines"), kept -> {}, "load: ./rns load").isComplete()).isTrue();
  }

  @Test
  void commandsThatShareAServiceAreRepeated() throws Exception {
    Results begun = run("load: ./rns load");
    assertThat(run(begun, kept -> {}, "./rns up", "load: ./rns load").isComplete()).isTrue();
    assertThat(said).containsExactly("lines: ./rns load", "lines: ./rns up", "lines: ./rns load");
  }

  @Test
  void resultsAreKeptAndFormerOnesOutliveAFailure() throws Exception {
    Path out = directory.resolve("out");
    Results good = run("load: ./rns load");
    Volume volume = Volume.open(out, List.of(chapter(good.commands())));
    volume.keep(good);
    assertThat(Files.readString(volume.write())).contains("rate 5.12",
        "[2026-01-02 03:04 UTC](figures/" + good.chapter() + ".json)");
    assertThat(out.resolve("figures/" + good.chapter() + ".json")).content().contains("\"command\":\"./rns load\"");
    volume.keep(run("load: ./rns broken"));
    Volume again = Volume.open(out, List.of(chapter(List.of("load: ./rns load"))));
    assertThat(Files.readString(again.write()))
        .contains("rate 5.12",
            "Could not be run again at 2026-01-02 03:04 UTC: ./rns broken: rns load: no such service");
    again.keep(good);
    assertThat(Files.readString(again.write())).doesNotContain("Could not be run");
  }

  @Test
  void whatIsNoCommandOfOursIsRefused() {
    assertThatThrownBy(() -> new Step("x", "rm -r /")).isInstanceOf(IllegalArgumentException.class);
  }
}
