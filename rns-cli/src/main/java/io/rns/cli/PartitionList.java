package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.client.http.TlsTrust;
import io.rns.api.RnsPath;
import io.rns.client.CredentialSource;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The partitions of a service and its groups, as a server reports them; servers that do not answer are not living.
 * Immutable.
 *
 * @param partitions path, owner and epoch of each, the root first
 * @param groups number and servers of each
 */
record PartitionList(List<Map<String, String>> partitions, List<FlatJson> groups) {
  static final PartitionList NONE = new PartitionList(List.of(), List.of());
  private static final String UNKNOWN = "-";
  private static final String INDENT = "  ";
  private static final int HEALTH_MILLIS = 3_000;

  PartitionList {
    partitions = List.copyOf(partitions);
    groups = List.copyOf(groups);
  }

  /**
   * The list of the first server that answers.
   *
   * @throws RnsException if none answers
   */
  static PartitionList of(List<URI> servers, TlsTrust trust, CredentialSource credentials) {
    FlatJson document =
        FirstAnswer.of(servers,
            server -> ServerDocument.get(trust, server, "/partitions", credentials).orThrow().json());
    List<FlatJson> groups = document.objects("groups");
    // Groups report themselves, so a dead one is listed as it last was.
    Set<String> serving =
        groups.stream()
            .flatMap(group -> group.list("servers").stream())
            .filter(PartitionList::isLiving)
            .map(living -> living.getOrDefault("url", ""))
            .parallel()
            .filter(url -> isServing(url, trust))
            .collect(Collectors.toSet());
    return new PartitionList(
        document.list("partitions"), groups.stream().map(group -> living(group, serving)).toList());
  }

  private static boolean isServing(String url, TlsTrust trust) {
    try {
      return ServerDocument.get(trust, URI.create(url), "/health", HEALTH_MILLIS).status() == HttpURLConnection.HTTP_OK;
    } catch (RnsException e) {
      return false;
    }
  }

  private static FlatJson living(FlatJson group, Set<String> serving) {
    List<FlatJson> servers =
        group.objects("servers").stream()
            .map(
                server -> {
                  Map<String, String> fields = new HashMap<>(server.fields());
                  fields.put("living", Boolean.toString(serving.contains(server.field("url"))));
                  return new FlatJson(fields, server.lists());
                })
            .toList();
    return new FlatJson(group.fields(), Map.of("servers", servers));
  }

  /**
   * The addresses of the reachable servers that own the root, the primary first.
   *
   * @param asked the server that has told this: the only one if none has an address for others
   */
  List<URI> rootServers(URI asked) {
    String owner =
        partitions.stream()
            .filter(partition -> partition.getOrDefault("path", "").equals(RnsPath.ROOT.toString()))
            .map(partition -> partition.getOrDefault("group", ""))
            .findFirst()
            .orElse("");
    List<URI> found = servers(owner)
        .filter(PartitionList::isLiving)
        .sorted(Comparator.comparing(server -> !isPrimary(server)))
        .flatMap(server -> Stream.ofNullable(server.get("url")))
        .map(URI::create)
        .toList();
    return found.isEmpty() ? List.of(asked) : found;
  }

  private Stream<Map<String, String>> servers(String group) {
    return groups.stream()
        .filter(each -> each.field("group").equals(group))
        .flatMap(each -> each.list("servers").stream());
  }

  static boolean isLiving(Map<String, String> server) {
    return server.getOrDefault("living", "").equals("true");
  }

  private static boolean isPrimary(Map<String, String> server) {
    return server.getOrDefault("role", "").equals("primary");
  }

  /** What a group answers: requests, reads only, or nothing. */
  private String state(String group) {
    if (!isDivided() && servers(group).findAny().isEmpty()) {
      // A single server without an address: the one that has answered.
      return ServerRow.SERVING;
    }
    List<Map<String, String>> living = servers(group).filter(PartitionList::isLiving).toList();
    if (living.isEmpty()) {
      return "unreachable";
    }
    return living.stream().anyMatch(PartitionList::isPrimary) ? ServerRow.SERVING : "read-only";
  }

  /** Whether there is more than one group. */
  boolean isDivided() {
    return groups.size() > 1;
  }

