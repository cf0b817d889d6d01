package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Whether the kernel has connections of its own. */
class UnsettledConnectionsTest {
  @Test
  void oneIsUnsettledUntilTheOtherSideHasReadWhatWasSentBeforeItsEnd() throws Exception {
    Inet4Address own = (Inet4Address) InetAddress.getByName("127.0.0.77");
    try (ServerSocket listener = new ServerSocket()) {
      listener.setReceiveBufferSize(4_096);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      long sent = 0;
      try (SocketChannel channel = SocketChannel.open()) {
        channel.bind(new InetSocketAddress(own, 0)).connect(listener.getLocalSocketAddress());
        channel.configureBlocking(false);
        for (int written = 1; written > 0; sent += written) {
          written = channel.write(ByteBuffer.allocate(65_536));
        }
        assertThat(any(own)).as("it is open").isFalse();
      }
      assertThat(any(own)).isTrue();
      try (Socket other = listener.accept()) {
        assertThat(other.getInputStream().readAllBytes()).hasSize((int) sent);
        Waiting.until(() -> !any(own));
      }
    }
  }

  private static boolean any(Inet4Address address) {
    try {
      return UnsettledConnections.any(address, UnsettledConnections.ENDING);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
