package io.rns.server.namespace;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait for the writer, a bounded number, in a queue for each caller, which take turns by weighted fair
 * queueing: next is the write that would end first if all callers that wait were served at the same time, each at the
 * same rate. So a caller that writes little waits for one transaction, however much others have queued; these get equal
 * parts of the rest, and a caller alone gets everything. A write that has waited for a quarter of its time goes first,
 * so that a large one does not expire among many small ones.
 *
 * <p>A full queue takes the write of a caller that has fewer in it, in place of the last one of the caller that has
 * most. As long as several callers write, a transaction is small, since its duration is what everybody waits for.
 *
 * <p>Thread-safe; the writer alone takes batches.
 */
final class WriteQueue {
  /** Cost of a transaction while several callers write, after which it takes no more: that of so many entries. */
  static final int SHARED_COST = 256;

  /** Content that costs as much as an entry. */
  static final int COST_BYTES = 4_096;

  /** Idle callers whose writes are not paid for yet that are remembered, at most. */
  static final int REMEMBERED = 10_000;

  /** How long after writes of several callers a transaction stays small. */
  private static final Duration SHARED = Duration.ofSeconds(1);

  private static final long RETRY_MILLIS = 500;

  /** After this part of its time a write goes first. */
  private static final int PATIENCE_PART = 4;

  private static final Comparator<CallerWrites> EARLIEST =
      Comparator.<CallerWrites>comparingDouble(each -> each.end).thenComparingLong(each -> each.number);

  private final WriterSettings settings;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();

  /** The callers that have writes here, by account. */
  private final Map<String, CallerWrites> callers = new HashMap<>();

  /** The same, in the order in which their first writes end in virtual time. */
  private final PriorityQueue<CallerWrites> order = new PriorityQueue<>(EARLIEST);

  /** When the last writes of idle callers end in virtual time, if that is to come. */
  private final Map<String, Double> ends = new HashMap<>();

  /**
   * Virtual time: the cost of what each caller would have been served, had it waited all the time; 0 whenever the queue
   * has been emptied.
   */
  private double now;

  private int size;
  private long numbers;
  private long refused;
  private @Nullable String lastAccount;
  private boolean everShared;
  private long sharedNanos;

  /** Why the queue has ended; null as long as it has not. */
  private @Nullable RnsException ended;

  private record Queued(PendingWrite write, long sinceNanos) {}

  /** The writes of one caller, never empty while it is in the queue. */
  private static final class CallerWrites {
    final String account;
    final Deque<Queued> writes = new ArrayDeque<>();

    /** When the first write starts and ends in virtual time, and its number for writes that end together. */
    double start;
    double end;
    long number;

    CallerWrites(String account) {
      this.account = account;
    }

    Queued first() {
      return writes.getFirst();
    }
  }

  /**
   * An empty queue.
   *
   * @param nanos a clock that only goes forward, in nanoseconds
   */
  WriteQueue(WriterSettings settings, LongSupplier nanos) {
    this.settings = settings;
    this.nanos = nanos;
  }

  /**
   * Puts a write behind all others of its caller.
   *
   * @throws RnsException {@link RnsError#BUSY} if the queue is full and no caller has more in it, the reason of
   *         {@link #end} if it has ended
   */
  void add(PendingWrite write) {
    PendingWrite displaced;
    lock.lock();
    try {
      RnsException reason = ended;
      if (reason != null) {
        throw new RnsException(reason.error(), reason.getMessage(), reason);
      }
      displaced = size < settings.queueRequests() ? null : makeRoom(write.account());
      enqueue(write);
      filled.signal();
    } finally {
      lock.unlock();
    }
    if (displaced != null && displaced.take()) {
      displaced.fail(
          tooMany(
              "this write gave way to one of another caller: it was the last of the caller with most of the "
                  + settings.queueRequests() + " writes that may wait"));
    }
  }

  private void enqueue(PendingWrite write) {
    String account = write.account();
    CallerWrites own = callers.get(account);
    long since = nanos.getAsLong();
    if (own == null) {
      own = new CallerWrites(account);
      own.writes.add(new Queued(write, since));
      Double end = ends.remove(account);
      callers.put(account, own);
      order(own, end == null ? now : Math.max(now, end));
    } else {
      own.writes.add(new Queued(write, since));
    }
    size++;
    if (lastAccount != null && !lastAccount.equals(account)) {
      everShared = true;
      sharedNanos = since;
    }
    lastAccount = account;
  }

  private void order(CallerWrites own, double start) {
    own.start = start;
    own.end = start + cost(own.first().write());
    own.number = numbers++;
    order.add(own);
  }

