package io.rns.replication.simulation;

import java.time.Duration;
import java.util.Optional;

/**
 * Something that happens to a group.
 *
 * @param atMillis when it begins
 * @param kind what it is
 * @param member whom it happens to
 * @param other the other member, if there are two
 * @param millis how long it lasts
 */
record InjectedFault(int atMillis, Kind kind, int member, int other, int millis) {
  private static final int LOSS_PER_MILLE = 100;
  private static final Duration SLOW = Duration.ofMillis(700);
  private static final Duration SLOW_RECEIVING = Duration.ofMillis(150);

  /** What happens. */
  enum Kind {
    KILL_SERVER, KILL_DATABASE, KILL_BOTH, POWER_LOSS, POWER_LOSS_OF_ALL, PAUSE_SERVER, PAUSE_DATABASE, PAUSE_BOTH, STALL_DISK, ISOLATE, CUT_SERVERS, CUT_DATABASES, LOSE_ANSWERS, SLOW_APPLIER, SLOW_RECEIVER, FAILOVER, FAILOVER_TO, SWITCHOVER, JOIN, FORGET, RETIRE
  }

  @Override
  public String toString() {
    return kind + " of " + member + (member == other ? "" : " and " + other) + " at " + atMillis + " ms for " + millis
        + " ms";
  }

  /** Whether a database may lose what it acknowledged: it is restarted or rebuilt. */
  boolean mayForget() {
    return kind == Kind.KILL_DATABASE || kind == Kind.KILL_BOTH || kind == Kind.POWER_LOSS || kind == Kind.RETIRE
        || kind == Kind.JOIN;
  }

  boolean removesMember() {
    return kind == Kind.FORGET || kind == Kind.RETIRE;
  }

  void begin(VirtualGroup group) {
    switch (kind) {
      case KILL_SERVER -> group.server(member).kill();
      case KILL_DATABASE -> group.database(member).kill();
      case KILL_BOTH -> {
        group.server(member).kill();
        group.database(member).kill();
      }
      case POWER_LOSS -> losePower(group, member);
      case POWER_LOSS_OF_ALL -> {
        for (int i = 0; i < group.size(); i++) {
          losePower(group, i);
        }
      }
      case PAUSE_SERVER -> group.server(member).process().pause();
      case PAUSE_DATABASE -> group.pauseDatabase(member);
      case PAUSE_BOTH -> {
        group.server(member).process().pause();
        group.pauseDatabase(member);
      }
      case STALL_DISK -> group.database(member).stallDisk();
      case ISOLATE -> {
        for (int i = 0; i < group.size(); i++) {
          if (i != member) {
            group.cut(VirtualNetwork.Kind.SERVERS, member, i);
            group.cut(VirtualNetwork.Kind.DATABASES, member, i);
          }
        }
      }
      case CUT_SERVERS -> group.cut(VirtualNetwork.Kind.SERVERS, member, other);
      case CUT_DATABASES -> group.cut(VirtualNetwork.Kind.DATABASES, member, other);
      case LOSE_ANSWERS -> group.network().lose(LOSS_PER_MILLE);
      case SLOW_APPLIER -> group.database(member).slowDown(SLOW.toNanos());
      case SLOW_RECEIVER -> group.database(member).slowReceiving(SLOW_RECEIVING.toNanos());
      case FAILOVER -> command(group, server -> server.failover(Optional.empty(), false));
      case FAILOVER_TO ->
        command(group, server -> server.failover(Optional.of(VirtualServer.urlOf(other)), false));
      case SWITCHOVER -> command(group, server -> server.switchover(VirtualServer.urlOf(other)));
      case FORGET -> group.forget(member, false);
      case RETIRE -> group.retire(member);
      case JOIN -> command(group, VirtualServer::join);
    }
  }

  private interface Command {
    void at(VirtualServer server);
  }

  private void command(VirtualGroup group, Command command) {
    VirtualServer server = group.server(member);
    server.process().deliver(() -> command.at(server));
  }

  private static void losePower(VirtualGroup group, int number) {
    group.server(number).kill();
    group.database(number).losePower();
  }

  void end(VirtualGroup group) {
    switch (kind) {
      case KILL_SERVER -> group.server(member).start();
      case KILL_DATABASE -> group.database(member).start();
      case KILL_BOTH, POWER_LOSS -> start(group, member);
      // One of them stays away.
      case POWER_LOSS_OF_ALL -> {
        for (int i = 0; i < group.size(); i++) {
          if (i != other || member == other) {
            start(group, i);
          }
        }
      }
      case PAUSE_SERVER -> group.server(member).process().resume();
      case PAUSE_DATABASE -> group.resumeDatabase(member);
      case PAUSE_BOTH -> {
        group.resumeDatabase(member);
        group.server(member).process().resume();
      }
      case STALL_DISK -> group.database(member).resumeDisk();
      case ISOLATE -> {
        for (int i = 0; i < group.size(); i++) {
          if (i != member) {
            group.network().heal(VirtualNetwork.Kind.SERVERS, member, i);
            group.network().heal(VirtualNetwork.Kind.DATABASES, member, i);
          }
        }
      }
      case CUT_SERVERS -> group.network().heal(VirtualNetwork.Kind.SERVERS, member, other);
      case CUT_DATABASES -> group.network().heal(VirtualNetwork.Kind.DATABASES, member, other);
      case LOSE_ANSWERS -> group.network().lose(0);
      case SLOW_APPLIER -> group.database(member).slowDown(0);
      case SLOW_RECEIVER -> group.database(member).slowReceiving(0);
      case FAILOVER, FAILOVER_TO, SWITCHOVER, JOIN, FORGET, RETIRE -> {
      }
    }
  }

  private static void start(VirtualGroup group, int number) {
    group.database(number).start();
    group.server(number).start();
  }
}
