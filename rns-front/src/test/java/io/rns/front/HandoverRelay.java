package io.rns.front;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Passes on what two fronts say to each other while one takes over from the other, and holds one step of it, which was
 * sent and has not arrived. If one of them ends, the other is told when it has what was sent before. Sockets do not
 * come this way.
 */
final class HandoverRelay implements AutoCloseable {
  private static final long POLL_MILLIS = 20;

  private final ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  private final SocketChannel predecessor;
  private final String stop;
  private final CountDownLatch holding = new CountDownLatch(1);
  private final CountDownLatch going = new CountDownLatch(1);
  private volatile SocketChannel successor;
  /** What the predecessor has said last. */
  private volatile String said = "";

  /**
   * Waits for a successor.
   *
   * @param path where
   * @param stop the step to hold: {@code request}, {@code process}, {@code listener}, {@code window N} or {@code done},
   *        or one of these with {@code received} or {@code committed} behind it
   */
  HandoverRelay(Path path, Path predecessor, String stop) throws IOException {
    this.stop = stop;
    this.predecessor = SocketChannel.open(UnixDomainSocketAddress.of(predecessor));
    this.successor = this.predecessor;
    socket.bind(UnixDomainSocketAddress.of(path));
    Thread.ofPlatform().daemon().start(this::run);
  }

  /** Whether the step has been sent. */
  boolean isHolding() {
    return holding.getCount() == 0;
  }

  /** Lets it arrive, if there is still who receives it. */
  void goOn() {
    going.countDown();
  }

  private void run() {
    try {
      SocketChannel caller = socket.accept();
      // The other direction reads: what is not read yet has not arrived.
      caller.configureBlocking(false);
      successor = caller;
      Thread.ofPlatform().daemon().start(() -> relay(this::toPredecessor));
      relay(this::toSuccessor);
    } catch (IOException e) {
      // Closed.
    }
  }

  private interface Direction {
    void run() throws IOException, InterruptedException;
  }

  private void relay(Direction direction) {
    try {
      direction.run();
    } catch (IOException | InterruptedException e) {
      // One of the two has ended.
    } finally {
      end();
    }
  }

  private void end() {
    try {
      predecessor.close();
      successor.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void at(String step) throws InterruptedException {
    if (step.equals(stop)) {
      holding.countDown();
      if (!going.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test does not let it go on");
      }
    }
  }

  private void toSuccessor() throws IOException, InterruptedException {
    DataInputStream in =
        new DataInputStream(new java.io.BufferedInputStream(Channels.newInputStream(predecessor), 65_536));
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(message);
    out.writeLong(in.readLong());
    pass("process", message);
    int windows = 0;
    while (true) {
      HandoverStep step = HandoverStep.read(in);
      out.writeByte(step.code());
      String name = said + " committed";
      if (step == HandoverStep.LISTENER) {
        name = "listener";
      } else if (step == HandoverStep.WINDOW) {
        windows++;
        name = "window " + windows;
        int size = in.readInt();
        out.writeInt(size);
        for (int i = 0; i < size; i++) {
          ConnectionState.read(in).write(out);
        }
      } else if (step == HandoverStep.DONE) {
        name = "done";
      }
      if (step != HandoverStep.COMMIT) {
        said = name;
      }
      pass(name, message);
    }
  }

  private void pass(String name, ByteArrayOutputStream message) throws IOException, InterruptedException {
    at(name);
    ByteBuffer bytes = ByteBuffer.wrap(message.toByteArray());
    message.reset();
    while (bytes.hasRemaining()) {
      if (successor.write(bytes) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private void toPredecessor() throws IOException, InterruptedException {
    ByteBuffer octet = ByteBuffer.allocate(1);
    boolean asked = false;
    while (true) {
      awaitReadable();
      at(asked ? said + " received" : "request");
      boolean ended = false;
      while (!ended) {
        octet.clear();
        int read = successor.read(octet);
        if (read < 0) {
          return;
        }
        if (read > 0) {
          int unused = predecessor.write(octet.flip());
        }
        // The request is a line, each later message an octet.
        ended = read > 0 && (asked || octet.get(0) == '\n');
      }
      asked = true;
    }
  }

  /** Without a selector that outlives it: the channel could not be closed at once. */
  private void awaitReadable() throws IOException {
    try (Selector selector = Selector.open()) {
      SelectionKey unused = successor.register(selector, SelectionKey.OP_READ);
      while (selector.select(POLL_MILLIS) == 0) {
        if (!successor.isOpen()) {
          throw new IOException("closed");
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    goOn();
    socket.close();
    end();
  }
}
