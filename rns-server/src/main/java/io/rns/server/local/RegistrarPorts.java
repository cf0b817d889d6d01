package io.rns.server.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where the registrars of servers listen on 127.0.0.1; the first belongs to the first server.
 *
 * @param elements for elements and users
 * @param peers for each other
 */
record RegistrarPorts(List<Integer> elements, List<Integer> peers) {
  private static final String HOST = "127.0.0.1";

  /** Free ones. */
  static RegistrarPorts free(int servers) {
    List<Integer> ports = Ports.free(2 * servers);
    return new RegistrarPorts(List.copyOf(ports.subList(0, servers)), List.copyOf(ports.subList(servers, 2 * servers)));
  }

  /** The settings of a server, by which it knows the others. */
  Map<String, String> environment(int number) {
    Map<String, String> environment = new HashMap<>();
    environment.put("RNS_POOL_ADDRESS", HOST);
    environment.put("RNS_POOL_PORT", Integer.toString(elements.get(number - 1)));
    environment.put("RNS_POOL_PEERS_PORT", Integer.toString(peers.get(number - 1)));
    if (peers.size() > 1) {
      String all = peers.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
      environment.put("RNS_POOL_REGISTRARS", all);
    }
    return environment;
  }
}
