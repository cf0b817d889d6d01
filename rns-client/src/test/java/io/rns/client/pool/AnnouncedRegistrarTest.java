package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.network.MulticastGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Announcements of registrars, from the wire and hostile ones. */
@Timeout(60)
class AnnouncedRegistrarTest {
  private static final String TCP = "00050010 0f17 0000 00010008 7f000001";
  private static final String URL = "http://127.0.0.1/rns";
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static byte[] announcement(String hex, String service) {
    byte[] parameters = HexFormat.of().parseHex(hex.replace(" ", ""));
    byte[] address = service.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(12 + parameters.length + address.length);
    out.putShort((short) 0x0a00).putShort((short) out.capacity()).putInt(0xcafe_0001).put(parameters);
    out.putShort((short) 0xa528).putShort((short) (4 + address.length)).put(address);
    return out.array();
  }

  private static Optional<AnnouncedRegistrar> decode(byte[] bytes) {
    return AnnouncedRegistrar.decode(ByteBuffer.wrap(bytes), HERE);
  }

  @Test
  void anAnnouncementSaysWhereARegistrarAndItsServerAre() {
    assertThat(decode(announcement(TCP, URL)))
        .contains(
            new AnnouncedRegistrar(0xcafe_0001, new InetSocketAddress(HERE, 3_863), Optional.of(URI.create(URL))));
    String others = "0007001c 0001 0000 00020014 20010db8000000000000000000000001 90000005 01000000";
    assertThat(decode(announcement(others + TCP, URL))).as("beside other parameters").isPresent();
    byte[] standard = HexFormat.of().parseHex("0a000018cafe0001" + TCP.replace(" ", ""));
    assertThat(decode(standard).orElseThrow().service()).isEmpty();
  }

  @Test
  void whatIsNoAddressOfAServerIsLeftOut() {
    for (String wrong : List.of("", "file:///etc/passwd", "http:", "http://a b/", "http://a/\n2 x", "rns",
        "http://\u00e4/")) {
      assertThat(decode(announcement(TCP, wrong)).orElseThrow().service()).as(wrong).isEmpty();
    }
    assertThat(decode(announcement(TCP, "http://a/" + "x".repeat(1_000))).orElseThrow().service()).isEmpty();
  }

  @Test
  void aRegistrarAtAnotherAddressIsIgnored() {
    byte[] bytes = announcement(TCP, URL);
    assertThat(AnnouncedRegistrar.decode(ByteBuffer.wrap(bytes), new InetSocketAddress("127.0.0.2", 1).getAddress()))
        .isEmpty();
    assertThat(decode(announcement(TCP.replace("0f17", "0000"), URL))).as("port 0").isEmpty();
    assertThat(decode(announcement("", URL))).as("none").isEmpty();
  }

  @Test
  void anyBytesAreReadOrIgnored() {
    byte[] valid = announcement(TCP, URL);
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = Arrays.copyOf(valid, random.nextInt(valid.length + 1));
      for (int count = random.nextInt(4); count > 0 && changed.length > 0; count--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      read += decode(changed).isPresent() ? 1 : 0;
    }
    assertThat(read).isBetween(1, 19_999);
  }

  @Test
  void thoseOfOneAddressAreBounded() throws IOException {
    SplittableRandom random = new SplittableRandom();
    MulticastGroup group = MulticastGroup.parse("239.255.78." + random.nextInt(1, 255) + "%lo");
    int port;
    try (DatagramSocket free = new DatagramSocket()) {
      port = free.getLocalPort();
    }
    List<AnnouncedRegistrar> found = new ArrayList<>();
    try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(HERE, 0))) {
      socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, group.network());
      Thread sender = new Thread(() -> {
        while (!socket.isClosed()) {
          for (int id = 0; id < 20; id++) {
            byte[] bytes = announcement(TCP, URL);
            bytes[7] = (byte) id;
            try {
              socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(group.address(), port)));
            } catch (IOException e) {
              return;
            }
          }
          LockSupport.parkNanos(5_000_000);
        }
      });
      sender.start();
      while (found.isEmpty()) {
        found.addAll(AnnouncedRegistrar.listen(group, port, Duration.ofMillis(200)));
      }
    }
    assertThat(found).hasSizeBetween(1, AnnouncedRegistrar.OF_ADDRESS)
        .allSatisfy(one -> assertThat(one.asap().getPort()).isEqualTo(3_863));
  }

  @Test
  void anInterfaceThatIsNotThereIsAnError() {
    MulticastGroup group = MulticastGroup.parse("239.255.78.1%none0");
    assertThatThrownBy(() -> AnnouncedRegistrar.listen(group, 0, Duration.ofMillis(1)))
        .isInstanceOf(IOException.class).hasMessageContaining("none0");
  }
}
