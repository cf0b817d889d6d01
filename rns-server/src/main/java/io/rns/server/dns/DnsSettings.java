package io.rns.server.dns;

import io.rns.server.access.LineLogSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What an operator decides about the DNS server, and what it is bounded by.
 *
 * @param zone the name of the zone, such as {@code rns.example.org}
 * @param address where to listen, for UDP and TCP; port 0 takes any that is free
 * @param serversTtl how long others may keep what concerns the servers, in whole seconds
 * @param secret known to the servers of the zone only: it marks the names that they make for addresses
 * @param receivers how many threads answer questions by UDP, each on a socket of its own where the system can share a
 *        port; at least 1
 * @param connections most TCP connections; one more closes the one that has been quiet for longest, of the client that
 *        has most
 * @param idle longest time without a complete question, or with an answer that is not read, before a connection is
 *        closed
 * @param log where it logs questions received by UDP; empty: nowhere
 */
public record DnsSettings(
    String zone, InetSocketAddress address, Duration serversTtl, String secret, int receivers, int connections,
    Duration idle, Optional<LineLogSettings> log) {
  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the zone has no proper name
   */
  public DnsSettings {
    var unused = Zone.origin(zone);
  }

  /** Servers for 30 s, a thread for each processor, 64 connections, 10 s. */
  public static DnsSettings of(
      String zone, InetSocketAddress address, String secret, Optional<LineLogSettings> log) {
    int receivers = Runtime.getRuntime().availableProcessors();
    return new DnsSettings(zone, address, Duration.ofSeconds(30), secret, receivers, 64, Duration.ofSeconds(10), log);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "zone " + zone + " at " + address;
  }
}
