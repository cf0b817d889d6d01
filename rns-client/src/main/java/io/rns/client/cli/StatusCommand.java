package io.rns.client.cli;

import io.rns.api.NameService;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "status",
    header = "Show the servers: roles, positions, lag, server pools.",
    description =
        "Lag is how long changes of the last minute took to be seen on a server: half of them, and nearly all. REPLICATION tells how"
            + " many replicas acknowledge commits of the primary ('durability local': they wait for none), and where the database of a"
            + " replica receives them from. Of the server"
            + " that answers, also how many server pools and elements its registrar knows, and what it has done since it began. Exit"
            + " code 3 if no server is serving.",
    footerHeading = "%nExamples:%n",
    footer = {"  rns status", "  rns status --json"})
final class StatusCommand extends ServiceCommand {
  @Override
  int run(NameService service, Output output) throws IOException {
    ServerDocument document = status();
    FlatJson status = document.json();
    if (output.isJson()) {
      output.json().copy(document.body());
    } else {
      show(status, output);
    }
    boolean serving =
        status.list("servers").stream()
            .anyMatch(server -> server.getOrDefault("state", ServerRow.SERVING).equals(ServerRow.SERVING));
    return serving ? ExitCode.DONE : ExitCode.UNREACHABLE;
  }

  /** What the first server that answers tells; the others are tried in turn. */
  private ServerDocument status() throws IOException {
    RnsException failure = null;
    for (URI server : servers()) {
      try {
        return ServerDocument.get(server, "/status").orThrow();
      } catch (RnsException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw failure == null ? new IllegalStateException("no server") : failure;
  }

  private static void show(FlatJson status, Output output) {
    output.line("SOAP endpoint: " + status.field("soap"));
    output.line("");
    List<List<String>> rows = new ArrayList<>(List.of(ServerRow.TITLES));
    status.list("servers").forEach(server -> rows.add(ServerRow.of(server)));
    Columns.of(rows).forEach(output::line);
    status.list("servers").forEach(server -> RegistrarLines.of(server).forEach(output::line));
  }
}
