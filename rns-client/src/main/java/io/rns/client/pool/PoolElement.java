package io.rns.client.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A server that is an element of a pool, registered until it is closed. It draws its id, renews itself before a third
 * of its lifetime is over, and reports earlier when its load or its free places have changed enough. Where a renewal
 * fails it is retried, and the {@link ElementListener} is notified; the other servers of a group are a matter of the
 * {@link PoolService}.
 *
 * <p>An element renews itself by one call of the service at a time. Up to 64 elements of a process do so at the same
 * time: those whose server does not respond do not hold up the others. Safe for use by many threads.
 */
public final class PoolElement implements AutoCloseable {
  private static final int MOST_IDS = 8;
  private static final double KEPT = 0.9;

  private final PoolService pools;
  private final RnsPath handle;
  private final PolicyType policy;
  private final List<EndpointReference> endpoints;
  private final Optional<EndpointReference> control;
  private final Reports reports;
  private final RenewalTimes times;
  private final ElementListener listener;
  private final Time time;
  private final RandomGenerator random;
  private final @Nullable Integer fixedId;

  /** Whether a report of the places is on its way already. */
  private final AtomicBoolean hurried = new AtomicBoolean();

  private int id;
  private boolean open = true;
  private int failures;
  private volatile long reportedMillis;

  /** How long a report takes, a mean that begins with a high value. */
  private volatile double callMillis = 1;
  private Runnable next = () -> {};

  private PoolElement(Builder builder) {
    this.pools = builder.pools;
    this.handle = builder.handle;
    this.policy = builder.policy;
    this.endpoints = builder.endpoints;
    this.control = Optional.ofNullable(builder.control);
    this.reports =
        new Reports(builder.parameters, Optional.ofNullable(builder.load), Optional.ofNullable(builder.admission));
    this.times = new RenewalTimes(builder.lifetime.toMillis());
    this.listener = builder.listener;
    this.time = builder.time;
    this.random = builder.random;
    this.fixedId = builder.id;
    this.id = fixedId == null ? drawn() : fixedId;
  }

  /**
   * An element to be.
   *
   * @param handle the path of its pool, not the root
   * @param endpoints where it serves, the preferred first; at least one
   */
  public static Builder builder(PoolService pools, RnsPath handle, List<EndpointReference> endpoints) {
    return new Builder(pools, handle, List.copyOf(endpoints));
  }

  /** Settings of an element. Not thread-safe. */
  public static final class Builder {
    private final PoolService pools;
    private final RnsPath handle;
    private final List<EndpointReference> endpoints;
    private PolicyType policy = PolicyType.ADAPTIVE;
    private Duration lifetime = Duration.ofSeconds(30);
    private Parameters parameters = Parameters.PLAIN;
    private @Nullable LongSupplier load;
    private @Nullable Admission admission;
    private @Nullable EndpointReference control;
    private @Nullable Integer id;
    private ElementListener listener = ElementListener.NONE;
    private Time time = SystemTime.INSTANCE;
    private RandomGenerator random = new SplittableRandom();

    private Builder(PoolService pools, RnsPath handle, List<EndpointReference> endpoints) {
      this.pools = pools;
      this.handle = handle;
      this.endpoints = endpoints;
    }

    /** The policy of the pool; {@link PolicyType#ADAPTIVE} unless set. */
    public Builder policy(PolicyType ofPool) {
      policy = ofPool;
      return this;
    }

    /**
     * How long a registration holds without renewal, 1 s to a day; 30 s unless set. After so long users stop being sent
     * to an element that died.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST}
     */
    public Builder lifetime(Duration ofRegistration) {
      if (ofRegistration.compareTo(Duration.ofSeconds(1)) < 0 || ofRegistration.compareTo(Duration.ofDays(1)) > 0) {
        throw new RnsException(RnsError.INVALID_REQUEST,
            "a lifetime of " + ofRegistration + " is not between 1 s and a day");
      }
      lifetime = ofRegistration;
      return this;
    }

    /** What the policy needs to know and does not change: weight, priority; {@link Parameters#PLAIN} unless set. */
    public Builder parameters(Parameters fixed) {
      parameters = fixed;
      return this;
    }

