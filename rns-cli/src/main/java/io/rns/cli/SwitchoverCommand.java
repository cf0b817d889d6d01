package io.rns.cli;

import picocli.CommandLine.Command;

@Command(name = "switchover", header = "Make another server the primary, planned.", description = "Writes wait meanwhile and go on there; none fails and none is lost. Nothing is changed if the server does not follow the"
    + " primary or does not catch up with it within 10 s.", footerHeading = "%nExamples:%n", footer = {
        "  rns switchover --to server-2"})
final class SwitchoverCommand extends PrimaryCommand {
  @Override
  String request() {
    return "switchover";
  }
}
