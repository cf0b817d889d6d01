package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "drain", header = "Have clients and fronts use other servers.", description = "Before a server is stopped: if it is the primary, another server takes over first, as by switchover. Then clients"
    + " choose others as long as any answer, and watches end, which go on elsewhere. Requests that come are still answered. It"
    + " lasts until --end, or until the server is restarted.", footerHeading = "%nExamples:%n", footer = {
        "  rns drain server-2", "  rns drain server-2 --end"})
final class DrainCommand extends GroupCommand {
  private static final int TIMEOUT_MILLIS = 120_000;

  @Parameters(paramLabel = "SERVER", description = "Name or address of the server, as status shows it") private String server =
      "";
  @Option(names = "--end", description = "Have clients use the server again.") private boolean end;

  @Override
  String target() {
    return server;
  }

  @Override
  String request(Map<String, String> addresses) {
    return end ? "drain?end=true" : "drain";
  }

  @Override
  int timeoutMillis() {
    return TIMEOUT_MILLIS;
  }

  @Override
  void show(FlatJson result, Map<String, String> addresses, Output output) {
    output.line("server:    " + GroupAccess.name(result.field("server"), addresses));
    output.line("draining:  " + (result.field("draining").equals("true") ? "yes" : "no"));
    if (!result.field("successor").isEmpty()) {
      output.line("primary:   " + GroupAccess.name(result.field("successor"), addresses));
    }
  }
}
