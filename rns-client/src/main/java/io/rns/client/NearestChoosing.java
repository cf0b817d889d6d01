package io.rns.client;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.client.KnownServers.Known;
import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Choice;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerCandidate;
import io.rns.referral.ServerOrder;
import io.rns.referral.Site;
import io.rns.referral.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * Chooses for each call among all reported servers: {@link Selection#NEAREST}. Safe for use by many threads.
 */
final class NearestChoosing implements Choosing {
  private static final Duration QUESTION = Duration.ofSeconds(2);

  /** Threads that query servers on a refresh. */
  private static final int MOST_AT_ONCE = 32;

  private final Servers servers;
  private final ReferralKeeper referrals;
  private final Site site;
  private final Ticker ticker;
  private final LongUnaryOperator random;
  private final Map<Integer, Since> since = new ConcurrentHashMap<>();
  private volatile KnownServers known;

  /**
   * A choice among servers.
   *
   * @param random gives a number from zero up to, and without, its argument
   */
  NearestChoosing(Servers servers, ReferralKeeper referrals, Site site, Ticker ticker, LongUnaryOperator random) {
    this.servers = servers;
    this.referrals = referrals;
    this.site = site;
    this.ticker = ticker;
    this.random = random;
    this.known = KnownServers.of(referrals.table(), servers);
  }

  /** The latest position of a group that a call had to see, and when the first one came that had to. */
  private record Since(Position position, long nanos) {}

  @Override
  public Servers servers() {
    return servers;
  }

  private KnownServers known() {
    KnownServers last = known;
    return last.isOf(referrals.table()) ? last : renewed();
  }

  private synchronized KnownServers renewed() {
    ReferralTable table = referrals.table();
    if (!known.isOf(table)) {
      known = KnownServers.of(table, servers);
    }
    return known;
  }

  private static List<ServerCandidate> candidates(List<Known> servers, long now) {
    List<ServerCandidate> candidates = new ArrayList<>(servers.size());
    for (Known each : servers) {
      candidates.add(new ServerCandidate(each.announcement(), each.told(), each.server().conduct().at(now)));
    }
    return candidates;
  }

  private List<Choice> order(List<ServerCandidate> candidates, Wish wish) {
    return ServerOrder.of(candidates, wish, bound -> (int) random.applyAsLong(bound));
  }

  private Wish wish(CallContext call, boolean atPrimary, List<ServerCandidate> candidates) {
    Optional<Position> required =
        atPrimary || !(call.consistency() instanceof Consistency.Session)
            ? Optional.empty()
            : required(call.seen(), candidates);
    if (required.isEmpty()) {
      return new Wish(atPrimary, Optional.empty(), 0, site);
    }
    Position seen = required.get();
    long now = ticker.nanos();
    Since last = since.get(seen.group());
    if (last == null || !last.position().covers(seen)) {
      last = new Since(seen, now);
      since.put(seen.group(), last);
    }
    return new Wish(false, required, TimeUnit.NANOSECONDS.toMillis(now - last.nanos()), site);
  }

  /**
   * The position that the servers of a part must have for a session: that of their group. While their group is unknown,
   * any position seen excludes all but the primary.
   */
  private static Optional<Position> required(Positions seen, List<ServerCandidate> candidates) {
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    for (ServerCandidate candidate : candidates) {
      Optional<Position> at = candidate.server().position();
      if (at.isPresent()) {
        return seen.of(at.get().group());
      }
    }
    return Optional.of(seen.each().get(0));
  }

  @Override
  public RnsPath part(Supplier<Subject.Place> place) {
    KnownServers all = known();
    return all.isDivided() ? all.prefix(place.get(), ticker.nanos()) : RnsPath.ROOT;
  }

  @Override
  public List<RnsPath> parts() {
    return known().parts(ticker.nanos());
  }

  @Override
  public int size(RnsPath part) {
    return known().at(part, ticker.nanos()).servers().size();
  }

  @Override
  public Turn next(CallContext call, RnsPath part, boolean atPrimary, int places) {
    long now = ticker.nanos();
    List<Known> here = known().at(part, now).servers();
    List<ServerCandidate> candidates = candidates(here, now);
    List<Choice> order = order(candidates, wish(call, atPrimary, candidates));
    Server server = server(here, candidates, order.get(places % order.size()).candidate());
    return new Turn(server, server.conduct().isFailing() && order.stream().anyMatch(NearestChoosing::isWell));
  }

  @SuppressWarnings("ReferenceEquality") // the candidate itself: equal ones may be of two servers
  private static Server server(List<Known> servers, List<ServerCandidate> candidates, ServerCandidate chosen) {
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.get(i) == chosen) {
        return servers.get(i).server();
      }
    }
    throw new IllegalStateException("chosen was what could not be");
  }

  private static boolean isWell(Choice choice) {
    return choice.server().living() && choice.candidate().experience().failedMillis() < 0;
  }

  @Override
  public String reason(CallContext call, RnsPath part, boolean atPrimary, Server server) {
    long now = ticker.nanos();
    List<Known> here = known().at(part, now).servers();
    List<ServerCandidate> candidates = candidates(here, now);
    String choice =
        order(candidates, wish(call, atPrimary, candidates)).stream()
            .filter(each -> server(here, candidates, each.candidate()) == server).findFirst()
            .map(Choice::reason).orElse("not reported any more");
    return referrals.table().at(part, now)
        .map(row -> "best of " + here.size() + " servers for " + row.referral().prefix() + ", by a referral "
            + TimeUnit.NANOSECONDS.toMillis(now - row.toldNanos()) + " ms old, valid for "
            + TimeUnit.NANOSECONDS.toMillis(row.nanosLeft(now)) + " ms: " + choice)
        .orElse(choice);
  }

  /** Of a read it also counts how long it took and how far the server had got: a write takes the time of a commit. */
  @Override
  public <A> A ask(Server server, boolean atPrimary, Supplier<A> question) {
    ServerHistory conduct = server.conduct();
    long started = ticker.nanos();
    conduct.begun();
    try {
      A answer = question.get();
      if (!atPrimary && answer instanceof Answer.Served<?> read) {
        long now = ticker.nanos();
        conduct.answered(now, now - started, read.positions());
      } else {
        conduct.answered();
      }
      return answer;
    } catch (RnsException e) {
      if (isOfLiving(e)) {
        conduct.answered();
      }
      throw e;
    } finally {
      conduct.ended();
    }
  }

  /**
   * Whether an error says that a server works: it looked at the request. What may be of the client itself says nothing.
   */
  private static boolean isOfLiving(RnsException e) {
    return switch (e.error().kind()) {
      case CALLER -> e.error() != RnsError.LIMIT_EXCEEDED && e.error() != RnsError.UNKNOWN_OPERATION;
      case ELSEWHERE -> true;
      case TRANSIENT -> e.error() == RnsError.STORAGE_FULL;
      case BUG -> false;
    };
  }

  @Override
  public void failed(Server server, RnsException why) {
    long least = TimeUnit.MILLISECONDS.toNanos(why.retryMillis().orElse(0));
    server.conduct().failed(ticker.nanos(), least, random);
    referrals.doubt();
  }

  @Override
  public void misled() {
    referrals.doubt();
  }

  @Override
  public void answered(RnsPath part, int group) {
    OptionalInt reported = known().at(part, ticker.nanos()).group();
    if (reported.isPresent() && reported.getAsInt() != group) {
      referrals.passedOn();
    }
  }

  @Override
  public boolean finds(Server server, boolean referred) {
    return !referred;
  }

  @Override
  public List<Choice> choices(RnsPath directory, boolean atPrimary) {
    long now = ticker.nanos();
    KnownServers.Part part = known().at(directory, now);
    List<ServerCandidate> candidates = candidates(part.servers(), now);
    part.others().forEach(server -> candidates.add(ServerCandidate.unused(server)));
    return order(candidates, atPrimary ? Wish.write(site) : Wish.read(site));
  }

  @Override
  public void refresh() {
    Set<Server> all = known().all();
    referrals.forget();
    all.forEach(server -> server.conduct().forget());
    referrals.whileAllAsk(() -> askAll(all));
  }

  private void askAll(Set<Server> all) {
    List<Callable<Void>> questions = new ArrayList<>();
    for (Server server : all) {
      questions.add(
          () -> {
            ask(server);
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, all.size()), NearestChoosing::thread);
    try {
      for (Future<Void> answered : threads.invokeAll(questions)) {
        answered.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a server could not be queried", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread thread(Runnable question) {
    Thread thread = new Thread(question, "rns-client-refresh");
    thread.setDaemon(true);
    return thread;
  }

  private void ask(Server server) {
    try {
      CallContext here = CallContext.ANONYMOUS.with(Consistency.ANY).with(Routing.HERE);
      var unused =
          ask(server, false,
              () -> server.service().until(Deadline.in(QUESTION, ticker)).query(here, QueryRequest.of(Target.ROOT)));
    } catch (RnsException e) {
      boolean full = e.error() == RnsError.BUSY;
      if (!full && Referrals.isOfServer(e) && servers.isOpen() && !Thread.currentThread().isInterrupted()) {
        failed(server, e);
      }
    }
  }
}
