package io.rns.server.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports on 127.0.0.1. */
final class Ports {
  static final int LARGEST = 65_535;

  private Ports() {}

  /** Refuses what is no port; 0 stands for any free one. */
  static void check(int port) {
    if (port < 0 || port > LARGEST) {
      throw new IllegalArgumentException("--port is from 0 to " + LARGEST + "; it was " + port);
    }
  }

  /** A port nobody listens on at this moment. */
  static int free() {
    return free(1).getFirst();
  }

  /** Different ports nobody listens on at this moment. */
  static List<Integer> free(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return ports;
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
