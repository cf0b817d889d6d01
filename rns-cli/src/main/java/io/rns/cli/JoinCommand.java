package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "join", header = "Rebuild a server's copy from the primary.", description = "For a server outside of its group because its database has changes that the group lacks, and for a server that lags hopelessly."
    + " Empties its database and copies the primary's, which keeps accepting writes. New, empty members are copied"
    + " automatically.", footerHeading = "%nExamples:%n", footer = {"  rns join server-2"})
final class JoinCommand extends GroupCommand {
  /** Time for copying a large tree. */
  private static final int TIMEOUT_MILLIS = 24 * 3_600_000;

  @Parameters(paramLabel = "SERVER", description = "Name or address of the server, as status shows it") private String server =
      "";

  @Override
  String target() {
    return server;
  }

  @Override
  String request(Map<String, String> addresses) {
    return "join";
  }

  @Override
  int timeoutMillis() {
    return TIMEOUT_MILLIS;
  }

  @Override
  void show(FlatJson result, Map<String, String> addresses, Output output) {
    output.line("server:    " + result.field("name"));
    output.line("role:      " + result.field("role").toLowerCase(java.util.Locale.ROOT));
    output.line("position:  " + result.field("position"));
  }
}
