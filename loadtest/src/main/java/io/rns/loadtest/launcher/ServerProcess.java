package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a process of its own, which is killed at the end: its data is not needed any more. */
public final class ServerProcess implements AutoCloseable {
  private static final int COMPLAINT_CHARS = 400;

  private final Process process;

  private ServerProcess(ProcessBuilder builder) {
    process = Io.get("'" + builder.command().get(0) + "' does not start", builder::start);
  }

  /** Starts a main class of this class path, which answers each line with a line and ends with its input. */
  public static ServerProcess start(Class<?> main, String... arguments) {
    return new ServerProcess(new ProcessBuilder(java(main, arguments)).redirectError(Redirect.INHERIT));
  }

  /**
   * Starts a program and waits until it listens on a port of 127.0.0.1.
   *
   * @param directory for the file with its messages
   */
  public static ServerProcess listening(int port, Path directory, List<String> command) throws InterruptedException {
    Path log = directory.resolve("server.log");
    ServerProcess server =
        new ServerProcess(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()));
    try {
      Poll.until("it listens on port " + port, () -> {
        if (!server.process.isAlive()) {
          throw new RnsException(RnsError.UNAVAILABLE, "it ended while it started: " + end(log));
        }
        return listens(port);
      });
      return server;
    } catch (RuntimeException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  /** The command of a main class of this class path, with heap and collector of a server of RNS. */
  public static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(LoadtestEnvironment.java());
    command.addAll(List.of("-Xmx512m", "-XX:+UseParallelGC", "-cp", LoadtestEnvironment.classPath()));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Called by a main class: the process that started it holds its input open. */
  public static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // Nothing is asked.
    }
  }

  /** A port of 127.0.0.1 that was free just now. */
  public static int freePort() {
    return Io.get("looking for a free port", () -> {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    });
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static String end(Path log) {
    try {
      String all = Files.readString(log, StandardCharsets.ISO_8859_1).strip().replaceAll("\\s+", " ");
      return all.substring(Math.max(0, all.length() - COMPLAINT_CHARS));
    } catch (IOException e) {
      return "no reason given (" + e.getMessage() + ")";
    }
  }

  /** The next line that it prints; throws if it has ended. */
  public String readLine() {
    return Io.get("reading from process " + pid(), () -> {
      String line = process.inputReader(StandardCharsets.UTF_8).readLine();
      if (line == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "process " + pid() + " has ended");
      }
      return line;
    });
  }

  public String ask(String question) {
    Io.run("writing to process " + pid(), () -> {
      Writer questions = process.outputWriter(StandardCharsets.UTF_8);
      questions.write(question + "\n");
      questions.flush();
    });
    return readLine();
  }

  public long pid() {
    return process.pid();
  }

  /** Kills it by SIGKILL and waits for its end, also if the thread is interrupted. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