  /** The partitions as a table. */
  List<String> partitionLines() {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("PATH", "GROUP", "EPOCH", "STATE")));
    for (Map<String, String> partition : partitions) {
      String group = partition.getOrDefault("group", UNKNOWN);
      rows.add(
          List.of(
              partition.getOrDefault("path", UNKNOWN), group, partition.getOrDefault("epoch", UNKNOWN), state(group)));
    }
    return Columns.of(rows);
  }

  /**
   * The partitions as a tree.
   *
   * @param loads entries, and reads and writes per second, by path; empty if they are not known
   */
  List<String> treeLines(Map<String, Map<String, String>> loads) {
    List<String> titles = new ArrayList<>(List.of("PARTITION", "GROUP", "EPOCH", "STATE"));
    if (!loads.isEmpty()) {
      titles.addAll(List.of("ENTRIES", "READS/S", "WRITES/S"));
    }
    List<List<String>> rows = new ArrayList<>(List.of(titles));
    List<RnsPath> above = new ArrayList<>();
    for (Map.Entry<RnsPath, Map<String, String>> each : byPath().entrySet()) {
      above.removeIf(path -> !path.contains(each.getKey()));
      String group = each.getValue().getOrDefault("group", UNKNOWN);
      List<String> row =
          new ArrayList<>(
              List.of(
                  INDENT.repeat(above.size()) + each.getKey(), group, each.getValue().getOrDefault("epoch", UNKNOWN),
                  state(group)));
      if (!loads.isEmpty()) {
        Map<String, String> load = loads.getOrDefault(each.getKey().toString(), Map.of());
        row.addAll(
            List.of(
                load.getOrDefault("entries", UNKNOWN), PlanLines.rounded(load, "reads"),
                PlanLines.rounded(load, "writes")));
      }
      rows.add(row);
      above.add(each.getKey());
    }
    return Columns.of(rows);
  }

  /** Each partition before those below it, and these before the next one beside it. */
  private SortedMap<RnsPath, Map<String, String>> byPath() {
    SortedMap<RnsPath, Map<String, String>> sorted = new TreeMap<>();
    partitions.forEach(partition -> sorted.put(RnsPath.parse(partition.getOrDefault("path", "/")), partition));
    return sorted;
  }

  /** The groups as a table of their servers. */
  List<String> groupLines() {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("GROUP", "SERVER", "ROLE", "ADDRESS")));
    for (FlatJson group : groups) {
      for (Map<String, String> server : group.list("servers")) {
        rows.add(
            List.of(
                group.field("group"),
                server.getOrDefault("name", UNKNOWN),
                isLiving(server) ? server.getOrDefault("role", UNKNOWN) : "unreachable",
                server.getOrDefault("url", UNKNOWN)));
      }
    }
    return Columns.of(rows);
  }

  /** Writes the partitions as an array of the open object. */
  void writePartitions(JsonGenerator json) throws IOException {
    writePartitions(json, Map.of());
  }

  /** The same with their sizes and loads, as far as these are known. */
  void writePartitions(JsonGenerator json, Map<String, Map<String, String>> loads) throws IOException {
    json.writeArrayFieldStart("partitions");
    for (Map<String, String> partition : partitions) {
      String group = partition.getOrDefault("group", "");
      json.writeStartObject();
      json.writeStringField("path", partition.getOrDefault("path", ""));
      json.writeStringField("directory", partition.getOrDefault("directory", ""));
      number(json, "group", group);
      number(json, "epoch", partition.getOrDefault("epoch", ""));
      json.writeStringField("state", state(group));
      Map<String, String> load = loads.get(partition.getOrDefault("path", ""));
      if (load != null) {
        number(json, "entries", load.getOrDefault("entries", ""));
        number(json, "reads", load.getOrDefault("reads", ""));
        number(json, "writes", load.getOrDefault("writes", ""));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes the groups as an array of the open object. */
  void writeGroups(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("groups");
    for (FlatJson group : groups) {
      json.writeStartObject();
      json.writeStringField("name", group.field("group"));
      json.writeArrayFieldStart("servers");
      for (Map<String, String> server : group.list("servers")) {
        json.writeStartObject();
        json.writeStringField("url", server.getOrDefault("url", ""));
        json.writeStringField("name", server.getOrDefault("name", ""));
        json.writeStringField("role", server.getOrDefault("role", ""));
        json.writeBooleanField("living", isLiving(server));
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, String field, String value) throws IOException {
    if (value.isEmpty()) {
      json.writeNullField(field);
    } else {
      json.writeFieldName(field);
      json.writeNumber(value);
    }
  }
}
