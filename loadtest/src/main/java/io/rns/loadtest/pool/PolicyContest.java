package io.rns.loadtest.pool;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.pool.Cluster.Member;
import io.rns.loadtest.pool.Requests.Bursts;
import io.rns.loadtest.pool.Requests.Demand;
import io.rns.loadtest.pool.Requests.Sizes;
import io.rns.pool.PolicyType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ways to choose a server against each other: in turns, each time with fresh servers, a fresh registrar and fresh
 * users, and all with the same requests at the same times.
 *
 * @param warmUp how long users learn before requests count
 * @param ttl how long users keep a resolution
 * @param registrars which servers and users share, in turn
 * @param trace when requests of contests {@link Kind#isOfTrace} come
 * @param again whether the last way runs once more under another name: what differs then is chance
 */
@SuppressWarnings("ImmutableEnumChecker") // what they hold is never changed, but the types do not say so
public record PolicyContest(
    int rounds, Duration warmUp, Duration measured, Duration ttl, int registrars, List<Long> trace, boolean again) {
  private static final double MILLIS = 1e3;
  private static final long MILLI = 1_000_000;
  private static final int ENOUGH = 1_024;
  private static final int P99 = 99;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  /** How long a request waits for a place; the same for all. */
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Sizes SIMILAR = Sizes.even(20 * MILLI);
  private static final Sizes MIXED_SIZES = Sizes.mixed(2 * MILLI, 80 * MILLI, 0.1);
  private static final Demand ORDINARY = new Demand(ENOUGH, Bursts.atRandom(500), 1, SIMILAR);
  /** Of a trace, which says when; 4 ms on average. */
  private static final Demand RECORDED =
      new Demand(4 * ENOUGH, Bursts.NONE, 1, Sizes.mixed(2 * MILLI, 22 * MILLI, 0.1));
  private static final int BROKEN = 2;

  private enum Way {
    ROUND_ROBIN("round robin", PolicyType.ROUND_ROBIN, Cluster::pooled), LEAST_CONNECTIONS("least connections",
        PolicyType.ROUND_ROBIN, Cluster::leastConnections), PEAK_EWMA("peak EWMA of two", PolicyType.ROUND_ROBIN,
            Cluster::peakEwma), ADAPTIVE("adaptive", PolicyType.ADAPTIVE, Cluster::pooled), WEIGHTED(
                "weighted round robin", PolicyType.WEIGHTED_ROUND_ROBIN, patient(Cluster::dispatched)), WEIGHTED_LEAST(
                    "weighted least connections", PolicyType.ROUND_ROBIN,
                    patient(Cluster::weightedLeastConnections)), CREDITS("credits", PolicyType.CREDITS,
                        patient(Cluster::dispatched));

    private final String label;
    private final PolicyType policy;
    private final Function<Cluster, Balancer> balancer;

    Way(String label, PolicyType policy, Function<Cluster, Balancer> balancer) {
      this.label = label;
      this.policy = policy;
      this.balancer = balancer;
    }

    private static Function<Cluster, Balancer> patient(Function<Cluster, Balancer> balancer) {
      return cluster -> Balancer.patient(balancer.apply(cluster), PATIENCE);
    }
  }

  /** What is contested. The last way of each is ours. */
  public enum Kind {
    /** 16 servers, two of which take 16 times as long without telling: 500 requests per second of 10 to 30 ms. */
    SLOW(true, 16, i -> new Member(Service.sleeping(i < 14 ? 1 : 16), ENOUGH, 1), ORDINARY, Way.ROUND_ROBIN,
        Way.LEAST_CONNECTIONS, Way.PEAK_EWMA, Way.ADAPTIVE),
    /**
     * 3 servers of known, different strength, which turn away what is too much: bursts of 5 requests, of 2 ms or, one
     * in ten, 80 ms, 70 % of what they can.
     */
    CREDITS(false, 3, i -> new Member(Service.workers(2 << i), 12 << i, 2 << i),
        new Demand(ENOUGH, Bursts.atRandom(980 / 5), 5, MIXED_SIZES), Way.WEIGHTED, Way.WEIGHTED_LEAST,
        Way.CREDITS),
    /** 20 servers, two of which fail every request at once; users know nothing of them when they begin. */
    SINKS(true, 20, i -> new Member(i < 20 - BROKEN ? Service.sleeping(1) : Service.BROKEN, ENOUGH, 1), ORDINARY,
        Way.LEAST_CONNECTIONS, Way.ADAPTIVE),
    /** 8 equal servers of 2 workers; 70 % of what they can, of 2 ms or, one in ten, 80 ms. */
    MIXED(true, 8, i -> new Member(Service.workers(2), ENOUGH, 1),
        new Demand(ENOUGH, Bursts.atRandom(1_140), 1, MIXED_SIZES), Way.ROUND_ROBIN, Way.LEAST_CONNECTIONS,
        Way.PEAK_EWMA, Way.ADAPTIVE),
    /** The same servers; bursts of 10 requests of 10 to 30 ms, 60 % of what they can. */
    BURSTS(true, 8, i -> new Member(Service.workers(2), ENOUGH, 1),
        new Demand(ENOUGH, Bursts.atRandom(480 / 10), 10, SIMILAR),
        Way.ROUND_ROBIN, Way.LEAST_CONNECTIONS, Way.PEAK_EWMA, Way.ADAPTIVE),
    /** A trace by datagrams, at servers of 2, 4 and 8 workers that report the queue of their socket. */
    DNS(false, 3, i -> new Member(() -> QueueServer.datagrams(2 << i), 2 << i), RECORDED, Way.WEIGHTED,
        Way.WEIGHTED_LEAST, Way.CREDITS),
    /** The same by a connection for each request. */
    WEB(false, 3, i -> new Member(() -> QueueServer.connections(2 << i), 2 << i), RECORDED, Way.WEIGHTED,
        Way.WEIGHTED_LEAST, Way.CREDITS);

    private final boolean ofUsers;
    private final int servers;
    private final IntFunction<Member> server;
    private final Demand demand;
    private final List<Way> ways;

    Kind(boolean ofUsers, int servers, IntFunction<Member> server, Demand demand, Way... ways) {
      this.ofUsers = ofUsers;
      this.servers = servers;
      this.server = server;
      this.demand = demand;
      this.ways = List.of(ways);
    }

    /** Whether each user chooses for himself, so that their number matters. */
    public boolean isOfUsers() {
      return ofUsers;
    }

    /** Whether requests come when a trace says, in some number of copies. */
    public boolean isOfTrace() {
      return this == DNS || this == WEB;
    }

    private Connections connections() {
      return switch (this) {
        case DNS -> new DatagramConnections();
        case WEB -> new PageConnections();
        case SLOW, CREDITS, SINKS, MIXED, BURSTS -> new ElementConnections();
      };
    }

    private List<Member> members() {
      return IntStream.range(0, servers).mapToObj(server).toList();
    }
  }

  /** One run: its servers, and the requests they got. */
  private record Turn(Cluster cluster, Requests requests) {
    double sunk() {
      List<SimulatedServer> servers = cluster.servers();
      return servers.stream().skip(servers.size() - BROKEN).mapToLong(SimulatedServer::requests).sum();
    }
  }

  /** What a way has done, by round. */
  private record Result(Series series, List<Turn> turns) {
    String name() {
      return series.workload().name();
    }

    Row row(Kind kind) {
      Measurement together = series.together();
      double requests = together.latencies().getTotalCount() + together.failures().total();
      Row row = Row.of(name())
          .with("perSecond", together.latencies().getTotalCount() * 1e9 / together.measured().toNanos())
          .with("errors", (double) together.failures().total())
          .with("meanMillis", meanMillis(together))
          .with("p50Millis", together.micros(50) / MILLIS)
          .with("p99Millis", together.micros(P99) / MILLIS);
      return switch (kind) {
        case SLOW -> row.with("earlyP99Millis", earlyP99Millis());
        case CREDITS, MIXED, BURSTS -> row;
        case DNS, WEB -> row.with("requests", requests).with("firstMillis", meanMillis(together) - transferMillis());
        case SINKS -> row.with("sunkPerRequest", turns.stream().mapToDouble(Turn::sunk).sum() / requests);
      };
    }

    /** The figure by which ways are compared: less is better. */
    List<Double> figures(Kind kind) {
      return switch (kind) {
        case SLOW -> series.runs().stream().map(one -> one.micros(P99)).toList();
        case CREDITS, MIXED, BURSTS, DNS, WEB -> series.runs().stream().map(Result::meanMillis).toList();
        case SINKS -> turns.stream().map(Turn::sunk).toList();
      };
    }

    private double earlyP99Millis() {
      return turns.stream().mapToDouble(turn -> turn.requests().early().getValueAtPercentile(P99)).max().orElse(0)
          / MILLI;
    }

    private double transferMillis() {
      return turns.stream().mapToDouble(turn -> turn.requests().transfers().getMean()).average().orElse(0) / MILLI;
    }

    private static double meanMillis(Measurement measured) {
      return measured.latencies().getMean() / MILLI;
    }
  }

  /**
   * Runs one contest.
   *
   * @param number of users who share the requests, and know nothing of each other; of a trace, of copies of each
   *        request; otherwise 1
   */
  public List<Row> run(Kind kind, int number, Consumer<String> progress) throws InterruptedException {
    Schedule turn = new Schedule(kind == Kind.SINKS ? Duration.ZERO : warmUp, measured);
    String more = kind.isOfTrace() ? ", factor " + number : number == 1 ? "" : ", " + number + " users";
    String contest = kind.name().toLowerCase(Locale.ROOT) + more + ": ";
    Map<Workload, List<Turn>> turns = new LinkedHashMap<>();
    for (Way way : kind.ways) {
      add(turns, contest + way.label, kind, way, number, turn);
    }
    String ours = contest + kind.ways.getLast().label;
    if (again) {
      add(turns, ours + ", again", kind, kind.ways.getLast(), number, turn);
    }
    List<Result> results =
        new Contest(rounds, Duration.ZERO, turn).run(List.copyOf(turns.keySet()), progress).stream()
            .map(one -> new Result(one, turns.get(one.workload()))).toList();
    List<Double> judged =
        results.stream().filter(result -> result.name().equals(ours)).findFirst().orElseThrow().figures(kind);
    return results.stream()
        .map(result -> compared(result.row(kind), RatioInterval.of(judged, result.figures(kind)))).toList();
  }

  private void add(
      Map<Workload, List<Turn>> turns, String name, Kind kind, Way way, int number, Schedule schedule) {
    List<Turn> used = new ArrayList<>();
    Demand demand = kind.isOfTrace() ? kind.demand.at(Bursts.repeated(trace), number) : kind.demand;
    int users = kind.isOfUsers() ? number : 1;
    turns.put(
        new Workload(
            name,
            1,
            () -> {
              Cluster cluster = new Cluster(kind.members(), kind.connections(), way.policy, ttl, registrars);
              Requests requests = new Requests(demand, used.size(), schedule.warmUp(), schedule.measured());
              used.add(new Turn(cluster, requests));
              List<Balancer> balancers =
                  Stream.generate(() -> way.balancer.apply(cluster)).limit(users).toList();
              return requests.clients(balancers, cluster::close);
            },
            new RequestArrivals.OfClients(),
            TIMEOUT),
        used);
  }

  /** What ours has to that of this way. */
  private static Row compared(Row row, RatioInterval ours) {
    return row.with("oursTo", ours.ratio()).with("oursToLow", ours.low()).with("oursToHigh", ours.high());
  }
}
