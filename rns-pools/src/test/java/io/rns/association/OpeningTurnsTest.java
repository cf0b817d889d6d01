package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpeningTurnsTest {
  private final OpeningTurns turns = new OpeningTurns(4, 2);
  private final List<Association> open = new ArrayList<>();
  private Selector selector;

  @BeforeEach
  void begin() throws IOException {
    selector = Selector.open();
  }

  @AfterEach
  void close() throws IOException {
    open.forEach(Association::close);
    selector.close();
  }

  private Association to(String host) throws IOException {
    SocketChannel channel = SocketChannel.open();
    Association made =
        new Association(
            open.size(), Protocol.ASAP, channel, new PlainWire(channel), selector,
            new InetSocketAddress(InetAddress.getByName(host), 1));
    open.add(made);
    return made;
  }

  @Test
  void oneHostLeavesTurnsForOthers() throws IOException {
    Association first = to("192.0.2.1");
    assertThat(turns.begins(first)).isTrue();
    assertThat(turns.begins(to("192.0.2.1"))).isTrue();
    Association third = to("192.0.2.1");
    assertThat(turns.begins(third)).as("its part is taken").isFalse();
    assertThat(turns.next()).isNull();
    assertThat(turns.begins(to("192.0.2.2"))).isTrue();
    turns.end(first);
    assertThat(turns.next()).isSameAs(third);
    assertThat(turns.next()).isNull();
  }

  @Test
  void ofIpVersion6ANetworkIsOneHost() throws IOException {
    assertThat(turns.begins(to("2001:db8::1"))).isTrue();
    assertThat(turns.begins(to("2001:db8::2"))).isTrue();
    assertThat(turns.begins(to("2001:db8::3"))).isFalse();
    assertThat(turns.begins(to("2001:db8:0:1::1"))).isTrue();
  }

  @Test
  void hostsTakeTurns() throws IOException {
    List<Association> begun = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      begun.add(to("127.0.0.1"));
      assertThat(turns.begins(begun.get(i))).as("this host may have all").isTrue();
    }
    Association one = to("192.0.2.1");
    Association two = to("192.0.2.1");
    Association gone = to("192.0.2.2");
    Association other = to("192.0.2.2");
    for (Association each : List.of(one, two, gone, other)) {
      assertThat(turns.begins(each)).as("all turns are taken").isFalse();
    }
    assertThat(turns.drop(gone)).isTrue();
    assertThat(turns.drop(gone)).isFalse();
    assertThat(turns.drop(to("192.0.2.3"))).isFalse();
    begun.forEach(turns::end);
    assertThat(turns.next()).isSameAs(one);
    assertThat(turns.next()).isSameAs(other);
    assertThat(turns.next()).isSameAs(two);
    assertThat(turns.next()).isNull();
  }
}
