package io.rns.cli;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.ticket.Caveat;
import io.rns.ticket.Ticket;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "narrow", header = "Narrow a ticket, without a server, and print the new token.", description = "The new token is good for what all its caveats permit.", footerHeading = "%nExamples:%n", footer = {
    "  rns ticket narrow AgEDcm5z... --path /cms/data/2026 --rights read", "  rns ticket narrow AgEDcm5z... --for 5m"})
final class TicketNarrowCommand extends ServiceCommand {
  @Option(names = "--path", paramLabel = "PATH", converter = PathConverter.class, description = "Subtree") private @Nullable RnsPath path;

  @Option(names = "--rights", paramLabel = "R,R", description = "Rights: list, read, add, change, remove, admin") private @Nullable String rights;

  @Option(names = "--for", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Lifetime from now on, such as 5m") private @Nullable Duration time;

  @Parameters(paramLabel = "TOKEN", description = "Token of the ticket") private String token = "";

  @Override
  int run(NameService service, Output output) throws IOException {
    Ticket ticket;
    try {
      ticket = narrowed(Ticket.parse(token));
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
