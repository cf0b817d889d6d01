package io.rns.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports on 127.0.0.1. */
final class Ports {
  static final int LARGEST = 65_535;

  private static final int LOWEST_FREE = 10_000;
  /** The first port for outgoing connections by Linux's default. */
  private static final int OUTGOING = 32_768;

  /**
   * Processes that choose ports at the same time mostly choose from different parts: a port is not reserved until it is
   * used.
   */
  private static final int PARTS = 16;

  private static final int PART_SIZE = (OUTGOING - LOWEST_FREE) / PARTS;
  private static final int PART_BEGIN = LOWEST_FREE + PART_SIZE * (int) (ProcessHandle.current().pid() % PARTS);

  private static final int ATTEMPTS = 1_000;

  /** Ports that this process chose last, oldest first: the parts of a group choose theirs before any is used. */
  private static final Set<Integer> CHOSEN = new LinkedHashSet<>();

  private static final int REMEMBERED = 256;

  private Ports() {}

  /** Validates a port; 0 stands for any free one. */
  static void check(int port) {
    if (port < 0 || port > LARGEST) {
      throw new IllegalArgumentException("--port must be from 0 to " + LARGEST + ", not " + port);
    }
  }

  /** A currently free port. */
  static int free() {
    return free(1).getFirst();
  }

  /**
   * Distinct, currently free ports that were not chosen recently, outside the range for outgoing connections, so that
   * no such connection takes the port of a server that is restarting.
   */
  static synchronized List<Integer> free(int count) {
    List<Integer> free = new ArrayList<>();
    for (int attempt = 0; attempt < ATTEMPTS && free.size() < count; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(PART_BEGIN, PART_BEGIN + PART_SIZE);
      if (isFree(port) && CHOSEN.add(port)) {
        free.add(port);
        if (CHOSEN.size() > REMEMBERED) {
          CHOSEN.remove(CHOSEN.iterator().next());
        }
      }
    }
    if (free.size() < count) {
      throw new LocalServiceException(
          "fewer than " + count + " free ports on 127.0.0.1 among " + ATTEMPTS + " tried from " + PART_BEGIN + " to "
              + (PART_BEGIN + PART_SIZE - 1));
    }
    return List.copyOf(free);
  }

  private static boolean isFree(int port) {
    try {
      listen(port);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void listen(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }

  /**
   * Checks that {@code port} can be bound.
   *
   * @throws LocalServiceException naming the port if it cannot
   */
  static void requireFree(int port) {
    requireFree(port, "--port");
  }

  /**
   * Checks that {@code port} can be bound.
   *
   * @param chosenBy the option or variable that sets the port, for the message
   */
  static void requireFree(int port, String chosenBy) {
    try {
      listen(port);
    } catch (IOException e) {
      throw new LocalServiceException(
          "port " + port + " is in use by another process; choose another with " + chosenBy, e);
    }
  }
}
