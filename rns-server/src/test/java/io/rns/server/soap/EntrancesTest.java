package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.client.message.RemoteCall;
import io.rns.error.RnsError;
import io.rns.wire.HostileMessages;
import io.rns.wire.HostileMessages.Hostile;
import io.rns.wire.Messages11;
import io.rns.wire.SoapVersion;
import io.rns.wire.WireValues;
import io.rns.xml.XmlBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both entrances give the same answers, and refuse the same messages. */
class EntrancesTest {
  private static final int SEEDS = 300;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678901Z"));
  private static final SoapSettings SETTINGS = new SoapSettings(Optional.empty(), Duration.ofSeconds(1), 1, CLOCK);

  private static SoapEndpoint endpoint() {
    return new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(CLOCK), SETTINGS));
  }

  /** Requests as our client makes them, and as other clients may. */
  private static List<byte[]> corpus() {
    List<byte[]> corpus = new ArrayList<>();
    corpus.addAll(StandardMessages.all());
    for (long seed = 0; seed < SEEDS; seed++) {
      WireValues values = new WireValues(seed);
      for (RemoteCall<?> call : List.of(
          RemoteCall.add(values.addRequest()),
          RemoteCall.query(values.queryRequest()),
          RemoteCall.update(values.updateRequest()),
          RemoteCall.list(values.listRequest()),
          RemoteCall.remove(values.removeRequest()))) {
        XmlBuffer message = new XmlBuffer(16);
        call.writeTo(message, CallContext.ANONYMOUS);
        corpus.add(message.toByteArray());
      }
      corpus.addAll(Messages11.of(seed));
    }
    return corpus;
  }

  @Test
  void giveTheSameAnswers() throws XMLStreamException {
    SoapEndpoint behindFilter = endpoint();
    SoapEndpoint behindJaxWs = endpoint();
    for (byte[] message : corpus()) {
      byte[] fast = Entrances.fast(behindFilter, message);
      String text = new String(message, UTF_8);
      assertThat(fast).as(text).isNotNull();
      byte[] slow = Entrances.jaxWs(behindJaxWs, message, SoapVersion.V1_1);
      assertThat(Infoset.of(slow, true)).as(text).isEqualTo(Infoset.of(fast, true));
    }
  }

  @Test
  void theStandardMessagesAreDone() {
    SoapEndpoint endpoint = endpoint();
    for (byte[] message : StandardMessages.all()) {
      byte[] answer = Entrances.fast(endpoint, message);
      assertThat(answer).isNotNull();
      assertThat(new String(answer, UTF_8)).as(new String(message, UTF_8)).doesNotContain("Fault");
    }
  }

  static List<Hostile> hostile() {
    return HostileMessages.all();
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void hostileMessagesAreRefusedByTheFastPath(Hostile hostile) {
    byte[] answer = Entrances.fast(endpoint(), hostile.bytes());
    if (hostile.error() == RnsError.UNKNOWN_OPERATION) {
      assertThat(answer).as("handed on").isNull();
    } else {
      assertThat(answer).isNotNull();
      assertThat(new String(answer, UTF_8)).contains("_s:" + hostile.faultCode() + "<",
          ">" + hostile.error() + "</_b:ErrorCode>");
    }
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void requestsThatBreakARuleAreRefusedByJaxWsToo(Hostile hostile) throws XMLStreamException {
    // The filter reads every message to its end before it hands it on, so that XML without bounds never gets here.
    boolean unbounded = hostile.name().startsWith("100,000 levels") || hostile.name().equals("10,000 attributes");
    if (hostile.error() != RnsError.MALFORMED_MESSAGE && !unbounded) {
      String answer = new String(Entrances.jaxWs(endpoint(), hostile.bytes(), SoapVersion.V1_1), UTF_8);
      assertThat(answer).contains(":Client", ">" + hostile.error() + "<");
    }
  }

  @Test
  void messagesThatAreNotPlainAreHandedOn() {
    SoapEndpoint endpoint = endpoint();
    String query = "<r:query/>";
    List<String> others =
        List.of(
            HostileMessages.message("<foreign xmlns='urn:x'/>", query),
            HostileMessages.message("<k:other xmlns:k='http://naregi.org/rns/2010/10/rns'>1</k:other>", query),
            HostileMessages.message("<a:To>u</a:To><foreign xmlns='urn:x' s:mustUnderstand='1'/>", query),
            HostileMessages.message("<a:To xmlns:a='http://schemas.xmlsoap.org/ws/2004/08/addressing'>u</a:To>", query),
            HostileMessages.message("<x:Unheard/>", query),
            "<?xml version='1.0' encoding='ISO-8859-1'?>" + HostileMessages.message("<foreign xmlns='urn:x'/>", query));
    for (String message : others) {
      assertThat(Entrances.fast(endpoint, message.getBytes(UTF_8))).as(message).isNull();
    }
    byte[] wide = HostileMessages.message("<foreign xmlns='urn:x'/>", query).getBytes(UTF_16);
    assertThat(Entrances.fast(endpoint, wide, ContentType.parse("text/xml"))).isNull();
    assertThat(Entrances.fast(endpoint, wide, ContentType.parse("text/xml; charset=\"utf-16\""))).isNull();
  }

  private static String fast(String type, byte[] message) {
    return new String(Entrances.fast(endpoint(), message, ContentType.parse(type)), UTF_8);
  }

  @Test
  void aMessageIsReadInItsEncoding() {
    String asked =
        HostileMessages.message("", "<n:LookupRequest><n:entry-name>Gr\u00fc\u00dfe</n:entry-name></n:LookupRequest>");
    String latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + asked;
    String declared8 = "<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes' ?>\n" + asked;
    String declared16 = "<?xml version='1.0' encoding='UTF-16'?>" + asked;
    Map<String, List<byte[]>> cases =
        Map.of(
            "text/xml",
            List.of(
                asked.getBytes(UTF_8), declared8.getBytes(UTF_8), ("\ufeff" + declared8).getBytes(UTF_8),
                latin.getBytes(ISO_8859_1),
                ("\ufeff" + latin).getBytes(UTF_8), declared16.getBytes(UTF_16), declared16.getBytes(UTF_16LE),
                asked.getBytes(UTF_16BE),
                ("\ufeff" + declared16).getBytes(UTF_16LE),
                latin.replace("ISO-8859-1", "windows-1252").getBytes(ISO_8859_1)),
            "text/xml; charset=utf-8",
            List.of(latin.getBytes(UTF_8), declared16.getBytes(UTF_8), declared16.getBytes(UTF_16)),
            "text/xml; charset=\"ISO-8859-1\"",
            List.of(asked.getBytes(ISO_8859_1), declared8.getBytes(ISO_8859_1)),
            "text/xml; charset=utf-16",
            List.of(asked.getBytes(UTF_16), latin.getBytes(UTF_16LE), asked.getBytes(UTF_16BE)));
    cases.forEach(
        (type, messages) -> {
          for (byte[] message : messages) {
            assertThat(fast(type, message)).as("%s %s", type, new String(message, ISO_8859_1))
                .contains("entry-name=\"Gr\u00fc\u00dfe\"");
          }
        });
  }

  @Test
  void anEncodingThatIsUnknownOrWrongIsNamed() {
    String asked = HostileMessages.message("", "<r:query/>");
    String declared = "<?xml version='1.0' encoding='KOI-9'?>" + asked;
    assertThat(fast("text/xml", declared.getBytes(UTF_8))).contains("_s:Client<",
        "the encoding 'KOI-9' of the message is not known");
    assertThat(fast("text/xml; charset=ebcdic-x", asked.getBytes(UTF_8))).contains("_s:Client<", "'ebcdic-x'");
    assertThat(fast("text/xml; charset=' '", asked.getBytes(UTF_8))).contains("_s:Client<", "is not known");
    String declared16 = "<?xml version='1.0' encoding='UTF-16'?>" + asked;
    assertThat(fast("text/xml", declared16.getBytes(UTF_8))).contains("_s:Client<",
        "the message is declared as UTF-16");
    byte[] half = asked.getBytes(UTF_16);
    assertThat(fast("text/xml", Arrays.copyOf(half, half.length - 1))).contains("_s:Client<",
        "the message is not UTF-16BE");
    String umlauts = HostileMessages.message("",
        "<r:query><r:entry-pattern>" + "\u00fc".repeat(9_000_000) + "</r:entry-pattern></r:query>");
    assertThat(fast("text/xml; charset=iso-8859-1", umlauts.getBytes(ISO_8859_1))).contains("_s:Client<",
        ">LIMIT_EXCEEDED<");
  }

  @Test
  void anEnvelopeOfAnotherVersionIsAMismatch() throws XMLStreamException {
    byte[] message = HostileMessages.message("", "<r:query/>").getBytes(UTF_8);
    assertThat(fast("text/xml", in12(message)))
        .contains("<_s:Envelope xmlns:_s=\"http://schemas.xmlsoap.org/soap/envelope/\">",
            "_s:VersionMismatch</faultcode>", ">MALFORMED_MESSAGE<");
    String mismatch = fast("application/soap+xml", message);
    assertThat(mismatch)
        .contains("<_s:Envelope xmlns:_s=\"http://www.w3.org/2003/05/soap-envelope\">",
            "<_s:Value>_s:VersionMismatch</_s:Value>", "<_s:Upgrade ");
    assertThat(Infoset.of(mismatch.getBytes(UTF_8), true)).isNotEmpty();
    String other = new String(message, UTF_8).replace("http://schemas.xmlsoap.org/soap/envelope/", "urn:&quot;&lt;");
    assertThat(fast("application/soap+xml; charset=utf-8", other.getBytes(UTF_8))).contains("VersionMismatch",
        "'urn:\"&lt;'");
    assertThat(fast("application/soap+xml", (other + "x").getBytes(UTF_8))).contains("_s:Sender",
        ">MALFORMED_MESSAGE<");
  }

  @Test
  void whatIsMalformedIsRefusedInItsVersionOfSoap() {
    for (Hostile hostile : HostileMessages.all()) {
      byte[] answer = Entrances.fast(endpoint(), in12(hostile.bytes()), ContentType.parse("application/soap+xml"));
      if (answer != null && hostile.faultCode().equals("Client")) {
        assertThat(new String(answer, UTF_8)).as(hostile.name())
            .contains("http://www.w3.org/2003/05/soap-envelope", "<_s:Value>_s:Sender<")
            .doesNotContain("http://schemas.xmlsoap.org/soap/envelope/");
      }
    }
  }

  @Test
  void indentationAroundAPathDoesNotCount() {
    SoapEndpoint endpoint = endpoint();
    for (String name : List.of("p", "p ")) {
      String add = HostileMessages.message("", "<r:add><r:entry_name>" + name + "</r:entry_name></r:add>");
      assertThat(new String(Entrances.fast(endpoint, add.getBytes(UTF_8)), UTF_8)).contains("addResponse");
    }
    for (String space : List.of("\n  /p\n", "\r\n\t/p", "/p\n", "/p ", "\n/p ")) {
      String expected = space.endsWith("p ") ? "<_r:entry_name>p </" : "<_r:entry_name>p</";
      for (String message : List.of(
          HostileMessages.message("<x:Path>" + space + "</x:Path>", "<r:query/>"),
          HostileMessages.message("", "<r:query><r:entry-pattern>" + space + "</r:entry-pattern></r:query>"))) {
        assertThat(new String(Entrances.fast(endpoint, message.getBytes(UTF_8)), UTF_8)).as(message).contains(expected);
      }
    }
  }

  @Test
  void nothingBrokenIsHandedOn() {
    SoapEndpoint endpoint = endpoint();
    String foreign = HostileMessages.message("<foreign xmlns='urn:x'/>", "<r:query/>");
    List<String> broken =
        List.of(
            foreign.substring(0, foreign.length() - 1),
            foreign + "<x/>",
            "<!DOCTYPE x>" + foreign,
            foreign.replace("<r:query/>", "<a>".repeat(100) + "</a>".repeat(100)),
            foreign.replace("<r:query/>", "&e;"));
    for (String message : broken) {
      byte[] answer = Entrances.fast(endpoint, message.getBytes(UTF_8));
      assertThat(answer).as(message).isNotNull();
      assertThat(new String(answer, UTF_8)).contains("_s:Client");
    }
    byte[] wide = ("<!DOCTYPE x>" + foreign).getBytes(UTF_16);
    assertThat(Entrances.fast(endpoint, wide, ContentType.parse("text/xml"))).isNotNull();
  }

  @Test
  void headersThatMustBeUnderstoodAre() throws XMLStreamException {
    SoapEndpoint endpoint = endpoint();
    String ours =
        HostileMessages.message("<x:Path s:mustUnderstand='1'>/</x:Path><a:To s:mustUnderstand='1'>u</a:To>",
            "<r:query/>");
    assertThat(new String(Entrances.jaxWs(endpoint, ours.getBytes(UTF_8), SoapVersion.V1_1), UTF_8))
        .contains("queryResponse");
    String elsewhere =
        HostileMessages.message("<f:x xmlns:f='urn:f' s:mustUnderstand='1' s:actor='urn:other'/>", "<r:query/>");
    assertThat(new String(Entrances.jaxWs(endpoint, elsewhere.getBytes(UTF_8), SoapVersion.V1_1), UTF_8))
        .contains("queryResponse");
  }

  @Test
  void headersThatMustBeUnderstoodAndAreNotAreNamed() throws XMLStreamException {
    String foreign = HostileMessages.message("<f:x xmlns:f='urn:f' s:mustUnderstand='1'/>", "<r:remove/>");
    assertThat(new String(Entrances.jaxWs(endpoint(), foreign.getBytes(UTF_8), SoapVersion.V1_1), UTF_8))
        .contains(":MustUnderstand</faultcode>", "{urn:f}x");
  }

  /** Both answers to a message, which say the same. */
  private static String byBoth(String headers, String body) throws XMLStreamException {
    byte[] message = HostileMessages.message(headers, body).getBytes(UTF_8);
    byte[] fast = Entrances.fast(endpoint(), message);
    assertThat(fast).as(headers).isNotNull();
    byte[] slow = Entrances.jaxWs(endpoint(), message, SoapVersion.V1_1);
    assertThat(Infoset.of(slow, true)).as(headers).isEqualTo(Infoset.of(fast, true));
    return new String(fast, UTF_8);
  }

  @Test
  void answersAreRelatedToTheirRequests() throws XMLStreamException {
    String action = ">http://schemas.ggf.org/rns/2006/05/rns/RNSPortType/queryResponse</_a:Action>";
    assertThat(byBoth("<a:MessageID> urn:id:1&lt; </a:MessageID>", "<r:query/>"))
        .contains(">urn:id:1&lt;</_a:RelatesTo>", action);
    String all =
        "<a:To s:mustUnderstand='1'>u</a:To><a:Action>any</a:Action><x:Extensions s:actor='urn:next' s:mustUnderstand='0'/>"
            + "<a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/anonymous</a:Address><z/></a:ReplyTo><a:FaultTo/>"
            + "<a:MessageID s:mustUnderstand='1' a:any='1'>urn:2</a:MessageID><a:RelatesTo>urn:3</a:RelatesTo><a:Unheard/>";
    assertThat(byBoth(all, "<r:query/>")).contains(">urn:2</_a:RelatesTo>", action, "Position>", "<_x:entry");
    assertThat(byBoth("<a:To>u</a:To><a:Action>any</a:Action>", "<r:query/>")).contains("queryResponse")
        .doesNotContain("Header>");
  }

  @Test
  void faultsAreRelatedToTheirRequests() throws XMLStreamException {
    String fault = ">http://www.w3.org/2005/08/addressing/soap/fault</_a:Action>";
    String id = "<a:MessageID>urn:id:1</a:MessageID>";
    for (String headers : List.of(id, id + "<x:EntryId>bad</x:EntryId>",
        id + "<x:EntryId>00000000000000ff</x:EntryId>")) {
      assertThat(byBoth(headers, "<n:RemoveRequest/>")).contains(":Client<", fault, ">urn:id:1</_a:RelatesTo>");
    }
  }

  @Test
  void answersOfOtherStandardsHaveTheirActions() throws XMLStreamException {
    String id = "<a:MessageID>urn:id:1</a:MessageID>";
    List<String[]> cases =
        List.of(
            new String[]{"<n:LookupRequest/>", "http://schemas.ogf.org/rns/2009/12/rns/RNSPortType/lookupResponse"},
            new String[]{
                "<p:GetResourceProperty>n:readable</p:GetResourceProperty>",
                "http://docs.oasis-open.org/wsrf/rpw-2/GetResourceProperty/GetResourcePropertyResponse"
            },
            new String[]{"<v:resolve/>",
                "http://schemas.ogf.org/naming/2006/08/naming/wsdl/ReferenceResolver/ResolveResponse"},
            new String[]{"<n:AddRequest/>", "http://www.w3.org/2005/08/addressing/soap/fault"});
    for (String[] one : cases) {
      assertThat(byBoth(id, one[0])).contains(">" + one[1] + "</_a:Action>", ">urn:id:1</_a:RelatesTo>");
    }
  }

  @Test
  void soap12HasItsOwnFaults() throws XMLStreamException {
    String message =
        HostileMessages.message("", "<r:query><r:entry-pattern>/none</r:entry-pattern></r:query>")
            .replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
    assertThat(new String(Entrances.jaxWs(endpoint(), message.getBytes(UTF_8), SoapVersion.V1_2), UTF_8))
        .contains("<_s:Value>_s:Sender</_s:Value>", ">NO_SUCH_ENTRY<", "http://www.w3.org/2003/05/soap-envelope");
  }

  private static byte[] in12(byte[] message) {
    // Byte by byte: not all messages are UTF-8.
    return new String(message, ISO_8859_1)
        .replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
        .getBytes(ISO_8859_1);
  }

  @Test
  void everyOperationIsTheSameInSoap12() throws XMLStreamException {
    SoapEndpoint behind11 = endpoint();
    SoapEndpoint behind12 = endpoint();
    // Twice: the second time most are refused.
    for (int round = 0; round < 2; round++) {
      for (byte[] message : StandardMessages.all()) {
        byte[] answer11 = Entrances.jaxWs(behind11, message, SoapVersion.V1_1);
        byte[] answer12 = Entrances.jaxWs(behind12, in12(message), SoapVersion.V1_2);
        String text = new String(message, UTF_8);
        if (new String(answer11, UTF_8).contains("Fault>")) {
          // Faults differ around their details.
          assertThat(inDetail(answer12)).as(text).isEqualTo(inDetail(answer11));
        } else {
          assertThat(Infoset.of(answer12, true)).as(text).isEqualTo(Infoset.of(in12(answer11), true));
        }
      }
    }
  }

  /** The content of the detail of a fault, as it was written: that does not depend on the version; else all of it. */
  private static String inDetail(byte[] answer) {
    String text = new String(answer, UTF_8);
    int start = text.indexOf("<_b:Timestamp");
    int end = text.lastIndexOf("</_b:Description>");
    return start < 0 ? text.substring(text.indexOf("Body>")) : text.substring(start, end);
  }

  @Test
  void soap12HeadersThatMustBeUnderstoodAreNamedIfTheyAreNot() throws XMLStreamException {
    String foreign = HostileMessages.message("<f:x xmlns:f='urn:f' s:mustUnderstand='true'/>", "<r:query/>");
    assertThat(new String(Entrances.jaxWs(endpoint(), in12(foreign.getBytes(UTF_8)), SoapVersion.V1_2), UTF_8))
        .contains("_s:MustUnderstand<", "{urn:f}x", "xmlns:_q=\"urn:f\" qname=\"_q:x\"");
    for (String known : List.of(
        "<x:Path s:mustUnderstand='true'>/</x:Path>", "<a:Action s:mustUnderstand='true'>urn:any</a:Action>",
        "<f:x xmlns:f='urn:f' s:mustUnderstand='true' s:role='urn:other'/>",
        "<f:x xmlns:f='urn:f' s:mustUnderstand='false'/>")) {
      byte[] message = in12(HostileMessages.message(known, "<r:query/>").getBytes(UTF_8));
      assertThat(new String(Entrances.jaxWs(endpoint(), message, SoapVersion.V1_2), UTF_8)).as(known)
          .contains("queryResponse");
    }
  }

  @Test
  void anEndpointThatIsNotReadySaysSo() throws XMLStreamException {
    byte[] message = HostileMessages.message("", "<r:query/>").getBytes(UTF_8);
    assertThat(new String(Entrances.jaxWs(null, message, SoapVersion.V1_1), UTF_8))
        .contains(":Server</faultcode>", "ResourceUnavailableFault", ">UNAVAILABLE<");
  }
}
