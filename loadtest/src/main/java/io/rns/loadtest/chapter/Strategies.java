package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The strategies that a study compared by words, with what is measured here of the one that RNS has. */
final class Strategies implements Chapter {
  @Override
  public String name() {
    return "strategies";
  }

  @Override
  public String title() {
    return "Ways to share the load";
  }

  @Override
  public String why() {
    return """
        M. Nakamura and O. Tatebe compared strategies by what they should be good and poor at. RNS has the first,
        duplicated servers with a primary copy; the others are reported as they judged them, not measured.
        Figures are those of the other chapters.""";
  }

  @Override
  public List<Step> steps(Length length) {
    return List.of();
  }

  @Override
  public void write(Volume volume, Page page) {
    page.table(
        List.of("strategy", "references from many sites", "load of updates", "load of one directory", "adapts to load"),
        List.of(
            List.of(
                "duplicated servers, the paper",
                "good",
                "poor: all go to the primary",
                "good: 123 to 269 requests/s with two servers, 2.17 x",
                "good"),
            List.of("duplicated servers, RNS", Sites.summary(volume), updates(volume), directory(volume),
                adapts(volume)),
            List.of("static partitions, the paper", "poor", "good", "poor", "poor"),
            List.of("dynamic partitions, the paper", "poor", "good", "poor", "good")));
  }

  private static String updates(Volume volume) {
    double add = volume.of("replication").ratio("add, group", "add, single", "/throughput");
    return Double.isFinite(add)
        ? "at the primary, " + Numbers.times(add) + " a single server while two replicas follow on the same machine"
        : "";
  }

  private static String directory(Volume volume) {
    double query = volume.of("replication").ratio("query, replica", "query, single", "/throughput");
    double two = ScaleOut.ratio(volume);
    String shared = Double.isFinite(two) ? "; two servers answer " + Numbers.times(two) + " what one does" : "";
    return Double.isFinite(query)
        ? "any server: a replica answers " + Numbers.times(query) + " what a single server does" + shared
        : "";
  }

  private static String adapts(Volume volume) {
    JsonNode killed = volume.of("failover").of("drill").at("/faults/kill-server/writeOutageMillis/max");
    return killed.isNumber()
        ? "reads move to the next server; a new primary writes " + Numbers.of(killed.asDouble() / 1e3)
            + " s after `kill -9`"
        : "";
  }
}
