package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One end of a connection, against a plain socket that reads on demand. */
class AssociationTest {
  private static final long BOUND_MILLIS = Duration.ofSeconds(60).toMillis();
  private static final int MEBIBYTE = 1_048_576;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1_000);
  private Selector selector;
  private Socket other;
  private Association association;

  @BeforeEach
  void connect() throws IOException {
    selector = Selector.open();
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SocketChannel channel = SocketChannel.open(listening.getLocalSocketAddress());
      other = listening.accept();
      other.setSoTimeout((int) BOUND_MILLIS);
      association = new Association(7, Protocol.ASAP, channel, new PlainWire(channel), selector);
      assertThat(association.open()).as("computations to wait for").isEmpty();
    }
  }

  @AfterEach
  void close() throws IOException {
    association.close();
    other.close();
    selector.close();
  }

  /** With messages longer than the buffer, and many shorter ones. */
  @Test
  void queuedMessagesAreSentInOrder() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (all.size() < 7 * MEBIBYTE) {
      byte[] message = new byte[random.nextInt(5) == 0 ? 60_000 : 1 + random.nextInt(300)];
      random.nextBytes(message);
      all.write(message);
      association.send(message);
    }
    association.end();
    assertThat(association.flush(buffer)).as("the other end reads nothing yet").isTrue();
    CompletableFuture<byte[]> read = CompletableFuture.supplyAsync(() -> read(all.size()));
    boolean open = true;
    while (open) {
      int[] writable = {0};
      int seen = selector.select(key -> writable[0] += key.isWritable() ? 1 : 0, BOUND_MILLIS);
      assertThat(seen).as("the selector reports room").isEqualTo(1);
      assertThat(writable[0]).isEqualTo(1);
      open = association.flush(buffer);
    }
    assertThat(read.get()).isEqualTo(all.toByteArray());
    SelectionKey key = selector.keys().iterator().next();
    assertThat(key.interestOps()).as("the queue is empty").isEqualTo(SelectionKey.OP_READ);
  }

  private byte[] read(int count) {
    try {
      InputStream in = other.getInputStream();
      return in.readNBytes(count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anEndThatDoesNotReadIsDropped() throws IOException {
    for (int i = 0; i < 20; i++) {
      association.send(new byte[MEBIBYTE]);
    }
    assertThatIOException().isThrownBy(() -> association.flush(buffer)).withMessageContaining("does not read");
  }

  @Test
  void isMarkedOnceUntilItIsFlushed() throws IOException {
    assertThat(association.mark()).isTrue();
    assertThat(association.mark()).isFalse();
    assertThat(association.flush(buffer)).isTrue();
    assertThat(association.mark()).isTrue();
  }

  @Test
  void messagesAreReadUntilTheEnd() throws IOException {
    byte[] bytes = new byte[65_536];
    byte[] message = {5, 0, 0, 8, 1, 2, 3, 4};
    other.getOutputStream().write(message);
    assertThat(selector.select(BOUND_MILLIS)).isEqualTo(1);
    assertThat(association.read(bytes)).containsExactly(message);
    association.end();
    other.getOutputStream().write(message);
    selector.selectedKeys().clear();
    assertThat(selector.select(BOUND_MILLIS)).isEqualTo(1);
    assertThat(association.read(bytes)).isEqualTo(List.of());
    other.close();
    selector.selectedKeys().clear();
    assertThat(selector.select(BOUND_MILLIS)).isEqualTo(1);
    assertThatExceptionOfType(EOFException.class).isThrownBy(() -> association.read(bytes));
  }
}
