package io.rns.local;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ports of the servers' registrars on 127.0.0.1, in server order.
 *
 * @param elements for elements and users
 * @param peers for the other registrars
 */
record RegistrarPorts(List<Integer> elements, List<Integer> peers) {
  private static final String HOST = "127.0.0.1";
  private static final String ELEMENTS = "RNS_POOL_PORT";
  private static final String PEERS = "RNS_POOL_PEERS_PORT";

  /**
   * Ports from the environment, each the first of a range, or else free ones.
   *
   * @throws IllegalArgumentException as {@link #check} does
   * @throws LocalServiceException if a configured port is in use
   */
  static RegistrarPorts in(Map<String, String> environment, int servers) {
    check(environment, servers);
    List<Integer> elements = row(environment, ELEMENTS, servers);
    List<Integer> peers = row(environment, PEERS, servers);
    elements.forEach(port -> Ports.requireFree(port, ELEMENTS));
    peers.forEach(port -> Ports.requireFree(port, PEERS));
    Set<Integer> named = new HashSet<>(elements);
    named.addAll(peers);
    List<Integer> free = Ports.free(4 * servers).stream().filter(port -> !named.contains(port)).toList();
    return new RegistrarPorts(
        elements.isEmpty() ? free.subList(0, servers) : elements,
        peers.isEmpty() ? free.subList(servers, 2 * servers) : peers);
  }

  /** Validates the environment; errors name the variable. */
  static void check(Map<String, String> environment, int servers) {
    List<Integer> elements = row(environment, ELEMENTS, servers);
    if (row(environment, PEERS, servers).stream().anyMatch(elements::contains)) {
      throw new IllegalArgumentException(
          ELEMENTS + " and " + PEERS + " name the same port for " + servers
              + " servers, which use consecutive ports");
    }
  }

  /** Empty for any free ports. */
  private static List<Integer> row(Map<String, String> environment, String variable, int servers) {
    String value = environment.getOrDefault(variable, "").strip();
    int most = Ports.LARGEST - servers + 1;
    if (!value.matches("[0-9]{0,5}") || (!value.isEmpty() && Integer.parseInt(value) > most)) {
      throw new IllegalArgumentException(variable + " must be from 0 to " + most + ", not " + value);
    }
    int first = value.isEmpty() ? 0 : Integer.parseInt(value);
    return first == 0 ? List.of() : IntStream.range(first, first + servers).boxed().toList();
  }

  /**
   * A server's settings for its registrar and the others.
   *
   * @param host by which registrars are named: with TLS, one of the certificate that leads to 127.0.0.1
   */
  Map<String, String> environment(int number, String host) {
    Map<String, String> environment = new HashMap<>();
    environment.put("RNS_POOL_ADDRESS", HOST);
    environment.put(ELEMENTS, Integer.toString(elements.get(number - 1)));
    environment.put(PEERS, Integer.toString(peers.get(number - 1)));
    if (peers.size() > 1) {
      String all = peers.stream().map(port -> host + ":" + port).collect(Collectors.joining(","));
      environment.put("RNS_POOL_REGISTRARS", all);
    }
    return environment;
  }
}
