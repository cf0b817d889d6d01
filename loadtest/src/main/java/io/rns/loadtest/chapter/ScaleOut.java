package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Two servers against one, each held to a share of the processors. */
final class ScaleOut implements Chapter {
  static final String NAME = "scale-out";
  private static final double WANTED = 1.9;
  private static final double WANTED_PER_PROCESSOR = 0.95;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Two servers against one";
  }

  @Override
  public String why() {
    return """
        M. Nakamura and O. Tatebe measured 123 queries/s with one server and 269 with two, 2.17 times as many by
        their account, on machines of their own. Here two replicas of a group are each held to half a core of the
        same machine, so that more servers can be more: one is asked, then both, in turns.""";
  }

  @Override
  public List<Step> steps(Length length) {
    String options = length.of("", " --seconds 0.5 --warm-up 0.5 --rounds 1 --clients 2");
    return List.of(new Step(NAME, "./rns bench scale-out" + options + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(NAME);
    JsonNode both = results.row(NAME, "both");
    JsonNode one = results.of(NAME).path("rows").path(0);
    double ratio = ratio(volume);
    double perProcessor = Results.number(both.path("perProcessorRatio"));
    String rates = Numbers.perSecond(perSecond(both)) + " against " + Numbers.perSecond(perSecond(one));
    page.bars(
        new Bars()
            .atLeast("queries, two servers against one", "1.9 x", WANTED, ratio, rates + ": " + Numbers.times(ratio))
            .atLeast(
                "queries per second of the servers' processor time, two against one",
                "0.95 x",
                WANTED_PER_PROCESSOR,
                perProcessor,
                Numbers.times(perProcessor)));
    page.paragraph(Peers.notes(results.of(NAME).path("notes")));
  }

  private static double perSecond(JsonNode row) {
    return Results.number(row.path("perSecond"));
  }

  /** How many times the queries of one server two answered; not a number if that was not measured. */
  static double ratio(Volume volume) {
    return Results.number(volume.of(NAME).row(NAME, "both").path("ratio"));
  }
}
