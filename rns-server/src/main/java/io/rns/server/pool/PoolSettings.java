package io.rns.server.pool;

import io.rns.association.Multicast;
import io.rns.client.http.ClientCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a server runs its registrar.
 *
 * @param address where it listens, also for others; empty: it does not listen, and has no others
 * @param port for elements and users that speak ASAP; 0 for any
 * @param peersPort for other registrars; 0 for any
 * @param registrars where other registrars listen for their peers, not looked up yet; its own place may be among them
 * @param multicast where it announces itself and finds other registrars; empty: it does not
 * @param ttl how long answers of a pool may be used at most
 * @param certificate of this server, for TLS on both ports; empty: they are plain
 */
public record PoolSettings(
    Optional<InetAddress> address, int port, int peersPort, List<InetSocketAddress> registrars,
    Optional<Multicast> multicast, Duration ttl, Optional<ClientCertificate> certificate) {
  /** Copies. */
  public PoolSettings {
    registrars = List.copyOf(registrars);
  }
}
