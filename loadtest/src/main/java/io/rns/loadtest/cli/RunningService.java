package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.loadtest.launcher.Io;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The running service of a data directory: the {@code run.json} of {@code ./rns up}. */
record RunningService(
    @Nullable String url, @Nullable String jdbcUrl, @Nullable String databaseUser, @Nullable String databasePassword,
    @Nullable List<Server> members, @Nullable List<ServerProcess> processes) {

  private record Server(String url) {}

  private record ServerProcess(String name, long pid) {}

  /** The service of a data directory, of which nothing is known if it was not started there. */
  static RunningService in(Path data) {
    Path file = data.resolve("run.json");
    return Io.get(RnsError.INVALID_REQUEST, file + " cannot be read", () -> Files.exists(file)
        ? Json.MAPPER.readValue(file.toFile(), RunningService.class)
        : new RunningService(null, null, null, null, null, null));
  }

  /** The database, with user and password; empty if the service is at another address. */
  Optional<String> database(URI server) {
    if (jdbcUrl == null || !isAt(server, url)) {
      return Optional.empty();
    }
    String account = parameter("user", databaseUser) + parameter("password", databasePassword);
    return Optional.of(jdbcUrl + (jdbcUrl.contains("?") ? account : account.replaceFirst("&", "?")));
  }

  /** The processes by kind, in a group those of all servers and databases; empty if the service has no such server. */
  Map<String, List<Long>> processes(URI server) {
    if (processes == null || !isAt(server)) {
      return Map.of();
    }
    return processes.stream()
        .collect(
            Collectors.groupingBy(
                process -> process.name.replaceFirst(" of .*", "").replaceFirst("^the ", ""), TreeMap::new,
                Collectors.mapping(ServerProcess::pid, Collectors.toList())));
  }

  /** Whether one of its servers has an address. */
  boolean isAt(URI server) {
    Stream<Server> others = members == null ? Stream.of() : members.stream();
    return isAt(server, url) || others.anyMatch(member -> isAt(server, member.url));
  }

  private static boolean isAt(URI server, @Nullable String url) {
    return server.toString().replaceFirst("/+$", "").equals(url);
  }

  private static String parameter(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
