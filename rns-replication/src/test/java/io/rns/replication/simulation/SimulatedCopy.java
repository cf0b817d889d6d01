package io.rns.replication.simulation;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.member.CommitWait;
import io.rns.replication.member.LastCommit;
import io.rns.replication.member.MemberCopy;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A server's copy of the tree, whose content is the set of the writes made. */
final class SimulatedCopy implements MemberCopy {
  private static final Duration STAND_DOWN_WAIT = Duration.ofSeconds(5);
  private static final Duration TAKE_OVER = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(10);

  private final SimulatedDatabase database;
  private final ProcessTiming timing;
  private @Nullable SimulatedWriter writer;
  private boolean following;

  /** Whether it has stood down, and neither follows nor leads since. */
  private boolean stoodDown;

  /** What is read while it neither follows nor writes. */
  private SimulatedTransaction row;
  private BitSet writes = new BitSet();

  /** The number of the last write that is known to be at enough replicas. */
  private long confirmed;

  private SimulatedCopy(SimulatedDatabase database, ProcessTiming timing, SimulatedTransaction row) {
    this.database = database;
    this.timing = timing;
    this.row = row;
    confirm();
    this.writes.or(database.log().writesUpTo(confirmed));
  }

  private void confirm() {
    TransactionLog log = database.log();
    boolean all = database.group().has(Defect.READS_OF_UNCONFIRMED);
    confirmed = all ? SimulatedTransaction.ALL : Math.max(confirmed, log.confirmed());
    SimulatedTransaction seen = log.rowUpTo(confirmed);
    if (seen != null) {
      row = seen;
    }
  }

  /**
   * Opens what the database has.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it cannot be reached or has no tables
   */
  static SimulatedCopy open(SimulatedDatabase database, ProcessTiming timing) {
    SimulatedTransaction row = database.log().row();
    if (row == null || !database.process().answers()) {
      throw new RnsException(RnsError.UNAVAILABLE, "there is nothing to read in " + database.address());
    }
    return new SimulatedCopy(database, timing, row);
  }

  private void look() {
    if (following && writer == null) {
      confirm();
    }
  }

  private SimulatedTransaction row() {
    look();
    return writer != null ? writer.row() : row;
  }

  /** The writes that readers see. */
  BitSet writes() {
    if (stoodDown && database.group().has(Defect.LAST_WRITE_READ_EARLY)) {
      return database.log().visibleWrites();
    }
    if (writer != null) {
      return writer.writes();
    }
    look();
    return following ? database.log().writesUpTo(confirmed) : writes;
  }

  /** Submits a write; refused unless this server is the primary. */
  void submit(int write, Consumer<SimulatedWriter.Answer> answer) {
    if (writer == null) {
      answer.accept(new SimulatedWriter.Answer.Refused());
    } else {
      writer.submit(write, answer);
    }
  }

  @Override
  public Optional<Position> lead(
      int after, List<String> members, CommitWait wait, Predicate<LastCommit> mayFollow) {
    long beganNanos = timing.nanoTime();
    SimulatedTransaction begin = committed(ClientWrite.nextEpoch(after, beganNanos / 1000, members, wait));
    writer = new SimulatedWriter(database, timing, begin, beganNanos);
    following = false;
    stoodDown = false;
    return Optional.of(position());
  }

  @Override
  public MemberList replaceMembers(int epoch, List<String> members, int most) {
    SimulatedWriter current = writer;
    if (current == null || current.isDeposed() || row().epoch() != epoch) {
      throw new RnsException(RnsError.NOT_PRIMARY, "this server is a replica");
    }
    current.confirmWrites(current.confirmsWrites() || MemberList.acknowledgements(members.size(), most) > 1);
    MemberList list =
        committed(ClientWrite.membersIn(row().epoch(), members, timing.nanoTime() / 1000, most)).members();
    current.confirmWrites(list.acknowledgements() > 1);
    return list;
  }

  private SimulatedTransaction committed(ClientWrite request) {
    Signal answered = new Signal(timing.time());
    AtomicReference<CommitOutcome> outcome = new AtomicReference<>(new CommitOutcome.Lost());
    database.group().onDatabase(
        database, request, timing.process(), result -> {
          outcome.set(result);
          answered.fire();
        });
    boolean unused = answered.await(timing.nanos(TAKE_OVER));
    if (outcome.get() instanceof CommitOutcome.Committed(SimulatedTransaction done)) {
      return done;
    }
    throw new RnsException(RnsError.UNAVAILABLE, "it was not committed: " + outcome.get());
  }

  @Override
  public void standDown(String why) {
    SimulatedWriter former = writer;
    if (former != null) {
      stoodDown = true;
      former.standDown();
      long since = timing.nanoTime();
      while (former.isBusy() && !timing.passed(STAND_DOWN_WAIT, since)) {
        timing.pause(POLL);
      }
      end(former);
    }
  }

  @Override
  public boolean showsAll() {
    SimulatedTransaction last = database.log().row();
    return last != null && last.position().equals(position());
  }

  private void end(SimulatedWriter former) {
    former.end();
    row = former.row();
    writes = former.writes();
    confirmed = Math.max(confirmed, row.sequence());
    writer = null;
  }

  @Override
  public void follow() {
    following = true;
    stoodDown = false;
  }

  @Override
  public boolean isPrimary() {
    return writer != null && !writer.isDeposed();
  }

  @Override
  public boolean isConfirmed() {
    return writer != null && writer.holdsLease();
  }

  @Override
  public void refuseWrites(@Nullable String reason) {
    if (writer != null) {
      writer.refuse(reason);
    }
  }

  @Override
  public Instant asOf() {
    return Instant.EPOCH.plusNanos(row().beatMicros() * 1000);
  }

  @Override
  public Lag lag() {
    return Lag.NONE;
  }

  @Override
  public Position position() {
    return row().position();
  }

  @Override
  public boolean hasServed(Positions seen) {
    return seen.of(position().group()).filter(wanted -> !position().covers(wanted)).isEmpty();
  }

  @Override
  public boolean awaitServed(Positions seen, Duration most) {
    return hasServed(seen);
  }

  @Override
  public long ageMillis() {
    return 0;
  }

  @Override
  public void checkLatest() {
    if (writer == null || writer.isDeposed()) {
      throw new RnsException(RnsError.NOT_PRIMARY, "this server is a replica");
    }
    if (!database.group().has(Defect.READS_WITHOUT_LEASE) && !writer.holdsLease()) {
      throw new RnsException(RnsError.UNAVAILABLE, "the lease is over");
    }
  }

  @Override
  public void close() {
    if (writer != null) {
      end(writer);
    }
    look();
    writes = new BitSet();
    writes.or(database.log().writesUpTo(confirmed));
    following = false;
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("simulated clients read and write the set of writes");
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    throw unused();
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    throw unused();
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    throw unused();
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    throw unused();
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    throw unused();
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    throw unused();
  }
}
