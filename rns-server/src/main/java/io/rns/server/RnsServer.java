package io.rns.server;

import io.rns.api.Caller;
import io.rns.api.Consistency;
import io.rns.api.Hop;
import io.rns.api.NameService;
import io.rns.api.Positions;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.association.AsapAccess;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.replication.Offer;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.backup.Backups;
import io.rns.server.dns.DnsServer;
import io.rns.server.dns.DnsSource;
import io.rns.server.group.Announcements;
import io.rns.server.group.GroupMembership;
import io.rns.replication.member.GroupSettings;
import io.rns.server.group.Membership;
import io.rns.server.group.SoleMembership;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.partition.Partitions;
import io.rns.server.pool.PermittedPools;
import io.rns.server.pool.PoolCallers;
import io.rns.server.pool.PoolQueries;
import io.rns.server.pool.ServerPools;
import io.rns.server.store.Database;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server: its parts, put together by hand, and closed in the opposite order.
 *
 * <p>Thread-safe.
 */
public final class RnsServer implements AutoCloseable {
  /** How long clients may use a referral; they ask again much earlier. */
  private static final long TTL_MILLIS = 30_000;

  private static final Duration CONNECT = Duration.ofSeconds(1);
  /** Of a request to another server group: longer than that takes to replace its primary. */
  private static final Duration GROUP_TIMEOUT = Duration.ofSeconds(10);
  /** Pools that a query by DNS looks at which everybody may not read, before it fails: anybody can send many. */
  private static final int MOST_HIDDEN = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(RnsServer.class);

  private final String name;
  private final int group;
  private final Database database;
  private final Membership membership;
  private final Partitions partitions;
  private final ServerPools pools;
  private final AccessReader access;
  private final PermittedPools permittedPools;
  private final NameService service;
  private final @Nullable DnsServer dns;

  private RnsServer(
      ServerConfig config, Database database, Membership membership, InstantSource clock, AccessControl control,
      MessageAuthentication passing, Function<AccessReader, AsapAccess> callers) {
    this.name = config.name();
    this.group = config.database().group();
    this.database = database;
    this.membership = membership;
    SignedCalls calls =
        config.secret().isEmpty() ? null : new SignedCalls(CONNECT, config.trust(), config.secret(), clock, LOG::warn);
    this.partitions = new Partitions(
        group, config.rootServers(), membership, calls, passing, GROUP_TIMEOUT, config.trust(),
        GroupMembership::noteAnswer,
        clock,
        config.partitioning(), control.inherited());
    this.access = new AccessReader(control, partitions::service);
    try {
      this.pools =
          ServerPools.start(
              config.pools(), config.trust(), config.identity().x509().authorities().isPresent(),
              callers.apply(access));
    } catch (RuntimeException | Error e) {
      partitions.close();
      throw e;
    }
    this.permittedPools = new PermittedPools(pools.service(), access);
    this.service = new PoolQueries(partitions::service, pools.service(), access);
    try {
      this.dns =
          config.dns().map(settings -> DnsServer.start(settings, new Source(), clock, System::nanoTime)).orElse(null);
    } catch (RuntimeException | Error e) {
      pools.close();
      partitions.close();
      throw e;
    }
    partitions.start();
  }

  /**
   * Without a group: connects to the database, brings its schema up to date, and becomes the primary. In a group:
   * begins to look for its place, which may take time.
   *
   * @throws RnsException if the database cannot be reached or used; nothing is left open
   * @throws UncheckedIOException if the registrar of pools, or DNS, cannot listen; the same
   */
  public static RnsServer start(ServerConfig config, InstantSource clock) {
    return start(
        config, clock, new ServerLoad(() -> 0), MessageAuthentication.NONE,
        reader -> new PoolCallers((chain, origin) -> Caller.ANONYMOUS, reader, null, clock));
  }

