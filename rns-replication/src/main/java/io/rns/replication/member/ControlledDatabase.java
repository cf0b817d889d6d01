package io.rns.replication.member;

import io.rns.replication.DatabaseReport;
import io.rns.replication.Timing;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The database beside a server, reached when it is first needed. Thread-safe. */
final class ControlledDatabase implements AutoCloseable {
  /** A look is good for so long: each of the other members asks for one. */
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Supplier<DatabaseMember> connect;
  private final String address;
  private final Timing timing;
  private volatile @Nullable DatabaseMember member;
  private volatile @Nullable Look last;

  /**
   * One look.
   *
   * @param atNanos when it ended
   * @param quietSinceNanos when the first one ended that saw the same transactions
   */
  private record Look(MemberState state, long atNanos, long quietSinceNanos) {}

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
    return saw(control().state()).state();
  }

  private synchronized Look saw(MemberState state) {
    long now = timing.nanoTime();
    Look before = last;
    boolean quiet = before != null && before.state().transactions().equals(state.transactions());
    Look seen = new Look(state, now, quiet ? before.quietSinceNanos() : now);
    last = seen;
    return seen;
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

  boolean contains(String transactions) {
    return control().contains(transactions);
  }

  /** How it stood a moment ago. */
  DatabaseReport recentReport() {
    Look seen = last;
    boolean fresh = seen != null && timing.nanoTime() - seen.atNanos() < LOOK.toNanos();
    return told(fresh ? seen.state() : look());
  }

  /** How it stands now. */
  DatabaseReport report() {
    return told(look());
  }

  private DatabaseReport told(MemberState state) {
    return new DatabaseReport(
        address,
        state.writable(),
        state.source(),
        state.receiving(),
        state.applying(),
        state.transactions(),
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
