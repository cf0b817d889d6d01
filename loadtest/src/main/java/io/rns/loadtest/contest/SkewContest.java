package io.rns.loadtest.contest;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.Selection;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Moved;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.RnsPeer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Requests of which most concern one of eight subtrees, another one after a while: with all subtrees at one of two
 * groups, with four at each, and with the service moving them by itself.
 *
 * @param processors how many each group's server and database may use together; 0 for as many as they can get
 * @param phases how many subtrees have most of the requests, one after the other
 * @param phase for how long each
 */
public record SkewContest(double processors, int clients, int phases, Duration phase, Duration warmUp) {
  private static final int SUBTREES = 8;
  private static final int DIRECTORIES = 4;
  private static final int JUNCTIONS = 250;
  private static final double HOT = 0.8;
  private static final double WANTED = 1.4;
  private static final int BIN_SECONDS = 10;
  /** A service that decides every 10 s, by the last window alone, and may move as much as it can. */
  private static final Map<String, String> AUTO = Map.of(
      "RNS_PARTITIONING", "auto", "RNS_PARTITION_WINDOW", "10000", "RNS_PARTITION_WINDOWS", "1",
      "RNS_PARTITION_REST", "30000", "RNS_PARTITION_MOVES_PER_HOUR", "60", "RNS_PARTITION_MINIMUM_LOAD", "50");
  private static final Map<String, String> STATIC = Map.of("RNS_PARTITIONING", "off");

  /** A way to share the load. */
  private enum Way {
    ONE_GROUP("static: one group has all"), HALVES("static: each group has four"), AUTOMATIC("auto");

    private final String text;

    Way(String text) {
      this.text = text;
    }
  }

  /** Starts two groups for each, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("held", processors == 0
        ? "no: each group takes as much of the processors as it gets"
        : "each group's server and database together to " + Quota.check(processors));
    List<Row> rows = new ArrayList<>();
    List<Row> curves = new ArrayList<>();
    double worst = 0;
    double automatic = 0;
    for (Way way : Way.values()) {
      progress.accept("starting 2 groups: " + way.text);
      try (ServerGroup group = ServerGroup.divided(launcher, 2, way == Way.AUTOMATIC ? AUTO : STATIC)) {
        Measurement measured = measure(way, group, progress);
        Series series = new Series(new Workload(way.text, 1, List::of, GroupClients.TIMEOUT), List.of(measured));
        curves.addAll(curve(way, measured));
        List<ServerGroup.AutomaticMove> moves = group.automaticMoves();
        rows.add(Contest.row(series).with("moves", moves.size()).with("movedAgain", movedAgain(moves)));
        worst = way == Way.ONE_GROUP ? series.throughput() : worst;
        automatic = series.throughput();
      }
    }
    double ratio = automatic / worst;
    rows.add(Row.of("auto against the worst").with("ratio", ratio).with("bar", WANTED));
    rows.addAll(curves);
    notes.put("auto", Contest.verdict(
        "%.2f x what one group does with all subtrees; wanted is %.2f x", ratio, WANTED, ratio >= WANTED));
    return new Contest.Report(rows, notes);
  }

  private Measurement measure(Way way, ServerGroup group, Consumer<String> progress) throws InterruptedException {
    URI first = group.members().getFirst().url();
    try (RnsConnection names =
        RnsClient.builder().server(first).selection(Selection.NEAREST).connections(clients).build()) {
      progress.accept("adding entries to work with");
      List<String> subtrees = new ArrayList<>();
      for (int i = 0; i < SUBTREES; i++) {
        LoadDirectory subtree = LoadDirectory.create(names);
        subtree.keep();
        if (way != Way.ONE_GROUP && i % 2 == 1) {
          Moved unused = group.assign(subtree.path().toString(), 1);
        }
        subtree.make(IntStream.range(0, DIRECTORIES).mapToObj(number -> "/d" + number).toList(),
            IntStream.range(0, DIRECTORIES * JUNCTIONS).mapToObj(SkewContest::junction).toList());
        subtrees.add(subtree.path().toString());
      }
      RnsPeer peer = new RnsPeer(
          HttpTarget.of(RnsClient.soapEndpoint(first).toString()), names, LoadTransport.CLIENT);
      progress.accept("warm-up: " + way.text);
      Measurement unused = load(peer, subtrees).run(new Schedule(Duration.ZERO, warmUp));
      List<List<Long>> processes =
          group.members().stream().map(member -> List.of(member.serverPid(), member.databasePid())).toList();
      try (Quota quota = Quota.together(processors, processes)) {
        progress.accept(way.text + ", " + phases + " x " + phase.toSeconds() + " s: " + quota);
        return load(peer, subtrees).run(new Schedule(Duration.ZERO, phase.multipliedBy(phases)));
      }
    }
  }

  private static String junction(int number) {
    return "/d" + number % DIRECTORIES + "/n" + number / DIRECTORIES;
  }

  /** Half of the requests are lookups, half replace a reference. The time begins with the first request. */
  private Workload load(RnsPeer peer, List<String> subtrees) {
    return peer.workload("skewed", clients, client -> {
      SplittableRandom random = new SplittableRandom(client);
      long began = System.nanoTime();
      CallSource calls = () -> {
        int hot = (int) ((System.nanoTime() - began) / phase.toNanos() % SUBTREES);
        int subtree = random.nextDouble() < HOT ? hot : (hot + 1 + random.nextInt(SUBTREES - 1)) % SUBTREES;
        String path = subtrees.get(subtree) + junction(random.nextInt(DIRECTORIES * JUNCTIONS));
        return Call.of(random.nextBoolean() ? Kind.QUERY : Kind.UPDATE, path);
      };
      return calls;
    }, GroupClients.TIMEOUT);
  }

  /** Requests per second over time. */
  private static List<Row> curve(Way way, Measurement measured) {
    List<Row> points = new ArrayList<>();
    List<Second> seconds = measured.seconds();
    for (int from = 0; from + BIN_SECONDS <= seconds.size(); from += BIN_SECONDS) {
      List<Second> bin = seconds.subList(from, from + BIN_SECONDS);
      points.add(Row.of("curve: " + way.text).with("at", Math.rint(bin.getLast().at()))
          .with("perSecond", bin.stream().mapToDouble(Second::perSecond).average().orElse(0)));
    }
    return points;
  }

  /** How many moves were of what had moved less than a phase before. */
  private int movedAgain(List<ServerGroup.AutomaticMove> moves) {
    Map<String, Instant> last = new HashMap<>();
    int again = 0;
    for (ServerGroup.AutomaticMove move : moves) {
      Instant before = last.put(move.path(), move.at());
      again += before != null && before.plus(phase).isAfter(move.at()) ? 1 : 0;
    }
    return again;
  }
}
