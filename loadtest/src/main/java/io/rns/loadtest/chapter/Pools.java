package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Server pools: registrars under load, policies over real sockets, elements that die. */
final class Pools implements Chapter {
  @Override
  public String name() {
    return "pools";
  }

  @Override
  public String title() {
    return "Server pools";
  }

  @Override
  public String why() {
    return """
        The code of production over real sockets; servers are simulated only in how long they take. *renewal*:
        registrars in processes of their own, each element with a connection of its own. *slow*: 16 servers, 2 of
        them 16 times slower without telling, 500 requests/s. *sinks*: 20 servers, 2 of which fail every request at
        once. *processor*: 4 servers that compute. *credits*: 3 servers of known, different strength, and bursts,
        where what is too much is an error; response times are of answered requests. *failover*: `kill -9` of
        elements while users make requests that may be repeated. *resolution*: 12 clients ask a running service for
        a pool of three, in turns with cached queries.""";
  }

  @Override
  public List<Step> steps(Length length) {
    return List.of(
        new Step(
            "renewal",
            "./rns bench renewal " + length.of("--warm-up 12 --seconds 10", "--elements 50 --warm-up 0.5 --seconds 0.5")
                + " --json"),
        new Step(
            "policies",
            "./rns bench policies "
                + length.of("--rounds 2 --seconds 4 --warm-up 1",
                    "--contest slow,sinks --rounds 1 --seconds 0.5 --warm-up 0.2")
                + " --json"),
        new Step("failover",
            "./rns bench failover " + length.of("--kills 3", "--kills 1 --calm 0.5 --rate 100") + " --json"),
        Step.up("RNS_DNS_ZONE=rns.example.org RNS_DNS_PORT=$DNS ./rns up --port 0 --detach --json"),
        new Step(
            "resolution",
            "./rns bench resolution --asap $ASAP --dns $DNS "
                + length.of("--seconds 2 --warm-up 6", "--seconds 0.2 --warm-up 0.2 --rounds 1 --clients 2")
                + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(name());
    Bars bars = new Bars();
    renewal(results, bars);
    resolution(results, bars);
    policies(results, bars);
    credits(results, bars);
    failover(results, bars);
    page.bars(bars);
  }

  private static void renewal(Results results, Bars bars) {
    JsonNode row = results.row("renewal", "registrar,");
    double cores = figure(row, "cores");
    bars.atMost(
        "3,000 elements register again every 250 ms at one registrar, another in sync",
        "below half a core",
        0.5,
        cores,
        Numbers.perSecond(figure(row, "perSecond"))
            + " with "
            + Numbers.of(cores)
            + " of a core, "
            + Numbers.of(figure(row, "microsEach"))
            + " µs each; the other registrar "
            + Numbers.of(figure(results.row("renewal", "the other registrar,"), "cores"))
            + "; p50 "
            + Numbers.millis(figure(row, "p50Micros"))
            + ", p99 "
            + Numbers.millis(figure(row, "p99Micros")));
  }

  private static void resolution(Results results, Bars bars) {
    resolution(results, bars, "SOAP", "1 x a cached `query`", 1);
    resolution(results, bars, "ASAP", "5 x a cached `query`", 5);
    resolution(results, bars, "DNS", "5 x a cached `query`", 5);
  }

  private static void resolution(Results results, Bars bars, String protocol, String wanted, double least) {
    JsonNode row = results.row("resolution", protocol);
    double ratio = figure(row, "toQuery");
    bars.atLeast(
        "resolution of a pool by " + protocol,
        wanted,
        least,
        ratio,
        Numbers.perSecond(figure(row, "perSecond"))
            + ": "
            + Numbers.times(ratio)
            + "; p50 "
            + Numbers.millis(figure(row, "p50Micros"))
            + ", p99 "
            + Numbers.millis(figure(row, "p99Micros")));
  }

  private static void policies(Results results, Bars bars) {
    JsonNode slow = results.row("policies", "slow: adaptive");
    for (String other : List.of("round robin", "least connections")) {
      JsonNode row = results.row("policies", "slow: " + other);
      double ratio = figure(row, "adaptiveP99To");
      bars.atMost("*slow*: p99 of `adaptive`", "0.5 x " + other, 0.5, ratio,
          against(slow, row, "p99Millis", " ms", ratio));
    }
    JsonNode sinks = results.row("policies", "sinks: adaptive");
    double avoided = figure(sinks, "avoided");
    String told =
        Numbers.percent(avoided) + "; users of `adaptive` saw " + Numbers.count(figure(sinks, "errors")) + " errors";
    bars.atLeast("*sinks*: failures of least connections that `adaptive` avoids", "80 %", 0.8, avoided, told);
    JsonNode adaptive = results.row("policies", "processor: adaptive");
    JsonNode turns = results.row("policies", "processor: round robin");
    double rate = figure(turns, "adaptiveRateTo");
    bars.atLeast("*processor*: rate of `adaptive`", "1 x round robin", 1, rate,
        against(adaptive, turns, "perSecond", "/s", rate));
  }

  private static void credits(Results results, Bars bars) {
    JsonNode credits = results.row("policies", "credits: credits");
    JsonNode weighted = results.row("policies", "credits: weighted round robin");
    double mean = figure(weighted, "creditsMeanTo");
    String bar = "0.85 x weighted round robin with tuned weights";
    bars.atMost("*credits*: mean response time", bar, 0.85, mean,
        against(credits, weighted, "meanMillis", " ms", mean));
    double errors = figure(credits, "errors") / figure(weighted, "errors");
    bars.atMost("*credits*: errors", "0.75 x", 0.75, errors, against(credits, weighted, "errors", "", errors));
  }

  private static String against(JsonNode ours, JsonNode theirs, String figure, String unit, double ratio) {
    String both = Numbers.of(figure(ours, figure)) + unit + " against " + Numbers.of(figure(theirs, figure)) + unit;
    return both + ": " + Numbers.times(ratio);
  }

  private static void failover(Results results, Bars bars) {
    JsonNode rows = results.of("failover").path("rows");
    double errors = rows.isEmpty() ? Double.NaN : 0;
    double requests = 0;
    double repeated = 0;
    double longest = 0;
    double detected = 0;
    for (JsonNode row : rows) {
      errors += figure(row, "errors");
      requests += figure(row, "requests");
      repeated += figure(row, "repeated");
      longest = Math.max(longest, figure(row, "longestMillis"));
      detected = Math.max(detected, figure(row, "detectedMillis"));
    }
    bars.atMost(
        "*failover*: `kill -9` of one of 4 elements, 500 requests/s",
        "users see no error",
        0,
        errors,
        Numbers.count(errors)
            + " errors of "
            + Numbers.count(requests)
            + " requests in "
            + rows.size()
            + " kills; "
            + Numbers.count(repeated)
            + " were repeated; the longest took "
            + Numbers.of(longest)
            + " ms; the registrar took the element out after "
            + Numbers.of(detected / 1e3)
            + " s");
  }

  private static double figure(JsonNode row, String name) {
    return Results.number(row.path(name));
  }
}
