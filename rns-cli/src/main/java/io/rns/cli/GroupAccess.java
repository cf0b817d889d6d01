package io.rns.cli;

import io.rns.error.RnsError;
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
 * How operators reach servers: names, addresses, and the secret. For a service of {@code ./rns up} all three are in its
 * data directory.
 */
final class GroupAccess {
  static final int STATUS_MILLIS = 10_000;

  private static final String SECRET = "RNS_GROUP_SECRET";
  /** The role of a server that reports only itself. */
  private static final String STARTING = "starting";

  private final List<URI> servers;
  private final Map<String, String> environment;
  private final Path data;
  private final Map<String, String> local;
  private final Map<String, String> groups;
  private final boolean here;
  private final List<Map<String, String>> fronts;

  /**
   * Access to the group of these servers.
   *
   * @param data the data directory of a group on this machine; null for {@code RNS_DATA} or {@code ~/.rns}
   * @throws IOException if a data directory cannot be read
   */
  GroupAccess(List<URI> servers, Map<String, String> environment, @Nullable Path data) throws IOException {
    this.servers = List.copyOf(servers);
    this.environment = environment;
    this.data = data == null ? Terminal.usualData(environment) : data;
    RunFile running = RunFile.in(this.data);
    boolean byFront =
        running.fronts().stream().anyMatch(front -> isNamed(URI.create(front.getOrDefault("url", ""))));
    this.here = byFront || running.servers().stream().anyMatch(this::isNamed);
    this.fronts = here ? running.fronts() : List.of();
    this.local = here ? running.members() : Map.of();
    this.groups = here ? running.groups() : Map.of();
  }

  private static String plain(URI server) {
    return plain(server.toString());
  }

  private static String plain(String url) {
    return url.replaceFirst("/+$", "");
  }

  /** The connection servers of a service on this machine, each with name, address and process id. */
  List<Map<String, String>> fronts() {
    return fronts;
  }

  /** Whether the command line or the environment lists this address as a server of the group. */
  boolean isNamed(URI server) {
    return servers.stream().anyMatch(named -> plain(named).equals(plain(server)));
  }

  /** Whether the addresses include that of a server. */
  static boolean has(Map<String, String> addresses, URI server) {
    return addresses.values().stream().anyMatch(url -> plain(url).equals(plain(server)));
  }

  /**
   * A server to send a command to.
   *
   * @param addresses those of its group, by name
   */
  record Destination(URI server, Map<String, String> addresses) {}

  /**
   * The first server that reports its group, of the group of the first server named: another one may hang, and would
   * hide the reason of a refusal.
   *
   * @throws RnsException if none does
   */
  Destination first(Operator operator) {
    return FirstAnswer.of(ofOneGroup(), server -> new Destination(server, addresses(operator, server)));
  }

  /**
   * The addresses of the servers by name, from the first server that reports them, else from the data directory.
   *
   * @throws RnsException if neither has them
   */
  Map<String, String> addresses(Operator operator) {
    try {
      return FirstAnswer.of(servers, server -> addresses(operator, server));
    } catch (RnsException e) {
      if (local.isEmpty()) {
        throw e;
      }
      return local;
    }
  }

  private Map<String, String> addresses(Operator operator, URI server) {
    Map<String, String> known = new LinkedHashMap<>(local);
    for (Map<String, String> other : operator.ask("GET", server, "/status", STATUS_MILLIS).json().list("servers")) {
      if (other.getOrDefault("role", "").equals(STARTING)) {
        // It knows no other server yet and carries out no command; without its database it stays so.
        throw new RnsException(
            RnsError.UNAVAILABLE, plain(server) + " is starting: " + other.getOrDefault("state", ""));
      }
      if (other.containsKey("name") && other.containsKey("url")) {
        known.put(other.get("name"), other.get("url"));
      }
    }
    return known;
  }

  /** The servers without those on this machine that belong to another group than the first one named. */
  private List<URI> ofOneGroup() {
    String group =
        servers.stream().map(GroupAccess::plain).filter(groups::containsKey).map(groups::get).findFirst().orElse("");
    return servers.stream().filter(server -> groups.getOrDefault(plain(server), group).equals(group)).toList();
  }

  /** The name of the server with an address, or the address. */
  static String name(String url, Map<String, String> addresses) {
    return addresses.entrySet().stream()
        .filter(address -> address.getValue().equals(url))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(url);
  }

  /** The secret; empty if no source has one. */
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

  /** The error message that lists the sources of the secret. */
  String missing() {
    return "needs the operators' secret: set " + SECRET
        + ", or pass --secret-file FILE, or --data with the data directory"
        + " of a local service that runs " + plain(servers.get(0)) + " (" + data + " does not)";
  }

  /** The secret in a file. */
  static GroupSecret read(Path file) throws IOException {
    String secret = Files.readString(file).strip();
    if (secret.isEmpty() || secret.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IOException("file '" + file + "' has no secret: one line of printable ASCII");
    }
    return new GroupSecret(secret, "file '" + file + "'");
  }
}
