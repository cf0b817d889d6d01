package io.rns.server.group;

import io.rns.client.http.TlsTrust;
import io.rns.permission.AccessControl;
import io.rns.replication.member.GroupSettings;
import io.rns.replication.member.LocalMember;
import io.rns.replication.member.MemberLoop;
import io.rns.replication.member.OtherMembers;
import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Forwarding;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.RoutingNameService;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.server.memory.RequestMemory;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseMembers;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this server in a group of several: looks at the other members again and again, and has this one
 * take the role that follows. Thread-safe.
 */
public final class GroupMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);
  private static final Duration CONNECT = Duration.ofSeconds(1);
  /** A primary whose database hangs notices the next one no later. */
  private static final Duration DATABASE_TIMEOUT = Duration.ofSeconds(2);

  private final GroupSettings settings;
  private final Supplier<Offer> offer;
  private final Draining draining = new Draining();
  private final String access;
  private final AccessModes modes = new AccessModes();
  private final CurrentRole standings = new CurrentRole(RoleState.starting("starting"));
  private final LocalMember<LocalNameService> local;
  private final RoutingNameService service;
  private final SignedCalls calls;
  private final OtherMembers peers;
  private final MemberLoop loop;
  private final Thread thread = Thread.ofPlatform().name("rns-group").daemon().unstarted(this::run);
  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * Prepares a membership; nothing is reached before {@link #start}.
   *
   * @param trust the certificates accepted from servers
   * @param offer what this server announces to clients
   * @param control what callers may do
   */
  public GroupMembership(
      GroupSettings settings,
      TlsTrust trust,
      Database database,
      long cacheBytes,
      WriterSettings writer,
      InstantSource clock,
      Supplier<Offer> offer,
      AccessControl control,
      MessageAuthentication passing) {
    this.settings = settings;
    this.offer = () -> offer.get().draining(draining.isNow());
    this.access = control.policy().mode().text();
    this.calls = new SignedCalls(CONNECT, trust, settings.secret(), clock, LOG::warn);
    this.peers = new OtherMembers(settings.url(), settings.servers(), this::member, Timing.system());
    this.local =
        new LocalMember<>(
            settings,
            database::migrate,
            () -> DatabaseMembers.of(
                settings.topology(), database.url(), settings.controlUser(), settings.controlPassword(),
                DATABASE_TIMEOUT),
            () -> LocalNameService.open(
                database, cacheBytes, writer, clock, control, settings.topology() == Topology.GROUP),
            standings,
            peers,
            writer.lease(),
            Timing.system());
    this.loop = new MemberLoop(settings, local, peers, this::member, writer.lease(), Timing.system());
    this.service = new RoutingNameService(
        standings, new Forwarding(passing, writer.timeout(), trust, GroupMembership::noteAnswer), writer.timeout());
  }

  /** What the primary answers is held here as it came, and as entries, until it has been passed on. */
  public static void noteAnswer(long bytes) {
    RequestMemory memory = RequestMemory.current();
    memory.take(2 * bytes);
    memory.keepRead(2 * bytes);
  }

  /** Begins to look at the group. */
  public void start() {
    peers.start();
    thread.start();
  }

  @Override
  public NameService service() {
    return service;
  }

  @Override
  public boolean mayWait(boolean read, Consistency consistency, Positions seen) {
    return service.mayWait(read, consistency, seen);
  }

  @Override
  public @Nullable LocalNameService copy() {
    LocalNameService copy = local.copy();
    return copy == null || standings.now().copy().isEmpty() ? null : copy;
  }

  @Override
  public @Nullable ChangeFeed changes() {
    LocalNameService copy = copy();
    return copy == null ? null : copy.changes();
  }

  @Override
  public ServerRole role() {
    return Announcements.role(standings.now(), offer.get());
  }

  @Override
  public int drains() {
    return draining.times();
  }

  @Override
  public Map<String, Number> statistics() {
    LocalNameService copy = local.copy();
    return copy == null ? Map.of() : copy.statistics();
  }

  @Override
  public Optional<String> writeTrouble() {
    LocalNameService copy = local.copy();
    return copy == null ? Optional.empty() : copy.writeTrouble();
  }

  @Override
  public Optional<String> nextPrimary() {
    return loop.next(reports());
  }

  @Override
  public Optional<String> failoverTrouble() {
    return loop.waiting();
  }

  @Override
  public Optional<String> trouble() {
    RoleState standing = standings.now();
    if (standing.copy().isPresent() && standing.primary().isPresent()) {
      return Optional.empty();
    }
    String reason = standing.reason().isEmpty() ? "no primary is known" : standing.reason();
    return Optional.of(loop.waiting().map(why -> reason + "; failover waits: " + why).orElse(reason));
  }

  /** This server. */
  MemberReport report() {
    return local.report().with(offer.get()).withAccess(access);
  }

  @Override
  public Optional<String> accessTrouble() {
    return AccessModes.difference(accessModes());
  }

  /** What access rules mean at the servers that report it. */
  private SortedMap<String, String> accessModes() {
    SortedMap<String, String> known = new TreeMap<>();
    peers.reports().stream().filter(each -> !each.access().isEmpty())
        .forEach(each -> known.put(each.name(), each.access()));
    known.put(settings.name(), access);
    return known;
  }

  @Override
  public List<Announcement> announcements() {
    List<Announcement> all = new ArrayList<>();
    LocalNameService copy = local.copy();
    all.add(Announcements.of(settings.name(), settings.url(), standings.now(), Optional.ofNullable(copy), offer.get()));
    peers.reports().stream().map(Announcements::of).forEach(all::add);
    unreachable().forEach((url, name) -> all.add(Announcement.unreachable(url, name)));
    return all;
  }

  @Override
  public List<MemberReport> reports() {
    List<MemberReport> reports = new ArrayList<>();
    reports.add(report());
    reports.addAll(peers.reports());
    reports.sort((a, b) -> a.name().compareTo(b.name()));
    return reports;
  }

  @Override
  public Map<String, String> unreachable() {
    return peers.unreachable();
  }

  @Override
  public List<URI> serving() {
    return reports().stream()
        .filter(report -> report.reason().isEmpty() && !report.url().isEmpty())
        .map(report -> URI.create(report.url()))
        .toList();
  }

  @Override
  public Position replace(Runnable replacing) {
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "a backup is restored to a server without a group; create the group from its database afterwards");
  }

  /** Another server of the group has asked this one. Of a new one the others learn in no other way. */
  void hear(String url) {
    peers.hear(url);
  }

  LocalMember<LocalNameService> local() {
    return local;
  }

  /** A change of the primary among all members that are known; where it makes no difference, this one takes it. */
  Handover handover() {
    return loop.handover();
  }

  /** The primary, if there is one that takes writes at this moment. */
  Optional<MemberReport> servingPrimary() {
    return MemberReport.primary(reports())
        .flatMap(claimed -> reportOf(claimed.url()))
        .filter(report -> report.role() == Role.PRIMARY && report.reason().isEmpty())
        .filter(report -> report.database().filter(GroupMembership::isHeard).isPresent());
  }

  private Optional<MemberReport> reportOf(String url) {
    try {
      return Optional.of(member(url).report());
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  private static boolean isHeard(DatabaseReport database) {
    return database.writable() && database.acknowledging().orElse(1) > 0;
  }

  /**
   * Rebuilds the copy of this server from the primary's.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if no primary is known
   */
  MemberReport join() {
    MemberReport primary =
        MemberReport.primary(peers.reports())
            .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "no other server is known as the primary"));
    MemberReport report = local.join(primary);
    if (peers.excludes(settings.url())) {
      MemberList unused = other(primary.url()).addMember(settings.url());
    }
    return report;
  }

  /**
   * Adds a member at the primary, wherever that is.
   *
   * @param here only if it is this server
   * @throws RnsException as {@link LocalMember#add}
   */
  MemberList addMember(String url, boolean here) {
    return here || isPrimary() ? local.add(member(url)) : primary().addMember(url);
  }

  /**
   * Removes a member at the primary, wherever that is.
   *
   * @param here only if it is this server
   * @throws RnsException as {@link LocalMember#forget}
   */
  MemberList forgetMember(String url, boolean stopped, boolean here) {
    return here || isPrimary() ? local.forget(member(url), stopped) : primary().forgetMember(url, stopped);
  }

  /**
   * The address of the server that has to become the primary before this one drains; empty if this one is a replica.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if all servers that clients could choose are draining
   */
  Optional<String> successor() {
    Announcement other = peers.reports().stream().map(Announcements::of)
        .filter(each -> each.living() && each.role() != ServerRole.DRAINING && each.position().isPresent())
        .max(Comparator.comparing(each -> each.position().orElseThrow()))
        .orElseThrow(() -> new RnsException(RnsError.INVALID_REQUEST,
            settings.name() + " cannot drain: no other server of the group answers clients and is not draining"));
    return isPrimary() ? Optional.of(other.url()) : Optional.empty();
  }

  /** Has clients choose other servers from now on. */
  void beginDraining() {
    draining.begin();
  }

  /** Has clients choose this server again. */
  void endDraining() {
    draining.end();
  }

  private boolean isPrimary() {
    return standings.now().role() == Role.PRIMARY;
  }

  private HttpMember primary() {
    return MemberReport.primary(peers.reports()).map(report -> other(report.url()))
        .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "no primary is known"));
  }

  /** The members, those that do not answer included. */
  MemberTableJson members() {
    return MemberTableJson.of(peers.list(), reports());
  }

  private GroupMember member(String url) {
    return url.equals(settings.url()) ? local : other(url);
  }

  private HttpMember other(String url) {
    return new HttpMember(calls, url, settings.url());
  }

  private void run() {
    try {
      do {
        try {
          loop.turn();
          modes.look(accessModes());
        } catch (RuntimeException e) {
          LOG.error("polling the group failed", e);
        }
      } while (!closing.await(OtherMembers.LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      LOG.info("interrupted while polling the group");
    }
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    peers.close();
    service.close();
    local.close();
    calls.close();
  }
}
