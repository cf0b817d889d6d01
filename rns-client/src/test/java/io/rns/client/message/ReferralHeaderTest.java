package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The servers of a group, as headers ask for them and tell them. */
class ReferralHeaderTest {
  private static final Announcement SERVER =
      new Announcement(
          "http://h:1/r?a=<\"&", "näme", ServerRole.PRIMARY, new Site("eu/a"), 7, 31, 12,
          Optional.of(new Position(1, 2, 3)));
  private static final Referral REFERRAL =
      new Referral(RnsPath.parse("/a b/&"), 4, 5_000, List.of(SERVER, Announcement.unreachable("http://x", "y")));

  private static List<Referral> read(String header) {
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(header.getBytes(StandardCharsets.UTF_8)))) {
      List<Referral> read = ReplyHeaders.read(pull).servers();
      pull.finish();
      return read;
    }
  }

  private static String written(Referral... referrals) {
    XmlBuffer out = new XmlBuffer(1_000);
    ReplyHeaders.NONE.with(List.of(referrals)).writeTo(out);
    return out.toString();
  }

  private static String header(String servers) {
    return "<Header xmlns:x='urn:rns:ext:1'>" + servers + "</Header>";
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(ReplyHeaders.NONE.with(List.of(REFERRAL)).isEmpty()).isFalse();
    assertThat(read(header(written(REFERRAL)))).containsExactly(REFERRAL);
  }

  @Test
  void thePartsOfTheTreeAreReadInTheirOrderAndTheRootIsTheLastElement() {
    Referral root = new Referral(RnsPath.ROOT, 1, 9, List.of());
    Referral other = new Referral(RnsPath.parse("/b"), 2, 9, List.of());
    String written = written(root, REFERRAL, other);
    assertThat(read(header(written))).containsExactly(root, REFERRAL, other);
    assertThat(written.lastIndexOf("prefix=\"/\"")).as("clients of earlier versions use the last one")
        .isEqualTo(written.lastIndexOf("prefix="));
    assertThat(read(header(written(REFERRAL) + "<x:Servers/>" + written(other)))).as("one cannot be read")
        .containsExactly(other, REFERRAL);
  }

  @Test
  void noMorePartsAreReadThanATableHas() {
    List<Referral> parts = new ArrayList<>();
    for (int i = 0; i <= ReferralTable.MOST; i++) {
      parts.add(new Referral(i == 0 ? RnsPath.ROOT : RnsPath.parse("/" + i), 0, 9, List.of()));
    }
    assertThat(read(header(written(parts.toArray(Referral[]::new))))).isEqualTo(parts.subList(0, ReferralTable.MOST));
  }

  @Test
  void whatANewerServerSaysAndNobodyHereUnderstandsIsPassedOver() {
    String good =
        "<x:Server url='u' name='n' role='replica' capacity='1' load='0' lag-millis='0' newer='1'><x:more/></x:Server>";
    String later = "<x:Server url='v' name='n' role='witness' capacity='1' load='0' lag-millis='0'/><x:Other/>";
    List<Referral> read =
        read(header("<x:Servers epoch='1' ttl-millis='9' more='2'>" + later + good + "</x:Servers>"));
    assertThat(read).singleElement()
        .satisfies(told -> assertThat(told.servers()).extracting(Announcement::url).containsExactly("u"));
    for (String bad : List.of("epoch='1'", "ttl-millis='9'", "epoch='x' ttl-millis='9'", "epoch='1' ttl-millis='0'",
        "epoch='-1' ttl-millis='9'", "epoch='1' ttl-millis='9' prefix='relative'")) {
      assertThat(read(header("<x:Servers " + bad + ">" + good + "</x:Servers><x:Age>1</x:Age>"))).as(bad).isEmpty();
    }
    assertThat(read(header("<x:Age>1</x:Age>"))).isEmpty();
  }

  @Test
  void noMoreServersAreReadThanAReferralMayHave() {
    String one = "<x:Server url='u' name='n' role='replica' capacity='1' load='0' lag-millis='0'/>";
    List<Referral> read = read(header("<x:Servers epoch='1' ttl-millis='9'>" + one.repeat(101) + "</x:Servers>"));
    assertThat(read).singleElement().satisfies(told -> assertThat(told.servers()).hasSize(100));
  }

  private static MessageHeaders asked(RemoteCall<?> call) {
    XmlBuffer out = new XmlBuffer(1_000);
    call.writeTo(out, CallContext.ANONYMOUS);
    MessageHeaders.Reader headers = new MessageHeaders.Reader();
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(out.toByteArray()))) {
      assertThat(Envelope.enter(pull)).isTrue();
      while (pull.nextChild()) {
        assertThat(headers.take(pull)).isTrue();
      }
    }
    return headers.headers();
  }

  @Test
  void aCallAsksForTheServersOnlyIfItIsTold() {
    RemoteCall<?> plain = RemoteCall.query(QueryRequest.of(Target.ROOT));
    assertThat(asked(plain).servers()).isFalse();
    MessageHeaders asking = asked(plain.asking(new Site("eu/a"), told -> {}));
    assertThat(asking.servers()).isTrue();
    assertThat(asking.site()).isEqualTo(new Site("eu/a"));
    assertThat(asked(plain.asking(Site.NONE, told -> {})).site()).isEqualTo(Site.NONE);
  }

  @Test
  void whoAsksIsToldWithAReferralAndWithAFault() {
    List<Referral> told = new ArrayList<>();
    RemoteCall<?> call = RemoteCall.query(QueryRequest.of(Target.ROOT)).asking(Site.NONE, told::addAll);
    Answer.Referred<?> referred = new Answer.Referred<>("http://h/rns", "elsewhere");
    assertThat(call.read(message(Fault.of(referred, RnsPath.ROOT)))).isEqualTo(referred);
    assertThat(told).containsExactly(REFERRAL);
    RnsException error = new RnsException(RnsError.NOT_PRIMARY, "elsewhere");
    assertThatThrownBy(() -> call.read(message(Fault.of(error, RnsPath.ROOT))))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
    assertThat(told).containsExactly(REFERRAL, REFERRAL);
  }

  private static ByteArrayInputStream message(Fault fault) {
    XmlBuffer out = new XmlBuffer(1_000);
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.NONE.with(List.of(REFERRAL)), "");
    Faults.write(out, SoapVersion.V1_1, fault, true, Instant.EPOCH);
    Envelope.close(out);
    return new ByteArrayInputStream(out.toByteArray());
  }
}
