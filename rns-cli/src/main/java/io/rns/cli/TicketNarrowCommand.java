package io.rns.cli;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.client.CredentialFile;
import io.rns.error.RnsException;
import io.rns.ticket.Caveat;
import io.rns.ticket.Ticket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "narrow", header = "Narrow a ticket, without a server, and print the new token.", description = "The new token is good for what all its caveats permit. Other users of the machine see a TOKEN on the command line.", footerHeading = "%nExamples:%n", footer = {
    "  rns ticket narrow --token-file ticket --path /cms/data/2026 --rights read",
    "  rns ticket make /cms --rights list | rns ticket narrow - --for 5m"})
final class TicketNarrowCommand extends ServiceCommand {
  @Option(names = "--path", paramLabel = "PATH", converter = PathConverter.class, description = "Subtree") private @Nullable RnsPath path;

  @Option(names = "--rights", paramLabel = "R,R", description = "Rights: list, read, add, change, remove, admin") private @Nullable String rights;

  @Option(names = "--for", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Lifetime from now on, such as 5m") private @Nullable Duration time;

  @Parameters(paramLabel = "TOKEN", arity = "0..1", description = "Token of the ticket, or - for standard input; default: --token-file, $BEARER_TOKEN, $BEARER_TOKEN_FILE, or bt_u$UID") private @Nullable String token;

  @Override
  int run(NameService service, Output output) throws IOException {
    Ticket ticket;
    try {
      ticket = narrowed(Ticket.parse(token()));
    } catch (RnsException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    if (output.isJson()) {
      TicketOutput.made(output, ticket.token(), ticket.id(), ticket.until().toString());
    } else {
      output.line(ticket.token());
    }
    return ExitCode.DONE;
  }

  private String token() throws IOException {
    if (token == null) {
      try {
        return rns().bearerToken().orElseThrow(
            () -> usage("no token: name a file by --token-file, set BEARER_TOKEN, or pass - for standard input"));
      } catch (UncheckedIOException e) {
        throw usage(String.valueOf(e.getMessage()));
      }
    }
    if (!token.equals("-")) {
      return token;
    }
    byte[] given = rns().terminal().in().readNBytes(CredentialFile.MOST_BYTES + 1);
    if (given.length > CredentialFile.MOST_BYTES) {
      throw usage("the standard input is no token: it has more than " + CredentialFile.MOST_BYTES + " bytes");
    }
    return new String(given, StandardCharsets.UTF_8).strip();
  }

  private Ticket narrowed(Ticket given) {
    Ticket ticket = given;
    if (path != null) {
      ticket = ticket.narrowed(new Caveat.Below(path));
    }
    if (rights != null) {
      ticket = ticket.narrowed(Caveat.parse("rights:" + rights));
    }
    if (time != null) {
      ticket = ticket.narrowed(new Caveat.Before(Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS)));
    }
    // What is too long for a server is refused here.
    return Ticket.parse(ticket.token());
  }
}
