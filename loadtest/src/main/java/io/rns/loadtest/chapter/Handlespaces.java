package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The operations of a registrar's data, for pools of several sizes. */
final class Handlespaces implements Chapter {
  private static final String OPERATIONS = "operations";
  private static final String SETS = "sets";
  private static final String REFERENCE = "toReference";

  /** A row: what is done, under which policy or to which set, and with how many elements. */
  private record Key(String what, String policy) {}

  @Override
  public String name() {
    return "handlespace";
  }

  @Override
  public String title() {
    return "The handlespace";
  }

  @Override
  public String why() {
    return """
        What a registrar keeps, in one pool, one thread, no network, measured by JMH: the operations that T.
        Dreibholz and E. P. Rathgeb, *An Evaluation of the Pool Maintenance Overhead in Reliable Server Pooling
        Systems*, drew per element and second (figures 6 and 7, up to 20,000 elements on a 1.3 GHz Athlon of 2001:
        registration about 2, re-registration 3 to 5 per element and second at 20,000; resolution of one element 13,
        of three 7.5 at 10,000). The reference of the bars is their implementation in C (rsplib) at 10,000 elements
        on a machine like this one, but not this one and not at the same hour, so a ratio says no more than its
        order of magnitude. `rr`, `rand`: round robin and random; `lu`: least used, which re-orders elements at
        every report.""";
  }

  @Override
  public List<Step> steps(Length length) {
    String full = "--iterations 7 --millis 150";
    String quick = "--sizes 100,1000 --iterations 1 --millis 5 --forks 0";
    return List.of(
        new Step(OPERATIONS,
            "./rns bench handlespace " + length.of("--sizes 100,1000,10000,20000,100000 " + full, quick) + " --json"),
        new Step(SETS, "./rns bench handlespace --sets " + length.of("--sizes 10000 " + full, quick) + " --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(name());
    Map<Key, Map<Integer, JsonNode>> operations = rows(results.of(OPERATIONS));
    page.bars(bars(operations));
    page.paragraph("Operations per element and second:").table(header(operations), cells(operations, "perElement"));
    Plot plot =
        Plot.of("handlespace", "Operations per element and second", "elements of the pool", "per element and second")
            .withLogarithmicX()
            .withLogarithmicY();
    List<String> kinds = operations.keySet().stream().map(Key::what).distinct().toList();
    for (Map.Entry<Key, Map<Integer, JsonNode>> curve : operations.entrySet()) {
      List<Plot.Point> points = new ArrayList<>();
      curve.getValue().forEach((size, row) -> points.add(new Plot.Point(size, Results.number(row.path("perElement")))));
      Key key = curve.getKey();
      plot = plot.with(key.what() + ", " + key.policy(), kinds.indexOf(key.what()), key.policy().equals("lu") ? 1 : 0,
          points);
    }
    page.plot(plot);
    Map<Key, Map<Integer, JsonNode>> sets = rows(results.of(SETS));
    page.paragraph(
        "Ordered sets that could hold who is next, operations per second: *circle* takes the first and appends it, as round robin does; "
            + "*report* gives any element another rank, as least used does.");
    page.table(header(sets), cells(sets, "perSecond"));
  }

  private static Map<Key, Map<Integer, JsonNode>> rows(JsonNode document) {
    Map<Key, Map<Integer, JsonNode>> rows = new LinkedHashMap<>();
    for (JsonNode row : document.path("rows")) {
      String what = row.path("what").asText();
      int last = what.lastIndexOf(", ");
      int before = what.lastIndexOf(", ", last - 1);
      Key key = new Key(what.substring(0, before), what.substring(before + 2, last));
      rows.computeIfAbsent(key, any -> new LinkedHashMap<>()).put(Integer.valueOf(what.substring(last + 2)), row);
    }
    return rows;
  }

  private static Bars bars(Map<Key, Map<Integer, JsonNode>> operations) {
    Bars bars = new Bars();
    operations.forEach(
        (key, sizes) -> sizes.forEach(
            (size, row) -> {
              double ratio = Results.number(row.path(REFERENCE));
              if (Double.isFinite(ratio)) {
                bars.atLeast(
                    key.what() + ", `" + key.policy() + "`, " + Numbers.count(size) + " elements",
                    "1 x the reference",
                    1,
                    ratio,
                    Numbers.perSecond(Results.number(row.path("perSecond"))) + ": " + Numbers.times(ratio));
              }
            }));
    return bars;
  }

  private static Set<Integer> sizes(Map<Key, Map<Integer, JsonNode>> rows) {
    Set<Integer> sizes = new LinkedHashSet<>();
    rows.values().forEach(row -> sizes.addAll(row.keySet()));
    return sizes;
  }

  private static List<String> header(Map<Key, Map<Integer, JsonNode>> rows) {
    List<String> header = new ArrayList<>(List.of("", ""));
    sizes(rows).forEach(size -> header.add(Numbers.count(size) + " elements"));
    return header;
  }

  private static List<List<String>> cells(Map<Key, Map<Integer, JsonNode>> rows, String figure) {
    List<List<String>> table = new ArrayList<>();
    rows.forEach(
        (key, bySize) -> {
          List<String> cells = new ArrayList<>(List.of(key.what(), key.policy()));
          for (int size : sizes(rows)) {
            JsonNode row = bySize.get(size);
            cells.add(row == null ? "" : Numbers.of(Results.number(row.path(figure))));
          }
          table.add(cells);
        });
    return table;
  }
}
