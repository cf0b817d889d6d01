package io.rns.loadtest.drill;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.util.List;

/** Signals to processes of the group. */
final class Signals {
  private Signals() {}

  static void kill(long pid) throws InterruptedException {
    send("KILL", pid);
  }

  static void pause(long pid) throws InterruptedException {
    send("STOP", pid);
  }

  /** Lets all go on, also when one of them is gone; then it throws. */
  static void resume(List<Long> pids) throws InterruptedException {
    RnsException failure = null;
    for (long pid : pids) {
      try {
        send("CONT", pid);
      } catch (RnsException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void send(String signal, long pid) throws InterruptedException {
    try {
      int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new RnsException(RnsError.UNAVAILABLE, "kill -" + signal + " " + pid + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "kill -" + signal + " " + pid + ": " + e.getMessage(), e);
    }
  }
}
