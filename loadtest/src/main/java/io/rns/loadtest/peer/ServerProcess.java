package io.rns.loadtest.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, whose messages go to a file in its directory. */
final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 50;
  private static final int TOLD = 400;

  private final Process process;
  private final Path log;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts one. */
  static ServerProcess start(Path directory, List<String> command) {
    Path log = directory.resolve("server.log");
    try {
      return new ServerProcess(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    } catch (IOException e) {
      throw Peer.missing("'" + command.get(0) + "' does not start: " + e.getMessage(), e);
    }
  }

  /** A port of 127.0.0.1 that was free just now. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("looking for a free port", e);
    }
  }

  /** The next line that it says on its standard output. */
  String hear() {
    try {
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      String line = said.readLine();
      if (line == null) {
        throw Peer.missing("it ended while it started: " + complaint());
      }
      return line;
    } catch (IOException e) {
      throw Peer.missing("it cannot be heard: " + e.getMessage(), e);
    }
  }

  /** Waits until it listens on a port of 127.0.0.1. */
  void awaitPort(int port) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!listens(port)) {
      if (!process.isAlive()) {
        throw Peer.missing("it ended while it started: " + complaint());
      }
      if (System.nanoTime() - deadline > 0) {
        throw Peer.missing("it did not listen within " + PATIENCE.toSeconds() + " s");
      }
      pause();
    }
  }

  /** Before the next look at a server that starts. */
  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Peer.missing("stopped while it started", e);
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private String complaint() {
    try {
      String all = Files.readString(log, StandardCharsets.ISO_8859_1).strip().replaceAll("\\s+", " ");
      return all.substring(Math.max(0, all.length() - TOLD));
    } catch (IOException e) {
      return "no reason told (" + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    // what it has kept is thrown away: nothing needs an orderly end
    process.destroyForcibly();
    boolean interrupted = Thread.interrupted();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
