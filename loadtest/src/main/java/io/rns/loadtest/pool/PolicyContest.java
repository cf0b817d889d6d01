package io.rns.loadtest.pool;

import io.rns.client.pool.PoolUser;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.Cluster.Member;
import io.rns.pool.PolicyType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Ways to choose a server against each other: in turns, each time with fresh servers, a fresh registrar and fresh
 * users, and all with the same requests at the same times.
 *
 * @param rounds how often each has its turn, at least 1
 * @param warmUp of each turn
 * @param measured of each turn
 * @param ttl how long users keep what they got from the registrar
 */
public record PolicyContest(int rounds, Duration warmUp, Duration measured, Duration ttl) {
  private static final String ROUND_ROBIN = "round robin";
  private static final String LEAST_CONNECTIONS = "least connections";
  private static final String ADAPTIVE = "adaptive";
  private static final String WEIGHTED = "weighted round robin";
  private static final String CREDITS = "credits";

  private static final long MILLI = 1_000_000;
  private static final int ENOUGH = 1_024;
  private static final int ITEMS = 20;
  private static final int P50 = 50;
  private static final int P99 = 99;

  /** What is contested. */
  public enum Kind {
    /** 16 servers, two of which take 16 times as long without telling: 500 requests per second of 10 to 30 ms. */
    SLOW,
    /** 4 servers that compute, 16 users that ask without a pause. */
    PROCESSOR,
    /**
     * 3 servers of known, different strength, which turn away what is too much: bursts of 5 requests, of 2 ms or, one
     * in ten, 80 ms, 70 % of what they can.
     */
    CREDITS,
    /** 20 servers, two of which fail every request at once. */
    SINKS
  }

  /** One turn of one way to choose. */
  private interface Turn {
    Outcome run(int round) throws InterruptedException;
  }

  /** Runs one contest. */
  public List<Row> run(Kind kind, Consumer<String> progress) throws InterruptedException {
    return switch (kind) {
      case SLOW -> slow(progress);
      case PROCESSOR -> processor(progress);
      case CREDITS -> credits(progress);
      case SINKS -> new SinkHole(this).run(progress);
    };
  }

  private List<Row> slow(Consumer<String> progress) throws InterruptedException {
    Map<String, Turn> turns = new LinkedHashMap<>();
    turns.put(ROUND_ROBIN, round -> pooled(slowServers(), PolicyType.ROUND_ROBIN, arriving(round)));
    turns.put(LEAST_CONNECTIONS, round -> leastConnections(slowServers(), arriving(round)));
    turns.put(ADAPTIVE, round -> pooled(slowServers(), PolicyType.ADAPTIVE, arriving(round)));
    Map<String, Outcome> outcomes = run("slow", turns, progress);
    double adaptive = of(outcomes, ADAPTIVE).millis(P99);
    return rows("slow", outcomes, (row, outcome) -> row.with("adaptiveP99To", adaptive / outcome.millis(P99)));
  }

  private static List<Member> slowServers() {
    List<Member> members = new ArrayList<>(Collections.nCopies(14, new Member(Service.sleeping(1), ENOUGH, 1)));
    members.addAll(Collections.nCopies(2, new Member(Service.sleeping(16), ENOUGH, 1)));
    return members;
  }

  static Arriving arriving(int round) {
    return new Arriving(500, 1, Sizes.even(20 * MILLI), round);
  }

  private List<Row> processor(Consumer<String> progress) throws InterruptedException {
    Looping users = new Looping(16, MILLI);
    Map<String, Turn> turns = new LinkedHashMap<>();
    turns.put(ROUND_ROBIN, round -> pooled(computing(), PolicyType.ROUND_ROBIN, users));
    turns.put(ADAPTIVE, round -> pooled(computing(), PolicyType.ADAPTIVE, users));
    Map<String, Outcome> outcomes = run("processor", turns, progress);
    double adaptive = of(outcomes, ADAPTIVE).perSecond();
    return rows("processor", outcomes, (row, outcome) -> row.with("adaptiveRateTo", adaptive / outcome.perSecond()));
  }

