package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "switchover", header = "Promote another server to primary, planned.", description = "Writes wait during the switchover and continue on the new primary; none fails and none is lost. If the server does not follow"
    + " the primary or does not catch up within 10 s, nothing changes.", footerHeading = "%nExamples:%n", footer = {
        "  rns switchover --to server-2"})
final class SwitchoverCommand extends PrimaryCommand {
  @Option(names = "--to", paramLabel = "SERVER", required = true, description = "Name or address of the new primary, as status shows it") private String to =
      "";

  @Override
  String target() {
    return to;
  }

  @Override
  String request(Map<String, String> addresses) {
    return "switchover";
  }
}
