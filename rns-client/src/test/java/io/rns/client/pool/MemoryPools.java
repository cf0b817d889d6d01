package io.rns.client.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Candidate;
import io.rns.pool.Distance;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Pools in memory, by the rules of production policies: one registrar that keeps to lifetimes and removes what is
 * reported.
 */
public final class MemoryPools implements PoolService {
  private static final int HOME = 7;
  private static final int REPORTS = 3;
  private static final long FAILING = 10_000;

  /** In how long an element that listens for control is asked whether it lives, whenever it is listed. */
  private static final long KEEP_ALIVE = 2_500;

  private final LongSupplier clock;
  private final long ttlMillis;
  private final RandomGenerator random = new SplittableRandom(1);
  private final Map<RnsPath, Pool> pools = new TreeMap<>();
  private long sequence;
  private @Nullable RnsException failure;
  private int registrations;
  private int resolutions;
  private int reports;
  private final List<ElementExperience> told = new ArrayList<>();

  /** No pools yet. */
  public MemoryPools(LongSupplier clock, long ttlMillis) {
    this.clock = clock;
    this.ttlMillis = ttlMillis;
  }

  private static final class Pool {
    private final PolicyType policy;
    private final Map<Integer, Element> elements = new TreeMap<>(Integer::compareUnsigned);
    private final List<LostElement> lost = new ArrayList<>();
    private long number;

    Pool(PolicyType policy) {
      this.policy = policy;
    }
  }

  private static final class Element implements Candidate {
    private Registration registration;
    private SelectionState standing;
    private long turn;
    private long reported;
    private int unreachable;
    private long experiencedMillis;
    private long failingUntil;

    Element(Registration registration, SelectionState standing, long now) {
      this.registration = registration;
      this.standing = standing;
      this.reported = now;
    }

    @Override
    public SelectionState standing() {
      return standing;
    }

    @Override
    public long sequence() {
      return turn;
    }
  }

  /** Every call fails with it, until it is null. */
  public synchronized void failWith(@Nullable RnsException error) {
    failure = error;
  }

  /** How many registrations came. */
  public synchronized int registrations() {
    return registrations;
  }

  /** How many resolutions came. */
  public synchronized int resolutions() {
    return resolutions;
  }

  /** How many reports of elements that cannot be reached came. */
  public synchronized int reports() {
    return reports;
  }

  /** What users told of their experiences. */
  public synchronized List<ElementExperience> told() {
    return List.copyOf(told);
  }

  /** What an element said last. */
  public synchronized Registration registration(RnsPath handle, int id) {
    Pool pool = pools.get(handle);
    Element element = pool == null ? null : pool.elements.get(id);
    if (element == null) {
      throw new AssertionError("not registered: " + Integer.toUnsignedString(id));
    }
    return element.registration;
  }

  /** The ids of a pool. */
  public synchronized List<Integer> ids(RnsPath handle) {
    expire();
    Pool pool = pools.get(handle);
    return pool == null ? List.of() : List.copyOf(pool.elements.keySet());
  }

  /** Forgets an element as if it had never been. */
  synchronized void forget(RnsPath handle, int id) {
    Pool pool = pools.get(handle);
    if (pool != null) {
      pool.elements.remove(id);
    }
  }

  private void begin() {
    if (failure != null) {
      throw new RnsException(failure.error(), String.valueOf(failure.getMessage()));
    }
    expire();
  }

  private void expire() {
    long now = clock.getAsLong();
    for (Pool pool : pools.values()) {
      for (Element element : List.copyOf(pool.elements.values())) {
        long lifetime = element.registration.lifetimeMillis();
        if (lifetime != Registration.FOREVER && element.reported + lifetime <= now) {
          lose(pool, element, Loss.EXPIRED);
        }
      }
    }
  }

  private void lose(Pool pool, Element element, Loss loss) {
    pool.elements.remove(element.registration.id());
    pool.lost.add(0, new LostElement(element.registration.id(), element.registration.endpoints(), loss, 0));
  }

  private Pool pool(RnsPath handle) {
    Pool pool = pools.get(handle);
    if (pool == null || pool.elements.isEmpty()) {
      throw new RnsException(RnsError.NO_SUCH_POOL, "no element is registered under " + handle);
    }
    return pool;
  }

