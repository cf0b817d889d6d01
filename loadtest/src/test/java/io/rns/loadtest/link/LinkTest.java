package io.rns.loadtest.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkTest {
  private ServerSocket target;

  @BeforeEach
  void listen() throws IOException {
    target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stopListening() throws IOException {
    target.close();
  }

  private Link open(Delay delay) throws IOException {
    return Link.open(0, target.getLocalPort(), delay);
  }

  private static Socket connect(Link link) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), link.port());
  }

  private static String read(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), UTF_8);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  @Test
  void passesBytesOnInBothDirectionsAndTheEndOfEach() throws Exception {
    try (Link link = open(Delay.NONE);
        Socket client = connect(link);
        Socket server = target.accept()) {
      write(client, "there");
      assertThat(read(server, 5)).isEqualTo("there");
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      write(server, "back");
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).isEqualTo("back".getBytes(UTF_8));
    }
  }

  @Test
  void passesMuchOnUnchangedThoughItIsDelayedUnevenly() throws Exception {
    byte[] sent = new byte[10_000_000];
    new Random(1).nextBytes(sent);
    try (Link link = open(new Delay(Duration.ofMillis(1), Duration.ofMillis(3)));
        Socket client = connect(link);
        Socket server = target.accept()) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      client.getOutputStream().write(sent);
                      client.shutdownOutput();
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                  });
      assertThat(server.getInputStream().readAllBytes()).isEqualTo(sent);
      sender.join();
    }
  }

  @Test
  void nothingArrivesBeforeItsTime() throws Exception {
    try (Link link = open(new Delay(Duration.ofMillis(150), Duration.ZERO));
        Socket client = connect(link);
        Socket server = target.accept()) {
      long sent = System.nanoTime();
      write(client, "x");
      assertThat(read(server, 1)).isEqualTo("x");
      write(server, "y");
      assertThat(read(client, 1)).isEqualTo("y");
      assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }
  }

  @Test
  void whatIsSentWhileItIsCutArrivesWhenItIsMended() throws Exception {
    try (Link link = open(Delay.NONE);
        Socket client = connect(link);
        Socket server = target.accept()) {
      write(client, "a");
      assertThat(read(server, 1)).isEqualTo("a");
      link.cut();
      write(client, "b");
      server.setSoTimeout(100);
      InputStream in = server.getInputStream();
      assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
      server.setSoTimeout(0);
      link.mend();
      assertThat(read(server, 1)).isEqualTo("b");
    }
  }

  @Test
  void whileItIsCutConnectionsAreTakenAndNobodyHearsThatTheOtherEndIsGone() throws Exception {
    try (Link link = open(Delay.NONE)) {
      Socket client = connect(link);
      Socket server = target.accept();
      link.cut();
      client.close();
      server.setSoTimeout(100);
      InputStream in = server.getInputStream();
      assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
      try (Socket second = connect(link)) {
        second.setSoTimeout(100);
        assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        server.setSoTimeout(0);
        link.mend();
        assertThat(server.getInputStream().read()).isEqualTo(-1);
        target.accept().close();
        assertThat(second.getInputStream().read()).isEqualTo(-1);
      }
      server.close();
    }
  }

  @Test
  void dropEndsWhatIsOpenAndTakesNewConnections() throws Exception {
    try (Link link = open(Delay.NONE);
        Socket client = connect(link);
        Socket server = target.accept()) {
      write(client, "a");
      assertThat(read(server, 1)).isEqualTo("a");
      link.drop();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      try (Socket again = connect(link);
          Socket accepted = target.accept()) {
        write(again, "b");
        assertThat(read(accepted, 1)).isEqualTo("b");
      }
    }
  }

  @Test
  void aTargetThatDoesNotListenEndsTheConnection() throws Exception {
    try (Link link = open(Delay.NONE)) {
      target.close();
      try (Socket client = connect(link)) {
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    assertThatThrownBy(() -> Link.open(target.getLocalPort(), 1, Delay.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("port " + target.getLocalPort() + " cannot be listened on");
  }

  @Test
  void delaysAreBounded() {
    assertThat(new Delay(Duration.ofMinutes(1), Duration.ZERO).least()).isEqualTo(Duration.ofMinutes(1));
    assertThatThrownBy(() -> new Delay(Duration.ofMillis(60_001), Duration.ZERO))
        .hasMessage("the delay of a link is from 0 to 60000 ms; it was 60001 ms");
    assertThatThrownBy(() -> new Delay(Duration.ZERO, Duration.ofMillis(-1)))
        .hasMessage("the jitter of a link is from 0 to 60000 ms; it was -1 ms");
  }
}
