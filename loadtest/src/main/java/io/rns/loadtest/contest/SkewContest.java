package io.rns.loadtest.contest;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.Selection;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Moved;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RatioInterval;
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
 * Requests of which most concern one of eight subtrees, another one in each phase: with all subtrees at one of three
 * groups, spread over the three, and with the service moving them automatically. The three ways take turns, a phase
 * each. A static map does the same all the time, so that half of a phase is enough to measure it.
 *
 * @param processors how many each group's server and database may use together; 0 for as many as they can get
 * @param phases how many subtrees have most of the requests, one after the other
 * @param phase for how long each
 * @param warmUp how long at least each group of each has most of the requests before the first phase
 */
public record SkewContest(double processors, int clients, int phases, Duration phase, Duration warmUp) {
  private static final int GROUPS = 3;
  private static final int SUBTREES = 8;
  private static final int DIRECTORIES = 4;
  private static final int JUNCTIONS = 250;
  private static final double HOT = 0.8;
  private static final double WANTED = 1.4;
  private static final int BIN_SECONDS = 10;
  private static final int STATIC_PART = 2;
  /** A service that decides every 10 s, by the last window alone, and may move as much as it can. */
  private static final Map<String, String> AUTO = Map.of(
      "RNS_PARTITIONING", "auto", "RNS_PARTITION_WINDOW", "10000", "RNS_PARTITION_WINDOWS", "1",
      "RNS_PARTITION_REST", "30000", "RNS_PARTITION_MOVES_PER_HOUR", "60", "RNS_PARTITION_MINIMUM_LOAD", "50");
  private static final Map<String, String> STATIC = Map.of("RNS_PARTITIONING", "off");

  /** A way to share the load. */
  enum Way {
    ONE_GROUP("static: one group has all"), SPREAD("static: spread over all groups"), AUTOMATIC("auto");

    private final String text;

    Way(String text) {
      this.text = text;
    }
  }

  /** A way, and what one phase after the other came to. */
  record Measured(Way way, List<Measurement> phases) {
    private Series series() {
      return new Series(new Workload(way.text, 1, List::of, GroupClients.TIMEOUT), phases);
    }

    /** Requests per second over all phases. */
    private double perSecond() {
      return series().together().throughput();
    }
  }

  /** Starts a service of three groups for static maps and one that moves, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    String held = processors == 0
        ? "no: each group takes as much of the processors as it gets"
        : "each group's server and database together to " + Quota.check(processors);
    progress.accept("starting " + GROUPS + " groups with static partitions");
    try (ServerGroup still = ServerGroup.divided(launcher, GROUPS, STATIC)) {
      progress.accept("starting " + GROUPS + " groups that move partitions");
      try (ServerGroup moving = ServerGroup.divided(launcher, GROUPS, AUTO);
          RnsConnection atStill = client(still);
          RnsConnection atMoving = client(moving)) {
        progress.accept("adding entries to work with");
        List<Contestant> all = List.of(
            new Contestant(Way.ONE_GROUP, still, atStill), new Contestant(Way.SPREAD, still, atStill),
            new Contestant(Way.AUTOMATIC, moving, atMoving));
        for (Contestant each : all) {
          // One at each group.
          for (int subtree = SUBTREES - GROUPS; subtree < SUBTREES; subtree++) {
            Contest.warm(warmUp, each.load(subtree), progress);
          }
        }
        List<Measured> measured = measure(all, List.of(still, moving), progress);
        return report(measured, moving.automaticMoves(), held);
      }
    }
  }

  private RnsConnection client(ServerGroup group) {
    return RnsClient.builder().server(group.members().getFirst().url()).selection(Selection.NEAREST)
        .connections(clients).build();
  }

  /** In each phase all of them, beginning with another one each time. */
  private List<Measured> measure(List<Contestant> all, List<ServerGroup> groups, Consumer<String> progress)
      throws InterruptedException {
    List<List<Long>> processes = groups.stream().flatMap(group -> group.members().stream())
        .map(member -> List.of(member.serverPid(), member.databasePid())).toList();
    try (Quota quota = Quota.together(processors, processes)) {
      progress.accept(quota.toString());
      for (int round = 0; round < phases; round++) {
        for (int i = 0; i < all.size(); i++) {
          Contestant next = all.get((round + i) % all.size());
          progress.accept("phase " + (round + 1) + " of " + phases + ": " + next.way.text);
          next.measured.add(
              next.measure(round % SUBTREES, next.way == Way.AUTOMATIC ? phase : phase.dividedBy(STATIC_PART)));
        }
      }
    }
    return all.stream().map(each -> new Measured(each.way, List.copyOf(each.measured))).toList();
  }

