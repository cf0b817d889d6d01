package io.rns.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "status", header = "Show the servers: roles, positions, lag, server pools.", description = "Lag is how long changes of the last minute took to be seen on a server: half of them, and nearly all. REPLICATION tells how"
    + " many replicas acknowledge commits of the primary ('durability local': they wait for none), and where the database of a"
    + " replica receives them from. Of the server"
    + " that answers, also how many server pools and elements its registrar knows, and what it has done since it began. Exit"
    + " code 3 if no server is serving. With the operators' secret also addresses and troubles of databases: without it"
    + " everybody may ask.", footerHeading = "%nExamples:%n", footer = {"  rns status", "  rns status --json"})
final class StatusCommand extends ServiceCommand {
  @Mixin private OperatorOptions operator = new OperatorOptions();

  @Override
  @Nullable
  Path data() {
    return operator.data;
  }

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
    GroupAccess access = new GroupAccess(servers(), rns().terminal().environment(), operator.data);
    Optional<Operator> asking =
        access.secret(operator.secretFile).map(secret -> new Operator(secret, rns().terminal()));
    RnsException failure = null;
    for (URI server : servers()) {
      try {
        return asking.isPresent() ? ask(asking.get(), server) : ServerDocument.get(server, "/status").orThrow();
      } catch (RnsException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw failure == null ? new IllegalStateException("no server") : failure;
  }

  private ServerDocument ask(Operator asking, URI server) {
    try {
      return asking.ask("GET", server, "/status", GroupAccess.STATUS_MILLIS);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PERMITTED) {
        throw e;
      }
      rns().terminal().err().println("rns: shown as to anybody: " + e.getMessage());
      return ServerDocument.get(server, "/status").orThrow();
    }
  }

  private static void show(FlatJson status, Output output) {
    output.line("SOAP endpoint: " + status.field("soap"));
    if (!status.field("version").isEmpty()) {
      output.line("version:       " + status.field("version"));
    }
    output.line("");
    List<List<String>> rows = new ArrayList<>(List.of(ServerRow.TITLES));
    status.list("servers").forEach(server -> rows.add(ServerRow.of(server)));
    Columns.of(rows).forEach(output::line);
    status.list("servers").forEach(server -> RegistrarLines.of(server).forEach(output::line));
  }
}
