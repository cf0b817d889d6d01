package io.rns.cli;

import io.rns.api.NameService;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", header = "Revoke a ticket and all narrowed from it.", description = "Servers of the group refuse it within 1 s, plus their lag. --all renews the root key: no ticket made before is good any more; for administrators.", footerHeading = "%nExamples:%n", footer = {
    "  rns ticket revoke 4f6c7a4e-8b0e-4d0c-9a55-0e1a6d2f8b11", "  rns ticket revoke --all"})
final class TicketRevokeCommand extends ServiceCommand {
  @ArgGroup(multiplicity = "1") private Which which = new Which();

  /** One ticket or all. */
  static final class Which {
    @Option(names = "--all", required = true, description = "All tickets") private boolean all;

    @Parameters(paramLabel = "ID", description = "Id of the ticket") private @Nullable String id;
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    TicketCalls calls = new TicketCalls(rns().trust(), servers(), credentials());
    if (which.all) {
      FlatJson renewed = calls.ask("POST", "/tickets/key");
      if (output.isJson()) {
        output.json().generator().writeStringField("key", renewed.field("key"));
      } else {
        output.line("revoked all tickets");
      }
      return ExitCode.DONE;
    }
    String id = String.valueOf(which.id);
    FlatJson revoked = calls.ask("DELETE", "/tickets/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
    if (output.isJson()) {
      output.json().generator().writeStringField("id", revoked.field("id"));
      output.json().generator().writeBooleanField("revoked", true);
    } else {
      output.line("revoked " + revoked.field("id"));
    }
    return ExitCode.DONE;
  }
}
