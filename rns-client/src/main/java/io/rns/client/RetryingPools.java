package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.RnsPath;
import io.rns.client.call.ExchangeFailure;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Asks the server in use about pools, then the others, and repeats what failed for a passing reason. A report that an
 * element cannot be reached is counted, so it is repeated only if it certainly was not sent.
 */
final class RetryingPools implements PoolService {
  private final Repetition repetition;

  RetryingPools(Repetition repetition) {
    this.repetition = repetition;
  }

  private static boolean always(RnsException error) {
    return true;
  }

  private <A> A ask(Predicate<RnsException> repeatable, Function<PoolService, A> question) {
    return repetition.repeat(
        CallContext.ANONYMOUS, Subject.NONE, repeatable,
        (server, deadline, call) -> question.apply(server.pools(deadline)));
  }

  @Override
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    return ask(RetryingPools::always, pools -> pools.register(handle, policy, registration));
  }

  @Override
  public boolean deregister(RnsPath handle, int id) {
    return ask(RetryingPools::always, pools -> pools.deregister(handle, id));
  }

  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    // No selectable element is a valid answer: the caller decides what to do.
    return ask(e -> e.error() != RnsError.BUSY, pools -> pools.resolve(handle, items));
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    boolean unused =
        ask(
            ExchangeFailure::leftNothing,
            pools -> {
              pools.unreachable(handle, id);
              return true;
            });
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    boolean unused =
        ask(
            RetryingPools::always,
            pools -> {
              pools.experienced(handle, experiences);
              return true;
            });
  }

  @Override
  public PoolPage pools(PoolsRequest request) {
    return ask(RetryingPools::always, pools -> pools.pools(request));
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    return ask(RetryingPools::always, pools -> pools.elements(request));
  }
}
