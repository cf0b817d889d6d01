package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tlschannel.ClientTlsChannel;
import tlschannel.NeedsReadException;
import tlschannel.TlsChannel;

/** A connection with TLS, whose other end does what it wants. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsWireTest {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final byte[] buffer = new byte[65_536];
  private final ByteBuffer direct = ByteBuffer.allocateDirect(65_536);
  private final ByteBuffer record = ByteBuffer.allocate(20_000);
  private Selector selector;
  private SocketChannel client;
  private SSLEngine engine;
  private Association association;

  @BeforeEach
  void connect() throws Exception {
    TestKeys keys = new TestKeys();
    selector = Selector.open();
    client = SocketChannel.open();
    client.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
    try (ServerSocketChannel listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      client.connect(listening.getLocalAddress());
      SocketChannel accepted = listening.accept();
      // Few answers fill the network.
      accepted.setOption(StandardSocketOptions.SO_SNDBUF, 4_096);
      TlsWire wire = TlsWire.accepting(accepted, Protocol.ASAP, keys);
      association = new Association(1, Protocol.ASAP, accepted, wire, selector);
    }
    client.configureBlocking(false);
    engine = keys.context().createSSLEngine();
    engine.setUseClientMode(true);
    TlsChannel tls = ClientTlsChannel.newBuilder(client, engine).build();
    while (!shakesHands(tls) || !association.isOpen()) {
      open();
    }
  }

  private static boolean shakesHands(TlsChannel tls) throws IOException {
    try {
      tls.handshake();
      return true;
    } catch (NeedsReadException e) {
      return false;
    }
  }

  private void open() throws IOException {
    Optional<Runnable> task = association.open();
    while (task.isPresent()) {
      task.get().run();
      task = association.open();
    }
  }

  @AfterEach
  void close() throws IOException {
    association.close();
    client.close();
    selector.close();
  }

  /** Does what there is to do, as a {@link Carrier}; returns whether the selector has reported something. */
  private boolean serves() throws IOException {
    return selector.selectNow(key -> {
      try {
        serve(key);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }) > 0;
  }

  private void serve(SelectionKey key) throws IOException {
    if (key.isReadable()) {
      assertThat(association.read(buffer)).isEmpty();
    }
    if (key.isWritable()) {
      assertThat(association.flush(direct)).isTrue();
      assertThat(association.read(buffer)).isEmpty();
    }
  }

  /** Announces a new key, and wants one of the other side; the record may not fit into the network. */
  private void wantNewKey() throws IOException {
    engine.beginHandshake();
    engine.wrap(NOTHING, record.clear());
    record.flip();
    int unused = client.write(record);
  }

  /** The network is full in one direction, and something waits to be read in the other. */
  @Test
  void aClientThatReadsNoAnswersDoesNotKeepTheSelectorBusy() throws Exception {
    while (!association.hasUnsent()) {
      wantNewKey();
      boolean unused = serves();
    }
    for (int i = 0; i < 9; i++) {
      wantNewKey();
    }
    int busy = 0;
    for (int i = 0; i < 1_000; i++) {
      busy += serves() ? 1 : 0;
    }
    assertThat(busy).as("of 1,000 selects those with something to do").isLessThan(50);
    assertThat(association.hasUnsent()).isTrue();
    SelectionKey key = selector.keys().iterator().next();
    boolean isQuiet = false;
    while (!isQuiet) {
      boolean hasRead = client.read(direct.clear()) > 0;
      boolean hasServed = serves();
      isQuiet = !hasRead && !hasServed && key.interestOps() == SelectionKey.OP_READ;
    }
    assertThat(association.hasUnsent()).as("it goes on once the client reads").isFalse();
  }
}
