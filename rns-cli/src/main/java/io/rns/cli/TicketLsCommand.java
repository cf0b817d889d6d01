package io.rns.cli;

import io.rns.api.NameService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "ls", header = "List your tickets; all, for administrators.", description = "Without tokens, which only their holders have. Expired tickets are not listed.", footerHeading = "%nExamples:%n", footer = {
    "  rns ticket ls --json"})
final class TicketLsCommand extends ServiceCommand {
  @Override
  int run(NameService service, Output output) throws IOException {
    List<Map<String, String>> tickets =
        new TicketCalls(rns().trust(), servers(), credentials()).ask("GET", "/tickets").list("tickets");
    if (output.isJson()) {
      output.json().generator().writeArrayFieldStart("tickets");
      for (Map<String, String> ticket : tickets) {
        output.json().generator().writeStartObject();
        for (String field : List.of("id", "maker", "until")) {
          output.json().generator().writeStringField(field, ticket.getOrDefault(field, ""));
        }
        output.json().generator().writeBooleanField("revoked", isRevoked(ticket));
        output.json().generator().writeEndObject();
      }
      output.json().generator().writeEndArray();
      return ExitCode.DONE;
    }
    List<List<String>> rows = new ArrayList<>(List.of(List.of("ID", "MAKER", "UNTIL", "STATE")));
    for (Map<String, String> ticket : tickets) {
      rows.add(
          List.of(
              ticket.getOrDefault("id", ""), ticket.getOrDefault("maker", ""), ticket.getOrDefault("until", ""),
              isRevoked(ticket) ? "revoked" : "valid"));
    }
    Columns.of(rows).forEach(output::line);
    return ExitCode.DONE;
  }

  private static boolean isRevoked(Map<String, String> ticket) {
    return ticket.getOrDefault("revoked", "").equals("true");
  }
}
