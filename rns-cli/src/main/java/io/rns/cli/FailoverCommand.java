package io.rns.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "failover", header = "Promote another server to primary after the old one failed.", description = "The server must be the most advanced one; the error names a server that is ahead. All servers except the old primary must answer,"
    + " since one of them may hold the only copy of an acknowledged write. With topology group the databases elect their primary"
    + " automatically: this only re-creates a group that lost its quorum, and all databases must answer. A primary that takes writes is"
    + " replaced only with --yes; use switchover for a planned change.", footerHeading = "%nExamples:%n", footer = {
        "  rns failover", "  rns failover --to server-2", "  rns failover --to server-2 --force"})
final class FailoverCommand extends PrimaryCommand {
  @Option(names = "--to", paramLabel = "SERVER", description = "Name or address of the new primary, as status shows it; default: the most advanced one") private String to =
      "";

  @Option(names = "--force", description = "Ignore servers that do not answer: acknowledged writes may be lost") private boolean force;

  @Option(names = "--yes", description = "Also replace a primary that takes writes") private boolean yes;

  @Override
  String target() {
    return to;
  }

  @Override
  String request(Map<String, String> addresses) {
    List<String> parameters = new ArrayList<>();
    if (to.isEmpty()) {
      parameters.add("to=best");
    }
    if (force) {
      parameters.add("force=true");
    }
    if (yes) {
      parameters.add("replace=true");
    }
    return "failover" + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
  }
}
