package io.rns.local;

import io.rns.local.MemberProcesses.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stops processes of earlier runs, after verifying that they belong to a data directory. */
final class Leftovers {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration KILL_BOUND = Duration.ofSeconds(10);

  private Leftovers() {}

  /** Finds the databases, GlassFishes and fronts running on a data directory, whether or not they are recorded. */
  static List<ProcessIdentity> on(DataDirectory data) {
    Map<String, DataDirectory> owners = new LinkedHashMap<>();
    owners.put("", data);
    data.members().forEach(member -> owners.put(String.valueOf(member.root().getFileName()), member));
    List<ProcessIdentity> found = new ArrayList<>();
    for (Part part : Part.values()) {
      owners.forEach((name, owner) -> found.addAll(running(part.of(name), marker(part, owner))));
    }
    for (int number = 1; number <= LocalFronts.MOST; number++) {
      Path front = LocalFronts.directory(data).resolve("front-" + number);
      if (Files.isDirectory(front)) {
        found.addAll(running("front-" + number, FrontProcess.marker(front)));
      }
    }
    return found;
  }

  private static String marker(Part part, DataDirectory data) {
    return switch (part) {
      case DATABASE -> DatabaseProcess.marker(data.database());
      case SERVER -> GlassFishProcess.marker(data.glassFish());
    };
  }

  private static List<ProcessIdentity> running(String name, String marker) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> ProcessIdentity.of(name, process.pid(), marker).stream())
        .filter(ProcessIdentity::isAlive)
        .toList();
  }

  /**
   * Stops the processes that still run, in reverse start order; kills those that have not ended after {@code bound}.
   *
   * @return the names of the stopped processes
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
