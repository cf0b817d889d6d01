package io.rns.client;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Hop;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.client.call.Deadline;
import io.rns.client.call.ExchangeFailure;
import io.rns.client.call.Operation;
import io.rns.client.call.Ticker;
import io.rns.client.http.SoapAddress;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a call: at the server in use, or, if only the primary can answer, at the server that answered the last
 * such call. A server that refers to another is followed, a few times.
 *
 * <p>Where a referral leads may be out of this client's reach although the servers reach it. After a failure to connect
 * there, servers forward for a limited time in place of referring.
 */
final class Referrals implements AutoCloseable {
  private static final int MOST_HOPS = 3;
  private static final long FORWARDING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Duration TRIAL = Duration.ofSeconds(2);

  private final Choosing choosing;
  private final Servers servers;
  private final Ticker ticker;

  /** Answered what only the primary can last; null for the server in use. */
  private volatile @Nullable Primary primary;

  /** Until when servers are asked to forward; 0 for never. */
  private volatile long forwardingUntil;

  Referrals(Choosing choosing, Ticker ticker) {
    this.choosing = choosing;
    this.servers = choosing.servers();
    this.ticker = ticker;
  }

  /** Stays with the server in use. */
  Referrals(Servers servers, Ticker ticker) {
    this(new NamedChoosing(servers), ticker);
  }

  /** A server that is the primary of a part of the tree. */
  private record Primary(RnsPath part, Server server) {}

  /** How many servers may be asked. */
  int size(Subject subject) {
    return choosing.size(choosing.part(subject.place()));
  }

  Servers servers() {
    return servers;
  }

  /**
   * Asks.
   *
   * @param places how many of the client's own servers are passed over, since they found no primary
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if no server leads to the primary, and the servers' errors
   */
  <A> A ask(CallContext call, Subject subject, int places, Deadline deadline, Operation<A> operation) {
    boolean atPrimary = subject.write() || call.consistency() instanceof Consistency.Primary;
    RnsPath part = choosing.part(subject.place());
    Server known = atPrimary ? primary(part) : null;
    Choosing.Turn turn = known == null ? choosing.next(call, part, atPrimary, places) : new Choosing.Turn(known, false);
    Deadline end = turn.trial() && !atPrimary ? deadline.butWithin(TRIAL) : deadline;
    Server server = turn.server();
    CallContext asked = call.routing() == Routing.REFER && isForwarding() ? call.with(Routing.FORWARD) : call;
    Supplier<String> reason = known == null
        ? () -> choosing.reason(call, part, atPrimary, turn.server())
        : () -> "it answered the last request that needed the primary";
    for (int hops = 0;; hops++) {
      Server here = server;
      A answer;
      try {
        answer = ask(here, atPrimary, asked, reason, () -> operation.at(here.service(), end, asked));
      } catch (RnsException e) {
        forget(server);
        if (e.error() == RnsError.NOT_PRIMARY) {
          choosing.misled();
        } else if (!isOfPrimary(e, atPrimary)) {
          failed(server, hops > 0 || server == known, e);
        }
        throw e;
      }
      if (!(answer instanceof Answer.Referred<?> referred)) {
        if (answer instanceof Answer.Served<?> served) {
          choosing.answered(part, served.position().group());
        }
        if (atPrimary && server != known) {
          remember(new Primary(part, server), choosing.finds(server, hops > 0));
        }
        return answer;
      }
      forget(server);
      choosing.misled();
      server = next(server, asked, hops, referred);
      reason = () -> SoapAddress.server(here.endpoint()) + " refers to it: " + referred.reason();
    }
  }

  private <A> A ask(
      Server server, boolean atPrimary, CallContext call, Supplier<String> reason, Supplier<A> question) {
    if (call.explanation().isEmpty()) {
      return choosing.ask(server, atPrimary, question);
    }
    String why = reason.get();
    String failure = null;
    long began = ticker.nanos();
    try {
      return choosing.ask(server, atPrimary, question);
    } catch (RnsException e) {
      failure = e.getMessage();
      throw e;
    } finally {
      long micros = TimeUnit.NANOSECONDS.toMicros(ticker.nanos() - began);
      call.explanation().get().add(
          new Hop.Asked(
              SoapAddress.server(server.endpoint()).toString(), why, micros, Optional.ofNullable(failure)));
    }
  }

  /**
   * Whether an error says that a server is well but found no primary that does it, so that other calls stay with it.
   *
   * @param atPrimary whether only the primary could have answered
   */
  static boolean isOfPrimary(RnsException e, boolean atPrimary) {
    boolean told = e.getCause() == null && (e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT);
    return e.error() == RnsError.NOT_PRIMARY || (atPrimary && told);
  }

  private boolean isForwarding() {
    long until = forwardingUntil;
    return until != 0 && until - ticker.nanos() > 0;
  }

  private void forward() {
    long until = ticker.nanos() + FORWARDING_NANOS;
    forwardingUntil = until == 0 ? 1 : until;
  }

  private @Nullable Server primary(RnsPath part) {
    Primary known = primary;
    return known != null && known.part().equals(part) ? known.server() : null;
  }

  private void remember(Primary answered, boolean found) {
    Primary known = primary;
    if (!found) {
      primary = answered;
    } else if (known != null && known.part().equals(answered.part())) {
      primary = null;
    }
  }

  private void forget(Server server) {
    Primary known = primary;
    if (known != null && known.server() == server) {
      primary = null;
    }
  }

  /** Whether an error says that a server cannot answer, or not now, so that another one is to be asked. */
  static boolean isOfServer(RnsException e) {
    boolean full = e.error() == RnsError.BUSY && e.retryMillis().isPresent();
    return e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT || full;
  }

  /** What a failure teaches, unless it is of this client itself. */
  private void failed(Server server, boolean referred, RnsException e) {
    if (isOfServer(e) && servers.isOpen() && !Thread.currentThread().isInterrupted()) {
      choosing.failed(server, e);
      if (referred && ExchangeFailure.leftNothing(e)) {
        forward();
      }
    }
  }

  private Server next(Server server, CallContext asked, int hops, Answer.Referred<?> referred) {
    if (asked.routing() != Routing.REFER) {
      throw referred.toException();
    }
    if (hops == MOST_HOPS) {
      throw new RnsException(
          RnsError.NOT_PRIMARY,
          server.endpoint() + " refers to " + referred.server() + " after " + MOST_HOPS + " other referrals",
          referred.toException());
    }
    Optional<Server> next = servers.at(referred.server());
    if (next.isEmpty()) {
      forward();
    }
    return next.filter(found -> found != server).orElseThrow(referred::toException);
  }

  @Override
  public void close() {
    servers.close();
  }
}
