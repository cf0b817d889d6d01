package io.rns.cli;

import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "add", header = "Add a server to the members of the group.", description = "The server must answer and have an empty database: it copies the primary's. Servers that know a member are added"
    + " automatically. No error if it is a member. 'rns join' adds a server whose database has content, which it replaces.", footerHeading = "%nExamples:%n", footer = {
        "  rns member add http://rns4.example.org:8080/rns"})
final class MemberAddCommand extends MembersCommand {
  @Override
  String request(Map<String, String> addresses) {
    return "add-member?url=" + address(addresses);
  }
}
