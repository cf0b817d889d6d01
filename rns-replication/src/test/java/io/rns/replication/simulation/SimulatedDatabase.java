package io.rns.replication.simulation;

import io.rns.replication.membership.MemberState;
import io.rns.replication.membership.MemberPromise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A database: its log is on its disk, what it received as a replica is in the page cache until it is synced or applied.
 * As a source, it shows and answers a commit once as many connected replicas have received it as it waits for.
 */
final class SimulatedDatabase {
  static final int FIRST_PORT = 3306;
  private static final long APPLY_NANOS = 500_000;
  private static final int APPLY_SPREAD_NANOS = 8_000_000;

  private record Commit(int index, Consumer<CommitOutcome> outcome) {}

  private record Queued(ClientWrite request, Consumer<CommitOutcome> outcome) {}

  final int number;
  private final String address;
  private final VirtualGroup group;
  private final Engine engine;
  private final RandomGenerator random;

  // On disk.
  private final TransactionLog log;
  private final RelayLog relay = new RelayLog();

  /** Whose its own transactions are. */
  private int origin;

  private @Nullable Integer source;
  private MemberPromise promise = MemberPromise.NONE;

  // In memory.
  private SimulatedProcess process;
  private int run = 1;
  private boolean readOnly = true;

  /** Whether commits are refused until those that wait are over and it is read-only, or that is given up. */
  private boolean refusing;

  /** Of how many replicas commits wait; 0 for none. */
  private int waitsFor;
  private boolean receiver;
  private boolean applier;
  private boolean applying;
  private String trouble = "";
  private @Nullable ReplicationStream incoming;
  private final List<ReplicationStream> outgoing = new ArrayList<>();
  private final ArrayDeque<Commit> waiting = new ArrayDeque<>();
  private final ArrayDeque<Queued> locked = new ArrayDeque<>();
  private long applyDelayNanos;
  private long receiveDelayNanos;

  /** Whether nothing that has to be synced ends; then what waits for that, and the commit that does. */
  private boolean stalled;
  private final List<Runnable> unsynced = new ArrayList<>();
  private @Nullable Queued hanging;

  SimulatedDatabase(VirtualGroup group, int number, RandomGenerator random) {
    this.group = group;
    this.number = number;
    this.address = "d" + number + ":" + (FIRST_PORT + number);
    this.engine = group.engine();
    this.random = random;
    this.origin = number;
    this.log = new TransactionLog(engine, group.size());
    this.process = new SimulatedProcess(group.time());
  }

  String address() {
    return address;
  }

  SimulatedProcess process() {
    return process;
  }

  TransactionLog log() {
    return log;
  }

  Engine engine() {
    return engine;
  }

  VirtualGroup group() {
    return group;
  }

  // ---- life

  /** Kills it; the machine goes on, and with it what was written to files. */
  void kill() {
    if (process.isAlive()) {
      process.kill();
      readOnly = true;
      refusing = false;
      waitsFor = 0;
      receiver = false;
      applier = false;
      applying = false;
      trouble = "";
      stalled = false;
      unsynced.clear();
      disconnect();
      List.copyOf(outgoing).forEach(ReplicationStream::breakUp);
      List<Consumer<CommitOutcome>> lost = takeWaiting();
      if (hanging != null) {
        lost.add(hanging.outcome());
        hanging = null;
      }
      lost.forEach(outcome -> outcome.accept(new CommitOutcome.Lost()));
    }
  }

  /** The machine loses its power, and with it what was not synced. */
  void losePower() {
    kill();
    relay.losePower();
  }

  /** Starts it: read-only, with all transactions of its log, also those that no replica has acknowledged. */
  void start() {
    if (!process.isAlive() && !group.isRetired(number)) {
      process = new SimulatedProcess(group.time());
      if (!group.has(Defect.RESTARTED_REPLICA_VOUCHES)) {
        run++;
      }
      forgetPromise();
      log.showUpTo(log.size());
      relay.restart(group.keepsRelayLog());
    }
  }

  void slowDown(long nanos) {
    applyDelayNanos = nanos;
  }

  /** Each transaction that it receives takes so much longer. */
  void slowReceiving(long nanos) {
    receiveDelayNanos = nanos;
  }

  long receiveDelayNanos() {
    return receiveDelayNanos;
  }

  /** Its disk hangs: what is read comes from memory. */
  void stallDisk() {
    stalled = process.isAlive();
  }

  void resumeDisk() {
    stalled = false;
    List<Runnable> synced = List.copyOf(unsynced);
    unsynced.clear();
    synced.forEach(Runnable::run);
    Queued commit = hanging;
    hanging = null;
    if (commit != null) {
      append(commit);
    }
    commitLocked();
  }

  private void whenSynced(Runnable action) {
    if (stalled) {
      unsynced.add(action);
    } else {
      action.run();
    }
  }

