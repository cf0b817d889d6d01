package io.rns.server.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions that come by UDP. Each is answered by a thread of its own, since a pool may have to be asked for; one
 * that comes while too many are being answered is dropped, as if the network had lost it.
 */
final class UdpPort {
  /** A question has no reason to be longer. */
  static final int QUESTION_BYTES = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(UdpPort.class);

  private final DatagramChannel channel;
  private final Responder responder;
  private final Semaphore free;
  private final Failures failures;

  UdpPort(DatagramChannel channel, Responder responder, int atOnce, Failures failures) {
    this.channel = channel;
    this.responder = responder;
    this.free = new Semaphore(atOnce);
    this.failures = failures;
  }

  /** Serves until the channel is closed. */
  void run() {
    ByteBuffer buffer = ByteBuffer.allocate(QUESTION_BYTES);
    while (channel.isOpen()) {
      try {
        buffer.clear();
        SocketAddress from = channel.receive(buffer);
        buffer.flip();
        byte[] question = new byte[buffer.remaining()];
        buffer.get(question);
        failures.none();
        take(question, (InetSocketAddress) from);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        failures.pauseAfter(e);
      }
    }
  }

  private void take(byte[] question, InetSocketAddress from) {
    if (free.tryAcquire()) {
      Thread.ofVirtual()
          .name("dns question")
          .start(
              () -> {
                try {
                  answer(question, from);
                } finally {
                  free.release();
                }
              });
    }
  }

  private void answer(byte[] question, InetSocketAddress from) {
    try {
      Optional<byte[]> answer = responder.byDatagram(question, from.getAddress());
      if (answer.isPresent()) {
        channel.send(ByteBuffer.wrap(answer.get()), from);
      }
    } catch (IOException e) {
      LOG.debug("an answer to {} cannot be sent: {}", from, e.toString());
    } catch (RuntimeException e) {
      LOG.error("a question of {} bytes has no answer", question.length, e);
    }
  }
}
