package io.rns.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HeadDeadlineTest {
  private static final Duration LIMIT = Duration.ofMillis(400);
  private static final int PAUSE_MILLIS = 20;
  private static final String REQUEST = "GET /rns/a HTTP/1.1\r\nHost: a\r\n\r\n";

  GuardedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new GuardedServer(4, LIMIT, tls());
  }

  /** What it serves HTTPS with; null for plain HTTP. */
  GuardedServer.@Nullable Tls tls() {
    return null;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "G", "GET /rns/a HTTP/1.1\r\n", "GET /rns/a HTTP/1.1\r\nHost: a\r\n", "\r\n\r\n"})
  void closesAConnectionWhoseFirstHeadStops(String head) throws IOException {
    try (Socket socket = server.connect()) {
      write(socket, head);
      assertThat(isClosed(socket)).isTrue();
    }
    assertThat(server.reached).isEmpty();
  }

  @Test
  void closesAConnectionWithAnEndlessHead() throws IOException {
    try (Socket socket = server.connect()) {
      socket.setSoTimeout(PAUSE_MILLIS);
      write(socket, "GET /rns/a HTTP/1.1\r\nHost: a\r\nSlow: ");
      long begun = System.nanoTime();
      while (!dripped(socket)) {
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
      }
    }
    assertThat(server.reached).isEmpty();
  }

  /** Sends a byte and waits; true if the server has closed the connection. */
  private static boolean dripped(Socket socket) throws IOException {
    try {
      write(socket, "x");
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void restartsForEachRequestOfAConnection() throws IOException {
    try (Socket socket = server.connect()) {
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < 2 * LIMIT.toNanos()) {
        socket.setSoTimeout(20_000);
        write(socket, REQUEST);
        assertThat(answer(socket)).startsWith("HTTP/1.1 200 ").endsWith("took /rns/a ");
        socket.setSoTimeout(PAUSE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
      }
      socket.setSoTimeout(20_000);
      write(socket, "GET /rns/a HTTP/1.1\r\n");
      assertThat(isClosed(socket)).isTrue();
    }
  }

  @Test
  void leavesSlowBodiesToTheService() throws IOException {
    try (Socket socket = server.connect()) {
      socket.setSoTimeout(PAUSE_MILLIS);
      write(socket, "POST /rns/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 100\r\n\r\n");
      long begun = System.nanoTime();
      int sent = 0;
      while (System.nanoTime() - begun < 2 * LIMIT.toNanos()) {
        assertThat(dripped(socket)).isFalse();
        sent++;
      }
      socket.setSoTimeout(20_000);
      write(socket, "x".repeat(100 - sent));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("took /rns/a " + "x".repeat(100));
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith("took /rns/a ")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      answer.append((char) next);
    }
    return answer.toString();
  }

  /** Waits until the server has closed the connection without a response. */
  static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }
}