  boolean isStalled() {
    return stalled;
  }

  // ---- state

  MemberState state() {
    return new MemberState(
        !readOnly, Optional.ofNullable(source).map(other -> group.database(other).address),
        incoming != null && incoming.isConnected(), applier && trouble.isEmpty(), log.text(),
        source == null ? "" : received(),
        waitsFor > 0 ? OptionalInt.of(outgoing.size()) : OptionalInt.empty(),
        trouble.isEmpty() ? Optional.empty() : Optional.of(trouble), run);
  }

  boolean wantsToReceive() {
    return receiver;
  }

  boolean isApplying() {
    return applier && trouble.isEmpty();
  }

  boolean hasAppliedAll() {
    return source == null || relay.isEmpty();
  }

  boolean isWaiting() {
    return !waiting.isEmpty() || hanging != null;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  @Nullable
  Integer source() {
    return source;
  }

  /** What is on disk is there after a restart, unless it never was there. */
  void forgetPromise() {
    if (group.has(Defect.PROMISES_FORGOTTEN)) {
      promise = MemberPromise.NONE;
    }
  }

  MemberPromise promise() {
    return new MemberPromise(
        promise.term(), promise.proposer(), promise.accepted(),
        group.has(Defect.CUT_OFF_IGNORED) ? 0 : promise.cutOff(), promise.led(),
        group.has(Defect.ACCEPTED_COUNTS_AS_CHOSEN) ? promise.accepted() : promise.chosen(), promise.forced(),
        promise.vouchedRun());
  }

  void promise(MemberPromise other) {
    whenSynced(() -> promise = other);
  }

  // ---- commands

  void refuseWrites(boolean refuse) {
    refusing = refuse;
  }

  void becomeReadOnly() {
    readOnly = true;
  }

  /** Ends the commits that wait for a replica: they stay, unanswered. */
  void cutOffWrites() {
    log.showUpTo(log.size());
    takeWaiting().forEach(outcome -> outcome.accept(new CommitOutcome.Lost()));
  }

  private List<Consumer<CommitOutcome>> takeWaiting() {
    List<Consumer<CommitOutcome>> outcomes = new ArrayList<>();
    waiting.forEach(commit -> outcomes.add(commit.outcome()));
    locked.forEach(queued -> outcomes.add(queued.outcome()));
    waiting.clear();
    locked.clear();
    return outcomes;
  }

  void acceptWrites(int acknowledgements) {
    disconnect();
    relay.clear();
    source = null;
    receiver = false;
    applier = false;
    trouble = "";
    if (acknowledgements > 0 && waitsFor == 0) {
      List.copyOf(outgoing).forEach(ReplicationStream::breakUp);
    }
    waitsFor = acknowledgements;
    while (waitsFor == 0 && !waiting.isEmpty()) {
      complete();
    }
    release();
    readOnly = false;
  }

  /** Follows another source. Of what it has received, an engine keeps what is being applied, or nothing. */
  void replicateFrom(int other) {
    disconnect();
    boolean same = source != null && source == other;
    boolean drops = group.has(same ? Defect.SAME_SOURCE_FETCHED_AGAIN : Defect.OTHER_SOURCE_FETCHED_AGAIN);
    if (drops || !group.keepsRelayLog() || !isApplying()) {
      relay.clear();
    }
    trouble = "";
    source = other;
    replicateAgain();
  }

  /** Whether it goes on with what it has received when it follows its source again. */
  boolean keepsReceived() {
    return trouble.isEmpty() && (applier || group.keepsRelayLog());
  }

  /** Goes on from its source. */
  void replicateAgain() {
    disconnect();
    waitsFor = 0;
    receiver = true;
    applier = true;
    incoming = new ReplicationStream(group.database(Objects.requireNonNull(source)), this);
    incoming.connect();
    apply();
  }

  void stopReceiver() {
    disconnect();
    receiver = false;
    if (!applier && source != null && (engine == Engine.MYSQL || !relay.isEmpty())) {
      applier = true;
    }
    apply();
  }

  /** Forgets all it has. On MySQL it would give the same numbers again, so they become those of another origin. */
  void forget() {
    disconnect();
    if (engine == Engine.MYSQL && !group.has(Defect.NUMBERS_GIVEN_AGAIN)) {
      origin += group.size();
    }
    relay.clear();
    log.clear();
    source = null;
    receiver = false;
    applier = false;
    waitsFor = 0;
    trouble = "";
  }

  /** Goes on from what another one shows. Its replicas connect again, and it is checked what they lack. */
  void copy(SimulatedDatabase other) {
    log.copy(other.log);
    List.copyOf(outgoing).forEach(ReplicationStream::breakUp);
  }

  private void disconnect() {
    if (incoming != null) {
      incoming.close();
      incoming = null;
    }
  }

  // ---- as a source

  /** A transaction arrives from the server beside it; it waits for the lock of the row. */
  void commit(ClientWrite request, Consumer<CommitOutcome> outcome) {
    if (readOnly || refusing) {
      outcome.accept(new CommitOutcome.Refused());
    } else if (isWaiting()) {
      locked.add(new Queued(request, outcome));
    } else if (!request.fits(log.row())) {
      outcome.accept(new CommitOutcome.Superseded());
    } else if (stalled) {
      hanging = new Queued(request, outcome);
    } else {
      append(new Queued(request, outcome));
    }
  }

  private void append(Queued commit) {
    log.append(commit.request().on(log.row(), origin, log.nextNumber(origin)));
    waiting.add(new Commit(log.size() - 1, commit.outcome()));
    if (waitsFor > 0) {
      outgoing.forEach(ReplicationStream::pump);
      release();
    } else {
      complete();
      outgoing.forEach(ReplicationStream::pump);
    }
  }

  void attach(ReplicationStream stream) {
    outgoing.add(stream);
    release();
  }

  void detach(ReplicationStream stream) {
    outgoing.remove(stream);
  }

  /** Links or this process go on after an interruption. */
  void resumeStreams() {
    if (process.answers()) {
      outgoing.forEach(ReplicationStream::resume);
    }
  }

  /** Links or this process are interrupted. */
  void watchStreams() {
    outgoing.forEach(ReplicationStream::watchSilence);
  }

  /** Answers the commits that enough replicas have acknowledged. */
  void release() {
    while (waitsFor > 0 && !waiting.isEmpty() && isAcknowledged(waiting.peek().index())) {
      complete();
    }
  }

  private boolean isAcknowledged(int index) {
    if (group.has(Defect.ANSWERS_WITHOUT_REPLICA)) {
      return true;
    }
    int replicas = 0;
    for (ReplicationStream stream : outgoing) {
      if (stream.acknowledged() > index) {
        replicas++;
      }
    }
    return replicas >= waitsFor;
  }

  private void complete() {
    Commit done = waiting.remove();
    log.showUpTo(done.index() + 1);
    group.check().committed(this, log.get(done.index()));
    done.outcome().accept(new CommitOutcome.Committed(log.get(done.index())));
    commitLocked();
  }

  private void commitLocked() {
    while (!isWaiting() && !locked.isEmpty()) {
      Queued next = locked.remove();
      commit(next.request(), next.outcome());
    }
  }

  // ---- as a replica

  /** Whether it has a transaction, applied or not. */
  boolean hasReceived(SimulatedTransaction transaction) {
    return log.has(transaction) || relay.has(transaction);
  }

  private String received() {
    return String.valueOf(lastReceived());
  }

  /** What it has, applied or not, in the notation of its log. */
  String withReceived() {
    if (relay.isEmpty()) {
      return log.text();
    }
    return engine == Engine.MARIADB || log.isEmpty() ? relay.text(engine) : log.text() + "," + relay.text(engine);
  }

  @Nullable
  SimulatedTransaction lastReceived() {
    SimulatedTransaction received = relay.last();
    return received != null ? received : log.last();
  }

  /**
   * Transactions of the source have come.
   *
   * @param acknowledge called once they are as safe as this database makes them before it acknowledges
   */
  void receive(List<SimulatedTransaction> transactions, Runnable acknowledge) {
    for (SimulatedTransaction each : transactions) {
      if (!hasReceived(each)) {
        relay.add(each);
      }
    }
    if (group.syncsRelayLog()) {
      group.time().after(random.nextInt(APPLY_SPREAD_NANOS), () -> process.deliver(() -> {
        whenSynced(() -> {
          relay.sync();
          acknowledge.run();
        });
      }));
    } else {
      acknowledge.run();
    }
    apply();
  }

  void reportTrouble(String what) {
    trouble = what;
    receiver = false;
  }

  private void apply() {
    if (applier && !applying && trouble.isEmpty() && !relay.isEmpty()) {
      applying = true;
      SimulatedProcess running = process;
      group.time().after(APPLY_NANOS + random.nextInt(APPLY_SPREAD_NANOS) + applyDelayNanos,
          () -> running.deliver(this::applyAll));
    }
  }

  private void applyAll() {
    applying = false;
    while (applier && trouble.isEmpty() && !relay.isEmpty()) {
      SimulatedTransaction next = relay.first();
      SimulatedTransaction row = log.row();
      if (next.isWrite() && row != null && next.sequence() <= row.sequence()) {
        trouble = "error 1062: duplicate entry " + next.sequence();
        return;
      }
      relay.removeFirst();
      log.append(next);
    }
    log.showUpTo(log.size());
    outgoing.forEach(ReplicationStream::pump);
  }
}
