package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.MemberList;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A replica in memory that answers, fails, or hangs. */
final class HangingDatabase implements DatabaseMember {
  private static final int LONGEST_SECONDS = 20;
  private final CountDownLatch waiting = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger looks = new AtomicInteger();
  private volatile boolean hangs;
  private volatile Optional<String> trouble = Optional.empty();
  private volatile MemberPromise promise = MemberPromise.NONE;
  private final AtomicLong run = new AtomicLong(MemberState.UNKNOWN_RUN);
  private volatile int applied = 9;
  private volatile String received = "";

  /** What it cannot apply comes from there; empty while it applies. */
  private volatile Optional<String> stuckWith = Optional.empty();

  /** Another run of it, which receives again. */
  void restart() {
    var unused = run.incrementAndGet();
  }

  void apply(int transactions) {
    applied = transactions;
  }

  void receive(int transactions) {
    received = upTo(transactions);
  }

  /** Has received transactions of a source, and cannot apply them. */
  void getStuck(String source, int transactions) {
    receive(transactions);
    stuckWith = Optional.of(source);
  }

  static String upTo(int transactions) {
    return "uuid:1-" + transactions;
  }

  void hang() {
    hangs = true;
  }

  void fail(String why) {
    trouble = Optional.of(why);
  }

  /** Waits until somebody waits for its answer. */
  void awaitCaller() throws InterruptedException {
    if (!waiting.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("nobody asks");
    }
  }

  void release() {
    released.countDown();
  }

  int looks() {
    return looks.get();
  }

  private void answer() {
    trouble.ifPresent(why -> {
      throw new RnsException(RnsError.UNAVAILABLE, why);
    });
    if (hangs) {
      waiting.countDown();
      try {
        if (!released.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
          throw new IllegalStateException("it was never released");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public MemberState state() {
    looks.incrementAndGet();
    answer();
    long now = run.get();
    boolean receiving = now != MemberState.UNKNOWN_RUN;
    return new MemberState(
        false, stuckWith, receiving, receiving && stuckWith.isEmpty(), upTo(applied), received, OptionalInt.empty(),
        Optional.empty(),
        now);
  }

  @Override
  public String withReceived(MemberState state) {
    return state.received().isEmpty() ? state.transactions() : state.received();
  }

  @Override
  public MemberList members() {
    return MemberList.NONE;
  }

  @Override
  public MemberPromise promise() {
    return promise;
  }

  @Override
  public void promise(MemberPromise other) {
    promise = other;
  }

  @Override
  public boolean tryReadOnly() {
    answer();
    return true;
  }

  @Override
  public void makeReadOnly() {
    answer();
  }

  @Override
  public void makeWritable(int acknowledgements) {
    answer();
  }

  @Override
  public void follow(String host, int port) {
    answer();
  }

  @Override
  public void checkReaches(String host, int port) {
    answer();
  }

  @Override
  public void copyFrom(String host, int port) {
    answer();
  }

  @Override
  public void stopReceiving() {
    answer();
  }

  @Override
  public boolean awaitApplied(Duration most) {
    answer();
    return true;
  }

  @Override
  public boolean contains(String transactions) {
    answer();
    return applied >= Integer.parseInt(transactions.substring(upTo(0).length() - 1));
  }

  @Override
  public void close() {
    release();
  }
}
