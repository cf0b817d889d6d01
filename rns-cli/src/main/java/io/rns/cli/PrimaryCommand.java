package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;

/** The shape of the commands that promote another server to primary. */
@Command
abstract class PrimaryCommand extends GroupCommand {
  private static final int TIMEOUT_MILLIS = 120_000;

  @Override
  final int timeoutMillis() {
    return TIMEOUT_MILLIS;
  }

  @Override
  final void show(FlatJson result, Map<String, String> addresses, Output output) {
    String primary = GroupAccess.name(result.field("primary"), addresses);
    String former = result.field("former").isEmpty() ? "none" : GroupAccess.name(result.field("former"), addresses);
    if (primary.equals(former)) {
      output.line("primary:   " + primary + ", as before");
    } else {
      output.line("primary:   " + primary + " (before: " + former + ")");
    }
    output.line("epoch:     " + result.field("epoch"));
    output.line("position:  " + result.field("position"));
    output.line("outage:    " + result.field("outageMillis") + " ms");
  }
}
