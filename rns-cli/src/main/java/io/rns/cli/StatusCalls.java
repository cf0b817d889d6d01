package io.rns.cli;

import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Requests the status of servers; operators receive more fields. */
final class StatusCalls {
  private static final String PATH = "/status";
  /** Servers of another group are asked only if they announced themselves within seconds. */
  private static final int OTHER_MILLIS = 3_000;

  private final Optional<Operator> operator;
  private final Terminal terminal;
  private final TlsTrust trust;

  StatusCalls(Optional<Operator> operator, Terminal terminal, TlsTrust trust) {
    this.operator = operator;
    this.terminal = terminal;
    this.trust = trust;
  }

  /** A status, and the server that sent it. */
  record Answered(URI server, ServerDocument document) {}

  /**
   * The status from the first server that answers.
   *
   * @throws RnsException if none answers
   */
  Answered first(List<URI> servers, int millis) {
    return FirstAnswer.of(servers, server -> new Answered(server, ask(server, millis)));
  }

  private ServerDocument ask(URI server, int millis) {
    if (operator.isEmpty()) {
      return ServerDocument.get(trust, server, PATH, millis).orThrow();
    }
    try {
      return operator.get().ask("GET", server, PATH, millis);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PERMITTED) {
        throw e;
      }
      terminal.complain("showing public fields only: " + e.getMessage());
      return ServerDocument.get(trust, server, PATH, millis).orThrow();
    }
  }

  /** Entries, reads and writes per second of each partition, by path; empty if they are not known. */
  Map<String, Map<String, String>> loads(URI server) {
    Map<String, Map<String, String>> loads = new HashMap<>();
    try {
      operator.ifPresent(
          asked -> asked.ask("GET", server, "/partitions/loads", OTHER_MILLIS).json().list("partitions")
              .forEach(load -> loads.put(load.getOrDefault("path", ""), load)));
    } catch (RnsException e) {
      terminal.complain("showing partitions without their size and load: " + e.getMessage());
    }
    return loads;
  }

  /** The status of each group whose servers a status does not list. */
  List<ServerDocument> otherGroups(FlatJson status, PartitionList partitions) throws IOException {
    Set<String> listed =
        status.list("servers").stream().map(server -> server.getOrDefault("group", "")).collect(Collectors.toSet());
    Set<String> addresses =
        status.list("servers").stream().map(server -> server.getOrDefault("url", "")).collect(Collectors.toSet());
    List<ServerDocument> others = new ArrayList<>();
    for (FlatJson group : partitions.groups()) {
      List<Map<String, String>> servers = group.list("servers");
      if (!listed.contains(group.field("group"))
          && servers.stream().noneMatch(server -> addresses.contains(server.getOrDefault("url", "")))) {
        others.add(ofGroup(group.field("group"), servers));
      }
    }
    return others;
  }

  private ServerDocument ofGroup(String group, List<Map<String, String>> servers) throws IOException {
    List<URI> living =
        servers.stream().filter(PartitionList::isLiving).map(server -> URI.create(server.getOrDefault("url", "")))
            .toList();
    if (living.isEmpty()) {
      return unreachable(group, servers, "it does not answer");
    }
    try {
      return first(living, OTHER_MILLIS).document();
    } catch (RnsException e) {
      return unreachable(group, servers, String.valueOf(e.getMessage()));
    }
  }

  private static ServerDocument unreachable(String group, List<Map<String, String>> servers, String reason)
      throws IOException {
    return new ServerDocument(
        URI.create(PATH), HttpURLConnection.HTTP_OK, JsonDocument.unreachable(group, servers, reason));
  }
}
