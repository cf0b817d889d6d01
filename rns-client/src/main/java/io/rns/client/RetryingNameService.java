package io.rns.client;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.Routing;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Repeats what failed for a passing reason and may be repeated: reads, and writes with a request id or that have
 * certainly not been applied. The number of attempts and the deadline of the call both bound it; what comes out at the end
 * is the last error.
 *
 * <p>Among several servers, each gets its turn at once and its share of the time; pauses begin when all have had one. That no
 * server is the primary passes with a failover: only the deadline bounds that. Who is turned away by a busy server asks the next
 * one at once, comes back to the same one after the time that it names, and repeats no more than the {@link RetryBudget} allows.
 */
final class RetryingNameService implements NameService {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A failover is over soon after it is over. */
  private static final long LONGEST_ELSEWHERE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Referrals service;
  private final int servers;
  private final RetryPolicy policy;
  private final Ticker ticker;
  private final LongUnaryOperator random;
  private final RetryBudget budget = new RetryBudget();

  /**
   * A service that repeats.
   *
   * @param random gives a number from zero up to, and without, its argument
   */
  RetryingNameService(Referrals service, RetryPolicy policy, Ticker ticker, LongUnaryOperator random) {
    this.service = service;
    this.servers = service.servers().size();
    this.policy = policy;
    this.ticker = ticker;
    this.random = random;
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return repeat(call, true, (server, asked) -> server.add(asked, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return repeat(call, false, (server, asked) -> server.list(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return repeat(call, false, (server, asked) -> server.query(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return repeat(call, true, (server, asked) -> server.update(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return repeat(call, true, (server, asked) -> server.remove(asked, request));
  }

  private <A> Answer<A> repeat(CallContext call, boolean write, Operation<A> operation) {
    long started = ticker.nanos();
    budget.called();
    Deadline deadline = Deadline.in(policy.deadline(), ticker);
    int attempts = write && call.requestId().isEmpty() ? 1 : policy.attempts();
    int elsewhere = 0;
    int places = 0;
    for (int attempt = 1; ; attempt++) {
      try {
        return service.ask(call, write, places, share(deadline, attempt), operation);
      } catch (RnsException e) {
        boolean noPrimary = e.error().kind() == RnsError.Kind.ELSEWHERE;
        elsewhere += noPrimary ? 1 : 0;
        boolean busy = e.error() == RnsError.BUSY;
        places += Referrals.isOfPrimary(e, write) ? 1 : 0;
        boolean passing = (noPrimary ? mayWait(call) : isTransient(e)) && service.servers().isOpen();
        boolean again = passing && (noPrimary || attempt - elsewhere < attempts);
        long pause = again ? pause(attempt, e) : 0;
        if (!again || pause >= deadline.nanosLeft() || (busy && !budget.take())) {
          throw attempt == 1 ? e : afterAll(attempt, started, e);
        }
        pause(pause, e);
      }
    }
  }

  /** One that is slow leaves time for the others. */
  private Deadline share(Deadline deadline, int attempt) {
    return attempt >= servers ? deadline : deadline.butWithin(Duration.ofNanos(deadline.nanosLeft() / (servers - attempt + 1)));
  }

  private static boolean isTransient(RnsException e) {
    return e.error().kind() == RnsError.Kind.TRANSIENT && !UnknownOutcomeException.isOf(e);
  }

  /** Whether a call may wait until there is a primary again. */
  private boolean mayWait(CallContext call) {
    return call.routing() != Routing.HERE && policy.attempts() > 1;
  }

  private long pause(int attempt, RnsException e) {
    RnsError error = e.error();
    boolean noPrimary = error.kind() == RnsError.Kind.ELSEWHERE;
    boolean ofServer =
        noPrimary || error == RnsError.UNAVAILABLE || error == RnsError.TIMEOUT || e.retryMillis().isPresent();
    if (attempt < servers && ofServer) {
      return 0;
    }
    long bound = policy.pauseBound(Math.max(1, attempt - servers + 1));
    long named = TimeUnit.MILLISECONDS.toNanos(e.retryMillis().orElse(0));
    return named + random.applyAsLong((noPrimary ? Math.min(bound, LONGEST_ELSEWHERE_NANOS) : bound) + 1);
  }

  private RnsException afterAll(int attempts, long started, RnsException last) {
    long millis = (ticker.nanos() - started) / NANOS_PER_MILLI;
    return new RnsException(
        last.error(), last.getMessage() + " (attempt " + attempts + ", after " + millis + " ms)", last);
  }

  private void pause(long nanos, RnsException reason) {
    try {
      ticker.pause(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reason.addSuppressed(e);
      throw reason;
    }
  }

  @Override
  public void close() {
    service.close();
  }
}
