package io.rns.loadtest.drill;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.FaultyDisks.State;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.launcher.Io;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What can happen to a primary: to its database, its application server, or both; or to the whole group. */
public enum DrillFault {
  /** Its database crashes. */
  KILL_DATABASE(Effect.KILL, false, true),
  /** Its application server crashes. */
  KILL_SERVER(Effect.KILL, true, false),
  /** Its database stands still, longer than any timeout, and goes on when another server is the primary. */
  PAUSE_DATABASE(Effect.PAUSE, false, true),
  /** Its application server stands still, and goes on when another is the primary. */
  PAUSE_SERVER(Effect.PAUSE, true, false),
  /** Both crash at once, as with their machine. */
  KILL_BOTH(Effect.KILL, true, true),
  /** Both stand still, and go on when another server is the primary. */
  PAUSE_BOTH(Effect.PAUSE, true, true),
  /**
   * No other member reaches it and its database, which clients still reach; mended when another server is the primary.
   */
  CUT_OFF(Effect.CUT, true, true),
  /** No other member reaches it, but its database. Mended when another is the primary. */
  CUT_OFF_SERVER(Effect.CUT, true, false),
  /** No other member reaches its database, but the server. Mended when another is the primary. */
  CUT_OFF_DATABASE(Effect.CUT, false, true),
  /** Another server takes over as planned. */
  SWITCHOVER(Effect.NONE, false, false),
  /** Both are stopped in order, as by an administrator. */
  GRACEFUL_STOP(Effect.STOP, true, true),
  /** Two operators have different servers promoted at once. */
  TWO_FAILOVERS(Effect.NONE, false, false),
  /** A switchover to a server whose database no other member reaches. */
  UNREACHABLE_TARGET(Effect.NONE, false, false),
  /**
   * No file of its database can grow, until there is space again and the database was restarted. One that has ended is
   * not started before: it could end again and again, until the launcher gives up.
   */
  DISK_FULL(Effect.DISK, false, true),
  /** What its database syncs hangs. */
  DISK_STALL(Effect.DISK, false, true),
  /** All databases and servers crash at once, with what the logs of the databases had not synced. */
  POWER_LOSS(Effect.NONE, true, true),
  /** Whoever is the primary is killed, again and again, each time when all have served for a while. */
  TEN_KILLS(Effect.KILL, true, true);

  private enum Effect {
    KILL, STOP, PAUSE, CUT, DISK, NONE
  }

  private final Effect effect;
  private final boolean server;
  private final boolean database;

  DrillFault(Effect effect, boolean server, boolean database) {
    this.effect = effect;
    this.server = server;
    this.database = database;
  }

  /** Whether no request may fail. */
  boolean isPlanned() {
    return this == SWITCHOVER || this == UNREACHABLE_TARGET;
  }

  /** Whether it is injected if no faults are chosen: not if it takes very long or needs gcc. */
  public boolean isUsual() {
    return this != TEN_KILLS && !breaksDisks();
  }

  /** Whether it needs lines that can be cut. */
  public boolean cuts() {
    return effect == Effect.CUT || this == UNREACHABLE_TARGET;
  }

  /** Whether it needs disks that can be broken, and thus gcc. */
  public boolean breaksDisks() {
    return effect == Effect.DISK || this == POWER_LOSS;
  }

  /** Whether it lasts until {@link #end}. */
  boolean lasts() {
    return effect == Effect.PAUSE || effect == Effect.CUT || effect == Effect.DISK;
  }

  void begin(ServerGroup group, Member primary) {
    switch (effect) {
      case KILL -> signal("KILL", processes(primary).toList());
      case STOP -> signal("TERM", processes(primary).toList());
      case PAUSE -> signal("STOP", processes(primary).toList());
      case DISK -> {
        group.disks().set(primary, state(), true);
        group.disks().set(primary, State.OFF, this == DISK_FULL);
      }
      case CUT -> {
        if (server) {
          group.cutServer(primary);
        }
        if (database) {
          group.cutDatabase(primary);
        }
      }
      case NONE -> {
      }
    }
  }

  void end(ServerGroup group, Member primary) {
    switch (effect) {
      case PAUSE -> signal("CONT", processes(primary).toList());
      case CUT -> group.mend(primary);
      case DISK -> {
        group.disks().set(primary, state(), false);
        group.disks().set(primary, State.OFF, false);
        if (this == DISK_FULL) {
          restart(processes(group.members().get(primary.index())));
        }
      }
      case KILL, STOP, NONE -> {
      }
    }
  }

  /** MariaDB 11.4 does not notice that there is space again. MySQL has ended when there was none. */
  private static void restart(Stream<Long> processes) {
    // What is gone already, or has just ended, is being started.
    processes.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  private State state() {
    return this == DISK_FULL ? State.FULL : State.STALL;
  }

  /** Those of a member that it concerns. */
  Stream<Long> processes(Member member) {
    return Stream.concat(
        database ? Stream.of(member.databasePid()) : Stream.empty(),
        server ? Stream.of(member.serverPid()) : Stream.empty());
  }

  /** Sends a signal to all processes, also for an interrupted thread; throws afterwards if one is gone. */
  static void signal(String signal, List<Long> processes) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    processes.forEach(process -> command.add(process.toString()));
    int exit = Io.get(String.join(" ", command),
        () -> new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue());
    if (exit != 0) {
      throw new RnsException(RnsError.UNAVAILABLE, String.join(" ", command) + " ended with " + exit);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
