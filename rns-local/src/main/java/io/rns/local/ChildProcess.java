package io.rns.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A running process with its log file. It runs in its own process group, so that Ctrl-C in the terminal reaches only
 * the supervisor, which then stops its processes in order. Thread-safe.
 */
final class ChildProcess {
  /** Programs that start one in a session of its own. */
  private static final List<List<String>> OWN_SESSION = List.of(List.of("/usr/bin/setsid"), List.of("/bin/setsid"));

  /**
   * Programs that start one in a process group of its own, the preferred one first. With a session of its own Linux
   * gives each process the same share of the processors, however many threads it has: a front with requests then waits
   * for the compilers of the others.
   */
  private static final List<List<String>> OWN_GROUP =
      Stream.concat(
          Stream.of(
              List.of("/usr/bin/perl", "-e", "setpgrp(0, 0); exec {$ARGV[0]} @ARGV or die \"$ARGV[0]: $!\\n\"")),
          OWN_SESSION.stream()).toList();

  /**
   * A poll may be a request: at 20 ms, those to three starting servers took 5 % of the processor time of their start.
   */
  private static final long POLL_MILLIS = 100;
  static final int TAIL_LINES = 25;

  private static final Duration PAUSE_BOUND = Duration.ofSeconds(30);
  private static final char STOPPED = 'T';
  private static final char ENDED = 'X';

  private final String name;
  private final Process process;
  private final ProcessIdentity identity;
  private final LogFile log;

  private ChildProcess(String name, Process process, ProcessIdentity identity, LogFile log) {
    this.name = name;
    this.process = process;
    this.identity = identity;
    this.log = log;
  }

  /**
   * How to start a process.
   *
   * @param name for messages
   * @param command the program and its arguments
   * @param marker an argument that no other process has
   * @param environment added to the variables of this process
   * @param directory the working directory; must exist
   * @param output receives standard output and error; a large file is rotated
   */
  record Plan(
      String name, List<String> command, String marker, Map<String, String> environment, Path directory, Path output) {}

  static ChildProcess start(Plan plan) {
    return start(OWN_GROUP, plan);
  }

  /** The same in a session of its own, which does not end with the terminal. */
  static ChildProcess startSession(Plan plan) {
    return start(OWN_SESSION, plan);
  }

  private static ChildProcess start(List<List<String>> starters, Plan plan) {
    List<String> command = new ArrayList<>();
    starters.stream().filter(starter -> Files.isExecutable(Path.of(starter.getFirst()))).findFirst()
        .ifPresent(command::addAll);
    command.addAll(plan.command());
    LogFile log = LogFile.open(plan.output());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(plan.directory().toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(plan.output().toFile()));
    // Perl would complain in the log about a locale that is not installed.
    builder.environment().put("PERL_BADLANG", "0");
    builder.environment().keySet().remove("PERL5OPT");
    builder.environment().putAll(plan.environment());
    try {
      Process process = builder.start();
      ProcessIdentity identity =
          ProcessIdentity.of(plan.name(), process.pid(), plan.marker())
              .orElseThrow(() -> new LocalServiceException(plan.name() + " ended at once." + log.tail(TAIL_LINES)));
      return new ChildProcess(plan.name(), process, identity, log);
    } catch (IOException e) {
      throw new LocalServiceException(plan.name() + " could not be started: " + e.getMessage(), e);
    }
  }

  ProcessIdentity identity() {
    return identity;
  }

  LogFile log() {
    return log;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Completes when the process ends, for whatever reason. */
  CompletableFuture<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /**
   * Waits until {@code condition} holds.
   *
   * @param tail the end of the log, shown on failure
   * @throws LocalServiceException if the process ends or {@code bound} passes first
   */
  void await(String what, BooleanSupplier condition, Duration bound, Supplier<String> tail) {
    if (!holdsWithin(what, condition, bound, tail)) {
      throw new LocalServiceException(
          bound.toSeconds() + " s passed before " + what + "; " + name + " is still running." + tail.get());
    }
  }

  /**
   * Waits until {@code condition} holds; false if {@code bound} passes first.
   *
   * @param tail the end of the log, shown on failure
   * @throws LocalServiceException if the process ends first
   */
  boolean holdsWithin(String what, BooleanSupplier condition, Duration bound, Supplier<String> tail) {
    long end = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      boolean ended = waitForExit(Duration.ofMillis(POLL_MILLIS));
      if (ended && !condition.getAsBoolean()) {
        throw new LocalServiceException(
            name + " ended with code " + process.exitValue() + " before " + what + "." + tail.get());
      }
      if (System.nanoTime() - end > 0) {
        return false;
      }
    }
    return true;
  }

  /** Sends SIGSTOP and waits until every thread has stopped; on a busy machine that takes some time. */
  void pause() {
    signal("STOP");
    await("all its threads stopped", this::isPaused, PAUSE_BOUND, () -> "");
  }

  private boolean isPaused() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      return threads.map(ChildProcess::state).allMatch(state -> state == STOPPED || state == ENDED);
    } catch (IOException e) {
      throw new LocalServiceException("cannot list the threads of " + name + ": " + e.getMessage(), e);
    }
  }

  /** The state follows the command name in parentheses, which may itself contain parentheses. */
  private static char state(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return ENDED;
    }
  }

  /** Sends SIGCONT. */
  void resume() {
    signal("CONT");
  }

  /** Sends SIGQUIT: a JVM writes the stacks of its threads to its standard output. */
  void dumpThreads() {
    signal("QUIT");
  }

  /** Kills the process as a power failure would (SIGKILL) and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Terminates the process (SIGTERM); kills it if it has not ended after {@code bound}. False if it was killed. */
  boolean stop(Duration bound) {
    if (!process.isAlive()) {
      return true;
    }
    process.destroy();
    resume();
    if (waitForExit(bound)) {
      return true;
    }
    kill();
    return false;
  }

  private boolean waitForExit(Duration bound) {
    try {
      return process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServiceException("interrupted while waiting for " + name, e);
    }
  }

  private void signal(String signal) {
    // Java itself sends only SIGTERM and SIGKILL; kill is built into every shell.
    try {
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit()
          .join();
    } catch (IOException e) {
      throw new LocalServiceException("cannot send SIG" + signal + " to " + name + ": " + e.getMessage(), e);
    }
  }
}
