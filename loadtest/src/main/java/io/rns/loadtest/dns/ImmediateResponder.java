package io.rns.loadtest.dns;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * A server that answers every question at once, without records, to measure the generator of a replay alone.
 *
 * <p>Thread-safe.
 */
public final class ImmediateResponder implements AutoCloseable {
  private static final int FLAGS = 2;
  private static final byte ANSWER_BIT = (byte) 0x80;

  private final DatagramChannel channel;

  private ImmediateResponder(DatagramChannel channel) {
    this.channel = channel;
  }

  /**
   * Starts it at a free port of the loopback address.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if there is none
   */
  public static ImmediateResponder start() {
    ImmediateResponder responder =
        Io.get("a port for the responder", () -> new ImmediateResponder(
            DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
    Thread.ofPlatform().name("dns responder").daemon().start(responder::run);
    return responder;
  }

  /** Where it answers. */
  public InetSocketAddress address() {
    return Io.get("the port of the responder", () -> (InetSocketAddress) channel.getLocalAddress());
  }

  private void run() {
    ByteBuffer message = ByteBuffer.allocateDirect(EncodedQuestion.ANSWER_BYTES);
    try {
      while (true) {
        InetSocketAddress from = (InetSocketAddress) channel.receive(message.clear());
        message.flip();
        if (message.remaining() > FLAGS) {
          message.put(FLAGS, (byte) (message.get(FLAGS) | ANSWER_BIT));
          int unused = channel.send(message, from);
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  @Override
  public void close() {
    Io.run("closing the responder", channel::close);
  }
}
