package io.rns.client;

import io.rns.api.RnsPath;
import io.rns.client.call.Ticker;
import io.rns.client.message.RemoteCall;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.Site;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The servers' reports of who has which part of the tree, and when to request new ones: with a call that is made
 * anyway, long before what is known ends. Safe for use by many threads.
 */
final class ReferralKeeper {
  /** News are asked for when this part of the time to live is over. */
  static final int PART = 3;

  /** Retry interval after no response, or a response without a report. */
  static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** However short the time to live is, not every call asks. */
  static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After so long news are asked for anyway, mostly. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final boolean asks;
  private final Site site;
  private final Ticker ticker;
  private final AtomicLong nextAsk;
  private final AtomicInteger everyCall = new AtomicInteger();
  /** When to ask at the earliest because calls are passed on. */
  private volatile long passedOnDue;
  /** Whether one was since the last report. */
  private volatile boolean isPassedOn;
  /** From a report until that time. */
  private long passedOnPause = LEAST_NANOS;
  private volatile ReferralTable table = ReferralTable.EMPTY;

  private ReferralKeeper(boolean asks, Site site, Ticker ticker) {
    this.asks = asks;
    this.site = site;
    this.ticker = ticker;
    this.nextAsk = new AtomicLong(ticker.nanos());
    this.passedOnDue = nextAsk.get();
  }

  /** For a client that chooses among the servers. */
  static ReferralKeeper of(Site site, Ticker ticker) {
    return new ReferralKeeper(true, site, ticker);
  }

  /** For a client that requests no reports. */
  static ReferralKeeper silent() {
    return new ReferralKeeper(false, Site.NONE, Ticker.SYSTEM);
  }

  /** Whether the call that is about to be made shall ask; one call at a time, unless all are to. */
  boolean claim() {
    if (!asks) {
      return false;
    }
    if (everyCall.get() > 0) {
      return true;
    }
    long due = nextAsk.get();
    long now = ticker.nanos();
    if (due - now > 0 || !nextAsk.compareAndSet(due, now + AGAIN_NANOS)) {
      return false;
    }
    passedOnDue = now + AGAIN_NANOS;
    return true;
  }

  /** The call that also asks. */
  <A> RemoteCall<A> asking(RemoteCall<A> call) {
    return call.asking(site, this::told);
  }

  /** Has every call that is made meanwhile ask. */
  void whileAllAsk(Runnable questions) {
    everyCall.incrementAndGet();
    try {
      questions.run();
    } finally {
      everyCall.decrementAndGet();
    }
  }

  /** A server has reported the servers of parts of the tree. */
  synchronized void told(List<Referral> report) {
    long now = ticker.nanos();
    ReferralTable last = table;
    boolean stale = report.stream().anyMatch(referral -> last.isStale(referral, now));
    ReferralTable changed = last.with(report, now);
    long pause = Math.max(LEAST_NANOS, pause(changed, now));
    // News of an older epoch come from a server that has missed something; another one is asked soon.
    nextAsk.set(now + (stale ? Math.min(pause, AGAIN_NANOS) : pause));
    table = changed;
    boolean inVain = isPassedOn && groups(changed).equals(groups(last));
    passedOnPause = inVain ? Math.min(2 * passedOnPause, MOST_NANOS) : LEAST_NANOS;
    isPassedOn = false;
    passedOnDue = now + passedOnPause;
  }

  private static Map<RnsPath, OptionalInt> groups(ReferralTable table) {
    return table.rows().stream().map(ReferralTable.Row::referral)
        .collect(Collectors.toMap(Referral::prefix, Referral::group));
  }

  /** Until the first part of a table is due: the server may have reported another one. */
  private static long pause(ReferralTable table, long now) {
    long pause = Long.MAX_VALUE;
    for (ReferralTable.Row row : table.rows()) {
      if (row.nanosLeft(now) > 0) {
        long due = TimeUnit.MILLISECONDS.toNanos(row.referral().ttlMillis()) / PART - (now - row.toldNanos());
        pause = Math.min(pause, due);
      }
    }
    return pause;
  }

  /**
   * A server passed a call on to another group than the reported one. Mostly content has moved, so that a call soon
   * asks for news. There may be none, such as of more parts than are reported: then it takes longer and longer.
   */
  void passedOn() {
    isPassedOn = true;
    long due = passedOnDue;
    if (nextAsk.get() - due > 0) {
      nextAsk.updateAndGet(next -> next - due > 0 ? due : next);
    }
  }

  /** A report proved wrong: the next call requests a new one. */
  void doubt() {
    nextAsk.set(ticker.nanos());
  }

  /** Forgets all. */
  synchronized void forget() {
    table = ReferralTable.EMPTY;
    doubt();
  }

  /** What is known. */
  ReferralTable table() {
    return table;
  }
}
