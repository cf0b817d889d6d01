package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What clients notice when the primary of a group breaks. */
final class FailoverDrill implements Chapter {
  private static final String LABEL = "drill";

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String title() {
    return "The failover drill";
  }

  @Override
  public String why() {
    return """
        A group of three under load whose primary is broken in several ways, one after the other; every promise to
        clients is checked against all that they did and were told. [drill.md](drill.md) says what the faults and
        promises are. An outage is the longest time without an answer.""";
  }

  @Override
  public List<Step> steps(Length length) {
    return List.of(
        new Step(
            LABEL,
            "./rns drill failover "
                + length.of(
                    "--fault kill-database,kill-server,pause-database,pause-server,cut-off,switchover --rate 200 --calm 3 --pause 10",
                    "--fault switchover --rate 50 --calm 1")
                + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    JsonNode told = volume.of(name()).of(LABEL);
    List<List<String>> faults = new ArrayList<>();
    for (Map.Entry<String, JsonNode> fault : told.path("faults").properties()) {
      JsonNode struck = fault.getValue();
      faults.add(
          List.of(
              fault.getKey(),
              struck.path("times").asText(),
              seconds(struck, "writeOutageMillis"),
              seconds(struck, "readOutageMillis"),
              seconds(struck, "servingAgainMillis")));
    }
    double broken = told.isMissingNode() ? Double.NaN : 0;
    for (JsonNode count : told.path("violations")) {
      broken += count.asDouble();
    }
    page.bars(new Bars().atMost("broken promises: lost, done twice, seen to go back, ...", "none", 0, broken,
        checked(told, broken)));
    page.table(List.of("fault", "times", "no write", "no session read", "all serving again"), faults);
    JsonNode lag = told.path("lagMillis");
    List<String> parts = new ArrayList<>();
    lag.properties().forEach(part -> parts.add(part.getKey() + " " + Numbers.of(part.getValue().asDouble()) + " ms"));
    page.paragraph(
        parts.isEmpty() ? "" : "Lag of the replicas meanwhile, faults included: " + String.join(", ", parts) + ".");
  }

  private static String seconds(JsonNode struck, String name) {
    double most = Results.number(struck.at("/" + name + "/max"));
    return Double.isFinite(most) ? Numbers.of(most / 1e3) + " s" : "";
  }

  private static String checked(JsonNode told, double broken) {
    List<String> parts = new ArrayList<>();
    told.path("checked").properties()
        .forEach(part -> parts.add(part.getKey() + " " + Numbers.count(part.getValue().asDouble())));
    String passed = told.path("passed").asBoolean() ? "" : "the drill did not pass; ";
    return passed + Numbers.count(broken) + " (" + String.join(", ", parts) + ")";
  }
}
