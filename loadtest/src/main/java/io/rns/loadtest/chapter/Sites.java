package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A client and a replica at one site, the primary at another. */
final class Sites implements Chapter {
  static final String NAME = "sites";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Two sites";
  }

  @Override
  public String why() {
    return """
        "RTT between Japan-USA is 150ms+", M. Nakamura and O. Tatebe say, and replicate for that. A client and a
        replica are at one site, the primary is 75 ms away in each direction, behind links that only delay; all is
        on one machine.""";
  }

  @Override
  public List<Step> steps(Length length) {
    String options = length.of(" --rounds 2", " --seconds 0.5 --warm-up 0.5 --rounds 1 --clients 2");
    return List.of(new Step(NAME, "./rns bench sites" + options + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(NAME);
    double times = Results.number(results.row(NAME, "query: replica").path("timesBeside"));
    double session = Results.number(results.row(NAME, "session: replica").path("p99Micros"));
    JsonNode bar = results.row(NAME, "bar");
    double mostTimes = Results.number(bar.path("timesBeside"));
    double roundTrip = Results.number(bar.path("sessionP99Micros"));
    page.bars(
        new Bars()
            .atMost(
                "query at the replica, 12 clients",
                bar.isMissingNode() ? "" : Numbers.plain(mostTimes) + " x what it takes beside the primary",
                mostTimes,
                times,
                told(results, "query: replica") + ": " + Numbers.times(times))
            .told("query beside the primary", told(results, "query: primary"))
            .told("query without a replica, over the distance", told(results, "query: no replica"))
            .atMost(
                "session read right after the own write, both at the replica, which passes writes on",
                "a round trip, " + Numbers.millis(roundTrip),
                roundTrip,
                session,
                told(results, "session: replica"))
            .told("the same, written over the distance", told(results, "session: replica reads"))
            .told("the same without a replica", told(results, "session: no replica")));
    page.paragraph(results.notes(NAME, "sessions", "distance"));
  }

  private static String told(Results results, String what) {
    JsonNode row = results.row(NAME, what);
    if (row.isMissingNode()) {
      return "";
    }
    return Numbers.perSecond(Results.number(row.path("perSecond")))
        + ", p50 "
        + Numbers.millis(Results.number(row.path("p50Micros")))
        + ", p99 "
        + Numbers.millis(Results.number(row.path("p99Micros")));
  }

  /** What queries take at a replica and over the distance; empty if that was not measured. */
  static String summary(Volume volume) {
    Results results = volume.of(NAME);
    double near = Results.number(results.row(NAME, "query: replica").path("p50Micros"));
    double far = Results.number(results.row(NAME, "query: no replica").path("p50Micros"));
    return Double.isFinite(near) && Double.isFinite(far)
        ? "each site can have a replica: a query takes " + Numbers.millis(near) + " there, " + Numbers.millis(far)
            + " over the distance"
        : "";
  }
}
