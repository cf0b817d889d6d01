package io.rns.replication.simulation;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.MemberList;
import io.rns.replication.member.DatabaseMember;
import io.rns.replication.membership.MemberState;
import io.rns.replication.membership.MemberPromise;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The connection of a server to the database beside it, for control. Looks take no time; commands wait. */
final class DatabaseControl implements DatabaseMember {
  private static final int COMMAND_NANOS = 3_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final Duration LAST_COMMITS = Duration.ofSeconds(1);
  private static final Duration LONGEST_COPY = Duration.ofMillis(400);

  private final SimulatedDatabase database;
  private final VirtualGroup group;
  private final ProcessTiming timing;
  private final RandomGenerator random;

  DatabaseControl(SimulatedDatabase database, ProcessTiming timing, RandomGenerator random) {
    this.database = database;
    this.group = database.group();
    this.timing = timing;
    this.random = random;
  }

  private static RnsException unavailable(String why) {
    return new RnsException(RnsError.UNAVAILABLE, why);
  }

  private SimulatedDatabase reached() {
    if (!database.process().answers()) {
      throw unavailable("the database " + database.address() + " does not answer");
    }
    return database;
  }

  /** A command takes a while; a paused database takes as long as callers wait. */
  private SimulatedDatabase commanded() {
    timing.time().pause(random.nextInt(COMMAND_NANOS));
    if (database.process().isPaused()) {
      timing.pause(TIMEOUT);
    }
    return reached();
  }

  private void note(String what) {
    group.note("database " + database.number + " at " + database.log().text() + " " + what);
  }

  @Override
  public MemberState state() {
    return reached().state();
  }

  @Override
  public boolean contains(String transactions) {
    return reached().log().contains(transactions);
  }

  @Override
  public String withReceived(MemberState state) {
    return group.has(Defect.RECEIVED_NOT_REPORTED) ? state.transactions() : reached().withReceived();
  }

  @Override
  public void checkReaches(String host, int port) {
    int other = numberOf(port);
    if (other == database.number) {
      throw unavailable(host + " is the same database");
    }
    boolean reaches = group.network().connects(VirtualNetwork.Kind.DATABASES, reached().number, other);
    if (!reaches || !group.database(other).process().answers()) {
      throw unavailable("the database " + host + " cannot be reached");
    }
  }

  private static int numberOf(int port) {
    return port - SimulatedDatabase.FIRST_PORT;
  }

  @Override
  public boolean tryReadOnly() {
    if (!database.isReadOnly()) {
      note("becomes read-only");
    }
    commanded().refuseWrites(true);
    try {
      long since = timing.nanoTime();
      while (database.isWaiting()) {
        if (timing.passed(LAST_COMMITS, since)) {
          return false;
        }
        timing.pause(POLL);
        reached();
      }
      database.becomeReadOnly();
      return true;
    } finally {
      database.refuseWrites(false);
    }
  }

  @Override
  public void makeReadOnly() {
    while (!tryReadOnly()) {
      commanded().cutOffWrites();
    }
  }

  @Override
  public int mostAcknowledgements() {
    return database.engine() == Engine.MYSQL ? 2 : 1;
  }

  @Override
  public void makeWritable(int acknowledgements) {
    note("becomes writable, commits wait for " + acknowledgements);
    commanded().stopReceiver();
    if (!commanded().hasAppliedAll()) {
      throw unavailable("the database has not applied all that it received");
    }
    commanded().acceptWrites(group.has(Defect.ONE_ACKNOWLEDGES) ? Math.min(1, acknowledgements) : acknowledgements);
  }

  @Override
  public void follow(String host, int port) {
    makeReadOnly();
    SimulatedDatabase replica = commanded();
    int other = numberOf(port);
    Integer source = replica.source();
    boolean same = source != null && source == other;
    if (same && replica.keepsReceived() && !group.has(Defect.SAME_SOURCE_FETCHED_AGAIN)) {
      if (!replica.wantsToReceive() || !replica.isApplying()) {
        note("follows " + host + " again");
        replica.replicateAgain();
      }
    } else if (!same || !replica.wantsToReceive() || !replica.isApplying()) {
      note("follows " + host);
      replica.replicateFrom(other);
    }
  }

  @Override
  public void copyFrom(String host, int port) {
    makeReadOnly();
    SimulatedDatabase source = group.database(numberOf(port));
    commanded().forget();
    timing.time().pause(random.nextLong(timing.nanos(LONGEST_COPY)));
    if (!source.process().answers()
        || !group.network().connects(VirtualNetwork.Kind.DATABASES, database.number, source.number)) {
      throw unavailable("the database " + host + " cannot be copied");
    }
    note("copies " + host);
    reached().copy(source);
    makeReadOnly();
  }

  @Override
  public void stopReceiving() {
    note("stops receiving");
    commanded().stopReceiver();
  }

  @Override
  public boolean awaitApplied(Duration most) {
    long since = timing.nanoTime();
    while (!reached().hasAppliedAll()) {
      if (timing.passed(most, since)) {
        return false;
      }
      timing.pause(POLL);
    }
    return true;
  }

  @Override
  public boolean reachesBack() {
    return reached().log().purged() == 0;
  }

  @Override
  public MemberList members() {
    SimulatedTransaction row = reached().log().row();
    return row == null || group.has(Defect.HEARD_SERVERS_COUNT) ? MemberList.NONE : row.members();
  }

  @Override
  public MemberPromise promise() {
    return reached().promise();
  }

  @Override
  public void promise(MemberPromise promise) {
    reached().promise(promise);
    if (database.isStalled()) {
      timing.pause(TIMEOUT);
      throw unavailable(
          "the database " + database.address() + " did not answer in time; what it was told may come true");
    }
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
