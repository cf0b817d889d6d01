package io.rns.client;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Candidate;
import io.rns.referral.Choice;
import io.rns.referral.Referral;
import io.rns.referral.ServerOrder;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.referral.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses for each call among all servers that are told of: {@link Selection#NEAREST}. Safe for use by many threads. */
final class NearestChoosing implements Choosing {
  private static final Duration QUESTION = Duration.ofSeconds(2);

  private final Servers servers;
  private final ReferralKeeper referrals;
  private final Site site;
  private final Ticker ticker;
  private final LongUnaryOperator random;
  private volatile Since since = new Since(null, 0);

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
  }

  /** The latest position that a call had to see, and when the first one came that had to. */
  private record Since(@Nullable Position position, long nanos) {}

  /** A server with what is told of it. */
  private record Known(Server server, Candidate candidate) {}

  @Override
  public Servers servers() {
    return servers;
  }

  private List<Known> known() {
    long now = ticker.nanos();
    List<Known> known = new ArrayList<>();
    List<Server> unnamed = new ArrayList<>(servers.own());
    for (Announcement announcement : referrals.at(RnsPath.ROOT).map(Referral::servers).orElse(List.of())) {
      Optional<Server> server = servers.at(announcement.url());
      if (server.isPresent()) {
        unnamed.remove(server.get());
        known.add(new Known(server.get(), new Candidate(announcement, true, server.get().conduct().at(now))));
      }
    }
    for (Server server : unnamed) {
      known.add(new Known(server, new Candidate(named(server), false, server.conduct().at(now))));
    }
    return known;
  }

  /** A server of which only the address is known: it may be anything. */
  private static Announcement named(Server server) {
    String address = server.endpoint().toString();
    return new Announcement(address, address, ServerRole.REPLICA, Site.NONE, 1, 0, 0, Optional.empty());
  }

  private List<Choice> order(List<Known> known, Wish wish) {
    return ServerOrder.of(known.stream().map(Known::candidate).toList(), wish, bound -> (int) random.applyAsLong(bound));
  }

  private Wish wish(CallContext call, boolean atPrimary) {
    if (atPrimary || !(call.consistency() instanceof Consistency.Session) || call.seen().isEmpty()) {
      return new Wish(atPrimary, Optional.empty(), 0, site);
    }
    Position seen = call.seen().get();
    long now = ticker.nanos();
    Since last = since;
    Position latest = last.position();
    if (latest == null || !latest.covers(seen)) {
      last = new Since(seen, now);
      since = last;
    }
    return new Wish(false, call.seen(), TimeUnit.NANOSECONDS.toMillis(now - last.nanos()), site);
  }

  @Override
  public int size() {
    return referrals.at(RnsPath.ROOT).map(told -> Math.max(1, told.servers().size())).orElseGet(servers::size);
  }

  @Override
  public Turn next(CallContext call, boolean atPrimary, int places) {
    List<Known> known = known();
    List<Choice> order = order(known, wish(call, atPrimary));
    Candidate chosen = order.get(places % order.size()).candidate();
    Server server = server(known, chosen);
    return new Turn(server, server.conduct().isFailing() && order.stream().anyMatch(NearestChoosing::isWell));
  }

  private static Server server(List<Known> known, Candidate chosen) {
    for (Known one : known) {
      if (one.candidate().equals(chosen)) {
        return one.server();
      }
    }
    throw new IllegalStateException("chosen was what could not be");
  }

  private static boolean isWell(Choice choice) {
    return choice.server().living() && choice.candidate().experience().failedMillis() < 0;
  }

  /** Of a read it also counts how long it took and how far the server had got: a write takes the time of a commit. */
  @Override
  public <A> A ask(Server server, boolean atPrimary, Supplier<A> question) {
    Conduct conduct = server.conduct();
    long started = ticker.nanos();
    conduct.begun();
    try {
      A answer = question.get();
      if (!atPrimary && answer instanceof Answer<?> read) {
        long now = ticker.nanos();
        conduct.answered(now, now - started, read.position());
      } else {
        conduct.answered();
      }
      return answer;
    } finally {
      conduct.ended();
    }
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
  public boolean finds(Server server, boolean referred) {
    return !referred;
  }

  @Override
  public List<Choice> choices(boolean atPrimary) {
    return order(known(), atPrimary ? Wish.write(site) : Wish.read(site));
  }

  @Override
  public void refresh() {
    List<Known> known = known();
    referrals.forget();
    known.forEach(one -> one.server().conduct().forget());
    for (Known one : known) {
      referrals.doubt();
      ask(one.server());
    }
  }

  private void ask(Server server) {
    try {
      CallContext here = CallContext.ANONYMOUS.with(Consistency.ANY).with(Routing.HERE);
      var unused =
          ask(server, false, () -> server.service().until(Deadline.in(QUESTION, ticker)).query(here, QueryRequest.of(Target.ROOT)));
    } catch (RnsException e) {
      failed(server, e);
    }
  }
}
