package io.rns.client;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.SoapAddress;
import io.rns.client.http.TlsTrust;
import io.rns.client.subtree.DirectOffers;
import io.rns.client.subtree.SubtreeStream;
import io.rns.error.Limits;
import io.rns.pool.PoolService;
import io.rns.referral.Choice;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import io.rns.wire.ReplyHeaders;

/**
 * Gives every call what the session has seen, its consistency and its routing, and remembers what the answer reflects.
 * What a context says itself goes first.
 */
final class SessionNameService implements RnsConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private final NameService service;
  private final Consistency consistency;
  private final Routing routing;
  private final PoolService pools;
  private final Choosing choosing;
  private final CredentialSource credentials;
  private final Optional<Duration> subtrees;
  private final TlsTrust trust;
  private final DirectOffers direct = new DirectOffers(Ticker.SYSTEM);
  private final AtomicReference<Seen> seen = new AtomicReference<>();

  /** For subtrees; made when the first one is read, and ends when it is no longer referred to. Guarded by this. */
  private @Nullable HttpCalls http;

  /**
   * A session.
   *
   * @param subtrees how long one that broke off may wait to go on; empty to read none at once
   * @param trust the certificates accepted from HTTPS servers
   */
  SessionNameService(NameService service, Consistency consistency, Routing routing, PoolService pools,
      Choosing choosing, Optional<Duration> subtrees, TlsTrust trust,
      CredentialSource credentials) {
    this.trust = trust;
    this.credentials = credentials;
    this.subtrees = subtrees;
    this.pools = pools;
    this.choosing = choosing;
    this.service = service;
    this.consistency = consistency;
    this.routing = routing;
    seen.set(state(Positions.NONE));
  }

  /**
   * What was seen so far.
   *
   * @param positions the latest of each server group
   * @param anonymous the context of the usual call, made once for all of them
   */
  private record Seen(Positions positions, CallContext anonymous) {}

  private Seen state(Positions positions) {
    Positions sent = isSession(consistency) ? positions : Positions.NONE;
    return new Seen(positions, context(CallContext.ANONYMOUS, consistency, sent, routing));
  }

  /** A call that sees positions: all of them, since any server may have another group answer. */
  private static CallContext context(CallContext call, Consistency consistency, Positions seen, Routing routing) {
    boolean many = seen.each().size() > Limits.SESSION_GROUPS;
    return new CallContext(
        call.caller(), call.requestId(), many ? Consistency.PRIMARY : consistency, many ? Positions.NONE : seen,
        routing, call.hops(), call.explanation(), call.origin());
  }

  private static boolean isSession(Consistency consistency) {
    return consistency instanceof Consistency.Session;
  }

  /** A call as a part of this session. */
  @SuppressWarnings("ReferenceEquality") // the usual call is recognised at a glance, any other takes the long way
  private CallContext in(CallContext call) {
    Seen now = seen.get();
    return call == CallContext.ANONYMOUS ? now.anonymous() : in(call, now);
  }

  private CallContext in(CallContext call, Seen now) {
    if (call.routing() == Routing.HERE || call.hops() > 0) {
      // Forwarded unchanged.
      return call;
    }
    boolean says = !call.seen().isEmpty() || !isSession(call.consistency());
    Consistency asked = says ? call.consistency() : consistency;
    Positions told = isSession(asked) ? now.positions().with(call.seen()) : call.seen();
    Routing routed = call.routing() == Routing.FORWARD ? routing : call.routing();
    return context(call, asked, told, routed);
  }

  @Override
  public Positions positions() {
    return seen.get().positions();
  }

  @Override
  public void seen(Positions positions) {
    // Not from a server: stands for an answer without a position.
    Positions told = positions.of(ReplyHeaders.NOWHERE.group()).filter(ReplyHeaders.NOWHERE::equals).isPresent()
        ? positions.without(ReplyHeaders.NOWHERE.group())
        : positions;
    Seen now = seen.get();
    while (!told.each().stream().allMatch(now.positions()::covers)
        && !seen.compareAndSet(now, state(now.positions().with(told)))) {
      now = seen.get();
    }
  }

  @Override
  public PoolService pools() {
    return pools;
  }

  @Override
  public List<Choice> servers(RnsPath directory, boolean write) {
    return choosing.choices(directory, write);
  }

  @Override
  public List<RnsPath> parts() {
    return choosing.parts();
  }

  @Override
  public void refreshServers() {
    choosing.refresh();
  }

  private <A> Answer<A> remembered(Answer<A> answer) {
    seen(answer.positions());
    return answer;
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return remembered(service.add(in(call), request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return remembered(service.list(in(call), request));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return remembered(service.subtree(in(call), request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return remembered(service.query(in(call), request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return remembered(service.update(in(call), request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return remembered(service.remove(in(call), request));
  }

  /** Begins to read a subtree; empty if, by its settings, this session reads none at once. */
  Optional<SubtreeStream> subtree(SubtreeRequest request) {
    return subtrees.map(
        patience -> SubtreeStream.open(
            new SubtreeStream.Session(
                () -> servers(request.directory().path()), () -> in(CallContext.ANONYMOUS), this::seen, this::http,
                direct, patience),
            request));
  }

  /** The addresses of the servers for the content of a directory, the one to ask first. */
  private List<URI> servers(RnsPath directory) {
    List<Choice> choices =
        choosing.choices(directory, false).stream().filter(choice -> choice.candidate().usable()).toList();
    if (!choices.isEmpty()) {
      return choices.stream().map(choice -> SoapAddress.server(URI.create(choice.server().url()))).toList();
    }
    Servers named = choosing.servers();
    return IntStream.range(0, named.size()).mapToObj(named::behind).map(Server::endpoint).map(SoapAddress::server)
        .toList();
  }

  private synchronized HttpCalls http() {
    if (http == null) {
      http = new HttpCalls(CONNECT_TIMEOUT, trust, address -> credentials.authorization(address, Optional.empty()));
    }
    return http;
  }

  @Override
  public void close() {
    closeStreams();
    service.close();
  }

  private synchronized void closeStreams() {
    if (http != null) {
      http.close();
    }
  }
}