  @Override
  public synchronized Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    begin();
    registrations++;
    Pool pool = pools.get(handle);
    if (pool == null || pool.elements.isEmpty()) {
      pool = new Pool(policy);
      pools.put(handle, pool);
    }
    if (pool.policy != policy) {
      throw new RnsException(RnsError.OTHER_POLICY,
          "pool " + handle + " has the policy " + pool.policy + ", not " + policy);
    }
    Element known = pool.elements.get(registration.id());
    if (known == null) {
      SelectionState fresh = SelectionState.fresh(registration.parameters(), Distance.NONE, pool.number++);
      pool.elements.put(registration.id(),
          new Element(registration, pool.policy.policy().join(fresh, null), clock.getAsLong()));
    } else if (!known.registration.sharesEndpointWith(registration)) {
      throw new RnsException(RnsError.ELEMENT_ID_TAKEN,
          "another element has the id " + Integer.toUnsignedString(registration.id()));
    } else {
      known.registration = registration;
      known.standing = pool.policy.policy().report(known.standing, registration.parameters());
      known.reported = clock.getAsLong();
      known.unreachable = 0;
    }
    return new Registered(HOME, ++sequence);
  }

  @Override
  public synchronized boolean deregister(RnsPath handle, int id) {
    begin();
    Pool pool = pools.get(handle);
    return pool != null && pool.elements.remove(id) != null;
  }

  @Override
  public synchronized PoolResolution resolve(RnsPath handle, int items) {
    begin();
    resolutions++;
    Pool pool = pool(handle);
    List<Element> order = pool.policy.policy().order(List.copyOf(pool.elements.values()), random);
    if (order.isEmpty()) {
      throw new RnsException(RnsError.BUSY, "no element of " + handle + " can be selected now");
    }
    List<Selected> selected = new ArrayList<>();
    for (Element element : order.subList(0, Math.min(items, order.size()))) {
      Registration registration = element.registration;
      selected.add(
          new Selected(registration.id(), registration.endpoints(), element.standing,
              clock.getAsLong() - element.reported, shared(element)));
    }
    Element first = order.get(0);
    first.turn = ++sequence;
    first.standing = pool.policy.policy().charge(first.standing);
    return new PoolResolution(handle, pool.policy, selected, ttlMillis);
  }

  @Override
  public synchronized void unreachable(RnsPath handle, int id) {
    begin();
    reports++;
    Pool pool = pools.get(handle);
    Element element = pool == null ? null : pool.elements.get(id);
    if (pool != null && element != null && ++element.unreachable > REPORTS) {
      lose(pool, element, Loss.REPORTED);
    }
  }

  /** Each user's last word is what others hear. */
  @Override
  public synchronized void experienced(RnsPath handle, List<ElementExperience> experiences) {
    begin();
    told.addAll(experiences);
    Pool pool = pools.get(handle);
    for (ElementExperience experience : experiences) {
      Element element = pool == null ? null : pool.elements.get(experience.id());
      if (element != null) {
        element.experiencedMillis = experience.answered() ? experience.millis() : element.experiencedMillis;
        element.failingUntil = experience.answered() ? 0 : clock.getAsLong() + FAILING;
      }
    }
  }

  private SharedExperience shared(Element element) {
    return new SharedExperience(
        element.experiencedMillis, Math.max(0, element.failingUntil - clock.getAsLong()));
  }

  @Override
  public synchronized PoolPage pools(PoolsRequest request) {
    begin();
    List<ListedPool> page = new ArrayList<>();
    for (Map.Entry<RnsPath, Pool> entry : pools.entrySet()) {
      RnsPath handle = entry.getKey();
      Pool pool = entry.getValue();
      boolean wanted = request.below().contains(handle) && !pool.elements.isEmpty();
      if (!wanted || (request.after().isPresent() && handle.compareTo(request.after().get()) <= 0)) {
        continue;
      }
      if (page.size() == request.pageSize()) {
        return new PoolPage(page, Optional.of(page.get(page.size() - 1).handle()));
      }
      int eligible = pool.policy.policy().order(List.copyOf(pool.elements.values()), random).size();
      page.add(new ListedPool(handle, pool.policy, pool.elements.size(), eligible));
    }
    return new PoolPage(page, Optional.empty());
  }

  @Override
  public synchronized ElementPage elements(ElementsRequest request) {
    begin();
    Pool pool = pools.get(request.handle());
    if (pool == null || (pool.elements.isEmpty() && pool.lost.isEmpty())) {
      throw new RnsException(RnsError.NO_SUCH_POOL, "no element is registered under " + request.handle());
    }
    List<ListedElement> page = new ArrayList<>();
    OptionalInt next = OptionalInt.empty();
    List<Element> all = new ArrayList<>(pool.elements.values());
    all.removeIf(element -> Integer.compareUnsigned(element.registration.id(), request.after()) <= 0);
    all.sort(Comparator.comparingLong(element -> Integer.toUnsignedLong(element.registration.id())));
    for (Element element : all.subList(0, Math.min(all.size(), request.pageSize()))) {
      page.add(listed(element));
    }
    if (all.size() > page.size()) {
      next = OptionalInt.of(page.get(page.size() - 1).id());
    }
    Optional<PolicyType> policy = pool.elements.isEmpty() ? Optional.empty() : Optional.of(pool.policy);
    List<LostElement> lost = request.after() == 0 ? pool.lost : List.of();
    return new ElementPage(request.handle(), policy, pool.elements.size(), page, lost, next);
  }

  private ListedElement listed(Element element) {
    Registration registration = element.registration;
    long lifetime = registration.lifetimeMillis();
    long remaining =
        lifetime == Registration.FOREVER ? lifetime : Math.max(0, element.reported + lifetime - clock.getAsLong());
    OptionalLong keepAlive = registration.control().isPresent() ? OptionalLong.of(KEEP_ALIVE) : OptionalLong.empty();
    return new ListedElement(
        registration.id(),
        registration.endpoints(),
        registration.parameters(),
        remaining,
        HOME,
        element.unreachable,
        OptionalLong.empty(),
        keepAlive);
  }
}
