package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code ./rns up} has written about what runs on a data directory. Immutable.
 *
 * @param servers their addresses; none if nothing runs there
 * @param members of a group the addresses by name, in its order; of a single server none
 */
record RunFile(List<URI> servers, Map<String, String> members) {
  RunFile {
    servers = List.copyOf(servers);
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /**
   * Reads that of a data directory, if there is one.
   *
   * @throws IOException if it cannot be understood
   */
  static RunFile in(Path data) throws IOException {
    Path file = data.resolve("run.json");
    if (!Files.isReadable(file)) {
      return new RunFile(List.of(), Map.of());
    }
    FlatJson told;
    try {
      told = FlatJson.read(Files.readString(file));
    } catch (IOException e) {
      throw new IOException("file '" + file + "' cannot be understood: " + e.getMessage(), e);
    }
    Map<String, String> members = new LinkedHashMap<>();
    for (Map<String, String> member : told.list("members")) {
      String url = member.get("url");
      // One that has not been started yet has none.
      if (url != null) {
        members.put(member.getOrDefault("name", ""), url);
      }
    }
    Collection<String> urls = members.isEmpty() ? List.of(told.field("url")) : members.values();
    return new RunFile(urls.stream().filter(url -> !url.isEmpty()).map(URI::create).toList(), members);
  }
}
