package io.rns.cli;

import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How operators reach servers: their names, their addresses, and the secret. Of a service that {@code ./rns up} runs
 * all of it is in its data directory.
 */
final class GroupAccess {
  static final int STATUS_MILLIS = 10_000;

  private static final String SECRET = "RNS_GROUP_SECRET";

  private final List<URI> servers;
  private final Map<String, String> environment;
  private final Path data;
  private final Map<String, String> local;
  private final boolean here;

  /**
   * Of the group of some servers.
   *
   * @param data the data directory of a group on this machine; null for {@code RNS_DATA} or {@code ~/.rns}
   * @throws IOException if a data directory cannot be read
   */
  GroupAccess(List<URI> servers, Map<String, String> environment, @Nullable Path data) throws IOException {
    this.servers = List.copyOf(servers);
    this.environment = environment;
    this.data = data == null ? usualData(environment) : data;
    RunFile running = RunFile.in(this.data);
    this.here = running.servers().stream().anyMatch(this::isNamed);
    this.local = here ? running.members() : Map.of();
  }

  private static Path usualData(Map<String, String> environment) {
    String named = environment.getOrDefault("RNS_DATA", "");
    return named.isBlank() ? Path.of(System.getProperty("user.home"), ".rns") : Path.of(named);
  }

  private static String plain(URI server) {
    return plain(server.toString());
  }

  private static String plain(String url) {
    return url.replaceFirst("/+$", "");
  }

  /** Whether the command line or the environment names the server at an address as one of the group's. */
  boolean isNamed(URI server) {
    return servers.stream().anyMatch(named -> plain(named).equals(plain(server)));
  }

  /** Whether one of some addresses is that of a server. */
  static boolean has(Map<String, String> addresses, URI server) {
    return addresses.values().stream().anyMatch(url -> plain(url).equals(plain(server)));
  }

  /**
   * The addresses of the servers by name, as the first tells that answers, or as the data directory does if none does.
   */
  Map<String, String> addresses(Operator operator) {
    Map<String, String> told = new LinkedHashMap<>(local);
    RnsException failure = null;
    for (URI server : servers) {
      try {
        for (Map<String, String> other : operator.ask("GET", server, "/status", STATUS_MILLIS).json().list("servers")) {
          if (other.containsKey("name") && other.containsKey("url")) {
            told.put(other.get("name"), other.get("url"));
          }
        }
        return told;
      } catch (RnsException e) {
        failure = e;
      }
    }
    if (failure != null && local.isEmpty()) {
      throw failure;
    }
    return told;
  }

  /** The name of the server with an address, or the address. */
  static String name(String url, Map<String, String> addresses) {
    return addresses.entrySet().stream()
        .filter(address -> address.getValue().equals(url))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(url);
  }

  /** The secret; empty if it is nowhere. */
  Optional<GroupSecret> secret(@Nullable Path file) throws IOException {
    if (file != null) {
      return Optional.of(read(file));
    }
    String given = environment.getOrDefault(SECRET, "");
    if (!given.isEmpty()) {
      return Optional.of(new GroupSecret(given, SECRET));
    }
    Path kept = data.resolve("group.secret");
    return here && Files.isReadable(kept) ? Optional.of(read(kept)) : Optional.empty();
  }

  /** Where a secret was looked for, for a message. */
  String missing() {
    return "needs the operators' secret: set " + SECRET
        + ", or name a file with --secret-file, or with --data the data directory"
        + " of a service on this machine that has " + plain(servers.get(0)) + " (" + data + " has not)";
  }

  private static GroupSecret read(Path file) throws IOException {
    String secret = Files.readString(file).strip();
    if (secret.isEmpty() || secret.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IOException("file '" + file + "' has no secret: one line of printable ASCII");
    }
    return new GroupSecret(secret, "file '" + file + "'");
  }
}
