package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.loadtest.figure.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of the paper on heterogeneous pools, and its claims. */
final class Simulations implements Chapter {
  private static final String LABEL = "sim";
  private static final double HUNDRED = 100;

  @Override
  public String name() {
    return "simulator";
  }

  @Override
  public String title() {
    return "Policies in the simulator";
  }

  @Override
  public String why() {
    return """
        Figures 3 to 8 of X. Zhou, T. Dreibholz, E. P. Rathgeb, *Evaluation of a Simple Load Balancing Improvement
        for Reliable Server Pooling with Heterogeneous Server Pools*, with the handlespace and the policies of
        production, and every claim of the paper checked. [simulator.md](simulator.md) has the model and says why
        some claims do not hold here. Claims that begin with M are the paper's, those with A are the bars of RNS for
        its own policy `adaptive`. The machine does not matter: the same seed gives the same numbers.""";
  }

  @Override
  public List<Step> steps(Length length) {
    return List.of(
        new Step(LABEL,
            "./rns sim " + length.of("--repetitions 3", "--figure 8-linear --repetitions 1 --minutes 2") + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    JsonNode told = volume.of(name()).of(LABEL);
    List<List<String>> claims = new ArrayList<>();
    Bars bars = new Bars();
    for (JsonNode claim : told.path("claims")) {
      boolean checked = !claim.path("agrees").asText().equals("not measured");
      if (checked) {
        List<String> cells = new ArrayList<>();
        List.of("id", "claim", "source", "expected", "ours", "agrees")
            .forEach(field -> cells.add(claim.path(field).asText()));
        claims.add(cells);
      }
      if (claim.path("source").asText().equals("bar")) {
        double agrees = !checked ? Double.NaN : claim.path("agrees").asText().equals("yes") ? 1 : 0;
        bars.atLeast(claim.path("claim").asText(), claim.path("expected").asText(), 1, agrees,
            claim.path("ours").asText());
      }
    }
    page.bars(bars);
    page.table(List.of("", "claim", "source", "claimed", "ours", "agrees"), claims);
    plots(told.path("points")).forEach(page::plot);
  }

  private static List<Plot> plots(JsonNode points) {
    Map<String, Map<String, List<JsonNode>>> figures = new LinkedHashMap<>();
    for (JsonNode point : points) {
      String figure = point.path("figure").asText();
      String curve =
          point.path("policy").asText() + String.format(Locale.ROOT, ", q=%,.0f", point.path("q").asDouble());
      figures.computeIfAbsent(figure, any -> new LinkedHashMap<>()).computeIfAbsent(curve, any -> new ArrayList<>())
          .add(point);
    }
    List<Plot> plots = new ArrayList<>();
    figures.forEach(
        (figure, curves) -> {
          if (Character.isDigit(figure.charAt(0)) && curves.values().stream().anyMatch(curve -> curve.size() > 2)) {
            plots.add(plot(figure, curves));
          }
        });
    return plots;
  }

  private static Plot plot(String figure, Map<String, List<JsonNode>> curves) {
    List<String> policies =
        curves.keySet().stream().map(name -> name.substring(0, name.indexOf(','))).distinct().toList();
    List<String> capacities =
        curves.keySet().stream().map(name -> name.substring(name.indexOf(',') + 1)).distinct().toList();
    Plot plot =
        Plot.of("simulator-" + figure, "Figure " + figure + ": handling speed", quantity(figure), "% of mean capacity");
    for (Map.Entry<String, List<JsonNode>> curve : curves.entrySet()) {
      List<Plot.Point> drawn = new ArrayList<>();
      curve.getValue()
          .forEach(p -> drawn.add(new Plot.Point(p.path("x").asDouble(), HUNDRED * p.at("/speed/mean").asDouble())));
      int comma = curve.getKey().indexOf(',');
      int colour = policies.indexOf(curve.getKey().substring(0, comma));
      plot = plot.with(curve.getKey(), colour, capacities.indexOf(curve.getKey().substring(comma + 1)), drawn);
    }
    return plot;
  }

  private static String quantity(String figure) {
    return Figure.named(figure).map(Figure::quantity).orElse("");
  }
}
