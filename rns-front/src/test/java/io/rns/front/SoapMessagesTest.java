package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.rns.front.message.SharedRead;
import io.rns.wire.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SoapMessagesTest {
  private static final String RNS = "xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'";
  private static final String QUERY = "<r:query " + RNS + "/>";
  private static final String POSITION = "<x:Position xmlns:x='urn:rns:ext:1'>0-1-2</x:Position>";
  private static final String LOOKUP = "<n:LookupRequest xmlns:n='http://schemas.ogf.org/rns/2009/12/rns'/>";

  private static final SharedRead HEAD = new SharedRead("head ", "", "", true);

  private static String message(String headers, String body) {
    return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>" + headers
        + "</s:Header><s:Body>"
        + body + "</s:Body></s:Envelope>";
  }

  private static boolean tracks(String message) {
    return SoapMessages
        .hints(Unpooled.copiedBuffer("POST / HTTP/1.1\r\n\r\n" + message, StandardCharsets.UTF_8)).tracksPosition();
  }

  private static boolean repeatable(String message) {
    return SoapMessages.isRepeatable(message.getBytes(StandardCharsets.UTF_8), "text/xml");
  }

  @Test
  void onlyRequestsWithAPositionGoToAnyServer() {
    assertThat(tracks(message(POSITION, QUERY))).isTrue();
    assertThat(tracks(message("<Consistency xmlns='urn:rns:ext:1'>any</Consistency>", QUERY))).isTrue();
    assertThat(tracks(message("", QUERY))).isFalse();
    assertThat(tracks(message("", "<r:query " + RNS + "><Position/></r:query>"))).isFalse();
    assertThat(tracks(message(POSITION, LOOKUP))).isFalse();
    assertThat(tracks(message(POSITION + "<x:Iterator xmlns:x='urn:rns:ext:1'>1</x:Iterator>", QUERY))).isFalse();
    assertThat(tracks("<")).isFalse();
    assertThat(tracks("")).isFalse();
  }

  @Test
  void aRequestWithAPositionIsAboutItsPath() {
    String path = "<x:Path xmlns:x='urn:rns:ext:1'>\n/a b/c </x:Path>";
    String any = "<x:Consistency xmlns:x='urn:rns:ext:1'>any</x:Consistency>";
    assertThat(hints(message(POSITION + path, QUERY)).path()).isEqualTo("/a b/c");
    assertThat(hints(message(path + any, QUERY)).path()).isEqualTo("/a b/c");
    assertThat(hints(message(path, QUERY)).path()).as("for the primary of the root's group").isEmpty();
    assertThat(hints(message(any + path, LOOKUP)).path()).as("it may make an iterator there").isEmpty();
    assertThat(hints(message(any + path + "<x:EntryId>5</x:EntryId>", QUERY)).path()).isEmpty();
    assertThat(hints(message(any + "<x:Path/>", QUERY)).path()).isEmpty();
    assertThat(hints("<x:Path").path()).isEmpty();
  }

  private static SoapMessages.Hints hints(String message) {
    return SoapMessages.hints(Unpooled.copiedBuffer(message, StandardCharsets.UTF_8));
  }

  @Test
  void aMessageThatIsToBeExplainedIsAReadLikeOneThatIsNot() {
    String path = "<_x:Path xmlns:_x=\"urn:rns:ext:1\">/Explain</_x:Path>";
    String added =
        "<_x:Explain xmlns:_x=\"urn:rns:ext:1\"/><x:Servers xmlns:x='urn:rns:ext:1' />"
            + "<_x:Site xmlns:_x=\"urn:rns:ext:1\">eu/de</_x:Site>";
    String explained = message(POSITION + added + path, QUERY);
    assertThat(hints(explained).explained()).isTrue();
    assertThat(SoapMessages.unexplained(HEAD, explained.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(shared(message(POSITION + path, QUERY))).isNotNull();
    String plain = message(path, "<r:query " + RNS + "><Explain/></r:query>");
    assertThat(hints(plain).explained()).isFalse();
  }

  private static @Nullable SharedRead shared(String message) {
    return SoapMessages.read(HEAD, Unpooled.copiedBuffer(message, StandardCharsets.UTF_8));
  }

  @Test
  void messagesThatDifferInThePositionHaveOneKey() {
    SharedRead read = Objects.requireNonNull(shared(message(POSITION, QUERY)));
    assertThat(read.position()).isEqualTo("0-1-2");
    assertThat(read.key()).isEqualTo("head " + message(POSITION.replace("0-1-2", ""), QUERY));
    assertThat(shared(message(POSITION.replace("0-1-2", "0-1-3,1-1-1"), QUERY)))
        .isEqualTo(new SharedRead(read.key(), "0-1-3,1-1-1", "", true));
    assertThat(shared(message("", QUERY))).isEqualTo(new SharedRead("head " + message("", QUERY), "", "", true));
    for (String other : List.of(POSITION + POSITION, POSITION + "<!-- Position -->", "<!-- Position -->",
        "<x:Position/>",
        POSITION.replace("0-1-2", ""), POSITION.replace("0-1-2", "&#48;-1-2"),
        POSITION.replace("0-1-2", "<!---->0-1-2"), "<x:Position", "Position")) {
      assertThat(shared(message(other, QUERY))).as(other).isNull();
    }
    assertThat(shared(message("", "<r:query " + RNS + ">" + "x".repeat(4_096) + "</r:query>"))).isNull();
    for (String broken : List.of("Position", "Position>", "<Position>1", "<Position>1</Position",
        "<Position></Position>")) {
      SharedRead found = shared(broken);
      assertThat(found == null || found.position().equals("1")).as(broken).isTrue();
    }
  }

  private static @Nullable MessageHeaders headers(String message) {
    return SoapMessages.headers(message.getBytes(StandardCharsets.UTF_8), "text/xml");
  }

  @Test
  void theHeadersOfAMessageConfirmItsPosition() {
    assertThat(Objects.requireNonNull(headers(message(POSITION, QUERY))).seen()).hasToString("0-1-2");
    assertThat(Objects.requireNonNull(headers(message("", QUERY))).seen().isEmpty()).isTrue();
    assertThat(Objects.requireNonNull(headers(message("<!--" + POSITION + "-->", QUERY))).seen().isEmpty()).isTrue();
    for (String other : List.of("<a:MessageID xmlns:a='http://www.w3.org/2005/08/addressing'>1</a:MessageID>",
        "<x:Position xmlns:x='urn:other'>0-1-2</x:Position>", "<x:Position xmlns:x='urn:rns:ext:1'>?</x:Position>",
        POSITION + POSITION, "<")) {
      assertThat(headers(message(other, QUERY))).as(other).isNull();
    }
  }

  @Test
  void readsAndRequestsWithAnIdAreRepeatable() {
    String id = "<x:RequestId xmlns:x='urn:rns:ext:1'>1</x:RequestId>";
    String remove = "<r:remove " + RNS + "/>";
    String batch = "<x:batch xmlns:x='urn:rns:ext:1'>%s</x:batch>";
    for (String body : List.of(QUERY, LOOKUP, batch.formatted(QUERY), "<r:list " + RNS + "/>")) {
      assertThat(repeatable(message("", body))).as(body).isTrue();
    }
    for (String body : List.of(remove, batch.formatted(remove), "<query/>", "<r:query xmlns:r='urn:other'/>", "")) {
      assertThat(repeatable(message("", body))).as(body).isFalse();
    }
    assertThat(repeatable(message(id, remove))).isTrue();
    assertThat(repeatable(message("<x:RequestId>1</x:RequestId>", remove))).as("no namespace").isFalse();
    assertThat(repeatable(message("<RequestId xmlns='urn:other'>1</RequestId>", remove))).isFalse();
    assertThat(repeatable("no XML")).isFalse();
  }
}
