package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A service beside others that keep names. */
final class Peers implements Chapter {
  static final String NAME = "peers";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Beside other services";
  }

  @Override
  public String why() {
    return """
        What users would take instead, asked for the same, in turns, on the same processors and disk: [who they are
        and how they are asked](load.md#beside-other-services). RNS is asked by its Java client, as the others are
        by theirs.""";
  }

  @Override
  public List<Step> steps(Length length) {
    return List.of(
        Step.up("./rns up --yardstick --port 0 --detach --json"),
        new Step(
            NAME,
            "./rns bench peers "
                + length.of("--seconds 4 --rounds 3", "--peer zookeeper,jdbc --seconds 0.3 --rounds 1 --warm-up 0")
                + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(NAME);
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : results.of(NAME).path("rows")) {
      double ratio = Results.number(row.path("rnsToIt"));
      rows.add(
          List.of(
              row.path("what").asText(),
              Numbers.perSecond(Results.number(row.path("perSecond"))),
              Numbers.millis(Results.number(row.path("p50Micros"))),
              Numbers.millis(Results.number(row.path("p99Micros"))),
              Double.isFinite(ratio) && ratio != 1
                  ? (ratio > 1 ? "" : "**") + Numbers.times(ratio) + (ratio > 1 ? "" : "**")
                  : "",
              Numbers.count(Results.number(row.path("errors")))));
    }
    page.table(List.of("", "rate", "p50", "p99", "RNS to it", "errors"), rows);
    page.paragraph(results.notes(NAME));
  }
}
