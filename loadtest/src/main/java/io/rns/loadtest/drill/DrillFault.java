package io.rns.loadtest.drill;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What can happen to a primary: to its database, its application server, or both. */
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
  SWITCHOVER(Effect.NONE, false, false);

  private enum Effect {
    KILL, PAUSE, CUT, NONE
  }

  private final Effect effect;
  private final boolean server;
  private final boolean database;

  DrillFault(Effect effect, boolean server, boolean database) {
    this.effect = effect;
    this.server = server;
    this.database = database;
  }

  /** Whether another primary has to be chosen by force. */
  boolean breaks() {
    return effect != Effect.NONE;
  }

  /** Whether it needs lines that can be cut. */
  public boolean cuts() {
    return effect == Effect.CUT;
  }

  /** Whether it lasts until {@link #end}. */
  boolean lasts() {
    return effect == Effect.PAUSE || effect == Effect.CUT;
  }

  void begin(ServerGroup group, Member primary) {
    switch (effect) {
      case KILL -> signal("KILL", processes(primary));
      case PAUSE -> signal("STOP", processes(primary));
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
      case PAUSE -> signal("CONT", processes(primary));
      case CUT -> group.mend(primary);
      case KILL, NONE -> {
      }
    }
  }

  private List<Long> processes(Member primary) {
    List<Long> processes = new ArrayList<>();
    if (database) {
      processes.add(primary.databasePid());
    }
    if (server) {
      processes.add(primary.serverPid());
    }
    return processes;
  }

  /** Sends a signal to all processes, also for an interrupted thread; throws afterwards if one is gone. */
  static void signal(String signal, List<Long> processes) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    processes.forEach(process -> command.add(process.toString()));
    try {
      int exit = new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
      if (exit != 0) {
        throw new RnsException(RnsError.UNAVAILABLE, String.join(" ", command) + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, String.join(" ", command) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
