package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "forget", header = "Remove a server from the members of the group.", description = "A running server stops replicating and stays outside; 'rns join' adds it again. Refused for the primary, and if the remaining"
    + " members could not acknowledge writes. A server that does not answer needs --stopped, and all others must follow the primary.", footerHeading = "%nExamples:%n", footer = {
        "  rns member forget server-4",
        "  rns member forget http://rns4.example.org:8080/rns --stopped"})
final class MemberForgetCommand extends MembersCommand {
  @Option(names = "--stopped", description = "Its server and database are stopped: it need not answer") private boolean stopped;

  @Override
  String request(Map<String, String> addresses) {
    return "forget-member?url=" + address(addresses) + (stopped ? "&stopped=true" : "");
  }
}
