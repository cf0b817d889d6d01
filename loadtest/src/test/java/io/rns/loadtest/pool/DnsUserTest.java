package io.rns.loadtest.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;

class DnsUserTest {
  /** Answers every question with one server. */
  private static void answer(DatagramSocket socket) {
    DatagramPacket packet = new DatagramPacket(new byte[1_232], 1_232);
    try {
      while (true) {
        packet.setLength(1_232);
        socket.receive(packet);
        Message message = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
        message.getHeader().setFlag(Flags.QR);
        message.addRecord(
            new SRVRecord(message.getQuestion().getName(), message.getQuestion().getDClass(), 5, 0, 1, 80,
                message.getQuestion().getName()),
            Section.ANSWER);
        byte[] bytes = message.toWire();
        socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void theFirstAnswerBelongsToTheFirstQuestionAndSoOn() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(socket));
      InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
      try (DnsUser user = new DnsUser(server, "_http._tcp.print.rns.example.org")) {
        assertThat(user.perform()).as("without preparation").isNull();
        assertThat(new Message(user.answer()).getSection(Section.ANSWER)).hasSize(1);
        for (int i = 0; i < 3; i++) {
          assertThat(user.prepare()).isTrue();
          assertThat(user.perform()).isNull();
        }
      }
    }
  }
}
