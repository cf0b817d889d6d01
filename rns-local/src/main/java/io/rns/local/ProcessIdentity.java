package io.rns.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a process beyond its pid, which the system may reuse.
 *
 * @param name for messages
 * @param pid its process id
 * @param startTicks its start time in clock ticks since boot, from the kernel; unaffected by changes of the clock
 * @param bootId the boot it belongs to
 * @param marker an argument that its command line must have
 */
record ProcessIdentity(String name, long pid, long startTicks, String bootId, String marker) {
  /** Position of the start time in /proc/PID/stat, counted after the command's closing parenthesis. */
  private static final int START_TIME_FIELD = 19;

  /** The identity of a running process; empty if there is none with this pid. */
  static Optional<ProcessIdentity> of(String name, long pid, String marker) {
    return startTicks(pid).map(ticks -> new ProcessIdentity(name, pid, ticks, currentBoot(), marker));
  }

  /** The identity of this process. */
  static ProcessIdentity current(String name) {
    String program = read(Path.of("/proc/self/cmdline")).map(line -> line.substring(0, line.indexOf('\0'))).orElse("");
    return of(name, ProcessHandle.current().pid(), program)
        .orElseThrow(() -> new LocalServiceException("/proc is missing; the local service runs only on Linux"));
  }

  /** The same process under another name. */
  ProcessIdentity named(String other) {
    return new ProcessIdentity(other, pid, startTicks, bootId, marker);
  }

  /** True while this exact process runs; false for another process with the same pid. */
  @JsonIgnore
  boolean isAlive() {
    return currentBoot().equals(bootId)
        && startTicks(pid).filter(ticks -> ticks == startTicks).isPresent()
        && arguments(pid).contains("\0" + marker + "\0");
  }

  private static Optional<Long> startTicks(long pid) {
    return read(Path.of("/proc", Long.toString(pid), "stat"))
        .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1))
        .filter(fields -> !fields[0].equals("Z"))
        .map(fields -> Long.valueOf(fields[START_TIME_FIELD]));
  }

  private static String arguments(long pid) {
    return "\0" + read(Path.of("/proc", Long.toString(pid), "cmdline")).orElse("");
  }

  private static String currentBoot() {
    return read(Path.of("/proc/sys/kernel/random/boot_id")).map(String::strip).orElse("");
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      // The process ended while its file was being read: ESRCH.
      return Optional.empty();
    }
  }
}
