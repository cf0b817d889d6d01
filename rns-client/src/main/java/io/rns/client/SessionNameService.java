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
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.Routing;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.SoapAddress;
import io.rns.client.subtree.SubtreeStream;
import io.rns.pool.PoolService;
import io.rns.referral.Choice;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
  private final Optional<Duration> subtrees;
  private final AtomicReference<Seen> seen = new AtomicReference<>();

  /** For subtrees; made when the first one is read, and ends when it is no longer referred to. Guarded by this. */
  private @Nullable HttpCalls http;

  /**
   * A session.
   *
   * @param subtrees how long one that broke off may wait to go on; empty to read none at once
   */
  SessionNameService(NameService service, Consistency consistency, Routing routing, PoolService pools,
      Choosing choosing, Optional<Duration> subtrees) {
    this.subtrees = subtrees;
    this.pools = pools;
    this.choosing = choosing;
    this.service = service;
    this.consistency = consistency;
    this.routing = routing;
    seen.set(seen(Map.of(), Optional.empty()));
  }

  /**
   * What was seen so far.
   *
   * @param groups the last position of each server group
   * @param last that of the group that answered last
   * @param anonymous the context of the usual call, made once for all of them
   */
  private record Seen(Map<Integer, Position> groups, Optional<Position> last, CallContext anonymous) {
    /** Whether a position changes anything. */
    boolean isBehind(Position position) {
      return last.isEmpty() || !last.get().covers(position);
    }
  }

  private Seen seen(Map<Integer, Position> groups, Optional<Position> last) {
    Optional<Position> told = isSession(consistency) ? last : Optional.empty();
    CallContext call = CallContext.ANONYMOUS;
    return new Seen(groups, last, new CallContext(call.caller(), call.requestId(), consistency, told, routing));
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
    if (call.routing() == Routing.HERE) {
      // Forwarded unchanged.
      return call;
    }
    boolean says = call.seen().isPresent() || !isSession(call.consistency());
    Consistency asked = says ? call.consistency() : consistency;
    Optional<Position> told = isSession(asked) ? later(call.seen(), now.last()) : call.seen();
    Routing routed = call.routing() == Routing.FORWARD ? routing : call.routing();
    return new CallContext(call.caller(), call.requestId(), asked, told, routed);
  }

  /** Of two positions the later one; of two groups, the one that the caller names. */
  private static Optional<Position> later(Optional<Position> named, Optional<Position> last) {
    if (named.isEmpty() || last.isEmpty()) {
      return named.isEmpty() ? last : named;
    }
    return last.get().covers(named.get()) ? last : named;
  }

  @Override
  public Optional<Position> position() {
    return seen.get().last();
  }

  @Override
  public void seen(Position position) {
    if (position.epoch() == 0 && position.sequence() == 0) {
      // Not from a server: stands for an answer without a position.
      return;
    }
    Seen now = seen.get();
    while (now.isBehind(position) && !seen.compareAndSet(now, after(now, position))) {
      now = seen.get();
    }
  }

  private Seen after(Seen now, Position position) {
    Map<Integer, Position> groups = new HashMap<>(now.groups());
    Position last = groups.merge(position.group(), position, (old, other) -> old.covers(other) ? old : other);
    return seen(groups, Optional.of(last));
  }

  @Override
  public PoolService pools() {
    return pools;
  }

  @Override
  public List<Choice> servers(boolean write) {
    return choosing.choices(write);
  }

  @Override
  public void refreshServers() {
    choosing.refresh();
  }

  private <A> Answer<A> remembered(Answer<A> answer) {
    seen(answer.position());
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
                this::servers, () -> in(CallContext.ANONYMOUS), this::seen, this::http, patience),
            request));
  }

  /** The addresses of the servers, the one to ask first. */
  private List<URI> servers() {
    List<Choice> choices = choosing.choices(false);
    if (!choices.isEmpty()) {
      return choices.stream().map(choice -> SoapAddress.server(URI.create(choice.server().url()))).toList();
    }
    Servers named = choosing.servers();
    return IntStream.range(0, named.size()).mapToObj(named::behind).map(Server::endpoint).map(SoapAddress::server)
        .toList();
  }

  private synchronized HttpCalls http() {
    if (http == null) {
      http = new HttpCalls(CONNECT_TIMEOUT);
    }
    return http;
  }

  @Override
  public void close() {
    service.close();
  }
}
