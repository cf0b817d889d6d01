package io.rns.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The registrar of server pools of the server that was asked, as lines of {@code status}. */
final class RegistrarLines {
  private RegistrarLines() {}

  /** None, if the server tells nothing of it. */
  static List<String> of(Map<String, String> server) {
    String id = server.getOrDefault("registrar.id", "");
    if (id.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Server pools of " + server.getOrDefault("name", "the server") + ", registrar " + id + place(server));
    if (server.containsKey("statistics.pools")) {
      lines.add(
          "  known:       " + told(server, "pools", "pools") + ", " + told(server, "poolElements", "elements") + ", "
              + told(server, "poolRegistrars", "registrars"));
      lines.add("  since start: " + told(server, "poolSelections", "selections") + ", "
          + told(server, "poolRejections", "rejections")
          + ", " + told(server, "poolReports", "reports of unreachable elements") + ", "
          + told(server, "poolLosses", "elements lost")
          + ", " + told(server, "poolTakeovers", "registrars taken over"));
    } else {
      lines.add("  it has not answered the server");
    }
    return lines;
  }

  private static String place(Map<String, String> server) {
    String asap = server.getOrDefault("registrar.asap", "");
    return asap.isEmpty() ? "" : ", ASAP at " + asap + ", ENRP at " + server.getOrDefault("registrar.enrp", "?");
  }

  private static String told(Map<String, String> server, String statistic, String what) {
    return server.getOrDefault("statistics." + statistic, "?") + " " + what;
  }
}