  /**
   * The same.
   *
   * @param load how busy the server is
   * @param passing passes callers on to other servers
   * @param callers what elements and users may do that speak ASAP, by what callers may do
   */
  static RnsServer start(
      ServerConfig config, InstantSource clock, ServerLoad load, MessageAuthentication passing,
      Function<AccessReader, AsapAccess> callers) {
    Supplier<Offer> offer = () -> new Offer(config.site(), config.capacity(), load.percent());
    if (config.group().isEmpty()) {
      Database.probe(config.database());
    }
    Database database = new Database(config.database());
    AccessControl control = new AccessControl(config.access(), config.hiding());
    try {
      Membership membership = config.group()
          .<Membership>map(group -> member(config, group, database, clock, offer, control, passing))
          .orElseGet(() -> soleMember(config, database, clock, offer, control));
      try {
        return new RnsServer(config, database, membership, clock, control, passing, callers);
      } catch (RuntimeException | Error e) {
        membership.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  private static GroupMembership member(
      ServerConfig config, GroupSettings group, Database database, InstantSource clock, Supplier<Offer> offer,
      AccessControl control, MessageAuthentication passing) {
    GroupMembership member =
        new GroupMembership(
            group, config.trust(), database, config.entryBytes(), config.writer(), clock, offer, control, passing);
    member.start();
    return member;
  }

  private static SoleMembership soleMember(
      ServerConfig config, Database database, InstantSource clock, Supplier<Offer> offer, AccessControl control) {
    database.migrate();
    LocalNameService names = LocalNameService.start(
        database, config.entryBytes(), config.writer(), clock, control);
    return new SoleMembership(config.name(), config.serverUrl(), names, offer);
  }

  /** The namespace. */
  public NameService service() {
    return service;
  }

  /** What callers may do. */
  public AccessReader access() {
    return access;
  }

  /** The server pools, as far as callers may use them. */
  public PoolService permittedPools() {
    return permittedPools;
  }

  /** Its backups. */
  public Backups backups() {
    return new Backups(database, membership::replace, ServerVersion.TEXT, InstantSource.system());
  }

  /** The server pools. */
  public ServerPools pools() {
    return pools;
  }

  /** Where it answers DNS; empty if it does not. */
  Optional<InetSocketAddress> dnsAddress() {
    return Optional.ofNullable(dns).map(DnsServer::address);
  }

  /** What it knows of the partitions of the tree. */
  Partitions partitions() {
    return partitions;
  }

  /** Whether a request may have to wait for other servers; see {@link Membership#mayWait}. */
  boolean mayWait(List<Target> read, Consistency consistency, Positions seen) {
    return partitions.mayWait(read, consistency, seen) || membership.mayWait(!read.isEmpty(), consistency, seen);
  }

  /** What it says of itself in the explanation of a request. */
  Hop.Self self() {
    LocalNameService copy = membership.copy();
    return new Hop.Self(
        name, group, membership.role().text(), Optional.ofNullable(copy).map(LocalNameService::position));
  }

  /** Its place among the servers of the tree. */
  Membership membership() {
    return membership;
  }

  /** Numbers about this server for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = new TreeMap<>(membership.statistics());
    all.putAll(pools.service().statistics());
    all.putAll(database.statistics());
    all.putAll(partitions.statistics());
    all.putAll(access.control().statistics());
    if (dns != null) {
      all.putAll(dns.statistics());
    }
    return all;
  }

  /** What clients learn about the servers of each part of the tree, to choose among them; the root's first. */
  public List<Referral> referrals() {
    return partitions.known().map(this::referrals)
        .orElseGet(() -> List.of(Announcements.referral(RnsPath.ROOT, membership.announcements(), TTL_MILLIS)));
  }

  /** As many parts as a client keeps; what lies in others is found by their servers. */
  private List<Referral> referrals(PartitionTable known) {
    return known.map().partitions().stream().limit(ReferralTable.MOST)
        .map(
            partition -> Announcements.referral(
                partition.path(),
                partition.group() == known.group()
                    ? membership.announcements()
                    : known.servers().getOrDefault(partition.group(), List.of()),
                TTL_MILLIS))
        .toList();
  }

  /** What DNS answers from. */
  private final class Source implements DnsSource {
    @Override
    public List<URI> servers() {
      return membership.serving();
    }

    @Override
    public PoolService pools() {
      return permittedPools;
    }

    @Override
    public boolean mayWait() {
      return !access.control().of(Caller.ANONYMOUS).areAll();
    }

    @Override
    public boolean mayHavePoolsBelow(RnsPath path) {
      if (!access.hasIn(Caller.ANONYMOUS, Right.READ, path)) {
        return false;
      }
      PermittedPools few = new PermittedPools(pools.service(), access, MOST_HIDDEN);
      PoolsRequest next = new PoolsRequest(path, PoolsRequest.PAGE, Optional.empty());
      while (true) {
        PoolPage page = few.pools(next);
        if (!page.pools().isEmpty() || page.next().isEmpty()) {
          return !page.pools().isEmpty();
        }
        next = next.from(page.next().get());
      }
    }
  }

  @Override
  public void close() {
    if (dns != null) {
      dns.close();
    }
    pools.close();
    partitions.close();
    membership.close();
    database.close();
  }
}
