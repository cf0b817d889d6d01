package io.rns.loadtest.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command: checks its options, prints, and ends cleanly after Ctrl-C. For one thread. */
abstract class LoadtestCommand implements Callable<Integer> {
  /** An option, or a combination of options, that a command does not accept: it prints why, and its usage. */
  static final class InvalidOptionException extends RuntimeException {
    InvalidOptionException(String message) {
      super(message);
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  private final long cleaningSeconds;

  /** A command that has {@code cleaningSeconds} after Ctrl-C to clean up; 0 if there is nothing to clean up. */
  LoadtestCommand(long cleaningSeconds) {
    this.cleaningSeconds = cleaningSeconds;
  }

  /** Runs the command, and returns its exit code. */
  abstract int run() throws InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    if (cleaningSeconds > 0) {
      Thread caller = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(caller, done), "stop-on-shutdown"));
    }
    try {
      return run();
    } finally {
      done.countDown();
    }
  }

  /** Interrupts the command after Ctrl-C, and keeps the process until the command has cleaned up. */
  private void stop(Thread caller, CountDownLatch done) {
    if (done.getCount() == 0) {
      return;
    }
    caller.interrupt();
    try {
      if (!done.await(cleaningSeconds, TimeUnit.SECONDS)) {
        System.err.println(spec.root().name() + ": cleanup did not finish within " + cleaningSeconds + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The name, below that of a parent command. */
  final String name() {
    return spec.name();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  final void print(String text) {
    out().println(text.stripTrailing());
    out().flush();
  }

  /** Prints on standard error what the command is doing. */
  final void progress(String text) {
    err().println(text);
    err().flush();
  }

  static void require(String option, boolean good, String bounds) {
    reject(!good, option + " must be " + bounds);
  }

  static void reject(boolean wrong, String why) {
    if (wrong) {
      throw new InvalidOptionException(why);
    }
  }

  static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  static Duration ofMillis(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }
}
