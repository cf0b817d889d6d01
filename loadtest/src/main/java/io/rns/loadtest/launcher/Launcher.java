package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands of {@code ./rns}, each as a process.
 *
 * @param script the launcher
 */
public record Launcher(Path script) {
  private static final long ENDING_SECONDS = 60;
  private static final int BY_INTERRUPT = 130;

  /** The one that has started this process; else that of the directory it runs in. */
  public static Path own() {
    return Path.of(System.getProperty("rns.launcher", "./rns"));
  }

  /**
   * What a process left.
   *
   * @param code its exit code
   * @param out what it printed
   * @param err what it said beside that
   */
  public record Ended(int code, String out, String err) {
    /** The last line that says something. */
    public String lastWords() {
      List<String> lines = (out + "\n" + err).lines().filter(line -> !line.isBlank()).toList();
      return lines.isEmpty() ? "exit code " + code : lines.getLast().strip();
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param environment what is set beside this process's own
   * @param most how long it may take; then it is ended
   * @throws InterruptedException if this thread is interrupted, or the command was stopped by Ctrl-C; it has ended then
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it cannot be run or does not end
   */
  public Ended run(List<String> arguments, Map<String, String> environment, Duration most) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    try {
      Path out = Files.createTempFile("rns-", ".out");
      Path err = Files.createTempFile("rns-", ".err");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        int code = end(builder.start(), arguments.getFirst(), most);
        return new Ended(code, Files.readString(out), Files.readString(err));
      } finally {
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "'rns " + arguments.getFirst() + "': " + e.getMessage(), e);
    }
  }

  private static int end(Process process, String command, Duration most) throws InterruptedException {
    try {
      if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "'rns " + command + "' has not ended within " + most.toMinutes() + " min");
      }
    } finally {
      if (process.isAlive()) {
        process.destroy();
        awaitEnd(process);
      }
    }
    if (process.exitValue() == BY_INTERRUPT) {
      throw new InterruptedException("while 'rns " + command + "' ran");
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
