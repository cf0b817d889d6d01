package io.rns.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process of ours, named so that it is never taken for another one: numbers of processes are used again.
 *
 * @param name what it does, for messages
 * @param pid its number
 * @param startTicks when it began, in clock ticks since the machine's start, as the kernel keeps it; not moved by a
 *        clock that is set
 * @param bootId the machine's start it belongs to
 * @param marker an argument that its command line must have
 */
record ProcessIdentity(String name, long pid, long startTicks, String bootId, String marker) {
  /** Position of the start time in /proc/PID/stat, counted after the command's closing parenthesis. */
  private static final int START_TIME_FIELD = 19;

  /** The identity of a running process; empty when there is none with that number. */
  static Optional<ProcessIdentity> of(String name, long pid, String marker) {
    return startTicks(pid).map(ticks -> new ProcessIdentity(name, pid, ticks, currentBoot(), marker));
  }

  /** The identity of this very process. */
  static ProcessIdentity current(String name) {
    String program = read(Path.of("/proc/self/cmdline")).map(line -> line.substring(0, line.indexOf('\0'))).orElse("");
    return of(name, ProcessHandle.current().pid(), program)
        .orElseThrow(() -> new LocalServiceException("/proc is not there; the local service runs on Linux only"));
  }

  /** The same process under another name. */
  ProcessIdentity named(String other) {
    return new ProcessIdentity(other, pid, startTicks, bootId, marker);
  }

  /** True while this very process runs; false for another one that got its number. */
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
      // A process that ends while its file is being read: ESRCH.
      return Optional.empty();
    }
  }
}
