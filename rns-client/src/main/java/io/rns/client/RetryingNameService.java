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
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * Repeats what failed for a passing reason and may be repeated: reads, and writes with a request id. The number of
 * attempts and the deadline of the call both bound it; what comes out at the end is the last error.
 */
final class RetryingNameService implements NameService {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final BoundedNameService service;
  private final RetryPolicy policy;
  private final Ticker ticker;
  private final LongUnaryOperator random;

  /**
   * A service that repeats.
   *
   * @param random gives a number from zero up to, and without, its argument
   */
  RetryingNameService(BoundedNameService service, RetryPolicy policy, Ticker ticker, LongUnaryOperator random) {
    this.service = service;
    this.policy = policy;
    this.ticker = ticker;
    this.random = random;
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return write(call, attempt -> attempt.add(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return repeat(policy.attempts(), attempt -> attempt.list(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return repeat(policy.attempts(), attempt -> attempt.query(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return write(call, attempt -> attempt.update(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return write(call, attempt -> attempt.remove(call, request));
  }

  private <A> Answer<A> write(CallContext call, Function<NameService, Answer<A>> operation) {
    return repeat(call.requestId().isPresent() ? policy.attempts() : 1, operation);
  }

  private <A> Answer<A> repeat(int attempts, Function<NameService, Answer<A>> operation) {
    long started = ticker.nanos();
    Deadline deadline = Deadline.in(policy.deadline(), ticker);
    for (int attempt = 1; ; attempt++) {
      try {
        return operation.apply(service.until(deadline));
      } catch (RnsException e) {
        boolean passing = e.error().kind() == RnsError.Kind.TRANSIENT && service.isOpen();
        long pause = passing && attempt < attempts ? random.applyAsLong(policy.pauseBound(attempt) + 1) : 0;
        if (!passing || attempt >= attempts || pause >= deadline.nanosLeft()) {
          throw attempt == 1 ? e : afterAll(attempt, started, e);
        }
        pause(pause, e);
      }
    }
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
