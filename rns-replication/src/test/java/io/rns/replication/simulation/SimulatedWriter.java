package io.rns.replication.simulation;

import io.rns.api.Position;
import io.rns.replication.member.GroupSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a primary: one transaction at a time, in its epoch; beats when it is idle; after a lost connection it
 * first confirms by a transaction what its database has.
 */
final class SimulatedWriter {
  static final Duration LEASE = GroupSettings.BEAT.multipliedBy(6);

  /** Until replicas are told that a write is confirmed, unless another one comes. */
  private static final Duration CONFIRMS_AFTER = Duration.ofMillis(10);
  private static final Duration PROBE_PAUSE = Duration.ofMillis(200);

  /** What a client learns of its write. */
  sealed interface Answer {
    /** It was made. */
    record Done(Position position) implements Answer {}

    /** It was not made. */
    record Refused() implements Answer {}

    /** It may have been made. */
    record Unknown() implements Answer {}
  }

  private record Pending(int write, Consumer<Answer> answer) {}

  private final SimulatedDatabase database;
  private final ProcessTiming timing;
  private final VirtualGroup group;
  private final int epoch;
  private final ArrayDeque<Pending> queue = new ArrayDeque<>();
  private final BitSet writes = new BitSet();
  private SimulatedTransaction row;
  private @Nullable Pending inHand;
  private boolean busy;
  private boolean deposed;
  private boolean ended;
  private long confirmedNanos;
  private @Nullable String refusal;
  private int beats;

  /** Whether replicas wait with a write until the next transaction says that it is confirmed. */
  private boolean confirming;

  /**
   * Writes after the commit that began its epoch.
   *
   * @param beganNanos when that was sent
   */
  SimulatedWriter(SimulatedDatabase database, ProcessTiming timing, SimulatedTransaction begin, long beganNanos) {
    this.database = database;
    this.group = database.group();
    this.timing = timing;
    this.row = begin;
    this.epoch = begin.epoch();
    this.confirmedNanos = beganNanos;
    this.writes.or(database.log().visibleWrites());
    this.confirming = begin.members().acknowledgements() > 1;
    beatLater();
  }

  SimulatedTransaction row() {
    return row;
  }

  /** The writes that its readers see. */
  BitSet writes() {
    return writes;
  }

  boolean isDeposed() {
    return deposed;
  }

  boolean isBusy() {
    return busy;
  }

  /** A write is at fewer replicas than have to have it when it comes to one. */
  void confirmWrites(boolean needed) {
    confirming = needed;
  }

  boolean confirmsWrites() {
    return confirming;
  }

  void refuse(@Nullable String reason) {
    refusal = reason;
  }

  /** Whether no other server can have taken over yet. */
  boolean holdsLease() {
    return !timing.passed(LEASE, confirmedNanos);
  }

  void submit(int write, Consumer<Answer> answer) {
    if (deposed || ended || refusal != null) {
      answer.accept(new Answer.Refused());
    } else {
      queue.add(new Pending(write, answer));
      step();
    }
  }

  /** Begins no more transactions; the one under way is still answered. */
  void standDown() {
    deposed = true;
    refuseQueue();
  }

  /** Answers no more. */
  void end() {
    ended = true;
    refuseQueue();
    if (inHand != null) {
      inHand.answer().accept(new Answer.Unknown());
      inHand = null;
    }
  }

  private void refuseQueue() {
    queue.forEach(pending -> pending.answer().accept(new Answer.Refused()));
    queue.clear();
  }

  private void step() {
    if (!busy && !ended && !deposed && !queue.isEmpty()) {
      inHand = queue.remove();
      send(inHand.write(), this::conclude);
    }
  }

  private void beatLater() {
    int current = ++beats;
    timing.time().after(timing.nanos(row.confirmed() < row.sequence() ? CONFIRMS_AFTER : GroupSettings.BEAT),
        () -> timing.process().deliver(() -> {
          if (current == beats && !deposed && !ended) {
            if (!busy) {
              send(SimulatedTransaction.NO_WRITE, this::conclude);
            } else {
              beatLater();
            }
          }
        }));
  }

  private interface Conclusion {
    void of(CommitOutcome outcome, long beganNanos);
  }

  private void send(int write, Conclusion conclusion) {
    busy = true;
    long began = timing.nanoTime();
    ClientWrite request =
        ClientWrite.in(epoch, write, began / 1000, confirming ? row.sequence() : SimulatedTransaction.ALL);
    group.onDatabase(database, request, timing.process(), outcome -> {
      busy = false;
      conclusion.of(outcome, began);
      beatLater();
      step();
    });
  }

  private void conclude(CommitOutcome outcome, long beganNanos) {
    switch (outcome) {
      case CommitOutcome.Committed(SimulatedTransaction committed) -> {
        if (!ended && !(deposed && group.has(Defect.LAST_WRITE_READ_EARLY))) {
          advance(committed, beganNanos);
        }
        answer(new Answer.Done(committed.position()));
      }
      case CommitOutcome.Refused refused -> answer(new Answer.Refused());
      case CommitOutcome.Superseded superseded -> {
        deposed = true;
        answer(new Answer.Refused());
        refuseQueue();
      }
      case CommitOutcome.Lost lost -> {
        busy = true;
        confirmLater();
      }
    }
  }

  private void advance(SimulatedTransaction committed, long beganNanos) {
    confirmedNanos = beganNanos;
    row = committed;
    if (committed.isWrite()) {
      writes.set(committed.write());
    }
  }

  private void answer(Answer answer) {
    if (inHand != null) {
      inHand.answer().accept(answer);
      inHand = null;
    }
  }

  private void confirmLater() {
    timing.time().after(timing.nanos(PROBE_PAUSE), () -> timing.process().deliver(() -> {
      if (deposed || ended) {
        busy = false;
        answer(new Answer.Unknown());
      } else {
        send(SimulatedTransaction.NO_WRITE, this::confirm);
      }
    }));
  }

  /** A commit after the lost one: what the database had before it is safe now. */
  private void confirm(CommitOutcome outcome, long beganNanos) {
    switch (outcome) {
      case CommitOutcome.Committed(SimulatedTransaction committed) -> {
        advance(committed, beganNanos);
        writes.or(database.log().visibleWrites());
        boolean done = inHand != null && writes.get(inHand.write());
        answer(done ? new Answer.Done(committed.position()) : new Answer.Refused());
      }
      case CommitOutcome.Superseded superseded -> {
        deposed = true;
        answer(new Answer.Unknown());
        refuseQueue();
      }
      case CommitOutcome.Refused refused -> confirmAgain();
      case CommitOutcome.Lost lost -> confirmAgain();
    }
  }

  private void confirmAgain() {
    busy = true;
    confirmLater();
  }
}
