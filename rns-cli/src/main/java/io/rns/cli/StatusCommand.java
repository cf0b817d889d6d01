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

@Command(name = "status", header = "Show the servers: roles, positions, lag, server pools.", description = "TERM"
    + " counts changes of the primary. 'next primary' would replace it without a command; 'failover' says why a needed failover"
    + " waits. LAG is the time until changes of the last minute are visible on a server: median and 99th percentile. REPLICATION is, for the"
    + " primary, how many replicas acknowledge its commits ('durability local': commits wait for none), and for a replica, the"
    + " database it receives them from. For the server that answers, also the pools and elements that its registrar knows, and"
    + " its counters since startup. Exit code 3 if no server is serving. Addresses and errors of databases need the operators'"
    + " secret; the rest is public.", footerHeading = "%nExamples:%n", footer = {"  rns status", "  rns status --json"})
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

  /** The status from the first server that answers, in order. */
  private ServerDocument status() throws IOException {
    GroupAccess access = new GroupAccess(servers(), rns().terminal().environment(), operator.data);
    Optional<Operator> operating =
        access.secret(operator.secretFile).map(secret -> new Operator(secret, rns().terminal()));
    RnsException failure = null;
    for (URI server : servers()) {
      try {
        return operating.isPresent() ? ask(operating.get(), server) : ServerDocument.get(server, "/status").orThrow();
      } catch (RnsException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw failure == null ? new IllegalStateException("no server") : failure;
  }

  private ServerDocument ask(Operator operating, URI server) {
    try {
      return operating.ask("GET", server, "/status", GroupAccess.STATUS_MILLIS);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PERMITTED) {
        throw e;
      }
      rns().terminal().err().println("rns: showing public fields only: " + e.getMessage());
      return ServerDocument.get(server, "/status").orThrow();
    }
  }

  private static void show(FlatJson status, Output output) {
    output.line("SOAP endpoint: " + status.field("soap"));
    if (!status.field("version").isEmpty()) {
      output.line("version:       " + status.field("version"));
    }
    if (!status.field("failover.next").isEmpty()) {
      output.line("next primary:  " + status.field("failover.next"));
    }
    if (!status.field("failover.waits").isEmpty()) {
      output.line("failover:      waits: " + status.field("failover.waits"));
    }
    output.line("");
    List<List<String>> rows = new ArrayList<>(List.of(ServerRow.TITLES));
    status.list("servers").forEach(server -> rows.add(ServerRow.of(server)));
    Columns.of(rows).forEach(output::line);
    status.list("servers").forEach(server -> RegistrarLines.of(server).forEach(output::line));
  }
}
