package io.rns.server.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/** Names of the zone: every path that fits has one, which leads back to it. */
class ZoneNamesTest {
  private static final Set<String> RESERVED = Set.of("servers", "ip4", "ip6");
  private final Name zone = name("rns.example.org.");
  private final HostNames hosts = new HostNames(zone, "known to servers");
  private final ZoneNames names = new ZoneNames(zone, hosts);

  private static Name name(String text) {
    try {
      return Name.fromString(text, Name.root);
    } catch (TextParseException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private Meaning meaning(String below) {
    return names.meaningOf(name(below + "rns.example.org."));
  }

  /** The rule of docs/pools.md, the other way round. */
  private static String written(RnsPath path) {
    StringBuilder text = new StringBuilder();
    for (int i = path.depth() - 1; i >= 0; i--) {
      String name = path.names().get(i).toString();
      String label = label(name);
      boolean reserved = i == 0 && RESERVED.contains(name);
      text.append(reserved ? "_%02x".formatted((int) name.charAt(0)) + label.substring(1) : label).append('.');
    }
    return text.toString();
  }

  private static String label(String name) {
    StringBuilder label = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      boolean itself = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-';
      label.append(itself ? String.valueOf((char) b) : "_%02x".formatted(b & 0xff));
    }
    return label.toString();
  }

  @Test
  void pathsAreWrittenBackwards() {
    assertThat(meaning("render.services.")).isEqualTo(new Meaning.Pool(RnsPath.parse("/services/render")));
    assertThat(written(RnsPath.parse("/Früh/a_b"))).isEqualTo("a_5fb._46r_c3_bch.");
    assertThat(meaning("a_5fb._46r_c3_bch.")).isEqualTo(new Meaning.Pool(RnsPath.parse("/Früh/a_b")));
  }

  @Test
  void everyPathThatFitsIsReadBack() {
    Random random = new Random(20);
    int[] alphabet =
        {'a', 'z', '0', '-', '_', 'A', 'Z', '.', ' ', '*', '@', '"', '\\', 'ü', 'İ', 'ı', '語', 0x1f600, '~'};
    for (int i = 0; i < 20_000; i++) {
      List<EntryName> path = new ArrayList<>();
      for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
        StringBuilder name = new StringBuilder(random.nextInt(20) == 0 ? "servers" : "x");
        for (int length = random.nextInt(6); length > 0; length--) {
          name.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        path.add(EntryName.of(name.toString()));
      }
      RnsPath handle = RnsPath.of(path);
      String written = written(handle);
      if (written.length() < 200 && Stream.of(written.split("\\.")).allMatch(label -> label.length() < 64)) {
        assertThat(meaning(written)).isEqualTo(new Meaning.Pool(handle));
        assertThat(meaning("_Http._TCP." + written.toUpperCase(Locale.ROOT)))
            .isEqualTo(new Meaning.PoolService(handle, "http"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "_.", "a_.", "a_4.", "a_g0.", "a_+f.", "_ff.", "_00.", "_2f.", "_2e.", "_2e_2e.", "a\\.b.", "a\\195\\188.", "*.",
      "_tcp.a\\@.",
      "http._tcp.a.", "_http._tcp.", "_http._udp.a.", "_x._tcp.servers.", "x.servers.", "_tcp.ip4.", "1-2-3-4.ip4.",
      "a.b.ip4.",
      "_x._tcp._tcp.", "a._tcp.b.c\\000."
  })
  void whatIsNoNameMeansNothing(String below) {
    assertThat(meaning(below)).isEqualTo(new Meaning.Nothing());
  }

  @Test
  void namesOfOurOwn() throws Exception {
    assertThat(meaning("")).isEqualTo(new Meaning.Apex());
    assertThat(meaning("SERVERS.")).isEqualTo(new Meaning.ServerHosts());
    assertThat(meaning("_rns._tcp.")).isEqualTo(new Meaning.ServerService());
    assertThat(meaning("_tcp.")).isEqualTo(new Meaning.Between());
    assertThat(meaning("_tcp.a.")).isEqualTo(new Meaning.Between());
    assertThat(meaning("ip6.")).isEqualTo(new Meaning.Between());
    assertThat(meaning("_69p4.")).isEqualTo(new Meaning.Pool(RnsPath.parse("/ip4")));
    assertThat(meaning("ip4.x.")).isEqualTo(new Meaning.Pool(RnsPath.parse("/x/ip4")));
    assertThat(names.meaningOf(name("example.org."))).isEqualTo(new Meaning.Foreign());
    assertThat(names.meaningOf(name("xrns.example.org."))).isEqualTo(new Meaning.Foreign());
    InetAddress address = InetAddress.getByAddress(new byte[]{(byte) 192, 0, 2, 1});
    assertThat(names.meaningOf(hosts.nameOf(address))).isEqualTo(new Meaning.Host(address));
    assertThat(hosts.nameOf(address).toString()).startsWith("192-0-2-1-").endsWith(".ip4.rns.example.org.");
  }

  @Test
  void namesOfHostsAreMadeByThoseWhoKnowTheSecretOnly() throws Exception {
    Random random = new Random(4);
    HostNames others = new HostNames(zone, "known to others");
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
      random.nextBytes(bytes);
      InetAddress address = InetAddress.getByAddress(bytes);
      String parent = i % 2 == 0 ? HostNames.V4 : HostNames.V6;
      String label = hosts.nameOf(address).getLabelString(0);
      assertThat(hosts.addressOf(label, parent)).contains(address);
      assertThat(others.addressOf(label, parent)).isEmpty();
      assertThat(hosts.addressOf(label, i % 2 == 0 ? HostNames.V6 : HostNames.V4)).isEmpty();
      assertThat(hosts.addressOf("0" + label, parent)).isEmpty();
      char last = label.charAt(label.length() - 1);
      assertThat(hosts.addressOf(label.substring(0, label.length() - 1) + (last == '0' ? '1' : '0'), parent)).isEmpty();
    }
    assertThat(hosts.addressOf("", HostNames.V4)).isEmpty();
    assertThat(hosts.addressOf("1-2-3-", HostNames.V4)).isEmpty();
    assertThat(hosts.addressOf("0-0-0-0-0-ffff-102-304-0011223344556677", HostNames.V6)).isEmpty();
  }
}
