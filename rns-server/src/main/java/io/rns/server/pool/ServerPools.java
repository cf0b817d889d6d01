package io.rns.server.pool;

import io.rns.association.AsapAccess;
import io.rns.association.AssociationTls;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarProtection;
import io.rns.association.RegistrarServer;
import io.rns.client.http.TlsTrust;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.PoolService;
import io.rns.registrar.RegistrarSettings;
import io.rns.server.memory.MemoryPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registrar of a server and what is asked of it here. */
public final class ServerPools implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPools.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Of the heap beyond 128 MiB, for elements. */
  private static final int PART_OF_HEAP = 4;

  private final RegistrarServer registrar;
  private final RegistrarPools pools;
  private final boolean hasTls;

  private ServerPools(RegistrarServer registrar, Duration ttl, boolean hasTls) {
    this.registrar = registrar;
    this.hasTls = hasTls;
    this.pools = new RegistrarPools(registrar, ttl, PATIENCE);
  }

  /**
   * Starts a registrar.
   *
   * @param trust of the certificates of other servers
   * @param asksForCertificates whether certificates of elements and users mean anything
   * @param access what elements and users may do that speak ASAP
   * @throws UncheckedIOException if it cannot listen
   */
  public static ServerPools start(
      PoolSettings settings, TlsTrust trust, boolean asksForCertificates, AsapAccess access) {
    List<String> hosts = settings.registrars().stream().map(InetSocketAddress::getHostString).toList();
    Optional<AssociationTls> tls =
        settings.certificate().map(own -> new PoolTls(own, trust, hosts, asksForCertificates));
    RegistrarServer registrar =
        settings.address().map(address -> bind(address, settings)).orElseGet(RegistrarServer::withoutPorts);
    SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    try {
      registrar.start(others(registrar, settings), registrarSettings(), random,
          () -> System.nanoTime() / NANOS_PER_MILLI, new RegistrarProtection(tls, access), settings.multicast());
    } catch (UncheckedIOException e) {
      // The next attempt needs the ports.
      registrar.close();
      throw e;
    }
    return new ServerPools(registrar, settings.ttl(), tls.isPresent());
  }

  private static RegistrarServer bind(InetAddress address, PoolSettings settings) {
    try {
      return RegistrarServer.bind(address, settings.port(), settings.peersPort());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the registrar cannot listen on " + address.getHostAddress() + ", ports " + settings.port() + " and "
              + settings.peersPort() + ": " + e.getMessage(),
          e);
    }
  }

  /** One list may do for all registrars. */
  private static List<InetSocketAddress> others(RegistrarServer self, PoolSettings settings) {
    List<InetSocketAddress> others = new ArrayList<>();
    for (InetSocketAddress place : settings.registrars()) {
      InetSocketAddress found = new InetSocketAddress(place.getHostString(), place.getPort());
      if (found.isUnresolved()) {
        LOG.warn("the host of registrar {} is unknown; continuing without it", place);
      } else if (!self.hasPorts() || !found.equals(self.peersAddress())) {
        others.add(found);
      }
    }
    return others;
  }

  /** The usual ones, as many elements of an answer as anybody may ask for, and a part of the heap. */
  static RegistrarSettings registrarSettings() {
    RegistrarSettings usual = RegistrarSettings.DEFAULTS;
    HandlespaceSettings handlespace = usual.handlespace();
    return new RegistrarSettings(
        new HandlespaceSettings(
            handlespace.pools(),
            handlespace.elements(),
            handlespace.elementsPerPool(),
            PoolService.RESOLUTION_ITEMS,
            handlespace.charged(),
            handlespace.keepAliveMillis(),
            handlespace.keepAliveTimeoutMillis(),
            handlespace.unreachableReports(),
            MemoryPool.sharedHeap() / PART_OF_HEAP),
        usual.heartbeatMillis(),
        usual.lastHeardMillis(),
        usual.noResponseMillis(),
        usual.takeoverMillis(),
        usual.tableItems());
  }

  /** What callers ask. */
  public RegistrarPools service() {
    return pools;
  }

  /** Its id of this start and its addresses, for operators. */
  public Map<String, Object> told() {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("id", Integer.toUnsignedLong(registrar.id()));
    told.put("asap", registrar.hasPorts() ? text(registrar.elementsAddress()) : null);
    told.put("enrp", registrar.hasPorts() ? text(registrar.peersAddress()) : null);
    told.put("tls", hasTls);
    return told;
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  @Override
  public void close() {
    registrar.close();
  }
}
