package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The five operations for one to twelve clients on one server, beside what a study measured in 2009. */
final class Operations implements Chapter {
  private static final List<String> NAMES = List.of("add", "list", "update", "query", "remove");
  private static final double PAPER_QUERY = 117;
  private static final double PAPER_LEAST = 40;
  private static final double PAPER_MOST = 50;

  @Override
  public String name() {
    return "operations";
  }

  @Override
  public String title() {
    return "The operations, for 1 to 12 clients";
  }

  @Override
  public String why() {
    return """
        Response time and rate of each operation while more and more clients ask one server, each sending its next
        request when the former one is answered. M. Nakamura and O. Tatebe, *Study of Load Balancing of Resource
        Namespace Service*, measured the same of their implementation: up to 40 to 50 requests/s, of queries 117/s,
        on an Intel Xeon 3060 (2 cores of 2.4 GHz) with 2 GB, CentOS 5.2, Sun Java System Application Server 9.1 on
        Java 6 and MySQL 5.0.51. Here clients, server and database share the processors that are named below, so
        what is compared are two whole systems of different years. A list is a page of the 100 entries of a
        directory; an update or removal is of an entry that the same client has added.""";
  }

  @Override
  public List<Step> steps(Length length) {
    List<Step> steps = new ArrayList<>();
    steps.add(Step.up("./rns up --port 0 --detach --json"));
    String warm = length.of("--clients 12 --seconds 1 --rounds 1 --warm-up 25",
        "--clients 2 --seconds 0.2 --rounds 1 --warm-up 0");
    steps.add(
        new Step("warm",
            "./rns load --mix query=20,list=20,add=20,update=20,remove=rest " + warm + " --no-yardsticks --json"));
    String turns =
        length.of("--clients 1..12 --seconds 1.6 --rounds 2 --warm-up 0.5",
            "--clients 1,2 --seconds 0.5 --rounds 1 --warm-up 0");
    for (String operation : NAMES) {
      steps.add(new Step(operation, "./rns load --mix " + operation + "=rest " + turns + " --no-yardsticks --json"));
    }
    return steps;
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(name());
    List<List<String>> rows = new ArrayList<>();
    Plot rates =
        Plot.of("operations-rate", "Operations per second", "clients", "operations/s").withLogarithmicY()
            .mark("paper, query: 117/s", PAPER_QUERY)
            .mark("paper, others: up to 50/s", PAPER_MOST);
    Plot times = Plot.of("operations-response-time", "Mean response time", "clients", "ms").withLogarithmicY();
    for (String operation : NAMES) {
      JsonNode steps = results.of(operation).path("steps");
      if (!steps.isEmpty()) {
        rows.add(row(operation, steps));
      }
      rates = rates.with(operation, points(steps, step -> perSecond(step, operation)));
      times = times.with(operation, points(steps, step -> millis(step, operation, "meanMicros")));
    }
    page.table(
        List.of("operation", "1 client, mean", "most clients, mean", "p99", "most per second", "paper",
            "times the paper"),
        rows);
    page.paragraph(
        "Half of what a load of removals asks for are additions; rates are of removals alone. The paper's plot of response "
            + "times is not in numbers; 12 clients who each wait for their answers are served 117 times a second if an answer "
            + "takes 103 ms, and 45 times if it takes 267 ms.");
    page.plot(rates)
        .plot(times.mark("paper, query, 12 clients: 103 ms", 103).mark("paper, others, 12 clients: 267 ms", 267));
  }

  private static List<String> row(String operation, JsonNode steps) {
    double best = 0;
    for (JsonNode step : steps) {
      best = Math.max(best, perSecond(step, operation));
    }
    JsonNode last = steps.path(steps.size() - 1);
    boolean query = operation.equals("query");
    String times =
        query ? Numbers.times(best / PAPER_QUERY)
            : Numbers.of(best / PAPER_MOST) + " to " + Numbers.times(best / PAPER_LEAST);
    return List.of(
        operation,
        Numbers.of(millis(steps.path(0), operation, "meanMicros")) + " ms",
        Numbers.of(millis(last, operation, "meanMicros")) + " ms (" + last.path("clients").asText() + " clients)",
        Numbers.of(millis(last, operation, "p99Micros")) + " ms",
        Numbers.perSecond(best),
        query ? "117/s" : "40 to 50/s",
        times);
  }

  private static List<Plot.Point> points(JsonNode steps, ToDoubleFunction<JsonNode> value) {
    List<Plot.Point> points = new ArrayList<>();
    steps.forEach(step -> points.add(new Plot.Point(step.path("clients").asDouble(), value.applyAsDouble(step))));
    return points;
  }

  /** Of the operation alone: an update needs an entry that was added before, as a removal does. */
  private static double perSecond(JsonNode step, String operation) {
    double share =
        Results.number(step.at("/operations/" + operation + "/requests")) / Results.number(step.path("requests"));
    return Results.number(step.path("throughput")) * share;
  }

  private static double millis(JsonNode step, String operation, String figure) {
    return Results.number(step.at("/operations/" + operation + "/" + figure)) / 1e3;
  }
}
