package io.rns.loadtest.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A main class of ours in a process of its own, which answers each line with a line and ends when nobody can ask it any
 * more.
 */
public final class Child implements AutoCloseable {
  private final Process process;
  private final Writer questions;
  private final BufferedReader answers;

  private Child(Process process) {
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts one with the class path of this process. */
  public static Child start(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The collector of servers.
    command.addAll(
        List.of("-Xmx512m", "-XX:+UseParallelGC", "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    try {
      return new Child(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException("starting a process of " + main.getSimpleName(), e);
    }
  }

  /**
   * The next line that it says.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it has ended
   */
  public String hear() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "process " + process.pid() + " has ended");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException("reading what process " + process.pid() + " says", e);
    }
  }

  /** Asks it. */
  String ask(String question) {
    try {
      questions.write(question + "\n");
      questions.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("asking process " + process.pid(), e);
    }
    return hear();
  }

  /** What it has used of the processors, in steps of 10 ms. */
  Duration used() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
