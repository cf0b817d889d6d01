package io.rns.loadtest.pool;

import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.Cluster.Member;
import io.rns.pool.PolicyType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Two of twenty servers fail every request at once, and so always look idle: how many requests meet them. */
final class SinkHole {
  private static final int GOOD = 18;
  private static final int BROKEN = 2;
  private static final int ENOUGH = 1_024;

  private final PolicyContest contest;

  SinkHole(PolicyContest contest) {
    this.contest = contest;
  }

  /** Requests that a broken server got, of all that users made, answered or not, the warm-up included. */
  private record Met(Outcome outcome, long failures, long requests) {
    double share() {
      return requests == 0 ? 0 : (double) failures / requests;
    }

    Met plus(Met other) {
      return new Met(outcome.plus(other.outcome), failures + other.failures, requests + other.requests);
    }
  }

  List<Row> run(Consumer<String> progress) throws InterruptedException {
    Met naive = null;
    Met adaptive = null;
    for (int round = 1; round <= contest.rounds(); round++) {
      progress.accept("sinks, round " + round + ": least connections");
      Met first = turn(PolicyType.ROUND_ROBIN, false, round);
      naive = naive == null ? first : naive.plus(first);
      progress.accept("sinks, round " + round + ": adaptive");
      Met second = turn(PolicyType.ADAPTIVE, true, round);
      adaptive = adaptive == null ? second : adaptive.plus(second);
    }
    if (naive == null || adaptive == null) {
      throw new IllegalStateException("a contest has a round");
    }
    return List.of(row("least connections", naive, naive), row("adaptive", adaptive, naive));
  }

  private static Row row(String who, Met met, Met naive) {
    return PolicyContest.row("sinks: " + who, met.outcome())
        .with("sunkPerRequest", met.share())
        .with("avoided", naive.share() == 0 ? Double.NaN : 1 - met.share() / naive.share());
  }

  private Met turn(PolicyType policy, boolean pooled, int round) throws InterruptedException {
    List<Member> members = new ArrayList<>(Collections.nCopies(GOOD, new Member(Service.sleeping(1), ENOUGH, 1)));
    members.addAll(Collections.nCopies(BROKEN, new Member(Service.broken(), ENOUGH, 1)));
    PolicyContest cold = new PolicyContest(1, Duration.ZERO, contest.measured(), contest.ttl());
    try (Cluster cluster = new Cluster(members, policy, contest.ttl())) {
      Outcome outcome =
          pooled
              ? PolicyContest.arriving(round).run(PolicyContest.user(cluster), Duration.ZERO, contest.measured())
              : PolicyContest.leastConnections(cluster, cold, PolicyContest.arriving(round));
      long failures =
          cluster.servers().subList(GOOD, GOOD + BROKEN).stream().mapToLong(SimulatedServer::requests).sum();
      return new Met(outcome, failures, outcome.latencies().getTotalCount() + outcome.errors());
    }
  }
}
