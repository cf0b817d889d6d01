package io.rns.server.dns;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.DeregistrationOutcome;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.pool.SharedExperience;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools of a handlespace that nobody else knows, and what else the zone is about. */
final class SamplePools implements PoolService, DnsSource {
  final Set<RnsPath> directories = ConcurrentHashMap.newKeySet();
  volatile List<URI> servers = List.of();
  volatile long ttlMillis;
  /** Not null: what is asked about {@link #AWAITED} waits for it. */
  volatile @Nullable CountDownLatch gate;
  final AtomicInteger waiting = new AtomicInteger();
  static final RnsPath AWAITED = RnsPath.parse("/awaited");
  private final Handlespace handlespace =
      new Handlespace(1, 1, new HandlespaceSettings(100, 10_000, 10_000, 64, 1, 5_000, 5_000, 3), new Random(7));

  /** Registers an element with endpoints. */
  void add(String path, PolicyType policy, int id, Parameters parameters, String... urls) {
    List<EndpointReference> endpoints = Stream.of(urls).map(EndpointReference::ofAddress).toList();
    register(RnsPath.parse(path), policy, new Registration(id, endpoints, parameters, Registration.FOREVER));
  }

  @Override
  public synchronized Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    RegistrationOutcome outcome = handlespace.register(handle, policy, registration, 0);
    if (outcome instanceof RegistrationOutcome.Registered || outcome instanceof RegistrationOutcome.Renewed) {
      return new Registered(1, 1);
    }
    throw new IllegalArgumentException(outcome.toString());
  }

  @Override
  public synchronized boolean deregister(RnsPath handle, int id) {
    return handlespace.deregister(new ElementKey(handle, id), 0) instanceof DeregistrationOutcome.Removed;
  }

  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    CountDownLatch awaited = gate;
    if (awaited != null && handle.equals(AWAITED)) {
      waiting.incrementAndGet();
      try {
        awaited.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return resolveNow(handle, items);
  }

  private synchronized PoolResolution resolveNow(RnsPath handle, int items) {
    return switch (handlespace.resolve(handle, items)) {
      case ResolutionOutcome.Resolved resolved ->
        new PoolResolution(handle, resolved.policy(), resolved.selected().stream().map(SamplePools::told).toList(),
            ttlMillis);
      case ResolutionOutcome.NoneEligible none ->
        throw new RnsException(RnsError.BUSY, "none of " + none.size() + " is free");
      case ResolutionOutcome.UnknownPool() -> throw new RnsException(RnsError.NO_SUCH_POOL, "no pool at " + handle);
    };
  }

  private static PoolResolution.Selected told(ResolutionOutcome.Selected selected) {
    Registration registration = selected.element().registration();
    return new PoolResolution.Selected(registration.id(), registration.endpoints(), selected.standing(), 0,
        SharedExperience.NONE);
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    throw new UnsupportedOperationException("DNS reports nobody");
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    throw new UnsupportedOperationException("DNS uses no element");
  }

  @Override
  public PoolPage pools(PoolsRequest request) {
    throw new UnsupportedOperationException("DNS lists nothing");
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    throw new UnsupportedOperationException("DNS lists nothing");
  }

  @Override
  public List<URI> servers() {
    return servers;
  }

  @Override
  public PoolService pools() {
    return this;
  }

  @Override
  public boolean mayWait() {
    return gate != null;
  }

  @Override
  public boolean mayHavePoolsBelow(RnsPath path) {
    return directories.contains(path);
  }
}