  /** Takes out the last write of the caller that has most, if that are more than another has. */
  private PendingWrite makeRoom(String account) {
    CallerWrites own = callers.get(account);
    int held = own == null ? 0 : own.writes.size();
    CallerWrites most = null;
    for (CallerWrites each : callers.values()) {
      most = most == null || each.writes.size() > most.writes.size() ? each : most;
    }
    refused++;
    if (most == null || most.writes.size() <= held + 1) {
      throw tooMany(
          "this caller has " + held + " of the " + settings.queueRequests()
              + " writes that may wait, and no other has more");
    }
    size--;
    return most.writes.removeLast().write();
  }

  private static RnsException tooMany(String why) {
    return RnsException.busy(why + "; retry in " + RETRY_MILLIS + " ms", RETRY_MILLIS);
  }

  /** What waits, may start first and fits into one transaction; empty if nothing has come for so long. */
  List<PendingWrite> nextBatch(long waitMillis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
      while (size == 0) {
        if (left <= 0) {
          return new ArrayList<>();
        }
        left = filled.awaitNanos(left);
      }
      return batch();
    } finally {
      lock.unlock();
    }
  }

  private List<PendingWrite> batch() {
    List<PendingWrite> batch = new ArrayList<>();
    long most = isShared() ? SHARED_COST : Long.MAX_VALUE;
    int items = 0;
    long bytes = 0;
    long cost = 0;
    CallerWrites turn = longestWaiting();
    while (size > 0 && batch.size() < settings.batchRequests() && cost < most) {
      CallerWrites caller = turn == null ? order.element() : turn;
      turn = null;
      PendingWrite next = caller.first().write();
      if (!batch.isEmpty()
          && (items + next.request().size() > Limits.BATCH_ITEMS
              || bytes + next.contentBytes() > Limits.ANSWER_BYTES)) {
        break;
      }
      // One whose caller has given up costs nothing.
      boolean taken = next.take();
      removeFirst(caller, taken ? cost(next) : 0);
      if (taken) {
        batch.add(next);
        items += next.request().size();
        bytes += next.contentBytes();
        cost += cost(next);
      }
    }
    return batch;
  }

  /** The caller whose first write has waited for longest, if that is for too long; null if none has. */
  private @Nullable CallerWrites longestWaiting() {
    if (callers.size() == 1) {
      return null;
    }
    long before = nanos.getAsLong() - settings.timeout().toNanos() / PATIENCE_PART;
    CallerWrites longest = null;
    for (CallerWrites each : callers.values()) {
      long since = each.first().sinceNanos();
      if (since - before < 0 && (longest == null || since - longest.first().sinceNanos() < 0)) {
        longest = each;
      }
    }
    return longest;
  }

  private boolean isShared() {
    return callers.size() > 1 || (everShared && nanos.getAsLong() - sharedNanos < SHARED.toNanos());
  }

  private static long cost(PendingWrite write) {
    return Math.max(1, write.request().size()) + write.contentBytes() / COST_BYTES;
  }

  /** Removes the first write of a caller, at a cost. */
  private void removeFirst(CallerWrites caller, long cost) {
    boolean unused = order.remove(caller);
    caller.writes.removeFirst();
    size--;
    now = Math.max(caller.start, now + (double) cost / callers.size());
    double end = caller.start + cost;
    if (!caller.writes.isEmpty()) {
      order(caller, end);
      return;
    }
    callers.remove(caller.account);
    if (size == 0) {
      // Nobody waits because of what anybody has had.
      now = 0;
      ends.clear();
    } else if (end > now) {
      remember(caller.account, end);
    }
  }

  private void remember(String account, double end) {
    if (ends.size() >= REMEMBERED) {
      ends.values().removeIf(each -> each <= now);
    }
    if (ends.size() < REMEMBERED) {
      ends.put(account, end);
    }
  }

  /** Refuses what waits, and what comes from now on. */
  void end(RnsException reason) {
    lock.lock();
    try {
      ended = reason;
    } finally {
      lock.unlock();
    }
    refuse(reason);
  }

  /** Refuses what waits. */
  void refuse(RnsException reason) {
    List<PendingWrite> left = new ArrayList<>();
    lock.lock();
    try {
      callers.values().forEach(each -> each.writes.forEach(queued -> left.add(queued.write())));
      callers.clear();
      order.clear();
      ends.clear();
      size = 0;
      now = 0;
    } finally {
      lock.unlock();
    }
    left.forEach(each -> each.fail(reason));
  }

  boolean isEmpty() {
    return size() == 0;
  }

  int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /** How many callers have writes that wait. */
  int callers() {
    lock.lock();
    try {
      return callers.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many writes were refused, or gave way, because no caller had more in a full queue. */
  long refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }

  /** How many idle callers are remembered. */
  int remembered() {
    lock.lock();
    try {
      return ends.size();
    } finally {
      lock.unlock();
    }
  }
}
