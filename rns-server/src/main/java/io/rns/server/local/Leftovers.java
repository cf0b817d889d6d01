package io.rns.server.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ends processes that this one did not start, after making sure that they are those of a run on a data directory. */
final class Leftovers {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration KILL_BOUND = Duration.ofSeconds(10);

  private Leftovers() {}

  /** The database and GlassFish that run on a data directory, whoever started them and whatever was written down of it. */
  static List<ProcessIdentity> on(DataDirectory data) {
    List<ProcessIdentity> found = new ArrayList<>();
    ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .forEach(
            pid -> {
              ProcessIdentity.of(DatabaseProcess.NAME, pid, DatabaseProcess.marker(data.database()))
                  .filter(ProcessIdentity::isAlive)
                  .ifPresent(found::addFirst);
              ProcessIdentity.of(GlassFishProcess.NAME, pid, GlassFishProcess.marker(data.glassFish()))
                  .filter(ProcessIdentity::isAlive)
                  .ifPresent(found::addLast);
            });
    return found;
  }

  /**
   * Stops what still runs of {@code processes}, the last started first: asks each to end, and kills it when it has not
   * after {@code bound}.
   *
   * @return the names of those that ran
   */
  static List<String> stop(List<ProcessIdentity> processes, Duration bound) {
    List<String> stopped = new ArrayList<>();
    for (ProcessIdentity process : processes.reversed()) {
      if (stop(process, bound)) {
        stopped.add(process.name());
      }
    }
    return stopped;
  }

  private static boolean stop(ProcessIdentity process, Duration bound) {
    Optional<ProcessHandle> handle = ProcessHandle.of(process.pid()).filter(any -> process.isAlive());
    if (handle.isEmpty() || process.pid() == ProcessHandle.current().pid()) {
      return false;
    }
    handle.get().destroy();
    if (!ended(process, bound)) {
      handle.get().destroyForcibly();
      if (!ended(process, KILL_BOUND)) {
        throw new LocalServiceException(process.name() + " (process " + process.pid() + ") cannot be killed");
      }
    }
    return true;
  }

  private static boolean ended(ProcessIdentity process, Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    while (process.isAlive()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LocalServiceException("interrupted while waiting for process " + process.pid(), e);
      }
    }
    return true;
  }
}