  private static List<Member> computing() {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      members.add(new Member(Service.computing(), ENOUGH, 1));
    }
    return members;
  }

  private List<Row> credits(Consumer<String> progress) throws InterruptedException {
    Map<String, Turn> turns = new LinkedHashMap<>();
    turns.put(WEIGHTED, round -> dispatched(PolicyType.WEIGHTED_ROUND_ROBIN, round));
    turns.put(CREDITS, round -> dispatched(PolicyType.CREDITS, round));
    Map<String, Outcome> outcomes = run("credits", turns, progress);
    Outcome credits = of(outcomes, CREDITS);
    return rows(
        "credits",
        outcomes,
        (row, outcome) -> row.with("creditsMeanTo", credits.latencies().getMean() / outcome.latencies().getMean())
            .with("creditsErrorsTo",
                outcome.errors() == 0 ? Double.NaN : (double) credits.errors() / outcome.errors()));
  }

  private Outcome dispatched(PolicyType policy, int round) throws InterruptedException {
    List<Member> members = new ArrayList<>();
    for (int workers : new int[]{2, 4, 8}) {
      members.add(new Member(Service.workers(workers), 6 * workers, workers));
    }
    try (Cluster cluster = new Cluster(members, policy, Duration.ZERO)) {
      Balancer balancer = new Dispatched(cluster.pools(), Cluster.HANDLE, cluster.connections());
      return new Arriving(980, 5, Sizes.mixed(2 * MILLI, 80 * MILLI, 0.1), round).run(balancer, warmUp, measured);
    }
  }

  static Outcome leastConnections(Cluster cluster, PolicyContest contest, Arriving requests)
      throws InterruptedException {
    return requests.run(new LeastConnections(cluster.servers(), cluster.connections()), contest.warmUp,
        contest.measured);
  }

  private Outcome leastConnections(List<Member> members, Arriving requests) throws InterruptedException {
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, ttl)) {
      return leastConnections(cluster, this, requests);
    }
  }

  private Outcome pooled(List<Member> members, PolicyType policy, Arriving requests) throws InterruptedException {
    try (Cluster cluster = new Cluster(members, policy, ttl)) {
      return requests.run(user(cluster), warmUp, measured);
    }
  }

  private Outcome pooled(List<Member> members, PolicyType policy, Looping users) {
    try (Cluster cluster = new Cluster(members, policy, ttl)) {
      return users.run(user(cluster), warmUp, measured);
    }
  }

  static Balancer user(Cluster cluster) {
    return new Pooled(PoolUser.builder(cluster.pools()).items(ITEMS).build(), Cluster.HANDLE, cluster.connections());
  }

  private Map<String, Outcome> run(String contest, Map<String, Turn> turns, Consumer<String> progress)
      throws InterruptedException {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Map.Entry<String, Turn> turn : turns.entrySet()) {
        progress.accept(contest + ", round " + round + ": " + turn.getKey());
        outcomes.merge(turn.getKey(), turn.getValue().run(round), Outcome::plus);
      }
    }
    return outcomes;
  }

  private static Outcome of(Map<String, Outcome> outcomes, String name) {
    Outcome outcome = outcomes.get(name);
    if (outcome == null) {
      throw new IllegalStateException(name + " had no turn");
    }
    return outcome;
  }

  /** Compares one with another. */
  private interface Comparison {
    Row add(Row row, Outcome outcome);
  }

  private static List<Row> rows(String contest, Map<String, Outcome> outcomes, Comparison comparison) {
    List<Row> rows = new ArrayList<>();
    outcomes.forEach((name, outcome) -> rows.add(comparison.add(row(contest + ": " + name, outcome), outcome)));
    return rows;
  }

  static Row row(String what, Outcome outcome) {
    return Row.of(what)
        .with("perSecond", outcome.perSecond())
        .with("errors", (double) outcome.errors())
        .with("meanMillis", outcome.latencies().getMean() / MILLI)
        .with("p50Millis", outcome.millis(P50))
        .with("p99Millis", outcome.millis(P99));
  }
}
