package io.rns.association;

import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.network.ClientNetwork;
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
import io.rns.registrar.LocalCaller;
import io.rns.registrar.RegistrarFigures;
import io.rns.registrar.RegistrarMemory;
import io.rns.registrar.Reporters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Pool service of a registrar in this process. Elements registered here receive no keep-alives, so they need a finite
 * lifetime. Thread-safe; each call waits for the registrar up to a limit.
 */
public final class RegistrarPools implements PoolService {
  /** Selections per turn, so that other callers can run in between. */
  private static final int STEP = 1_000;

  private final RegistrarServer registrar;
  private final long ttlMillis;
  private final long patienceMillis;
  private final LongAdder unanswered;

  /** The host that calls, for reports of elements. */
  private final long caller;

  /**
   * Uses a registrar, which it does not close.
   *
   * @param ttl upper bound for the validity of answers, 0 or more
   * @param patience longest wait for an answer
   */
  public RegistrarPools(RegistrarServer registrar, Duration ttl, Duration patience) {
    this(registrar, ttl.toMillis(), patience.toMillis(), new LongAdder(), Reporters.NOBODY);
  }

  private RegistrarPools(
      RegistrarServer registrar, long ttlMillis, long patienceMillis, LongAdder unanswered, long caller) {
    this.registrar = registrar;
    this.ttlMillis = ttlMillis;
    this.patienceMillis = patienceMillis;
    this.unanswered = unanswered;
    this.caller = caller;
  }

  @Override
  public PoolService calledBy(String client) {
    return new RegistrarPools(registrar, ttlMillis, patienceMillis, unanswered,
        Reporters.number(ClientNetwork.of(client)));
  }

  @Override
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    return call(local -> local.register(handle, policy, registration, caller));
  }

  @Override
  public boolean deregister(RnsPath handle, int id) {
    return call(caller -> caller.deregister(handle, id));
  }

  /**
   * As {@link PoolService#resolve}.
   *
   * @throws RnsException also {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED} if the number of
   *         items is out of range
   */
  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    checkItems(items);
    return call(local -> local.resolve(handle, items, ttlMillis, caller));
  }

  private static void checkItems(int items) {
    if (items < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a resolution selects 1 or more elements, not " + items);
    }
    Limits.check("a resolution", items, RESOLUTION_ITEMS, "elements");
  }

  /**
   * Selects from several pools, each as {@link #resolve} does, with one wait per 1,000 pools.
   *
   * @param handles the pools; a pool listed twice is selected from twice
   * @return the selection for each; empty if the pool is unknown or none of its elements can be selected now
   */
  public List<Optional<PoolResolution>> resolveAll(List<RnsPath> handles, int items) {
    checkItems(items);
    List<Optional<PoolResolution>> all = new ArrayList<>(handles.size());
    for (int from = 0; from < handles.size(); from += STEP) {
      List<RnsPath> step = handles.subList(from, Math.min(handles.size(), from + STEP));
      all.addAll(call(local -> step.stream().map(handle -> selected(local, handle, items)).toList()));
    }
    return all;
  }

  private Optional<PoolResolution> selected(LocalCaller local, RnsPath handle, int items) {
    try {
      return Optional.of(local.resolve(handle, items, ttlMillis, caller));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    boolean unused =
        call(
            local -> {
              local.unreachable(handle, id, caller);
              return true;
            });
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    boolean unused =
        call(
            local -> {
              local.experienced(handle, experiences, caller);
              return true;
            });
  }

  @Override
  public PoolPage pools(PoolsRequest request) {
    return call(caller -> caller.pools(request));
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    return call(caller -> caller.elements(request));
  }

  /** Counters for operators, as far as the registrar answers in time. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new TreeMap<>();
    numbers.put("poolUnanswered", unanswered.sum());
    if (registrar.hasPorts()) {
      AssociationFigures connections = registrar.figures();
      numbers.put("poolConnections", connections.connections());
      numbers.put("poolConnectionBytes", connections.bytes());
      numbers.put("poolConnectionsRefused", connections.refused());
      numbers.put("poolConnectionsClosed", connections.closed());
    }
    try {
      numbers.putAll(named(ask(LocalCaller::figures)));
      RegistrarMemory memory = ask(LocalCaller::memory);
      numbers.put("poolElementBytes", memory.bytes());
      numbers.put("poolUpdatesRefused", memory.refused());
    } catch (RnsException e) {
      // The registrar is starting or busy: report no figures.
    }
    return numbers;
  }

  private static Map<String, Number> named(RegistrarFigures figures) {
    return Map.of(
        "pools", figures.pools(),
        "poolElements", figures.elements(),
        "poolRegistrars", figures.registrars(),
        "poolSelections", figures.selections(),
        "poolRejections", figures.rejections(),
        "poolReports", figures.reports(),
        "poolLosses", figures.losses(),
        "poolTakeovers", figures.takeovers());
  }

  private <T> T call(Function<LocalCaller, T> question) {
    try {
      return ask(question);
    } catch (RnsException e) {
      if (e.error().kind() == RnsError.Kind.TRANSIENT && e.error() != RnsError.BUSY) {
        unanswered.increment();
      }
      throw e;
    }
  }

  private <T> T ask(Function<LocalCaller, T> question) {
    try {
      return registrar.call(question, patienceMillis);
    } catch (RnsException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RnsException(RnsError.INTERNAL, "the registrar failed: " + e, e);
    } catch (TimeoutException e) {
      throw new RnsException(RnsError.TIMEOUT,
          "the registrar of server pools took longer than " + patienceMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }
}
