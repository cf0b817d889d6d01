package io.rns.server.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions that come by UDP, answered one after the other by the thread that takes them where what an answer says is
 * at hand in this process: to wake another thread costs more than the answer. Where it may have to wait, each question
 * has a virtual thread, and those beyond {@value #PLACES} at a time are dropped. A server has several ports, on sockets
 * of one number among which the system spreads the askers. What comes too fast is dropped by the system, as if the
 * network had lost it.
 */
final class UdpPort {
  /** A question has no reason to be longer. */
  static final int QUESTION_BYTES = 4_096;

  /** Questions of all ports of a server whose answers may wait at a time, with {@value #QUESTION_BYTES} bytes each. */
  static final int PLACES = 256;

  private static final Logger LOG = LoggerFactory.getLogger(UdpPort.class);

  private final DatagramChannel channel;
  private final Responder responder;
  private final DnsFailures failures;
  private final BooleanSupplier mayWait;
  private final Semaphore places;

  /**
   * A port of an open channel.
   *
   * @param mayWait whether answers may have to wait
   * @param places what is left of {@link #PLACES}
   */
  UdpPort(
      DatagramChannel channel, Responder responder, DnsFailures failures, BooleanSupplier mayWait, Semaphore places) {
    this.channel = channel;
    this.responder = responder;
    this.failures = failures;
    this.mayWait = mayWait;
    this.places = places;
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
        take(question, (InetSocketAddress) from);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        failures.pauseAfter(e);
      }
    }
  }

  private void take(byte[] question, InetSocketAddress from) throws ClosedChannelException {
    if (!mayWait.getAsBoolean()) {
      answer(question, from);
    } else if (places.tryAcquire()) {
      Thread.ofVirtual().name("dns query").start(() -> answerInPlace(question, from));
    }
  }

  private void answerInPlace(byte[] question, InetSocketAddress from) {
    try {
      answer(question, from);
    } catch (ClosedChannelException e) {
      LOG.debug("a response to {} comes after the end", from);
    } finally {
      places.release();
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
