package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Routing;
import io.rns.client.call.Deadline;
import io.rns.client.call.Operation;
import io.rns.client.call.RetryBudget;
import io.rns.client.call.Ticker;
import io.rns.client.call.UnknownOutcomeException;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * Repeats calls that failed for a passing reason. The number of attempts and the deadline of the call both bound it;
 * what comes out at the end is the last error.
 *
 * <p>Among several servers, each gets its turn at once and its share of the time, of which small calls use a second or
 * two before they go to the next one; pauses begin when all have had one. That no server is the primary passes with a
 * failover: only the deadline bounds that. Who is turned away by a busy server asks the next one at once, comes back to
 * the same one after the time that it names, and repeats no more than the {@link RetryBudget} allows.
 */
final class Repetition implements AutoCloseable {
  /** Retries that are saved up at most. */
  static final int MOST_RETRIES = 20;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A failover is over soon after it is over. */
  private static final long LONGEST_ELSEWHERE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** With less time left no server would respond: the caller learns more from the former answer. */
  private static final long SHORTEST_ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Without an answer by then a server counts as hanging: twice what it waits until its copy has caught up. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The same for what only the primary answers: commits may wait for a replica that has just come back. */
  private static final Duration PATIENCE_WITH_PRIMARY = Duration.ofSeconds(2);

  private final Referrals service;
  private final RetryPolicy policy;
  private final Ticker ticker;
  private final LongUnaryOperator random;
  /** Retries of calls that busy servers reject. */
  private final RetryBudget budget = new RetryBudget(0.2, MOST_RETRIES);
  /** Calls that leave a server which has not answered: if all are slow, that would only add to their load. */
  private final RetryBudget leaving = new RetryBudget(0.2, MOST_RETRIES);

  /**
   * Calls that are repeated.
   *
   * @param random gives a number from zero up to, and without, its argument
   */
  Repetition(Referrals service, RetryPolicy policy, Ticker ticker, LongUnaryOperator random) {
    this.service = service;
    this.policy = policy;
    this.ticker = ticker;
    this.random = random;
  }

  /**
   * Asks until there is an answer.
   *
   * @param subject what the call is about; a write without a request id is asked once
   * @param repeatable whether the call may be repeated after an error, as far as what was done by then goes
   */
  <A> A repeat(CallContext call, Subject subject, Predicate<RnsException> repeatable, Operation<A> operation) {
    long started = ticker.nanos();
    int servers = service.size(subject);
    budget.earn();
    leaving.earn();
    Deadline deadline = Deadline.in(policy.deadline(), ticker);
    int attempts = subject.write() && call.requestId().isEmpty() ? 1 : policy.attempts();
    int elsewhere = 0;
    int places = 0;
    for (int attempt = 1;; attempt++) {
      boolean leaves =
          subject.small() && attempt < servers && attempt - elsewhere < attempts && leaving.isLeft();
      Deadline share = share(deadline, attempt, servers);
      try {
        return service.ask(call, subject, places, leaves ? share.butWithin(patience(call, subject)) : share, operation);
      } catch (RnsException e) {
        if (leaves && e.error() == RnsError.TIMEOUT) {
          boolean unused = leaving.take();
        }
        // The rejecting server may have reported other servers.
        servers = Math.max(servers, service.size(subject));
        boolean noPrimary = e.error() == RnsError.NOT_PRIMARY;
        elsewhere += noPrimary ? 1 : 0;
        boolean busy = e.error() == RnsError.BUSY;
        places += Referrals.isOfPrimary(e, subject.write()) ? 1 : 0;
        boolean passing =
            (noPrimary ? mayWait(call) : isTransient(e) && repeatable.test(e)) && service.servers().isOpen();
        boolean again = passing && (noPrimary || attempt - elsewhere < attempts);
        long pause = again ? pause(attempt, servers, e) : 0;
        if (!again || pause + SHORTEST_ATTEMPT_NANOS >= deadline.nanosLeft() || (busy && !budget.take())) {
          throw attempt == 1 ? e : afterAll(attempt, started, e);
        }
        pause(pause, e);
      }
    }
  }

  /** One that is slow leaves time for the others. */
  private static Deadline share(Deadline deadline, int attempt, int servers) {
    return attempt >= servers ? deadline
        : deadline.butWithin(Duration.ofNanos(deadline.nanosLeft() / (servers - attempt + 1)));
  }

  private static Duration patience(CallContext call, Subject subject) {
    boolean atPrimary = subject.write() || call.consistency() instanceof Consistency.Primary;
    return atPrimary ? PATIENCE_WITH_PRIMARY : PATIENCE;
  }

  private static boolean isTransient(RnsException e) {
    return e.error().kind() == RnsError.Kind.TRANSIENT && !UnknownOutcomeException.isOf(e);
  }

  /** Whether a call may wait until there is a primary again. */
  private boolean mayWait(CallContext call) {
    return call.routing() != Routing.HERE && policy.attempts() > 1;
  }

  private long pause(int attempt, int servers, RnsException e) {
    RnsError error = e.error();
    boolean noPrimary = error == RnsError.NOT_PRIMARY;
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
