package io.rns.server.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.RnsPath;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Answers, from bytes to bytes. */
class ResponderTest {
  private static final InetAddress ASKER = InetAddress.getLoopbackAddress();
  private final AtomicLong nanos = new AtomicLong();
  private final SamplePools pools = new SamplePools();
  private final Responder responder = new Responder(zone("rns.example.org"), (asker, question) -> {});

  private Zone zone(String name) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new Zone(DnsSettings.of(name, address, "secret", Optional.empty()), pools, nanos::get);
  }

  private static Message query(String name, int type) throws Exception {
    return Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
  }

  private Message ask(String below, int type) throws Exception {
    return ask(query(below + "rns.example.org.", type));
  }

  private Message ask(Message query) throws Exception {
    Message answer = new Message(responder.byStream(query.toWire(), ASKER).orElseThrow());
    assertThat(answer.getHeader().getID()).isEqualTo(query.getHeader().getID());
    assertThat(answer.getHeader().getFlag(Flags.QR)).isTrue();
    assertThat(answer.getHeader().getFlag(Flags.RA)).isFalse();
    return answer;
  }

  private static List<String> addresses(Message answer) {
    return answer.getSection(Section.ANSWER).stream().map(Record::rdataToString).toList();
  }

  private static List<SRVRecord> services(Message answer) {
    return answer.getSection(Section.ANSWER).stream().map(SRVRecord.class::cast).toList();
  }

  private void addThree(PolicyType policy) {
    for (int i = 1; i <= 3; i++) {
      Parameters parameters =
          Parameters.PLAIN.withWeight(i).withOccupancy(new Occupancy(1, 0, i == 3 ? 10 : 5 * i, 10));
      pools.add("/services/render", policy, i, parameters, "http://192.0.2." + i + ":80" + i + "/",
          "https://h" + i + ".example/");
    }
  }

  @Test
  void roundRobinGoesRound() throws Exception {
    addThree(PolicyType.ROUND_ROBIN);
    List<String> first = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<SRVRecord> answer = services(ask("_http._tcp.render.services.", Type.SRV));
      assertThat(answer).extracting(SRVRecord::getPriority).containsExactly(0, 1, 2);
      assertThat(answer).extracting(SRVRecord::getWeight).containsOnly(0);
      first.add(Integer.toString(answer.get(0).getPort()));
    }
    assertThat(first).containsExactly("801", "802", "803", "801", "802", "803");
  }

  @Test
  void questionsOfOtherTypesCountAsNoUse() throws Exception {
    addThree(PolicyType.ROUND_ROBIN);
    assertThat(addresses(ask("render.services.", Type.A))).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
    for (int type : new int[]{Type.TXT, Type.MX, Type.NS, Type.SOA, Type.SRV, Type.HTTPS, Type.CNAME}) {
      Message answer = ask("render.services.", type);
      assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
      assertThat(answer.getSection(Section.ANSWER)).isEmpty();
      assertThat(answer.getSection(Section.AUTHORITY)).singleElement().isInstanceOf(SOARecord.class);
    }
    assertThat(ask("_http._tcp.render.services.", Type.A).getSection(Section.ANSWER)).isEmpty();
    assertThat(addresses(ask("RENDER.Services.", Type.A))).containsExactly("192.0.2.2", "192.0.2.3", "192.0.2.1");
  }

  @Test
  void bothKindsOfAddressesAreOfOneSelection() throws Exception {
    for (int i = 1; i <= 2; i++) {
      String host = "http://[2001:db8::" + i + "]/";
      pools.add("/two", PolicyType.ROUND_ROBIN, i, Parameters.PLAIN, "http://192.0.2." + i + "/", host);
    }
    for (int i = 0; i < 8; i++) {
      boolean four = i < 4;
      String first = addresses(ask("two.", four ? Type.A : Type.AAAA)).get(0);
      String second = addresses(ask("two.", four ? Type.AAAA : Type.A)).get(0);
      assertThat(first).endsWith(Integer.toString(1 + i % 2));
      assertThat(second).endsWith(Integer.toString(1 + i % 2));
    }
    assertThat(addresses(ask("two.", Type.A)).get(0)).endsWith("1");
    nanos.addAndGet(TwinQuestions.PATIENCE_NANOS + 1);
    assertThat(addresses(ask("two.", Type.AAAA)).get(0)).endsWith("2");
    Message query = query("two.rns.example.org.", Type.A);
    InetAddress other = InetAddress.getByAddress(new byte[]{127, 0, 0, 9});
    Message answer = new Message(responder.byStream(query.toWire(), other).orElseThrow());
    assertThat(addresses(answer).get(0)).endsWith("1");
  }

  @Test
  void weightsAreFollowed() throws Exception {
    addThree(PolicyType.WEIGHTED_ROUND_ROBIN);
    Map<String, Integer> used = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      used.merge(addresses(ask("render.services.", Type.A)).get(0), 1, Integer::sum);
    }
    assertThat(used).containsEntry("192.0.2.1", 10).containsEntry("192.0.2.2", 20).containsEntry("192.0.2.3", 30);
  }

  @Test
  void aDrawnOrderIsDrawnAnewByThoseWhoKeepTheAnswer() throws Exception {
    for (int i = 1; i <= 2; i++) {
      String host = "http://192.0.2." + i;
      pools.add("/drawn", PolicyType.WEIGHTED_RANDOM, i, Parameters.PLAIN.withWeight(i), host + ":1/", host + ":2/");
      pools.add("/heavy", PolicyType.WEIGHTED_RANDOM, i, Parameters.PLAIN.withWeight(i * 2_000_000_000L), host + ":1/");
    }
    pools.add("/heavy", PolicyType.WEIGHTED_RANDOM, 3, Parameters.PLAIN.withWeight(1), "http://192.0.2.3:1/");
    assertThat(services(ask("_http._tcp.drawn.", Type.SRV)))
        .extracting(r -> r.getTarget().toString().substring(8, 9) + r.getPort() + r.getPriority() + r.getWeight())
        .containsExactlyInAnyOrder("1101", "1211", "2102", "2212");
    assertThat(services(ask("_http._tcp.heavy.", Type.SRV)))
        .extracting(SRVRecord::getWeight)
        .containsExactlyInAnyOrder(32_767, 65_535, 1);
  }

  @Test
  void creditsLeadPastFullOnesAndFailWhenAllAreFull() throws Exception {
    addThree(PolicyType.CREDITS);
    assertThat(addresses(ask("render.services.", Type.A)).get(0)).isEqualTo("192.0.2.1");
    Parameters full = Parameters.PLAIN.withOccupancy(new Occupancy(1, 0, 9, 9));
    pools.add("/full", PolicyType.CREDITS, 1, full, "http://192.0.2.1/");
    Message answer = ask("full.", Type.A);
    assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
    assertThat(answer.getHeader().getFlag(Flags.AA)).isFalse();
  }

  @Test
  void hostsWithoutNamesGetOneThatLeadsBack() throws Exception {
    pools.ttlMillis = 1_999;
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/", "http://[2001:db8::1]:81/",
        "opaque:x");
    Message answer = ask("_http._tcp.p.", Type.SRV);
    assertThat(services(answer)).extracting(SRVRecord::getPort).containsExactly(80, 81);
    assertThat(services(answer)).extracting(Record::getTTL).containsOnly(1L);
    assertThat(answer.getSection(Section.ADDITIONAL)).extracting(Record::rdataToString).containsExactly("192.0.2.1",
        "2001:db8:0:0:0:0:0:1");
    Name v4 = services(answer).get(0).getTarget();
    Name v6 = services(answer).get(1).getTarget();
    assertThat(addresses(ask(query(v4.toString(), Type.A)))).containsExactly("192.0.2.1");
    assertThat(addresses(ask(query(v4.toString(), Type.AAAA)))).isEmpty();
    assertThat(addresses(ask(query(v6.toString(), Type.AAAA)))).containsExactly("2001:db8:0:0:0:0:0:1");
    assertThat(ask("_ldap._tcp.p.", Type.SRV).getRcode()).isEqualTo(Rcode.NOERROR);
  }

  @Test
  void hostsWithNamesAreLookedUpByTheAsker() throws Exception {
    pools.add("/named", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "https://one.example.com/");
    pools.add("/named", PolicyType.ROUND_ROBIN, 2, Parameters.PLAIN, "https://192.0.2.2/");
    Message answer = ask("named.", Type.AAAA);
    assertThat(answer.getSection(Section.ANSWER)).singleElement().isInstanceOf(CNAMERecord.class);
    assertThat(addresses(answer)).containsExactly("one.example.com.");
    nanos.addAndGet(TwinQuestions.PATIENCE_NANOS + 1);
    assertThat(addresses(ask("named.", Type.A))).containsExactly("192.0.2.2");
    assertThat(services(ask("_https._tcp.named.", Type.SRV)).get(0).getTarget()).hasToString("one.example.com.");
    assertThat(services(ask("_https._tcp.named.", Type.SRV)).get(0).getPort()).isEqualTo(443);
  }

  @Test
  void theServers() throws Exception {
    pools.servers = List.of(URI.create("http://a.example.com:8080/rns"), URI.create("http://192.0.2.9:8081/rns"));
    assertThat(addresses(ask("servers.", Type.A))).containsExactly("192.0.2.9");
    assertThat(services(ask("_rns._tcp.", Type.SRV))).extracting(SRVRecord::getPort).containsExactlyInAnyOrder(8_080,
        8_081);
    Message servers = ask("", Type.NS);
    assertThat(servers.getSection(Section.ANSWER))
        .extracting(record -> ((NSRecord) record).getTarget().toString())
        .containsExactlyInAnyOrder("servers.rns.example.org.", "a.example.com.");
    SOARecord authority = (SOARecord) ask("", Type.SOA).getSection(Section.ANSWER).get(0);
    assertThat(authority.getMinimum()).isEqualTo(Zone.NOTHING_TTL);
    pools.servers = List.of();
    assertThat(ask("", Type.NS).getSection(Section.ANSWER)).hasSize(1);
    assertThat(ask("servers.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
  }

  @Test
  void whatIsNotThereAndWhatMayHaveSomethingBelow() throws Exception {
    pools.directories.add(RnsPath.parse("/services"));
    assertThat(ask("services.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
    assertThat(ask("nothing.", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    assertThat(ask("nothing.", Type.A).getHeader().getFlag(Flags.AA)).isTrue();
    assertThat(ask("_http._tcp.nothing.", Type.SRV).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    assertThat(ask("_.", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
  }

  @Test
  void whatIsRefused() throws Exception {
    assertThat(ask(query("example.com.", Type.A)).getRcode()).isEqualTo(Rcode.REFUSED);
    assertThat(ask("", Type.AXFR).getRcode()).isEqualTo(Rcode.REFUSED);
    assertThat(ask("", Type.ANY).getRcode()).isEqualTo(Rcode.NOTIMP);
    Message chaos = Message.newQuery(Record.newRecord(Name.fromString("version.bind."), Type.TXT, DClass.CH));
    assertThat(ask(chaos).getRcode()).isEqualTo(Rcode.REFUSED);
    Message update = query("rns.example.org.", Type.SOA);
    update.getHeader().setOpcode(Opcode.UPDATE);
    assertThat(ask(update).getRcode()).isEqualTo(Rcode.NOTIMP);
    assertThat(ask(new Message(7)).getRcode()).isEqualTo(Rcode.FORMERR);
    Message newer = query("rns.example.org.", Type.SOA);
    newer.addRecord(new OPTRecord(1_232, 0, 1), Section.ADDITIONAL);
    assertThat(ask(newer).getRcode()).isEqualTo(Rcode.BADVERS);
    assertThat(ask(newer).getOPT().getVersion()).isZero();
  }

  @Test
  void aLongAnswerIsCutAndSaysSo() throws Exception {
    for (int i = 1; i <= 8; i++) {
      String host = "http://192.0.2." + i;
      pools.add("/long", PolicyType.ROUND_ROBIN, i, Parameters.PLAIN, host + ":1/", host + ":2/", host + ":3/",
          host + ":4/", host + ":5/");
    }
    Message query = query("_http._tcp.long.rns.example.org.", Type.SRV);
    assertThat(services(ask(query))).hasSize(ZoneRecords.RECORDS);
    assertCut(query, 512);
    query.addRecord(new OPTRecord(60_000, 0, 0), Section.ADDITIONAL);
    assertCut(query, Responder.UDP_BYTES);
  }

  private void assertCut(Message query, int bound) throws Exception {
    byte[] bytes = responder.byDatagram(query.toWire(), ASKER).orElseThrow();
    Message answer = new Message(bytes);
    assertThat(bytes.length).isLessThanOrEqualTo(bound);
    assertThat(answer.getHeader().getFlag(Flags.TC)).isTrue();
    assertThat(answer.getQuestion()).isEqualTo(query.getQuestion());
    assertThat(answer.getOPT() == null).isEqualTo(query.getOPT() == null);
  }

  @Test
  void anAnswerByUdpIsWholeAsFarAsThereIsRoom() throws Exception {
    addThree(PolicyType.ROUND_ROBIN);
    Message query = query("_http._tcp.render.services.rns.example.org.", Type.SRV);
    byte[] plain = responder.byDatagram(query.toWire(), ASKER).orElseThrow();
    assertThat(new Message(plain).getSection(Section.ANSWER)).hasSize(3);
    assertThat(new Message(plain).getHeader().getFlag(Flags.TC)).isFalse();
    for (int i = 1; i <= 20; i++) {
      pools.add("/a", PolicyType.ROUND_ROBIN, i, Parameters.PLAIN, "http://192.0.2." + i + "/",
          "http://192.0.3." + i + "/");
    }
    // 35 bytes may have 350 in answer.
    Message small = query("a.rns.example.org.", Type.A);
    assertThat(small.toWire().length).isEqualTo(35);
    assertThat(addresses(new Message(responder.byDatagram(small.toWire(), ASKER).orElseThrow()))).hasSize(16);
    assertThat(responder.byDatagram(small.toWire(), ASKER).orElseThrow().length).isEqualTo(35 + 16 * 16);
    for (int i = 1; i <= 20; i++) {
      String host = "http://[2001:db8::" + i;
      pools.add("/b", PolicyType.ROUND_ROBIN, i, Parameters.PLAIN, host + ":1]/", host + ":2]/");
    }
    // The answer would have 46 + 16 * 28 bytes, well below 1,232, and above 10 * 46.
    Message tenfold = query("b.rns.example.org.", Type.AAAA);
    tenfold.addRecord(new OPTRecord(1_232, 0, 0), Section.ADDITIONAL);
    assertCut(tenfold, 460);
  }

  @Test
  void whateverComesNothingIsThrownAndAnswersStayShort() throws Exception {
    addThree(PolicyType.ROUND_ROBIN);
    Random random = new Random(11);
    Message seed = query("_http._tcp.render.services.rns.example.org.", Type.SRV);
    seed.addRecord(new OPTRecord(4_096, 0, 0), Section.ADDITIONAL);
    byte[] plain = seed.toWire();
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = i % 4 == 0 ? new byte[random.nextInt(80)] : plain.clone();
      for (int change = random.nextInt(6); change > 0 && bytes.length > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int length = bytes.length;
      responder.byDatagram(bytes, ASKER)
          .ifPresent(answer -> assertThat(answer.length).isLessThanOrEqualTo(10 * length));
      assertThat(responder.byStream(bytes, ASKER).isPresent()).isEqualTo(bytes.length >= 12 && bytes[2] >= 0);
    }
  }

  @Test
  void answersAreNotAnswered() throws Exception {
    Message answer = query("rns.example.org.", Type.SOA);
    answer.getHeader().setFlag(Flags.QR);
    assertThat(responder.byDatagram(answer.toWire(), ASKER)).isEmpty();
    assertThat(responder.byDatagram(new byte[11], ASKER)).isEmpty();
  }

  @Test
  void namesOfZones() {
    for (String bad : List.of("", ".", "a..b", "x".repeat(64), "x.".repeat(86))) {
      assertThatThrownBy(() -> zone(bad)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(zone("org")).isNotNull();
  }

  @Test
  void ttlIsBounded() throws Exception {
    pools.ttlMillis = 1L << 50;
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    ARecord record = (ARecord) ask("p.", Type.A).getSection(Section.ANSWER).get(0);
    assertThat(record.getTTL()).isEqualTo(Zone.MOST_TTL);
  }
}
