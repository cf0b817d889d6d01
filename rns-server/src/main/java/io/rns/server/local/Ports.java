package io.rns.server.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports on 127.0.0.1. */
final class Ports {
  private static final int LARGEST = 65_535;

  private Ports() {}

  /** Refuses what is no port; 0 stands for any free one. */
  static void check(int port) {
    if (port < 0 || port > LARGEST) {
      throw new IllegalArgumentException("--port is from 0 to " + LARGEST + "; it was " + port);
    }
  }

  /** A port nobody listens on at this moment. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new LocalServiceException("no free port on 127.0.0.1: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that {@code port} can be listened on.
   *
   * @throws LocalServiceException naming the port if it cannot
   */
  static void requireFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new LocalServiceException(
          "port " + port + " is in use by another process; choose another with --port", e);
    }
  }
}
