package io.rns.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "ls", header = "List the members of the group.", description = "SINCE is when the member was added, TERM in which change of the primary it leads or follows, LAG the median time until changes"
    + " of the last minute are visible there. Unlike status, omits servers that are not members.", footerHeading = "%nExamples:%n", footer = {
        "  rns member ls", "  rns member ls --json"})
final class MemberLsCommand extends GroupCommand {
  private static final String NONE = "-";

  @Override
  String target() {
    return "";
  }

  @Override
  String method() {
    return "GET";
  }

  @Override
  String request(Map<String, String> addresses) {
    return "members";
  }

  @Override
  int timeoutMillis() {
    return GroupAccess.STATUS_MILLIS;
  }

  @Override
  void show(FlatJson result, Map<String, String> addresses, Output output) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ADDRESS", "ROLE", "SINCE", "REACHABLE", "POSITION", "LAG", "TERM", "STATE"));
    for (Map<String, String> member : result.list("members")) {
      String lag = member.getOrDefault("lagMillis", "");
      rows.add(
          List.of(
              member.getOrDefault("url", NONE),
              member.getOrDefault("role", NONE),
              member.getOrDefault("since", NONE),
              member.getOrDefault("reachable", "").equals("true") ? "yes" : "no",
              member.getOrDefault("position", NONE),
              lag.isEmpty() ? NONE : lag + " ms",
              member.getOrDefault("term", NONE),
              member.getOrDefault("state", "")));
    }
    Columns.of(rows).forEach(output::line);
  }
}
