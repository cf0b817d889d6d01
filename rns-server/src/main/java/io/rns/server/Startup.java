package io.rns.server;

import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.association.AsapAccess;
import io.rns.client.http.MessageAuthentication;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import io.rns.pool.PoolService;
import io.rns.referral.Referral;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.backup.Backups;
import io.rns.server.group.Membership;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.partition.Partitions;
import io.rns.server.store.Database;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server when its database can be reached, which may be later than the application server deploys it, and says
 * meanwhile what it waits for.
 *
 * <p>Thread-safe.
 */
final class Startup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Startup.class);
  private static final long PAUSE_MILLIS = 1_000;

  private final ServerConfig config;
  private final ServerLoad load;
  private final MessageAuthentication passing;
  private final Function<AccessReader, AsapAccess> callers;
  private final Consumer<RnsServer> ready;
  private final Thread thread = Thread.ofPlatform().name("rns-startup").daemon().unstarted(this::run);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String reason = "starting";
  private volatile @Nullable RnsServer server;

  /**
   * Prepares a start.
   *
   * @param load returns the load of the server
   * @param passing passes callers on to other servers
   * @param callers what elements and users may do that speak ASAP, by what callers may do
   * @param ready notified once, before any other part that the server serves
   */
  Startup(
      ServerConfig config, ServerLoad load, MessageAuthentication passing,
      Function<AccessReader, AsapAccess> callers, Consumer<RnsServer> ready) {
    this.passing = passing;
    this.callers = callers;
    this.config = config;
    this.load = load;
    this.ready = ready;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      do {
        if (attempt()) {
          return;
        }
      } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      LOG.info("interrupted while starting");
    }
  }

  /** Starts the server if that is possible now. */
  boolean attempt() {
    try {
      RnsServer started = RnsServer.start(config, InstantSource.system(), load, passing, callers);
      // In this order: when listeners learn that it serves, requests are answered.
      ready.accept(started);
      server = started;
      LOG.info("{} on {}", config.group().map(group -> "a member, " + group).orElse("serving"), config.database());
      return true;
    } catch (RuntimeException e) {
      failed(e);
      return false;
    }
  }

  /** Says why, without the address: anybody may ask. The log has all of it, once for each cause. */
  private void failed(RuntimeException e) {
    boolean away = e instanceof RnsException known && known.error() == RnsError.UNAVAILABLE;
    String now = (away ? "waiting for the database: " : "cannot start: ") + e.getMessage();
    if (!now.equals(reason)) {
      reason = now;
      String detail = e instanceof RnsException known ? Database.detail(known) : "";
      LOG.warn("{} at {}{}", now, config.database(), detail.isEmpty() ? "" : " (" + detail + ")", away ? null : e);
    }
  }

  /** The server, or null as long as it does not serve. */
  @Nullable
  RnsServer server() {
    return server;
  }

  /** The changes of the server, or null as long as it does not serve. */
  @Nullable
  ChangeFeed changes() {
    RnsServer started = server;
    return started == null ? null : started.membership().changes();
  }

  /** The namespace beside the server, or null as long as it has none. */
  @Nullable
  LocalNameService copy() {
    RnsServer started = server;
    return started == null ? null : started.membership().copy();
  }

  /**
   * Where a directory of this server's own tree lies, as {@link LocalNameService#place}.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the server has no tree now
   */
  Optional<RnsPath> directory(EntryId directory) {
    LocalNameService copy = copy();
    if (copy == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server has no copy of the tree now");
    }
    return copy.place(directory);
  }

  /** The names of the server, or null as long as it does not serve. */
  @Nullable
  NameService names() {
    RnsServer started = server;
    return started == null ? null : started.service();
  }

  /** The backups of the server, or null as long as it does not serve. */
  @Nullable
  Backups backups() {
    RnsServer started = server;
    return started == null ? null : started.backups();
  }

  /** The partitions as the server knows them, or null as long as it does not serve. */
  @Nullable
  Partitions partitions() {
    RnsServer started = server;
    return started == null ? null : started.partitions();
  }

  /**
   * What the server knows of the partitions.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not know them yet
   */
  PartitionTable partitionTable() {
    RnsServer started = server;
    if (started == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
    }
    return started.partitions().table();
  }

  /** The pools of the server, or null as long as it does not serve. */
  @Nullable
  PoolService pools() {
    RnsServer started = server;
    return started == null ? null : started.permittedPools();
  }

  /** The servers of each part of the tree, the root's first, once this one serves. */
  List<Referral> referrals() {
    return Objects.requireNonNull(server, reason).referrals();
  }

  /** What callers may do, or null as long as the server does not serve. */
  @Nullable
  AccessReader access() {
    RnsServer started = server;
    return started == null ? null : started.access();
  }

  /** The membership of the server in its group; null as long as it does not serve. */
  @Nullable
  Membership membership() {
    RnsServer started = server;
    return started == null ? null : started.membership();
  }

  /** How often the server has begun to drain. */
  int drains() {
    RnsServer started = server;
    return started == null ? 0 : started.membership().drains();
  }

  /** Why it does not serve yet. */
  String reason() {
    return reason;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RnsServer started = server;
    if (started != null) {
      started.close();
    }
  }
}
