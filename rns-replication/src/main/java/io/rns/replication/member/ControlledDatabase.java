package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberList;
import io.rns.replication.Timing;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The database beside a server, reached when it is first needed. Thread-safe. */
final class ControlledDatabase implements AutoCloseable {
  /** A look is good for so long: each of the other members asks for one. */
  static final Duration LOOK = Duration.ofMillis(200);

  /** A look that takes longer is of a database that hangs: reports do not wait for it. */
  private static final Duration SLOW = Duration.ofMillis(500);

  /** How long reports rely on a look that failed. The next one begins earlier. */
  private static final Duration FAILED = Duration.ofSeconds(1);

  private final Supplier<DatabaseMember> connect;
  private final String address;
  private final Timing timing;
  private volatile @Nullable DatabaseMember member;
  private volatile @Nullable Look last;
  private volatile @Nullable Failure failure;

  /** When the look began that is under way; null if none is. */
  private final AtomicReference<@Nullable Long> lookingSince = new AtomicReference<>();

  /** A look that failed. */
  private record Failure(RnsException reason, long atNanos) {}

  /**
   * One look.
   *
   * @param members the members of the group, at least as late as its transactions
   * @param atNanos when the database had told its state
   * @param quietSinceNanos the same of the first one that saw the same arrivals
   */
  private record Look(MemberState state, MemberList members, long atNanos, long quietSinceNanos) {}

  /**
   * A database that was not reached yet.
   *
   * @param connect reaches it
   * @param address where the other databases reach it
   */
  ControlledDatabase(Supplier<DatabaseMember> connect, String address, Timing timing) {
    this.connect = connect;
    this.address = address;
    this.timing = timing;
  }

  /** The database, to be told what to do. */
  synchronized DatabaseMember control() {
    DatabaseMember connected = member;
    if (connected == null) {
      connected = connect.get();
      member = connected;
    }
    return connected;
  }

  /** How it stands now. */
  MemberState look() {
    boolean first = lookingSince.compareAndSet(null, timing.nanoTime());
    try {
      DatabaseMember connected = control();
      MemberState state = connected.state();
      long seenNanos = timing.nanoTime();
      saw(state, connected.members(), seenNanos);
      failure = null;
      return state;
    } catch (RnsException e) {
      failure = new Failure(e, timing.nanoTime());
      throw e;
    } finally {
      if (first) {
        lookingSince.set(null);
      }
    }
  }

  private synchronized void saw(MemberState state, MemberList members, long seenNanos) {
    Look before = last;
    boolean quiet = before != null && arrived(before.state()).equals(arrived(state));
    last = new Look(state, members, seenNanos, quiet ? before.quietSinceNanos() : seenNanos);
  }

  /**
   * What has come to the database. Of a replica that is what it has received: it acknowledges before it applies, and
   * may apply long after nothing comes any more.
   */
  private static String arrived(MemberState state) {
    return state.received().isEmpty() ? state.transactions() : state.received();
  }

  /** When a transaction came for the last time, by {@link Timing#nanoTime}, at the latest; as of the last look. */
  long arrivedNanos() {
    Look seen = last;
    return seen == null ? timing.nanoTime() : seen.quietSinceNanos();
  }

  /** For how long no transaction has come, at least; as of the last look. */
  long quietMillis() {
    Look seen = last;
    return seen == null ? 0 : (seen.atNanos() - seen.quietSinceNanos()) / 1_000_000;
  }

  /** How it stood when it was last seen; null if it never was. */
  @Nullable
  MemberState lastSeen() {
    Look seen = last;
    return seen == null ? null : seen.state();
  }

  /** The members of the group that its tables had when it was last seen. */
  MemberList lastMembers() {
    Look seen = last;
    return seen == null ? MemberList.NONE : seen.members();
  }

  boolean contains(String transactions) {
    return control().contains(transactions);
  }

  /**
   * How it stood a moment ago.
   *
   * @param good how old a look may be; zero for one that begins now
   * @throws RnsException {@link io.rns.error.RnsError#UNAVAILABLE} without delay if it is known not to answer
   */
  DatabaseReport recentReport(Duration good) {
    Look seen = last;
    if (seen != null && !timing.passed(good, seen.atNanos())) {
      return told(seen.state());
    }
    Failure failed = failure;
    if (failed != null && !timing.passed(FAILED, failed.atNanos())) {
      throw new RnsException(failed.reason().error(), failed.reason().getMessage(), failed.reason());
    }
    Long since = lookingSince.get();
    if (since != null && timing.passed(SLOW, since)) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the database " + address + " has not answered for " + (timing.nanoTime() - since) / 1_000_000 + " ms");
    }
    return told(look());
  }

  /** How it stands now. */
  DatabaseReport report() {
    return told(look());
  }

  /** How it stands now; its transactions include those that it has received and not yet applied. */
  DatabaseReport reportWithReceived() {
    MemberState state = look();
    return told(state, control().withReceived(state));
  }

  private DatabaseReport told(MemberState state) {
    return told(state, state.transactions());
  }

  private DatabaseReport told(MemberState state, String transactions) {
    return new DatabaseReport(
        address,
        state.writable(),
        state.source(),
        state.receiving(),
        state.applying(),
        transactions,
        state.acknowledging(),
        state.trouble());
  }

  @Override
  public void close() {
    DatabaseMember connected = member;
    if (connected != null) {
      connected.close();
    }
  }
}
