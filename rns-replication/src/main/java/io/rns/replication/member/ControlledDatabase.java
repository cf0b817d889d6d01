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

  private record Look(MemberState state, long atNanos) {}

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
    long now = timing.nanoTime();
    MemberState state = control().state();
    last = new Look(state, now);
    return state;
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
