package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.NameService;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "status", header = "Show the servers: roles, positions, lag, partitions, server pools.", description = "TERM"
    + " counts changes of the primary. 'next primary' would replace it without a command; 'failover' says why a needed failover"
    + " waits. LAG is the time until changes of the last minute are visible on a server: median and 99th percentile. REPLICATION is, for the"
    + " primary, how many replicas acknowledge its commits ('durability local': commits wait for none), and for a replica, the"
    + " database it receives them from. For the server that answers, also the pools and elements that its registrar knows, and"
    + " its counters since startup. Exit code 3 if no server is serving. Addresses and errors of databases need the operators'"
    + " secret; the rest is public.", footerHeading = "%nExamples:%n", footer = {"  rns status", "  rns status --json"})
final class StatusCommand extends ServiceCommand {
  @Mixin private OperatorOptions operator = new OperatorOptions();

  @Override
  int run(NameService service, Output output) throws IOException {
    StatusCalls calls = new StatusCalls(operator(), rns().terminal(), rns().trust());
    StatusCalls.Answered own = calls.first(servers(), GroupAccess.STATUS_MILLIS);
    PartitionList partitions = partitions(own.server());
    List<ServerDocument> others = calls.otherGroups(own.document().json(), partitions);
    Map<String, Map<String, String>> loads = partitions.isDivided() ? calls.loads(own.server()) : Map.of();
    if (output.isJson()) {
      output.json().copy(own.document().body(), "servers", others.stream().map(ServerDocument::body).toList());
      partitions.writePartitions(output.json().generator(), loads);
      writeFronts(fronts(), output);
    } else {
      show(own.document().json(), others.stream().map(ServerDocument::json).toList(), output);
      if (partitions.isDivided()) {
        output.line("");
        partitions.treeLines(loads).forEach(output::line);
      }
      fronts().forEach(front -> output.line("front:         " + line(front)));
      own.document().json().list("servers").forEach(each -> RegistrarLines.of(each).forEach(output::line));
    }
    boolean serving =
        Stream.concat(Stream.of(own.document()), others.stream())
            .flatMap(document -> document.json().list("servers").stream())
            .anyMatch(server -> server.getOrDefault("state", ServerRow.SERVING).equals(ServerRow.SERVING));
    return serving ? ExitCode.DONE : ExitCode.UNREACHABLE;
  }

  private List<Map<String, String>> fronts() throws IOException {
    return new GroupAccess(servers(), rns().terminal().environment(), rns().data()).fronts();
  }

  private static String line(Map<String, String> front) {
    return front.getOrDefault("name", "") + " at " + front.getOrDefault("url", "") + ", process "
        + front.getOrDefault("pid", "");
  }

  private static void writeFronts(List<Map<String, String>> fronts, Output output) throws IOException {
    if (!fronts.isEmpty()) {
      JsonGenerator out = output.json().generator();
      out.writeArrayFieldStart("fronts");
      for (Map<String, String> front : fronts) {
        out.writeStartObject();
        out.writeStringField("name", front.getOrDefault("name", ""));
        out.writeStringField("url", front.getOrDefault("url", ""));
        out.writeNumberField("pid", Long.parseLong(front.getOrDefault("pid", "0")));
        out.writeEndObject();
      }
      out.writeEndArray();
    }
  }

  /** The partitions; none with an error message if the server does not report them, such as while it starts. */
  private PartitionList partitions(URI server) {
    try {
      return PartitionList.of(List.of(server), rns().trust(), credentials());
    } catch (RnsException e) {
      rns().terminal().complain("showing no partitions: " + e.getMessage());
      return PartitionList.NONE;
    }
  }

  private Optional<Operator> operator() throws IOException {
    return new GroupAccess(servers(), rns().terminal().environment(), rns().data())
        .secret(operator.secretFile)
        .map(secret -> new Operator(secret, rns().terminal(), rns().trust()));
  }

  private static void showWaiting(FlatJson group, Output output) {
    String reason = group.field("failover.waits");
    if (!reason.isEmpty()) {
      String number = group.list("servers").get(0).getOrDefault("group", "");
      output.line("failover:      group " + number + " waits: " + reason);
    }
  }

  private static String certificate(FlatJson status) {
    String problem = status.field("certificate.problem");
    return "expires " + status.field("certificate.expires")
        + (problem.isEmpty() ? "" : "; newer files are not served: " + problem);
  }

  private static String protection(FlatJson status) {
    String problem = status.field("protection.auditProblem");
    return "access " + status.field("protection.access")
        + (status.field("protection.tls").equals("true") ? ", HTTPS" : ", no TLS") + ", audit "
        + status.field("protection.audit") + (problem.isEmpty() ? "" : "; the audit log cannot be written: " + problem);
  }

  /** What access rules mean at which servers, if that differs; a group of one says it for its only server. */
  private static Optional<String> differingAccess(List<FlatJson> groups) {
    Map<String, String> modes = new TreeMap<>();
    for (FlatJson group : groups) {
      List<Map<String, String>> servers = group.list("servers");
      String only = servers.size() == 1 ? group.field("protection.access") : "";
      servers.forEach(
          server -> modes.put(server.getOrDefault("name", "?"), server.getOrDefault("access", only)));
    }
    modes.values().removeIf(String::isEmpty);
    return new HashSet<>(modes.values()).size() < 2
        ? Optional.empty()
        : Optional.of(
            modes.entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", ")));
  }

  private static void show(FlatJson status, List<FlatJson> others, Output output) {
    output.line("SOAP endpoint: " + status.field("soap"));
    if (!status.field("version").isEmpty()) {
      output.line("version:       " + status.field("version"));
    }
    if (!status.field("certificate.expires").isEmpty()) {
      output.line("certificate:   " + certificate(status));
    }
    if (!status.field("protection.access").isEmpty()) {
      output.line("protection:    " + protection(status));
    }
    differingAccess(Stream.concat(Stream.of(status), others.stream()).toList())
        .ifPresent(modes -> output.line("WARNING:       access differs: " + modes));
    if (!status.field("failover.next").isEmpty()) {
      output.line("next primary:  " + status.field("failover.next"));
    }
    if (!status.field("failover.waits").isEmpty()) {
      output.line("failover:      waits: " + status.field("failover.waits"));
    }
    others.forEach(group -> showWaiting(group, output));
    output.line("");
    List<List<String>> rows = new ArrayList<>(List.of(ServerRow.TITLES));
    status.list("servers").forEach(server -> rows.add(ServerRow.of(server)));
    others.forEach(group -> group.list("servers").forEach(server -> rows.add(ServerRow.of(server))));
    Columns.of(rows).forEach(output::line);
  }
}
