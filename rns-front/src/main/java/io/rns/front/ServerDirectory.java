package io.rns.front;

import io.rns.api.RnsPath;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.TlsTrust;
import io.rns.referral.Announcement;
import io.rns.referral.Choice;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerCandidate;
import io.rns.referral.ServerOrder;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.referral.Wish;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The servers behind a front. A thread asks them for their list ({@code GET /servers}) every second, sooner after a
 * failure, and each request takes one immutable view of it. Thread-safe.
 */
final class ServerDirectory implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ServerDirectory.class.getName());
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int OK = 200;

  private final List<FrontedServer> named;
  private final Site site;
  private final HttpCalls http;
  private final Thread thread;
  private volatile View view;
  private volatile boolean closed;
  private volatile boolean hurried;
  private volatile IntConsumer groups = group -> {};

  /** What is known at a time. */
  private record View(ReferralTable table, Map<String, FrontedServer> servers) {}

  ServerDirectory(List<URI> servers, Site site, TlsTrust trust) {
    this.http = new HttpCalls(TIMEOUT, trust);
    this.named = servers.stream().map(FrontedServer::at).toList();
    this.site = site;
    this.view = new View(ReferralTable.EMPTY, byUrl(named));
    this.thread = Thread.ofPlatform().name("rns-front-servers").daemon().unstarted(this::follow);
  }

  private static Map<String, FrontedServer> byUrl(Collection<FrontedServer> servers) {
    Map<String, FrontedServer> map = new LinkedHashMap<>();
    servers.forEach(server -> map.put(server.url().toString(), server));
    return map;
  }

  void start() {
    thread.start();
  }

  /** Names each server group to a listener, whenever it learns of it; to be called before it starts. */
  void nameGroupsTo(IntConsumer listener) {
    groups = listener;
  }

  /** Which server a request is for. */
  enum Wanted {
    /** Any. */
    ANY,
    /** The primary if that is possible. */
    PRIMARY_FIRST,
    /** The primary, and no other one while it is reported. */
    PRIMARY
  }

  /**
   * A server for a request.
   *
   * @param choice why this one
   * @param among how many could be chosen
   */
  record Chosen(FrontedServer server, Choice choice, int among) {
    /** Why this one, in a few words for people. */
    String reason() {
      return (among == 1 ? "the only server: " : "best of " + among + " servers: ") + choice.reason();
    }
  }

  /**
   * The server for a request.
   *
   * @param path the entry the request is about, as far as known
   * @param wanted which server it is for; {@link Wanted#PRIMARY} gets none if the primary is among those tried
   * @param direct whether the client will fetch the response there: the front learns nothing of how long that takes
   * @param tried servers that failed to answer it
   */
  Optional<Chosen> choose(RnsPath path, Wanted wanted, boolean direct, Set<FrontedServer> tried) {
    View now = view;
    return choose(now, now.table().at(path, System.nanoTime()), named, wanted, direct, tried);
  }

  /**
   * A server of a group, the primary if that is possible; one of those named while no group is reported: a server
   * without others reports none.
   *
   * @param tried servers that failed
   */
  Optional<Chosen> chooseOf(int group, Set<FrontedServer> tried) {
    View now = view;
    boolean reported = now.table().rows().stream().anyMatch(row -> row.referral().group().isPresent());
    return choose(now, now.table().ofGroup(group, System.nanoTime()), reported ? List.of() : named,
        Wanted.PRIMARY_FIRST, false, tried);
  }

  private Optional<Chosen> choose(View now, Optional<ReferralTable.Row> reported, List<FrontedServer> others,
      Wanted wanted, boolean direct, Set<FrontedServer> tried) {
    long nanos = System.nanoTime();
    List<FrontedServer> servers = new ArrayList<>();
    List<ServerCandidate> candidates = new ArrayList<>();
    reported.ifPresent(row -> {
      for (Announcement server : row.referral().servers()) {
        FrontedServer known = now.servers().get(server.url());
        if (known != null && !tried.contains(known)) {
          servers.add(known);
          candidates.add(new ServerCandidate(server, true, direct ? known.asSentTo(nanos) : known.history().at(nanos)));
        }
      }
    });
    for (FrontedServer known : others) {
      if (!servers.contains(known) && !tried.contains(known)) {
        servers.add(known);
        candidates.add(
            new ServerCandidate(unreported(known), false, direct ? known.asSentTo(nanos) : known.history().at(nanos)));
      }
    }
    boolean primaryOnly = wanted == Wanted.PRIMARY && reportsPrimary(now, reported);
    // Also while it rests: it may have refused requests of others only.
    List<ServerCandidate> some =
        primaryOnly ? candidates.stream().filter(each -> isPrimary(each.server())).toList() : candidates;
    if (some.isEmpty()) {
      return Optional.empty();
    }
    Wish wish = wanted == Wanted.ANY ? Wish.read(site) : Wish.write(site);
    Choice best =
        some.size() == 1 ? new Choice(some.getFirst(), wish)
            : ServerOrder.of(some, wish, ThreadLocalRandom.current()::nextInt).getFirst();
    return Optional.of(new Chosen(servers.get(indexOf(candidates, best.candidate())), best, servers.size()));
  }

  /** Whether the primary for an entry is known. */
  boolean reportsPrimary(RnsPath path) {
    View now = view;
    return reportsPrimary(now, now.table().at(path, System.nanoTime()));
  }

  private static boolean reportsPrimary(View now, Optional<ReferralTable.Row> reported) {
    return reported.stream().flatMap(row -> row.referral().servers().stream())
        .anyMatch(server -> isPrimary(server) && now.servers().containsKey(server.url()));
  }

  private static boolean isPrimary(Announcement server) {
    return server.role() == ServerRole.PRIMARY;
  }

  @SuppressWarnings("ReferenceEquality") // the candidate itself: equal ones may be of two servers
  private static int indexOf(List<ServerCandidate> candidates, ServerCandidate chosen) {
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.get(i) == chosen) {
        return i;
      }
    }
    throw new IllegalStateException("the chosen server is no candidate");
  }

  private static Announcement unreported(FrontedServer server) {
    String url = server.url().toString();
    return new Announcement(url, url, ServerRole.REPLICA, Site.NONE, 1, 0, 0, Optional.empty());
  }

  /** The server at an address, also one that is no longer reported. */
  FrontedServer at(String url) {
    FrontedServer known = view.servers().get(url);
    return known == null ? FrontedServer.at(URI.create(url)) : known;
  }

  /** Whether the tree is divided among server groups, so that the path of a request matters. */
  boolean isDivided() {
    return view.table().size() > 1;
  }

  /** The addresses of all known servers. */
  List<String> urls() {
    return List.copyOf(view.servers().keySet());
  }

  /** Asks for the servers soon: a request found that something has changed. */
  void hurry() {
    if (!hurried) {
      hurried = true;
      LockSupport.unpark(thread);
    }
  }

  private void follow() {
    while (!closed) {
      long begun = System.nanoTime();
      view.servers().values().forEach(server -> server.sentTo().updateAndGet(count -> count / 2));
      hurried = false;
      try {
        refresh();
      } catch (InterruptedException e) {
        return;
      }
      while (!closed && !isDue(System.nanoTime() - begun)) {
        LockSupport.parkNanos(hurried ? SOONEST_NANOS : INTERVAL_NANOS);
      }
    }
  }

  private boolean isDue(long nanos) {
    return nanos >= (hurried ? SOONEST_NANOS : INTERVAL_NANOS);
  }

  /** Asks one server after the other until one answers. */
  private void refresh() throws InterruptedException {
    for (FrontedServer server : List.copyOf(view.servers().values())) {
      try {
        HttpCalls.Reply<byte[]> reply =
            http.send(
                new HttpCalls.Call(
                    "GET", URI.create(server.url() + "/servers"), Map.of(), HttpCalls.Body.NONE, TIMEOUT));
        if (reply.status() == OK) {
          learn(ServerListJson.read(reply.body()));
          return;
        }
      } catch (IOException e) {
        LOG.log(Level.FINE, e, () -> "no list of servers from " + server.url());
      }
    }
  }

  /** Takes a list of servers. */
  void learn(List<Referral> report) {
    View before = view;
    ReferralTable table = before.table().with(report, System.nanoTime());
    Map<String, FrontedServer> servers = byUrl(named);
    for (ReferralTable.Row row : table.rows()) {
      for (Announcement server : row.referral().servers()) {
        if (!isFollowed(server.url())) {
          continue;
        }
        FrontedServer known = before.servers().get(server.url());
        servers.computeIfAbsent(server.url(),
            url -> known != null && !known.address().isUnresolved() ? known : FrontedServer.at(URI.create(url)));
      }
    }
    if (!servers.keySet().equals(before.servers().keySet())) {
      LOG.info(() -> "servers: " + String.join(", ", servers.keySet()));
    }
    view = new View(table, Map.copyOf(servers));
    table.rows().forEach(row -> row.referral().group().ifPresent(groups));
  }

  /** Requests have the credentials of clients: with servers of HTTPS, no others are used. */
  private boolean isFollowed(String url) {
    return named.stream().allMatch(server -> SecureAddress.isFollowed(server.url(), URI.create(url)));
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    thread.interrupt();
    http.close();
  }
}
