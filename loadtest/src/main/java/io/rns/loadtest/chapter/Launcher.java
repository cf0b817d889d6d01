package io.rns.loadtest.chapter;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands of {@code ./rns}, each as a process.
 *
 * @param script the launcher
 */
record Launcher(Path script) {
  private static final long MOST_MINUTES = 20;
  private static final long ENDING_SECONDS = 60;
  private static final int BY_INTERRUPT = 130;

  /**
   * What a process left.
   *
   * @param code its exit code
   * @param out what it printed
   * @param err what it said beside that
   */
  record Ended(int code, String out, String err) {
    /** The last line that says something. */
    String lastWords() {
      List<String> lines = (out + "\n" + err).lines().filter(line -> !line.isBlank()).toList();
      return lines.isEmpty() ? "exit code " + code : lines.getLast().strip();
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param environment what is set beside this process's own
   * @throws InterruptedException if this thread is interrupted, or the command was stopped by Ctrl-C; it has ended then
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it cannot be run or does not end
   */
  Ended run(List<String> arguments, Map<String, String> environment) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    try {
      Path out = Files.createTempFile("rns-figures-", ".out");
      Path err = Files.createTempFile("rns-figures-", ".err");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        int code = end(builder.start(), arguments);
        return new Ended(code, Files.readString(out), Files.readString(err));
      } finally {
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "'rns " + arguments.getFirst() + "': " + e.getMessage(), e);
    }
  }

  private static int end(Process process, List<String> arguments) throws InterruptedException {
    try {
      if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "'rns " + arguments.getFirst() + "' has not ended within " + MOST_MINUTES + " min");
      }
    } finally {
      if (process.isAlive()) {
        process.destroy();
        awaitEnd(process);
      }
    }
    if (process.exitValue() == BY_INTERRUPT) {
      throw new InterruptedException("while 'rns " + arguments.getFirst() + "' ran");
    }
    return process.exitValue();
  }

  /** Lets it clean up, also where this thread is to stop. */
  private static void awaitEnd(Process process) {
    boolean interrupted = Thread.interrupted();
    try {
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
