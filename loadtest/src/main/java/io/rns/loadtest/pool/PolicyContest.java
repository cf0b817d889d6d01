package io.rns.loadtest.pool;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.pool.Cluster.Member;
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

/**
 * Ways to choose a server against each other: in turns, each time with fresh servers, a fresh registrar and fresh
 * users, and all with the same requests at the same times.
 */
@SuppressWarnings("ImmutableEnumChecker") // what they hold is never changed, but the types do not say so
public record PolicyContest(int rounds, Duration warmUp, Duration measured, Duration ttl) {
  private static final double MILLIS = 1e3;
  private static final long MILLI = 1_000_000;
  private static final int ENOUGH = 1_024;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Demand ORDINARY = new Demand(ENOUGH, 500, 1, Sizes.even(20 * MILLI));
  private static final int BROKEN = 2;

  private enum Way {
    ROUND_ROBIN("round robin", PolicyType.ROUND_ROBIN, Cluster::pooled), LEAST_CONNECTIONS("least connections",
        PolicyType.ROUND_ROBIN, Cluster::leastConnections), ADAPTIVE("adaptive", PolicyType.ADAPTIVE,
            Cluster::pooled), WEIGHTED("weighted round robin", PolicyType.WEIGHTED_ROUND_ROBIN,
                Cluster::dispatched), CREDITS("credits", PolicyType.CREDITS, Cluster::dispatched);

    private final String label;
    private final PolicyType policy;
    private final Function<Cluster, Balancer> balancer;

    Way(String label, PolicyType policy, Function<Cluster, Balancer> balancer) {
      this.label = label;
      this.policy = policy;
      this.balancer = balancer;
    }
  }

  /** What is contested. */
  public enum Kind {
    /** 16 servers, two of which take 16 times as long without telling: 500 requests per second of 10 to 30 ms. */
    SLOW(16, i -> new Member(Service.sleeping(i < 14 ? 1 : 16), ENOUGH, 1), ORDINARY, Way.ROUND_ROBIN,
        Way.LEAST_CONNECTIONS, Way.ADAPTIVE),
    /** 4 servers that compute, 16 users that ask without a pause. */
    PROCESSOR(4, i -> new Member(Service.computing(), ENOUGH, 1), new Demand(16, 0, 1, random -> MILLI),
        Way.ROUND_ROBIN, Way.ADAPTIVE),
    /**
     * 3 servers of known, different strength, which turn away what is too much: bursts of 5 requests, of 2 ms or, one
     * in ten, 80 ms, 70 % of what they can.
     */
    CREDITS(3, i -> new Member(Service.workers(2 << i), 12 << i, 2 << i),
        new Demand(ENOUGH, 980, 5, Sizes.mixed(2 * MILLI, 80 * MILLI, 0.1)), Way.WEIGHTED, Way.CREDITS),
    /** 20 servers, two of which fail every request at once; users know nothing of them when they begin. */
    SINKS(20, i -> new Member(i < 20 - BROKEN ? Service.sleeping(1) : Service.BROKEN, ENOUGH, 1), ORDINARY,
        Way.LEAST_CONNECTIONS, Way.ADAPTIVE);

    private final int servers;
    private final IntFunction<Member> server;
    private final Demand demand;
    private final List<Way> ways;

    Kind(int servers, IntFunction<Member> server, Demand demand, Way... ways) {
      this.servers = servers;
      this.server = server;
      this.demand = demand;
      this.ways = List.of(ways);
    }

    private List<Member> members() {
      return IntStream.range(0, servers).mapToObj(server).toList();
    }
  }

  /** What a way has done in all rounds, and to which servers. */
  private record Result(String name, Measurement together, List<Cluster> clusters) {
    double answered() {
      return together.latencies().getTotalCount();
    }

    double errors() {
      return together.failures().total();
    }

    double perSecond() {
      return answered() * 1e9 / together.measured().toNanos();
    }

    double p99Millis() {
      return together.micros(99) / MILLIS;
    }

    double meanMillis() {
      return together.latencies().getMean() / MILLI;
    }

    /** Requests that a broken server got, of all that users made, answered or not. */
    double sunkPerRequest() {
      long sunk = clusters.stream()
          .flatMap(cluster -> cluster.servers().stream().skip(cluster.servers().size() - BROKEN))
          .mapToLong(SimulatedServer::requests).sum();
      return answered() + errors() == 0 ? 0 : sunk / (answered() + errors());
    }

    Row row() {
      return Row.of(name)
          .with("perSecond", perSecond())
          .with("errors", errors())
          .with("meanMillis", meanMillis())
          .with("p50Millis", together.micros(50) / MILLIS)
          .with("p99Millis", p99Millis());
    }
  }

  public List<Row> run(Kind kind, Consumer<String> progress) throws InterruptedException {
    Schedule turn = new Schedule(kind == Kind.SINKS ? Duration.ZERO : warmUp, measured);
    Map<Workload, List<Cluster>> clusters = new LinkedHashMap<>();
    for (Way way : kind.ways) {
      List<Cluster> used = new ArrayList<>();
      clusters.put(workload(kind, way, turn, used), used);
    }
    List<Result> results =
        new Contest(rounds, Duration.ZERO, turn).run(List.copyOf(clusters.keySet()), progress).stream()
            .map(one -> new Result(one.workload().name(), one.together(), clusters.get(one.workload()))).toList();
    return results.stream().map(result -> compared(kind, result, results)).toList();
  }

  private Workload workload(Kind kind, Way way, Schedule turn, List<Cluster> used) {
    return new Workload(
        kind.name().toLowerCase(Locale.ROOT) + ": " + way.label,
        1,
        () -> {
          Cluster cluster = new Cluster(kind.members(), way.policy, ttl);
          used.add(cluster);
          return new Requests(kind.demand, used.size(), turn.warmUp(), turn.measured())
              .clients(way.balancer.apply(cluster), cluster::close);
        },
        kind.demand.arrivals(),
        TIMEOUT);
  }

  private static Row compared(Kind kind, Result it, List<Result> all) {
    Result first = all.getFirst();
    Result last = all.getLast();
    Row row = it.row();
    return switch (kind) {
      case SLOW -> row.with("adaptiveP99To", last.p99Millis() / it.p99Millis());
      case PROCESSOR -> row.with("adaptiveRateTo", last.perSecond() / it.perSecond());
      case CREDITS -> row.with("creditsMeanTo", last.meanMillis() / it.meanMillis())
          .with("creditsErrorsTo", it.errors() == 0 ? Double.NaN : last.errors() / it.errors());
      case SINKS -> row.with("sunkPerRequest", it.sunkPerRequest()).with("avoided",
          first.sunkPerRequest() == 0 ? Double.NaN : 1 - it.sunkPerRequest() / first.sunkPerRequest());
    };
  }
}