    /**
     * Tells the load, 0 to {@link Parameters#FULL}, which takes the place of that in the parameters. It is asked about
     * once a second and reported at once when it has changed by 5 % of the full load. Called by the renewing thread: it
     * must not wait.
     */
    public Builder load(LongSupplier ofElement) {
      load = ofElement;
      return this;
    }

    /** Counts the requests, for pools with the policies credits and adaptive. An admission is of one element. */
    public Builder admission(Admission ofElement) {
      admission = ofElement;
      return this;
    }

    /** Where registrars reach the element to ask whether it lives; without, the lifetime alone ends it. */
    public Builder control(EndpointReference reference) {
      control = reference;
      return this;
    }

    /** An id in place of one that is drawn; unsigned, not 0. If it is taken, registering fails. */
    public Builder id(int unsigned) {
      id = unsigned;
      return this;
    }

    /** Receives the state of the element. */
    public Builder listener(ElementListener told) {
      listener = told;
      return this;
    }

    Builder time(Time passing, RandomGenerator drawing) {
      time = passing;
      random = drawing;
      return this;
    }

    /**
     * Registers, now, and keeps the element registered.
     *
     * @throws RnsException what {@link PoolService#register} throws; nothing is left behind then
     */
    public PoolElement register() {
      PoolElement element = new PoolElement(this);
      element.begin();
      return element;
    }
  }

  private int drawn() {
    int number = random.nextInt();
    return number == 0 ? 1 : number;
  }

  private synchronized void begin() {
    registerNow();
    schedule(untilNext());
    reports.onChange(this::changed);
  }

  /** One registration; another id is drawn as long as one is taken. */
  private void registerNow() {
    for (int ids = 1;; ids++) {
      try {
        Parameters said = reports.take();
        long began = time.millis();
        Registered answer =
            pools.register(handle, policy, new Registration(id, endpoints, said, times.lifetimeMillis(), control));
        reports.said(said);
        long now = time.millis();
        callMillis = KEPT * callMillis + (1 - KEPT) * (double) (now - began);
        reportedMillis = now;
        failures = 0;
        listener.registered(id, answer);
        return;
      } catch (RnsException e) {
        if (e.error() != RnsError.ELEMENT_ID_TAKEN || fixedId != null || ids == MOST_IDS) {
          throw e;
        }
        id = drawn();
      }
    }
  }

  private synchronized void renew() {
    if (!open) {
      return;
    }
    long wait = untilNext();
    try {
      long sinceReport = time.millis() - reportedMillis;
      if (failures > 0 || sinceReport >= times.leastRenewal() || reports.isDue()) {
        registerNow();
      }
    } catch (RnsException e) {
      wait = times.afterFailure(failures++, random);
      listener.failed(e);
    } finally {
      schedule(wait);
    }
  }

  /** How long there is nothing to do, if all goes well. */
  private long untilNext() {
    long renewal = times.renewal(random);
    return reports.samples() ? Math.min(renewal, times.sample(random)) : renewal;
  }

  private void schedule(long waitMillis) {
    next.run();
    next = time.after(waitMillis, this::renew);
  }

  /**
   * The places changed: what is due is reported soon, many changes by one report. Whoever has come for a place does not
   * wait.
   */
  private void changed() {
    if (reports.arePlacesDue() && hurried.compareAndSet(false, true)) {
      long soonest = Math.max(0, reportedMillis + RenewalTimes.leastGap(callMillis) - time.millis());
      Runnable unused = time.after(soonest, this::hurry);
    }
  }

  private void hurry() {
    synchronized (this) {
      // Not before: while a renewal waits for its server, changes of the places start no further thread.
      hurried.set(false);
      // Failures are retried at their own pace.
      if (failures == 0) {
        renew();
      }
    }
  }

  /** The id under which the element is registered, unsigned; another than before if that was taken. */
  public synchronized int id() {
    return id;
  }

  /** Ends the renewals and leaves the element registered until its lifetime ends. */
  public synchronized void leave() {
    open = false;
    next.run();
  }

  /**
   * Takes the element out of the pool and ends its renewals. If no server can be reached its lifetime ends it; the
   * listener is notified. Waits for a running renewal.
   */
  @Override
  public synchronized void close() {
    if (!open) {
      return;
    }
    open = false;
    next.run();
    try {
      boolean unused = pools.deregister(handle, id);
    } catch (RnsException e) {
      listener.failed(e);
    }
  }
}
