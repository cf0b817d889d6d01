package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "join", header = "Make the copy of a server anew from the primary's.", description = "For a server that is outside of its group, because its database has what the group has not, and for one that lags hopelessly."
    + " Its database is emptied and copied from that of the primary, which goes on taking writes. A new, empty member is"
    + " copied by itself.", footerHeading = "%nExamples:%n", footer = {"  rns join server-2"})
final class JoinCommand extends GroupCommand {
  /** A large tree takes its time. */
  private static final int TIMEOUT_MILLIS = 24 * 3_600_000;

  @Parameters(paramLabel = "SERVER", description = "A name or an address that status shows") private String server = "";

  @Override
  String target() {
    return server;
  }

  @Override
  String request() {
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
