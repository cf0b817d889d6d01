package io.rns.front;

import io.rns.client.http.TlsTrust;
import io.rns.identity.X509Settings;
import io.rns.referral.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a front is run; validated.
 *
 * @param host the address to listen on
 * @param port of HTTP; 0 for any free port
 * @param tls the certificate for HTTPS; null for plain HTTP
 * @param servers addresses of RNS servers, such as {@code http://host:8080/rns}; one is enough
 * @param authority file of the certificates that servers with {@code https} addresses may have; null for those of Java
 * @param secret file of the secret of servers, by which they believe where clients are, and who; null without
 * @param clients whose certificates prove who a client is; needs {@code tls} and {@code secret}
 * @param name of the front, for the audit log of servers
 * @param direct whether clients that accept it are sent to servers for large responses; needs {@code secret}
 * @param site the site of the front, to prefer near servers
 * @param admin socket file for health, drain and migration; its directory must be private
 * @param limits of memory and connections
 * @param timeouts of clients and servers
 * @param device network interface that has {@code host}, an IPv4 address, while the front serves; with it the front can
 *        move to another machine. Null if the address is there anyway
 */
public record FrontSettings(
    String host,
    int port,
    @Nullable Certificate tls,
    List<URI> servers,
    @Nullable Path authority,
    @Nullable Path secret,
    X509Settings clients,
    String name,
    boolean direct,
    Site site,
    Path admin,
    Limits limits,
    Timeouts timeouts,
    @Nullable String device) {
  /**
   * What clients are shown.
   *
   * @param chain PEM file, the certificate of the front first
   * @param key PEM file of its key, PKCS#8, unencrypted
   */
  public record Certificate(Path chain, Path key) {}

  /**
   * What a front may use.
   *
   * @param threads event loops
   * @param connections maximum number of clients; more are disconnected. HTTP/2 requests are refused if there are more
   *        clients and concurrent ones together
   * @param serverConnections maximum number of connections to each server, without those of streams
   * @param streams maximum number of watches
   * @param waiting maximum number of requests to each server that wait for a connection
   * @param bytes memory for requests and responses in transit; beyond it new requests are refused
   * @param cacheBytes memory for answers that the front gives itself; 0 for none; needs {@code secret}
   */
  public record Limits(
      int threads, int connections, int serverConnections, int streams, int waiting, long bytes, long cacheBytes) {
    /** Validates. */
    public Limits {
      check("--threads", threads, 1, 64);
      check("--connections", connections, 1, 1_000_000);
      check("--server-connections", serverConnections, 1, 10_000);
      check("--streams", streams, 0, 100_000);
      check("--waiting", waiting, 0, 1_000_000);
      check("--memory", bytes, 1L << 20, 1L << 40);
      check("--cache", cacheBytes, 0, 1L << 40);
    }
  }

  /**
   * How long a front waits.
   *
   * @param request longest time in which a request must have arrived
   * @param idle longest time between requests
   * @param answer longest time until a response begins
   * @param stall longest time in which a client that reads, or a server that writes, makes no progress
   */
  public record Timeouts(Duration request, Duration idle, Duration answer, Duration stall) {
    /** Validates. */
    public Timeouts {
      for (Duration bound : List.of(request, idle, answer, stall)) {
        check("a timeout", bound.toSeconds(), 1, 86_400);
      }
    }
  }

  /** Validates. */
  public FrontSettings {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("--server must name at least one server");
    }
    String context = servers.getFirst().getRawPath();
    for (URI server : servers) {
      boolean valid =
          ("http".equals(server.getScheme()) || "https".equals(server.getScheme())) && server.getHost() != null
              && server.getRawQuery() == null
              && server.getRawPath().matches("(/[A-Za-z0-9._~-]+)+");
      if (!valid || !server.getRawPath().equals(context)) {
        throw new IllegalArgumentException(
            "--server must be addresses such as http://host:8080/rns with the same path, not " + server);
      }
    }
    if (clients.authorities().isPresent() && (tls == null || secret == null)) {
      throw new IllegalArgumentException("--x509-trust needs --tls-cert and --secret-file");
    }
    if (device != null) {
      if (!host.matches("[0-9]+(\\.[0-9]+){3}") || host.startsWith("127.") || host.startsWith("0.")) {
        throw new IllegalArgumentException("--interface needs an IPv4 address of the subnet as --host, not " + host);
      }
      if (secret == null) {
        throw new IllegalArgumentException("--interface needs --secret-file");
      }
    }
    if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new IllegalArgumentException("--name must be 1 to 64 letters, digits and . _ -, not '" + name + "'");
    }
    check("--port", port, 0, 65_535);
  }

  private static void check(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", not " + value);
    }
  }

  /** The address of the service for clients. */
  String url(int boundPort) {
    return (tls == null ? "http://" : "https://") + host + ":" + boundPort + context();
  }

  /**
   * The secret of servers; empty without.
   *
   * @throws IOException if its file cannot be read
   */
  String serverSecret() throws IOException {
    return secret == null ? "" : Files.readString(secret).strip();
  }

  /** Which servers are trusted. */
  TlsTrust trust() {
    return authority == null ? TlsTrust.SYSTEM : TlsTrust.file(authority);
  }

  /** The path of the service, at the front as at the servers. */
  String context() {
    return servers.getFirst().getRawPath();
  }
}
