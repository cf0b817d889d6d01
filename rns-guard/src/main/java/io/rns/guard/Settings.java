package io.rns.guard;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What the guard lets through.
 *
 * @param contexts the context roots of the applications that may be reached, such as {@code /rns}
 * @param connections how many connections a listener keeps open at a time
 * @param head how long a request may take from its first byte to the end of its headers
 */
record Settings(List<String> contexts, int connections, Duration head) {
  static final String CONTEXTS = "rns.guard.contexts";
  static final String CONNECTIONS = "rns.guard.connections";
  static final String HEAD_SECONDS = "rns.guard.head-seconds";

  Settings {
    contexts = List.copyOf(contexts);
    for (String context : contexts) {
      if (!context.matches("/[A-Za-z0-9._~-]{1,100}")) {
        throw new IllegalArgumentException(CONTEXTS + " has '" + context + "', which is not a path such as /rns");
      }
    }
    if (connections < 1) {
      throw new IllegalArgumentException(CONNECTIONS + " is at least 1; it was " + connections);
    }
    if (!head.isPositive()) {
      throw new IllegalArgumentException(HEAD_SECONDS + " is at least 1; it was " + head.toSeconds());
    }
  }

  /** From system properties; {@code /rns}, 4096 connections and 30 s if there are none. */
  static Settings from(UnaryOperator<String> properties) {
    String contexts = properties.apply(CONTEXTS);
    String connections = properties.apply(CONNECTIONS);
    String head = properties.apply(HEAD_SECONDS);
    return new Settings(
        contexts == null ? List.of("/rns") : Arrays.stream(contexts.split(",")).map(String::strip).toList(),
        connections == null ? 4096 : Integer.parseInt(connections.strip()),
        Duration.ofSeconds(head == null ? 30 : Integer.parseInt(head.strip())));
  }
}
