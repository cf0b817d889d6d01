package io.rns.loadtest.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.client.pool.PoolElement;
import io.rns.client.pool.PoolUser;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.Poll;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Simulated servers, each an element of one pool, and the registrars that they register with, all in this process. */
final class Cluster implements AutoCloseable {
  private static final RnsPath HANDLE = RnsPath.parse("/bench/policies");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  /** Elements in a resolution of a user: all of any contest. */
  private static final int ITEMS = 20;

  private final List<Member> members;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<PoolElement> elements = new ArrayList<>();
  private final Connections connections;
  private final List<RegistrarServer> registrars = new ArrayList<>();
  private final List<PoolService> pools = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private int users;

  /** A server, and its share under policies with weights. */
  record Member(Supplier<SimulatedServer> server, long weight) {
    /** One that takes so many requests at once. */
    Member(Service service, int limit, long weight) {
      this(() -> new ConnectionServer(service, limit), weight);
    }
  }

  /** Starts everything, with servers of {@link ElementConnections}; users cache resolutions for {@code ttl}. */
  Cluster(List<Member> members, PolicyType policy, Duration ttl, int registrars) {
    this(members, new ElementConnections(), policy, ttl, registrars);
  }

  /** The same with servers that are reached by other connections. */
  Cluster(List<Member> members, Connections connections, PolicyType policy, Duration ttl, int registrars) {
    this.connections = connections;
    for (int i = 0; i < registrars; i++) {
      pools.add(new RegistrarPools(started(i, registrars > 1), ttl, PATIENCE));
    }
    await("all registrars serve", () -> this.registrars.stream().allMatch(each -> each.ask(Registrar::isServing)));
    this.members = List.copyOf(members);
    for (Member member : members) {
      SimulatedServer server = member.server().get();
      servers.add(server);
      EndpointReference endpoint = EndpointReference.ofAddress("tcp://127.0.0.1:" + server.port());
      elements.add(PoolElement.builder(pools.get(elements.size() % registrars), HANDLE, List.of(endpoint))
          .policy(policy)
          .parameters(Parameters.PLAIN.withWeight(member.weight())).admission(server.admission()).register());
    }
    await("all registrars know all elements", () -> this.registrars.stream()
        .allMatch(each -> each.ask(registrar -> registrar.handlespace().size()) == members.size()));
  }

  private static void await(String what, Poll.Condition condition) {
    try {
      Poll.until(what, condition);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted before " + what, e);
    }
  }

  private RegistrarServer started(int number, boolean hasPeers) {
    InetAddress here = InetAddress.getLoopbackAddress();
    RegistrarServer registrar = hasPeers
        ? Io.get("opening the ports of a registrar", () -> RegistrarServer.bind(here, 0, 0))
        : RegistrarServer.withoutPorts();
    List<InetSocketAddress> others = registrars.stream().map(RegistrarServer::peersAddress).toList();
    registrars.add(registrar);
    long begin = System.nanoTime();
    registrar.start(others, settings(HandlespaceSettings.DEFAULTS.keepAliveTimeoutMillis()),
        new SplittableRandom(1L + number), () -> (System.nanoTime() - begin) / 1_000_000);
    return registrar;
  }

  /** The settings of a server of RNS, with as many elements in a resolution as a user may ask for. */
  static RegistrarSettings settings(long keepAliveTimeoutMillis) {
    RegistrarSettings usual = RegistrarSettings.DEFAULTS;
    HandlespaceSettings pools = usual.handlespace();
    return new RegistrarSettings(
        new HandlespaceSettings(pools.pools(), pools.elements(), pools.elementsPerPool(), PoolService.RESOLUTION_ITEMS,
            pools.charged(), pools.keepAliveMillis(), keepAliveTimeoutMillis, pools.unreachableReports()),
        usual.heartbeatMillis(), usual.lastHeardMillis(), usual.noResponseMillis(), usual.takeoverMillis(),
        usual.tableItems());
  }

  List<SimulatedServer> servers() {
    return servers;
  }

  Balancer pooled() {
    // Each user is at a host of its own.
    PoolService ofUser = pools.get(users % pools.size()).calledBy("user " + users++);
    return Balancer.pooled(PoolUser.builder(ofUser).items(ITEMS).build(), HANDLE, connections);
  }

  Balancer dispatched() {
    return Balancer.dispatched(pools.get(0), HANDLE, connections);
  }

  Balancer leastConnections() {
    return leastConnections(member -> 1);
  }

  Balancer weightedLeastConnections() {
    return leastConnections(Member::weight);
  }

  private Balancer leastConnections(ToLongFunction<Member> weight) {
    return new LeastConnections(
        servers, members.stream().mapToLong(weight).toArray(), random.nextInt(servers.size()), connections,
        System::nanoTime);
  }

  Balancer peakEwma() {
    return new PeakEwma(servers, connections, System::nanoTime, random.split());
  }

  @Override
  public void close() {
    connections.close();
    elements.forEach(PoolElement::close);
    servers.forEach(SimulatedServer::close);
    registrars.forEach(RegistrarServer::close);
  }
}
