package io.rns.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The pool registrar of the server that answered, as lines of {@code status}. */
final class RegistrarLines {
  private RegistrarLines() {}

  /** The lines; none if the server reports no registrar. */
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
          "  known:       " + count(server, "pools", "pools") + ", " + count(server, "poolElements", "elements") + ", "
              + count(server, "poolRegistrars", "registrars"));
      lines.add("  since start: " + count(server, "poolSelections", "selections") + ", "
          + count(server, "poolRejections", "rejections")
          + ", " + count(server, "poolReports", "reports of unreachable elements") + ", "
          + count(server, "poolLosses", "elements lost")
          + ", " + count(server, "poolTakeovers", "registrars taken over"));
    } else {
      lines.add("  no answer from the registrar");
    }
    return lines;
  }

  private static String place(Map<String, String> server) {
    String asap = server.getOrDefault("registrar.asap", "");
    return asap.isEmpty() ? "" : ", ASAP at " + asap + ", ENRP at " + server.getOrDefault("registrar.enrp", "?");
  }

  private static String count(Map<String, String> server, String statistic, String what) {
    return server.getOrDefault("statistics." + statistic, "?") + " " + what;
  }
}
