package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs commands of {@code ./rns}, each as a process. */
public record Launcher(Path script) {
  private static final long ENDING_SECONDS = 60;
  private static final int BY_INTERRUPT = 130;

  /** The launcher that started this process, or that of the current directory. */
  public static Path own() {
    return LoadtestEnvironment.launcher().orElse(Path.of("./rns"));
  }

  public record Ended(int code, String out, String err) {
    /** The last line that is not blank. */
    public String lastWords() {
      return Stream.of(out, err).flatMap(String::lines).filter(line -> !line.isBlank()).reduce((a, b) -> b)
          .map(String::strip).orElse("exit code " + code);
    }
  }

  /**
   * Runs a command to its end.
   *
   * @throws InterruptedException if this thread is interrupted, or the command was stopped by Ctrl-C; it has ended then
   */
  public Ended run(List<String> arguments, Map<String, String> environment, Duration most) throws InterruptedException {
    List<String> command = Stream.concat(Stream.of(script.toString()), arguments.stream()).toList();
    try (Scratch scratch = Scratch.of("rns-run")) {
      Path out = scratch.path().resolve("out");
      Path err = scratch.path().resolve("err");
      ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
      builder.redirectOutput(out.toFile()).redirectError(err.toFile()).environment().putAll(environment);
      int code = end(builder.start(), arguments.getFirst(), most);
      return new Ended(code, Files.readString(out), Files.readString(err));
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
      stop(process);
    }
    if (process.exitValue() == BY_INTERRUPT) {
      throw new InterruptedException("while 'rns " + command + "' ran");
    }
    return process.exitValue();
  }

  /** Stops a running process after its cleanup, even if this thread is interrupted. */
  private static void stop(Process process) {
    Cleanup.run(() -> {
      process.destroy();
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    });
  }
}