  /** One way, with subtrees of its own. */
  private final class Contestant {
    private final Way way;
    private final List<String> subtrees = new ArrayList<>();
    private final List<Measurement> measured = new ArrayList<>();
    private final RnsPeer peer;

    Contestant(Way way, ServerGroup group, RnsConnection names) throws InterruptedException {
      this.way = way;
      for (int i = 0; i < SUBTREES; i++) {
        LoadDirectory subtree = LoadDirectory.create(names);
        subtree.keep();
        if (way != Way.ONE_GROUP && i % GROUPS > 0) {
          Moved unused = group.assign(subtree.path().toString(), i % GROUPS);
        }
        subtree.make(IntStream.range(0, DIRECTORIES).mapToObj(number -> "/d" + number).toList(),
            IntStream.range(0, DIRECTORIES * JUNCTIONS).mapToObj(SkewContest::junction).toList());
        subtrees.add(subtree.path().toString());
      }
      URI first = group.members().getFirst().url();
      peer = new RnsPeer(HttpTarget.of(RnsClient.soapEndpoint(first).toString()), names, LoadTransport.CLIENT);
    }

    /** Half of the requests are lookups, half replace a reference; most concern that subtree. */
    private Workload load(int hot) {
      return peer.workload(way.text, clients, client -> {
        SplittableRandom random = new SplittableRandom(client);
        CallSource calls = () -> {
          int subtree =
              random.nextDouble() < HOT ? hot : (hot + 1 + random.nextInt(SUBTREES - 1)) % SUBTREES;
          String path = subtrees.get(subtree) + junction(random.nextInt(DIRECTORIES * JUNCTIONS));
          return Call.of(random.nextBoolean() ? Kind.QUERY : Kind.UPDATE, path);
        };
        return calls;
      }, GroupClients.TIMEOUT);
    }

    Measurement measure(int hot, Duration time) throws InterruptedException {
      Measurement came = load(hot).run(new Schedule(Duration.ZERO, time));
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped");
      }
      return came;
    }
  }

  private static String junction(int number) {
    return "/d" + number % DIRECTORIES + "/n" + number / DIRECTORIES;
  }

  /**
   * Compares the automatic moves with the static map that is slower over all phases.
   *
   * @param moves those that the service decided on
   */
  Contest.Report report(List<Measured> all, List<ServerGroup.AutomaticMove> moves, String held) {
    List<Row> rows = new ArrayList<>();
    List<Row> curves = new ArrayList<>();
    Measured automatic = all.getLast();
    Measured worst = all.getFirst();
    for (Measured each : all) {
      Row row = Contest.row(each.series()).with("perSecond", each.perSecond());
      if (each.way == Way.AUTOMATIC) {
        row = row.with("moves", moves.size()).with("movedAgain", movedAgain(moves));
      } else if (each.perSecond() < worst.perSecond()) {
        worst = each;
      }
      rows.add(row);
      curves.addAll(curve(each));
    }
    double ratio = automatic.perSecond() / worst.perSecond();
    RatioInterval interval = RatioInterval.of(
        Contest.figures(automatic.series(), Measurement::throughput),
        Contest.figures(worst.series(), Measurement::throughput));
    rows.add(Row.of("auto against the slower static map").with("ratio", ratio).with("low", interval.low())
        .with("high", interval.high()).with("slower", worst.perSecond()).with("bar", WANTED));
    rows.addAll(curves);
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("held", held);
    notes.put("auto", Contest.verdict(
        "%.2f x '" + worst.way.text + "', the slower static map; wanted is %.2f x", ratio, WANTED, ratio >= WANTED));
    int again = movedAgain(moves);
    notes.put("oscillation",
        again + " of " + moves.size() + " moves were of a directory that had moved less than " + phase.toSeconds()
            + " s before; wanted is none: " + (again == 0 ? "reached" : "missed"));
    return new Contest.Report(rows, notes);
  }

  /** Requests per second over time, as if phases followed each other. */
  private List<Row> curve(Measured measured) {
    List<Row> points = new ArrayList<>();
    double began = 0;
    for (Measurement each : measured.phases) {
      List<Second> seconds = each.seconds();
      for (int from = 0; from + BIN_SECONDS <= seconds.size(); from += BIN_SECONDS) {
        List<Second> bin = seconds.subList(from, from + BIN_SECONDS);
        points.add(Row.of("curve: " + measured.way.text).with("at", Math.rint(began + bin.getLast().at()))
            .with("perSecond", bin.stream().mapToDouble(Second::perSecond).average().orElse(0)));
      }
      began += phase.toNanos() / 1e9;
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
