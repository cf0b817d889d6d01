package io.rns.guard;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the guard.
 *
 * @param contexts the context roots of the accessible applications, for example {@code /rns}
 * @param connections the maximum number of concurrent connections per listener
 * @param head the maximum time from the first byte of a request to the end of its headers
 * @param tls the certificate and key of the listener; empty for plain HTTP
 * @param clientChains whether clients are asked for certificates, which the application then gets
 */
record Settings(
    List<String> contexts, int connections, Duration head, Optional<PemFiles> tls, boolean clientChains) {
  static final String CONTEXTS = "rns.guard.contexts";
  static final String CONNECTIONS = "rns.guard.connections";
  static final String HEAD_SECONDS = "rns.guard.head-seconds";
  static final String CERTIFICATE = "rns.guard.certificate";
  static final String KEY = "rns.guard.key";
  static final String CLIENT_CERTIFICATES = "rns.guard.client-certificates";

  /** Files of a certificate chain and its key. */
  record PemFiles(Path chain, Path key) {}

  Settings {
    contexts = List.copyOf(contexts);
    for (String context : contexts) {
      if (!context.matches("/[A-Za-z0-9._~-]{1,100}")) {
        throw new IllegalArgumentException(CONTEXTS + " has '" + context + "', which is not a path such as /rns");
      }
    }
    if (connections < 1) {
      throw new IllegalArgumentException(CONNECTIONS + " must be at least 1; it is " + connections);
    }
    if (!head.isPositive()) {
      throw new IllegalArgumentException(HEAD_SECONDS + " must be at least 1; it is " + head.toSeconds());
    }
  }

  /** Reads system properties; the defaults are {@code /rns}, 4096 connections and 30 s. */
  static Settings from(UnaryOperator<String> properties) {
    String contexts = properties.apply(CONTEXTS);
    String connections = properties.apply(CONNECTIONS);
    String head = properties.apply(HEAD_SECONDS);
    return new Settings(
        contexts == null ? List.of("/rns") : Arrays.stream(contexts.split(",")).map(String::strip).toList(),
        connections == null ? 4096 : Integer.parseInt(connections.strip()),
        Duration.ofSeconds(head == null ? 30 : Integer.parseInt(head.strip())),
        tls(properties.apply(CERTIFICATE), properties.apply(KEY)),
        asksClients(properties.apply(CLIENT_CERTIFICATES)));
  }

  private static boolean asksClients(@Nullable String mode) {
    if (mode != null && !mode.equals("ask")) {
      throw new IllegalArgumentException(CLIENT_CERTIFICATES + " is '" + mode + "'; it can only be: ask");
    }
    return mode != null;
  }

  private static Optional<PemFiles> tls(@Nullable String chain, @Nullable String key) {
    if (chain == null && key == null) {
      return Optional.empty();
    }
    if (chain == null || key == null) {
      throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " are needed both or neither");
    }
    return Optional.of(new PemFiles(Path.of(chain), Path.of(key)));
  }
}
