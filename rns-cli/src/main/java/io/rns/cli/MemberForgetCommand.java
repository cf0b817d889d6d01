package io.rns.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "forget", header = "Remove a server from the members of the group.", description = "A running server stops replicating and stays outside; 'rns join' adds it again. Refused for the primary, and if the remaining"
    + " members could not acknowledge writes. A server that does not answer needs --stopped, and all others must follow the primary.", footerHeading = "%nExamples:%n", footer = {
        "  rns member forget http://rns4.example.org:8080/rns",
        "  rns member forget http://rns4.example.org:8080/rns --stopped"})
final class MemberForgetCommand extends MembersCommand {
  @Option(names = "--stopped", description = "Its server and database are stopped: it need not answer") private boolean stopped;

  @Override
  String request() {
    return "forget-member?url=" + address() + (stopped ? "&stopped=true" : "");
  }
}
