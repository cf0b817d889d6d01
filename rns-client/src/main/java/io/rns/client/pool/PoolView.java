package io.rns.client.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.AdaptiveUser;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.Prospect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * What a user knows of one pool: the last resolution, and how its elements have answered. Safe for use by many threads.
 */
final class PoolView {
  private static final long FIRST_SERVICE_MILLIS = 100;
  private static final double KEPT = 0.9;

  /** How soon a pool whose users learn from each other is resolved again after it was met. */
  private static final long FIRST_REFRESH_MILLIS = 100;

  /** How soon the service is asked again that could not be reached. */
  private static final long ASK_AGAIN_MILLIS = 1_000;

  /** How many times the usual response time an element may be silent before others are told. */
  private static final double SILENT = 3;

  /** The shortest silence that is told, and the one where no response time is known, in ms. */
  private static final long SHORTEST_SILENCE_MILLIS = 20;
  private static final long FIRST_SILENCE_MILLIS = 50;

  /** A silence longer than this is watched no more. */
  private static final long LONGEST_SILENCE_MILLIS = 60_000;

  /** The least time between two reports of response times. */
  private static final long TELL_MILLIS = 100;

  private final PoolService pools;
  private final RnsPath handle;
  private final UserSettings settings;
  private final UseCounts counts;
  private final Time time;
  private final RandomGenerator random;
  private final ReentrantLock resolving = new ReentrantLock();

  private PolicyType policy = PolicyType.ROUND_ROBIN;
  private Map<Integer, KnownElement> elements = new LinkedHashMap<>();
  /** When what is known should have been asked for again. */
  private long endedMillis;
  private long freshUntilMillis;
  private boolean isResolved;
  private long metMillis;
  private boolean isTelling;
  private long toldMillis = Long.MIN_VALUE / 2;
  private long turn;
  private long resolvedTurn;
  private double serviceMillis = FIRST_SERVICE_MILLIS;

  PoolView(PoolService pools, RnsPath handle, UserSettings settings, UseCounts counts, Time time,
      RandomGenerator random) {
    this.pools = pools;
    this.handle = handle;
    this.settings = settings;
    this.counts = counts;
    this.time = time;
    this.random = random;
  }

  /**
   * The elements in the order in which they are to be tried; asks the service if what is known is too old.
   *
   * @throws RnsException what {@link PoolService#resolve} throws, unless what is known may still be used
   */
  List<KnownElement> order() {
    boolean isUsable;
    long now = time.millis();
    synchronized (this) {
      if (isResolved && now < freshUntilMillis) {
        return ordered();
      }
      isUsable = isResolved && now - endedMillis <= settings.staleMillis();
    }
    if (!isUsable) {
      resolving.lock();
    } else if (!resolving.tryLock()) {
      // If no server can be reached, the thread that asks waits for long.
      return known();
    }
    try {
      synchronized (this) {
        if (isResolved && time.millis() < freshUntilMillis) {
          // Another thread has asked meanwhile.
          return ordered();
        }
      }
      return resolved(isUsable);
    } finally {
      resolving.unlock();
    }
  }

  private synchronized List<KnownElement> known() {
    return ordered();
  }

  /**
   * Asks the service.
   *
   * @param isUsable whether what was known when this began may still be used if no server answers
   */
  private List<KnownElement> resolved(boolean isUsable) {
    counts.resolutions.increment();
    try {
      PoolResolution answer = pools.resolve(handle, settings.items());
      synchronized (this) {
        take(answer);
        return ordered();
      }
    } catch (RnsException e) {
      boolean noServer = e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT;
      if (!noServer || !isUsable) {
        throw e;
      }
      synchronized (this) {
        freshUntilMillis = Math.min(time.millis() + ASK_AGAIN_MILLIS, endedMillis + settings.staleMillis() + 1);
        return ordered();
      }
    }
  }

  private void take(PoolResolution answer) {
    long now = time.millis();
    Map<Integer, KnownElement> known = new LinkedHashMap<>();
    for (Selected selected : answer.elements()) {
      KnownElement before = elements.get(selected.id());
      if (before == null) {
        known.put(selected.id(), new KnownElement(selected, now));
      } else {
        before.update(selected, now);
        known.put(selected.id(), before);
      }
    }
    elements = known;
    policy = answer.policy();
    resolvedTurn = turn;
    metMillis = isResolved ? metMillis : now;
    endedMillis = now + answer.ttlMillis();
    freshUntilMillis = now + Math.min(answer.ttlMillis(), refreshMillis(now));
    isResolved = true;
  }

  /** Who has just met an adaptive pool soon hears what others have learnt meanwhile, then less and less often. */
  private long refreshMillis(long now) {
    return policy == PolicyType.ADAPTIVE ? Math.max(FIRST_REFRESH_MILLIS, now - metMillis) : Long.MAX_VALUE;
  }

  /** Where what is done with this pool is counted. */
  UseCounts counts() {
    return counts;
  }

  /** What is known is of no use: the next {@link #order} asks the service. */
  synchronized void forget() {
    freshUntilMillis = Long.MIN_VALUE;
  }

