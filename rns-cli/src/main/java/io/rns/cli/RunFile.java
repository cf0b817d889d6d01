package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code run.json} of {@code ./rns up}: the service that runs on a data directory, or ran there until it was
 * killed. Immutable.
 *
 * @param servers the addresses of its servers; empty if no service runs there
 * @param members the addresses of the servers of groups by name, in their order; empty for a single server
 * @param groups the group of each of these addresses
 * @param fronts its connection servers, each with name, address and process id
 * @param processes the process ids of its servers, by host and port
 */
record RunFile(
    List<URI> servers, Map<String, String> members, Map<String, String> groups, List<Map<String, String>> fronts,
    Map<String, Long> processes) {
  private static final String SERVER = "GlassFish";

  RunFile {
    servers = List.copyOf(servers);
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    groups = Map.copyOf(groups);
    fronts = List.copyOf(fronts);
    processes = Map.copyOf(processes);
  }

  /**
   * Reads the file of a data directory; empty if there is none.
   *
   * @throws IOException if the file is invalid
   */
  static RunFile in(Path data) throws IOException {
    Path file = data.resolve("run.json");
    if (!Files.isReadable(file)) {
      return new RunFile(List.of(), Map.of(), Map.of(), List.of(), Map.of());
    }
    FlatJson document;
    try {
      document = FlatJson.read(Files.readString(file));
    } catch (IOException e) {
      throw new IOException("file '" + file + "' is invalid: " + e.getMessage(), e);
    }
    Map<String, String> members = new LinkedHashMap<>();
    Map<String, String> groups = new HashMap<>();
    Map<String, Long> processes = new HashMap<>();
    document.list("processes").stream().filter(process -> SERVER.equals(process.get("name")))
        .forEach(process -> note(document.field("url"), process.get("pid"), processes));
    for (Map<String, String> member : document.list("members")) {
      String url = member.get("url");
      // A server without URL has not started yet.
      if (url != null) {
        members.put(member.getOrDefault("name", ""), url);
        groups.put(url, member.getOrDefault("group", ""));
        note(url, member.get("glassFishPid"), processes);
      }
    }
    Collection<String> urls = members.isEmpty() ? List.of(document.field("url")) : members.values();
    return new RunFile(urls.stream().filter(url -> !url.isEmpty()).map(URI::create).toList(), members, groups,
        document.list("fronts"), processes);
  }

  private static void note(String url, @Nullable String pid, Map<String, Long> processes) {
    if (!url.isEmpty() && pid != null) {
      processes.put(URI.create(url).getRawAuthority(), Long.valueOf(pid));
    }
  }

  /** The id of the process that serves an address, running or not. */
  Optional<Long> process(URI server) {
    return Optional.ofNullable(processes.get(server.getRawAuthority()));
  }
}
