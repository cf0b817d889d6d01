package io.rns.share;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Places that callers share, such as those of searches at a time, or units of memory. The limit of a caller is three
 * quarters of what others leave, but at least a number that is given. So a caller alone may hold most of them, and some
 * are always free for the next. Of the callers that wait, the one that holds least is next, in each caller its first
 * request; nothing overtakes a request that is next and needs more than is free.
 *
 * <p>Remembers callers that hold places or wait, and no others. Thread-safe.
 */
public final class FairPlaces {
  private static final int PARTS = 3;
  private static final int WHOLE = 4;

  private final int all;
  private final int least;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Holder> holders = new HashMap<>();

  /** Those of which requests wait, the one that began to wait or was served longest ago first. */
  private final Map<String, Holder> waiting = new LinkedHashMap<>();

  private int free;
  private long refused;

  /** What came of a request for places. */
  public enum Result {
    /** The caller has them. */
    TAKEN,
    /** It has not: others hold too many. */
    NONE_FREE,
    /** It has not: it holds too many itself. */
    OWN_LIMIT
  }

  private static final class Holder {
    private final Deque<Waiter> requests = new ArrayDeque<>();
    private int held;
  }

  private static final class Waiter {
    private final int some;
    private final CountDownLatch granted = new CountDownLatch(1);

    Waiter(int some) {
      this.some = some;
    }
  }

  /**
   * Free places.
   *
   * @param all how many, 1 or more
   * @param least what one caller may hold in any case, 1 to {@code all}; {@code all} for no limit
   */
  public FairPlaces(int all, int least) {
    if (least < 1 || least > all) {
      throw new IllegalArgumentException(least + " of " + all + " places");
    }
    this.all = all;
    this.least = least;
    this.free = all;
  }

  /** Takes places, or does not. */
  public Result tryTake(String caller, int some) {
    lock.lock();
    try {
      Result result = now(caller, some);
      if (result == Result.TAKEN) {
        give(holders.computeIfAbsent(caller, absent -> new Holder()), some);
      } else if (result == Result.OWN_LIMIT) {
        refused++;
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes places, waiting at most so long.
   *
   * @throws InterruptedException if this thread is interrupted; it has taken none then
   */
  public Result take(String caller, int some, Duration wait) throws InterruptedException {
    Waiter waiter = new Waiter(some);
    lock.lock();
    try {
      Holder holder = holders.computeIfAbsent(caller, absent -> new Holder());
      holder.requests.add(waiter);
      waiting.putIfAbsent(caller, holder);
      grant();
    } finally {
      lock.unlock();
    }
    try {
      if (waiter.granted.await(wait.toNanos(), TimeUnit.NANOSECONDS) || !withdraw(caller, waiter)) {
        return Result.TAKEN;
      }
      return refusal(caller, some);
    } catch (InterruptedException e) {
      if (!withdraw(caller, waiter)) {
        giveBack(caller, some);
      }
      throw e;
    }
  }

  /** Gives places back. */
  public void giveBack(String caller, int some) {
    lock.lock();
    try {
      Holder holder = holders.get(caller);
      if (holder == null || holder.held < some) {
        throw new IllegalStateException("more places are given back than were taken");
      }
      holder.held -= some;
      free += some;
      forget(caller, holder);
      grant();
    } finally {
      lock.unlock();
    }
  }

  private void give(Holder holder, int some) {
    holder.held += some;
    free -= some;
  }

  private void forget(String caller, Holder holder) {
    if (holder.requests.isEmpty()) {
      waiting.remove(caller);
      if (holder.held == 0) {
        holders.remove(caller);
      }
    }
  }

  /** The limit of a caller at this moment. */
  public int limit(String caller) {
    lock.lock();
    try {
      Holder holder = holders.get(caller);
      return limit(holder == null ? 0 : holder.held);
    } finally {
      lock.unlock();
    }
  }

  private int limit(int held) {
    return Math.max(least, (int) ((long) (free + held) * PARTS / WHOLE));
  }

  private Result now(String caller, int some) {
    Holder holder = holders.get(caller);
    int held = holder == null ? 0 : holder.held;
    if (least < all && held + some > limit(held)) {
      return held == 0 && some <= all ? Result.NONE_FREE : Result.OWN_LIMIT;
    }
    return some <= free ? Result.TAKEN : Result.NONE_FREE;
  }

  private Result refusal(String caller, int some) {
    lock.lock();
    try {
      Result result = now(caller, some);
      if (result == Result.OWN_LIMIT) {
        refused++;
        return result;
      }
      return Result.NONE_FREE;
    } finally {
      lock.unlock();
    }
  }

  /** Gives what is free to those who wait. */
  private void grant() {
    while (free > 0 && !waiting.isEmpty()) {
      String next = next();
      if (next == null) {
        return;
      }
      Holder holder = holders.get(next);
      Waiter first = holder.requests.getFirst();
      if (first.some > free) {
        return;
      }
      holder.requests.removeFirst();
      give(holder, first.some);
      waiting.remove(next);
      if (!holder.requests.isEmpty()) {
        waiting.put(next, holder);
      }
      first.granted.countDown();
    }
  }

  /** Who is next: who holds least, of those below their limits. */
  private @Nullable String next() {
    String next = null;
    int least = Integer.MAX_VALUE;
    for (Map.Entry<String, Holder> each : waiting.entrySet()) {
      Holder holder = each.getValue();
      boolean may = holder.held + holder.requests.getFirst().some <= limit(holder.held);
      if (may && holder.held < least) {
        next = each.getKey();
        least = holder.held;
      }
    }
    return next;
  }

  /** Ends a wait; false if the places were given just before. */
  private boolean withdraw(String caller, Waiter waiter) {
    lock.lock();
    try {
      Holder holder = holders.get(caller);
      if (holder == null || !holder.requests.remove(waiter)) {
        return false;
      }
      forget(caller, holder);
      // It may have been next, and needed more than is free.
      grant();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether requests wait. */
  public boolean hasWaiting() {
    lock.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The places that are taken. */
  public int taken() {
    lock.lock();
    try {
      return all - free;
    } finally {
      lock.unlock();
    }
  }

  /** How many places there are. */
  public int all() {
    return all;
  }

  /** The callers of which requests wait. */
  public int callersWaiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many requests were refused because of their caller's own limit. */
  public long refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }
}
