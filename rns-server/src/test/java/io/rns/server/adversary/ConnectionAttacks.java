package io.rns.server.adversary;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Attacks that occupy connections, threads and buffers of the server. Each ends some time after the given moment. */
final class ConnectionAttacks {
  private static final long BETWEEN_BYTES_MILLIS = 50;
  private static final int SMALL_WINDOW = 4_096;

  private final URI server;

  ConnectionAttacks(URI server) {
    this.server = server;
  }

  /** The head of a request on a path of the service, without the line that ends it. */
  static String head(String method, String path, String headers) {
    return method + " /rns" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers;
  }

  void slowBodies(int connections, long until) throws IOException {
    String length = "Content-Length: 100000\r\n\r\n";
    trickle(
        List.of(
            head("POST", "/services/rns", "Content-Type: text/xml\r\n" + length),
            head("POST", "/services/rns", "Content-Type: application/soap+xml\r\n" + length),
            head("PUT", "/names/slow", length),
            head("POST", "/pools", "Content-Type: application/json\r\n" + length),
            head("POST", "/group/reports", length)),
        connections,
        until);
  }

  /** Sends most of many bodies that are not quite large, and never the rest. */
  void halfBodies(int connections, long until) throws IOException {
    String length = "Content-Length: 1000000\r\n\r\n";
    List<String> heads =
        List.of(head("POST", "/services/rns", "Content-Type: text/xml\r\n" + length),
            head("PUT", "/names/half", length));
    String most = "x".repeat(900_000);
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        RawConnection connection = RawConnection.to(server).send(heads.get(i % heads.size()));
        open.add(connection);
        try {
          connection.send(most);
        } catch (IOException refused) {
          // As it should be, once there are too many.
        }
      }
      hold(until);
    } finally {
      open.forEach(RawConnection::close);
    }
  }

  void slowHeaders(int connections, long until) throws IOException {
    trickle(List.of("GET /rns/names/good HTTP/1.1\r\nHost: "), connections, until);
  }

  /** Sends a byte on each connection from time to time, and replaces those that the server closes. */
  private void trickle(List<String> heads, int connections, long until) throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        open.add(RawConnection.to(server).send(heads.get(i % heads.size())));
      }
      do {
        for (int i = 0; i < connections; i++) {
          try {
            open.get(i).send("x");
          } catch (IOException closed) {
            open.get(i).close();
            open.set(i, RawConnection.to(server).send(heads.get(i % heads.size())));
          }
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_BYTES_MILLIS));
      } while (before(until));
    } finally {
      open.forEach(RawConnection::close);
    }
  }

  void idle(int connections, long until) throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        open.add(RawConnection.to(server));
      }
      hold(until);
    } finally {
      open.forEach(RawConnection::close);
    }
  }

  /** Asks for all of a large directory, by SOAP and by REST, and reads nothing of the answers. */
  void unread(String directory, int connections, long until) throws IOException {
    String lookup = HostileMessages.message("<x:Path>" + directory + "</x:Path>", "<n:LookupRequest/>");
    String length = "Content-Type: text/xml\r\nContent-Length: " + lookup.length() + "\r\n\r\n";
    String soap = head("POST", "/services/rns", length) + lookup;
    String rest = head("GET", "/names" + directory + "?list", "\r\n");
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        open.add(RawConnection.to(server, "127.0.0.1", SMALL_WINDOW).send(i % 2 == 0 ? soap : rest));
      }
      hold(until);
    } finally {
      open.forEach(RawConnection::close);
    }
  }

  /** Watches as often as it can; a caller from another address must find a place. */
  void watchers(int connections, long until) throws IOException {
    String watch = head("GET", "/watch?path=/", "\r\n");
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        open.add(RawConnection.to(server).send(watch));
      }
      try (RawConnection other = RawConnection.to(server, "127.0.0.2", 0)) {
        assertThat(other.send(watch).readStatus()).isEqualTo(200);
      }
      hold(until);
    } finally {
      open.forEach(RawConnection::close);
    }
  }

  private static boolean before(long nanos) {
    return System.nanoTime() - nanos < 0;
  }

  private static void hold(long until) {
    while (before(until)) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
  }
}
