package io.rns.client.pool;

import io.rns.api.RnsPath;
import io.rns.client.call.RetryBudget;
import io.rns.client.pool.PoolSession.CookieEcho;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Uses server pools: resolves them, keeps what it got for as long as the service says, and chooses elements by the
 * policy of the pool. Sessions make the calls.
 *
 * <p>Elements are taken in the order in which they came; those of {@code rr} and {@code wrr} in turn, those of
 * {@code rand} and {@code
 * wrand} are drawn again, those of {@code adaptive} are ordered by what this user knows beside: its own requests, how
 * long answers take, rejections, failures. It tells the service what is news, and starts from what others told. An
 * element that failed comes last for a limited time.
 *
 * <p>Safe for use by many threads; holds nothing that has to be closed.
 */
public final class PoolUser {
  private static final int MOST_POOLS = 1_000;
  private static final double REPEATED_SHARE = 0.2;
  private static final int REPEATED_RESERVE = 10;

  private final PoolService pools;
  private final UserSettings settings;
  private final Time time;
  private final RandomGenerator random;
  private final RetryBudget budget = new RetryBudget(REPEATED_SHARE, REPEATED_RESERVE);
  private final UseCounts counts = new UseCounts();

  /** What is known of the pools that were used last. */
  private final Map<RnsPath, PoolView> views =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RnsPath, PoolView> eldest) {
          return size() > MOST_POOLS;
        }
      };

  private PoolUser(Builder builder) {
    this.pools = builder.pools;
    this.settings = builder.settings;
    this.time = builder.time;
    this.random = builder.random;
  }

  /** A user with the standard settings. */
  public static PoolUser of(PoolService pools) {
    return builder(pools).build();
  }

  /** A user to be. */
  public static Builder builder(PoolService pools) {
    return new Builder(pools);
  }

  /** Settings of a user. Not thread-safe. */
  public static final class Builder {
    private final PoolService pools;
    private UserSettings settings = UserSettings.STANDARD;
    private Time time = SystemTime.INSTANCE;
    private RandomGenerator random = new SharedRandom();

    private Builder(PoolService pools) {
      this.pools = pools;
    }

    /**
     * How many elements a resolution asks for: one to use and others to fail over to, 1 to
     * {@value PoolService#RESOLUTION_ITEMS}; 3 unless set. The service may give fewer.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
     */
    public Builder items(int most) {
      if (most < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, "a resolution of " + most + " elements is invalid");
      }
      Limits.check("a resolution", most, PoolService.RESOLUTION_ITEMS, "elements");
      settings = settings.withItems(most);
      return this;
    }

    /**
     * How long after it came a resolution may still be used while no server can be asked; 30 s unless set, zero for
     * never.
     */
    public Builder staleCache(Duration most) {
      settings = settings.withStale(checked("stale cache", most));
      return this;
    }

    /** The most time of a call, from its begin to that of its last attempt; 30 s unless set. */
    public Builder deadline(Duration most) {
      settings = settings.withDeadline(checked("deadline", most));
      return this;
    }

    /**
     * How long an element of an adaptive pool that this user has just met gets less than its share; zero unless set.
     */
    public Builder warmUp(Duration most) {
      settings = settings.withWarmUp(checked("warm-up", most));
      return this;
    }

    private static long checked(String what, Duration value) {
      if (value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, what + " " + value + " is not between zero and a day");
      }
      return value.toMillis();
    }

    Builder time(Time passing, RandomGenerator drawing) {
      time = passing;
      random = drawing;
      return this;
    }

    /** Makes the user; nothing is sent before the first call. */
    public PoolUser build() {
      return new PoolUser(this);
    }
  }

  /** Draws for whichever thread asks. */
  private static final class SharedRandom implements RandomGenerator {
    @Override
    public long nextLong() {
      return ThreadLocalRandom.current().nextLong();
    }
  }

  /** A session without state at the elements. */
  public PoolSession session(RnsPath handle) {
    return session(handle, (cookie, element) -> {});
  }

  /**
   * A session whose state goes along.
   *
   * @param handle the path of the pool
   * @param echo hands the last cookie to an element that takes over
   */
  public PoolSession session(RnsPath handle, CookieEcho echo) {
    return new PoolSession(view(handle), settings, budget, time, random, echo);
  }

  /** Statistics of this user. */
  public PoolFigures figures() {
    return counts.figures();
  }

  private PoolView view(RnsPath handle) {
    synchronized (views) {
      return views.computeIfAbsent(handle, missing -> new PoolView(pools, missing, settings, counts, time, random));
    }
  }
}