  private List<KnownElement> ordered() {
    long now = time.millis();
    if (policy == PolicyType.ADAPTIVE) {
      return adaptive(now);
    }
    List<KnownElement> order = new ArrayList<>(elements.values());
    if (turn > resolvedTurn) {
      // RFC 5356: a user that reuses a resolution rotates it, or draws, itself.
      switch (policy) {
        case ROUND_ROBIN, WEIGHTED_ROUND_ROBIN ->
          Collections.rotate(order, -Math.floorMod(turn - resolvedTurn, order.size()));
        case RANDOM, WEIGHTED_RANDOM, WEIGHTED_RANDOM_DISTANCE -> shuffle(order);
        default -> {
        }
      }
    }
    List<KnownElement> last = order.stream().filter(known -> known.isOut(now)).toList();
    order.removeAll(last);
    order.addAll(last);
    return order;
  }

  private void shuffle(List<KnownElement> order) {
    for (int i = order.size() - 1; i > 0; i--) {
      Collections.swap(order, i, random.nextInt(i + 1));
    }
  }

  private List<KnownElement> adaptive(long now) {
    IdentityHashMap<Prospect, KnownElement> prospects = new IdentityHashMap<>();
    List<Prospect> offered = new ArrayList<>();
    for (KnownElement known : elements.values()) {
      Prospect prospect = known.prospect(now);
      prospects.put(prospect, known);
      offered.add(prospect);
    }
    AdaptiveUser user = new AdaptiveUser(Math.round(serviceMillis), settings.warmUpMillis());
    List<KnownElement> order = new ArrayList<>();
    for (Prospect prospect : user.order(offered, now, random)) {
      KnownElement known = prospects.get(prospect);
      if (known != null) {
        order.add(known);
      }
    }
    return order;
  }

  synchronized Serving began(KnownElement element) {
    long now = time.millis();
    element.began(++turn, now);
    if (policy == PolicyType.ADAPTIVE && element.watch(now)) {
      Runnable unused = time.after(patienceMillis(now), () -> watch(element));
    }
    return element.serving();
  }

  /** How long an element may be silent. */
  private long patienceMillis(long now) {
    double[] known =
        elements.values().stream().mapToDouble(each -> each.cost(now)).filter(cost -> cost > 0).sorted().toArray();
    return known.length == 0
        ? FIRST_SILENCE_MILLIS
        : Math.max(SHORTEST_SILENCE_MILLIS, Math.round(SILENT * known[(known.length - 1) / 2]));
  }

  /** Others hear that an element is slow before its first answer comes, each time it has been silent twice as long. */
  private synchronized void watch(KnownElement element) {
    long silent = element.silence(time.millis());
    if (silent > 0 && silent <= LONGEST_SILENCE_MILLIS) {
      Runnable unused = time.after(Math.max(SHORTEST_SILENCE_MILLIS, silent), () -> watch(element));
      tellSoon(element);
    }
  }

  synchronized void answered(KnownElement element, long millis) {
    long now = time.millis();
    element.ended(now);
    element.answered(millis, now);
    serviceMillis = KEPT * serviceMillis + (1 - KEPT) * (double) millis;
    tellSoon(element);
  }

  private void tellSoon(KnownElement element) {
    if (policy == PolicyType.ADAPTIVE && !isTelling && element.isNews()) {
      isTelling = true;
      Runnable unused = time.after(Math.max(0, toldMillis + TELL_MILLIS - time.millis()), this::tell);
    }
  }

  /** Tells others what is news to them, in another thread. */
  private void tell() {
    List<ElementExperience> news;
    synchronized (this) {
      isTelling = false;
      toldMillis = time.millis();
      news = elements.values().stream().filter(KnownElement::isNews).map(KnownElement::tell).toList();
    }
    if (!news.isEmpty()) {
      tell(news);
    }
  }

  private void tell(List<ElementExperience> news) {
    try {
      pools.experienced(handle, news);
    } catch (RnsException e) {
      // Others find out for themselves; servers of former versions do not know the operation.
      return;
    }
  }

  synchronized void rejected(KnownElement element, long retryMillis) {
    counts.rejections.increment();
    element.ended(time.millis());
    element.rejected(Math.max(retryMillis, Math.round(serviceMillis)), time.millis());
  }

  /** The element did not respond; reports this once, in another thread. */
  void failed(KnownElement element) {
    counts.failures.increment();
    boolean first;
    boolean shares;
    int id;
    synchronized (this) {
      element.ended(time.millis());
      first = element.failed(time.millis());
      shares = policy == PolicyType.ADAPTIVE;
      id = element.id();
    }
    if (first) {
      Runnable unused = time.after(0, () -> report(id, shares));
    }
  }

  private void report(int id, boolean shares) {
    if (shares) {
      tell(List.of(ElementExperience.failed(id)));
    }
    try {
      pools.unreachable(handle, id);
    } catch (RnsException e) {
      // Others will notice, too; the user has gone on to the next element.
      return;
    }
  }

  /** The call ended in a way that says nothing about the element. */
  synchronized void ended(KnownElement element) {
    element.ended(time.millis());
  }
}
