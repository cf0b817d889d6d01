package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Two servers against one, each held to a share of the processors. */
final class ScaleOut implements Chapter {
  static final String NAME = "scale-out";
  private static final String RATIO = "ratio";
  private static final String PER_PROCESSOR = "perProcessorRatio";

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
    JsonNode alone = results.of(NAME).path("rows");
    JsonNode both = results.row(NAME, "both");
    JsonNode bar = results.row(NAME, "bar");
    String rates =
        Numbers.perSecond(perSecond(both))
            + " against "
            + Numbers.of(perSecond(alone.path(0)))
            + " and "
            + Numbers.perSecond(perSecond(alone.path(1)));
    page.bars(
        new Bars()
            .atLeast("queries, two servers against one", wanted(bar, RATIO), number(bar, RATIO), ratio(volume),
                rates + ": " + Numbers.times(ratio(volume)))
            .atLeast(
                "queries per second of the servers' processor time, two against one",
                wanted(bar, PER_PROCESSOR),
                number(bar, PER_PROCESSOR),
                number(both, PER_PROCESSOR),
                Numbers.times(number(both, PER_PROCESSOR))));
    page.paragraph("Ratios are medians of those of each round.").paragraph(results.notes(NAME, "held", "not shown"));
  }

  private static double number(JsonNode row, String figure) {
    return Results.number(row.path(figure));
  }

  private static String wanted(JsonNode bar, String figure) {
    return bar.isMissingNode() ? "" : Numbers.plain(number(bar, figure)) + " x";
  }

  private static double perSecond(JsonNode row) {
    return number(row, "perSecond");
  }

  /** How many times the queries of one server two answered; not a number if that was not measured. */
  static double ratio(Volume volume) {
    return number(volume.of(NAME).row(NAME, "both"), RATIO);
  }
}
