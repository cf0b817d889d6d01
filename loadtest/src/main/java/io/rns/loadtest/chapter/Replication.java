package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A group of three servers beside a single one. */
final class Replication implements Chapter {
  private static final String RATE = "/throughput";

  @Override
  public String name() {
    return "replication";
  }

  @Override
  public String title() {
    return "A group beside a single server";
  }

  @Override
  public String why() {
    return """
        What replication costs and gives: a primary and two replicas, each with a database of its own, commits
        acknowledged by a replica, beside a single server. All of them run on the same processors and take turns, so
        all that replication costs is taken from where the work is done, and the group cannot be faster than one
        server; whether two servers do twice as much is a question for two machines.""";
  }

  @Override
  public List<Step> steps(Length length) {
    String turn = length.of("--seconds 4 --rounds 1 --warm-up 2", "--seconds 0.2 --rounds 1 --warm-up 0")
        + " --no-yardsticks --json";
    // A load asks for 10,000 new paths, each of which is read from the database once: that is not what is compared.
    String cached = length.of("--seconds 4 --rounds 1 --warm-up 6", "--seconds 0.2 --rounds 1 --warm-up 0")
        + " --no-yardsticks --json";
    String warm = length.of("--seconds 1 --rounds 1 --warm-up 20", "--seconds 0.2 --rounds 1 --warm-up 0")
        + " --no-yardsticks --json";
    List<Step> steps = new ArrayList<>();
    // Each server of a group has this heap: with more, the single one would collect less often.
    steps.add(Step.up("./rns up --heap 512m --port 0 --detach --json"));
    steps.add(Step.up("./rns up --replicas 2 --port 0 --data $GROUP --detach --json"));
    steps.add(new Step("warm", "./rns load --op query --clients 12 " + warm));
    steps.add(new Step("warm", "./rns load --op query --clients 12 --server $REPLICA " + warm));
    for (int i = 0; i < length.turns(); i++) {
      steps.add(new Step("query, single", "./rns load --op query --clients 12 " + cached));
      steps.add(
          new Step("query, replica", "./rns load --op query --clients 12 --server $REPLICA --data $GROUP " + cached));
    }
    // Of all operations additions run through the most code; each of the group's six processes has to have compiled it.
    steps.add(new Step("warm", "./rns load --op add --clients 64 " + warm));
    steps.add(new Step("warm", "./rns load --op add --clients 64 --server $PRIMARY " + warm));
    for (int i = 0; i < length.turns(); i++) {
      steps.add(new Step("add, single", "./rns load --op add --clients 64 " + turn));
      steps.add(new Step("add, group", "./rns load --op add --clients 64 --server $PRIMARY --data $GROUP " + turn));
    }
    String session =
        length.of("--rate 500 --seconds 15 --rounds 3 --warm-up 15", "--rate 50 --seconds 0.5 --rounds 1 --warm-up 0");
    steps.add(
        new Step(
            "session",
            "./rns load --op session --clients 16 --server $PRIMARY --read-from $REPLICA --data $GROUP "
                + session
                + " --no-yardsticks --json"));
    return steps;
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(name());
    double query = results.ratio("query, replica", "query, single", RATE);
    double add = results.ratio("add, group", "add, single", RATE);
    double session = results.number("session", "/p99Micros");
    page.bars(
        new Bars()
            .atLeast(
                "query at a replica, warm, 12 clients",
                "0.95 x a single server",
                0.95,
                query,
                against(results, "query, replica", "query, single", query))
            .atLeast(
                "add of one entry, semi-synchronous with 2 replicas, 64 clients",
                "0.4 x a single server",
                0.4,
                add,
                against(results, "add, group", "add, single", add))
            .told("processor time of one such addition, group", used(results, "add, group"))
            .told("the same, single server", used(results, "add, single"))
            .atMost(
                "session read at a replica right after the own write, 500 writes/s",
                "p99 below 25 ms",
                25_000,
                session,
                Numbers.perSecond(results.number("session", RATE))
                    + ": p50 "
                    + Numbers.millis(results.number("session", "/p50Micros"))
                    + ", p99 "
                    + Numbers.millis(session)));
  }

  private static String against(Results results, String ours, String theirs, double ratio) {
    return Numbers.perSecond(results.number(ours, RATE))
        + " against "
        + Numbers.perSecond(results.number(theirs, RATE))
        + ": "
        + Numbers.times(ratio);
  }

  /** What the servers and databases used; the generator is not one of them. */
  private static String used(Results results, String label) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> part : results.of(label).path("processorMicrosPerRequest").properties()) {
      if (!part.getKey().contains("generator")) {
        parts.add(part.getKey() + " " + Numbers.of(results.number(label, "/processorMicrosPerRequest/" + part.getKey()))
            + " µs");
      }
    }
    return String.join(", ", parts);
  }
}
