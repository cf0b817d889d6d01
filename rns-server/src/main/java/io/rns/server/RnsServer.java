package io.rns.server;

import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.server.backup.Backups;
import io.rns.server.dns.DnsServer;
import io.rns.server.dns.DnsSource;
import io.rns.server.group.Announcements;
import io.rns.server.group.GroupMembership;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.pool.PoolQueries;
import io.rns.server.pool.ServerPools;
import io.rns.server.soap.Waits;
import io.rns.server.store.Database;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One server: its parts, put together by hand, and closed in the opposite order.
 *
 * <p>Thread-safe.
 */
public final class RnsServer implements AutoCloseable {
  /** How long clients may use what they are told of the servers; they ask again much earlier. */
  private static final long TTL_MILLIS = 30_000;

  private final ServerConfig config;
  private final ServerLoad load;
  private final Database database;
  private final @Nullable LocalNameService alone;
  private final @Nullable GroupMembership group;
  private final ServerPools pools;
  private final NameService service;
  private final @Nullable DnsServer dns;

  private RnsServer(
      ServerConfig config,
      ServerLoad load,
      Database database,
      @Nullable LocalNameService alone,
      @Nullable GroupMembership group) {
    this.config = config;
    this.load = load;
    this.database = database;
    this.alone = alone;
    this.group = group;
    this.pools = ServerPools.start(config.pools());
    this.service = new PoolQueries(alone != null ? alone : group().service(), pools.service());
    try {
      this.dns = config.dns().map(settings -> DnsServer.start(settings, new Source(), System::nanoTime)).orElse(null);
    } catch (RuntimeException | Error e) {
      pools.close();
      throw e;
    }
  }

  /**
   * Without a group: connects to the database, brings its schema up to date, and becomes the primary. In a group:
   * begins to look for its place, which may take time.
   *
   * @throws RnsException if the database cannot be reached or used; nothing is left open
   * @throws UncheckedIOException if the registrar of pools, or DNS, cannot listen; the same
   */
  public static RnsServer start(ServerConfig config, InstantSource clock) {
    return start(config, clock, new ServerLoad(() -> 0));
  }

  /**
   * The same.
   *
   * @param load tells how busy the server is
   */
  static RnsServer start(ServerConfig config, InstantSource clock, ServerLoad load) {
    if (config.group().isEmpty()) {
      Database.probe(config.database());
    }
    Database database = new Database(config.database());
    try {
      if (config.group().isPresent()) {
        GroupMembership group =
            new GroupMembership(
                config.group().get(), database, config.cacheBytes(), config.writer(), clock, () -> offer(config, load));
        group.start();
        return withPools(config, load, database, null, group);
      }
      database.migrate();
      LocalNameService names = LocalNameService.start(database, config.cacheBytes(), config.writer(), clock);
      return withPools(config, load, database, names, null);
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  private static Offer offer(ServerConfig config, ServerLoad load) {
    return new Offer(config.site(), config.capacity(), load.percent());
  }

  private static RnsServer withPools(
      ServerConfig config,
      ServerLoad load,
      Database database,
      @Nullable LocalNameService alone,
      @Nullable GroupMembership group) {
    try {
      return new RnsServer(config, load, database, alone, group);
    } catch (RuntimeException | Error e) {
      closeNames(alone, group);
      throw e;
    }
  }

  /** The namespace. */
  public NameService service() {
    return service;
  }

  /** Its backups. */
  public Backups backups() {
    return new Backups(database, alone, ServerVersion.TEXT, InstantSource.system());
  }

  /** The server pools. */
  public ServerPools pools() {
    return pools;
  }

  /** Where it answers DNS; empty if it does not. */
  Optional<InetSocketAddress> dnsAddress() {
    return Optional.ofNullable(dns).map(DnsServer::address);
  }

  /** Its group, if it has one. */
  @Nullable
  GroupMembership membership() {
    return group;
  }

  private GroupMembership group() {
    if (group == null) {
      throw new IllegalStateException("the server is neither alone nor in a group");
    }
    return group;
  }

  /** The committed changes in order, or null while there is nothing to read. */
  public @Nullable ChangeFeed changes() {
    return alone != null ? alone.changes() : group().changes();
  }

  /** Which requests may have to wait for other servers. */
  public Waits waits() {
    return alone != null ? Waits.NEVER : group().service()::mayWait;
  }

  /** Numbers for those who look after the service. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = new TreeMap<>(alone != null ? alone.statistics() : group().statistics());
    all.putAll(pools.service().statistics());
    all.putAll(database.statistics());
    return all;
  }

  /** This server and the others of its group, as far as they are known. */
  public List<MemberReport> reports() {
    if (alone == null) {
      return group().reports();
    }
    MemberReport self =
        new MemberReport(
            config.name(),
            config.serverUrl().orElse(""),
            Role.PRIMARY,
            Optional.of(alone.position()),
            Lag.NONE,
            0,
            trouble().orElse(""),
            Optional.empty(),
            List.of());
    return List.of(self);
  }

  /**
   * What clients are told of the servers, to choose among them. A server that is alone, and has no address for others,
   * tells of none.
   */
  public Referral referral() {
    LocalNameService names = alone;
    if (names == null) {
      return Announcements.referral(group().announcements(), TTL_MILLIS);
    }
    List<Announcement> self = new ArrayList<>();
    Position position = names.position();
    config.serverUrl().ifPresent(url -> self.add(Announcements.of(config.name(), url, position, offer(config, load))));
    return Announcements.referral(self, TTL_MILLIS);
  }

  /** The addresses of the servers of its group that do not answer, with their names. */
  public Map<String, String> unreachable() {
    return alone != null ? Map.of() : group().unreachable();
  }

  /** Why requests are not answered; empty if they are. */
  public Optional<String> trouble() {
    if (alone == null) {
      return group().trouble();
    }
    try {
      alone.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT).withCounts());
      return Optional.empty();
    } catch (RnsException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Why writes are refused for now although reads are answered; empty if they are not. */
  Optional<String> writeTrouble() {
    return alone != null ? alone.writeTrouble() : group().writeTrouble();
  }

  /** What DNS tells. */
  private final class Source implements DnsSource {
    @Override
    public List<URI> servers() {
      if (alone != null) {
        // Whether it serves would be asked of the database, for every question that has no answer.
        return config.serverUrl().map(URI::create).stream().toList();
      }
      return reports().stream()
          .filter(report -> report.reason().isEmpty() && !report.url().isEmpty())
          .map(report -> URI.create(report.url()))
          .toList();
    }

    @Override
    public PoolService pools() {
      return pools.service();
    }

    @Override
    public boolean mayHavePoolsBelow(RnsPath path) {
      return !pools.service().pools(new PoolsRequest(path, 1, Optional.empty())).pools().isEmpty();
    }
  }

  @Override
  public void close() {
    if (dns != null) {
      dns.close();
    }
    pools.close();
    closeNames(alone, group);
    database.close();
  }

  private static void closeNames(@Nullable LocalNameService alone, @Nullable GroupMembership group) {
    if (alone != null) {
      alone.close();
    }
    if (group != null) {
      group.close();
    }
  }
}
