package io.rns.server.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions that come by UDP, answered one after the other by the thread that takes them: what an answer says is at
 * hand in this process, and to wake another thread costs more than the answer. A server has several, on sockets of one
 * port among which the system spreads the askers. What comes too fast is dropped by the system, as if the network had
 * lost it.
 */
final class UdpPort {
  /** A question has no reason to be longer. */
  static final int QUESTION_BYTES = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(UdpPort.class);

  private final DatagramChannel channel;
  private final Responder responder;
  private final DnsFailures failures;

  UdpPort(DatagramChannel channel, Responder responder, DnsFailures failures) {
    this.channel = channel;
    this.responder = responder;
    this.failures = failures;
  }

  /** Serves until the channel is closed. */
  void run() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(QUESTION_BYTES);
    while (channel.isOpen()) {
      try {
        SocketAddress from = channel.receive(buffer.clear());
        byte[] question = new byte[buffer.flip().remaining()];
        buffer.get(question);
        failures.none();
        answer(question, (InetSocketAddress) from);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        failures.pauseAfter(e);
      }
    }
  }

  private void answer(byte[] question, InetSocketAddress from) throws ClosedChannelException {
    try {
      Optional<byte[]> answer = responder.byDatagram(question, from.getAddress());
      if (answer.isPresent()) {
        channel.send(ByteBuffer.wrap(answer.get()), from);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      LOG.debug("a response to {} cannot be sent: {}", from, e.toString());
    } catch (RuntimeException e) {
      LOG.error("a query of {} bytes gets no response", question.length, e);
    }
  }
}
