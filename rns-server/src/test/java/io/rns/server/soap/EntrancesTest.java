package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.error.RnsError;
import io.rns.wire.HostileMessages;
import io.rns.wire.HostileMessages.Hostile;
import io.rns.wire.Messages11;
import io.rns.wire.RemoteCall;
import io.rns.wire.SoapVersion;
import io.rns.wire.WireValues;
import io.rns.xml.XmlBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
    return new SoapEndpoint(new ModelNameService(CLOCK), SETTINGS);
  }

  /** Requests as our client makes them, and as other clients may. */
  private static List<byte[]> corpus() {
    List<byte[]> corpus = new ArrayList<>();
    corpus.addAll(StandardMessages.all());
    for (long seed = 0; seed < SEEDS; seed++) {
      WireValues values = new WireValues(seed);
      for (RemoteCall<?> call :
          List.of(
              RemoteCall.add(values.addRequest()),
              RemoteCall.query(values.queryRequest()),
              RemoteCall.update(values.updateRequest()),
              RemoteCall.list(values.listRequest()),
              RemoteCall.remove(values.removeRequest()))) {
        XmlBuffer message = new XmlBuffer(16);
        call.writeTo(message, CallContext.ANONYMOUS, Optional.empty());
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
      assertThat(new String(answer, UTF_8)).contains("_s:Client", ">" + hostile.error() + "</_b:ErrorCode>");
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
            HostileMessages.message("<a:MessageID>urn:1</a:MessageID>", query),
            HostileMessages.message("<k:other xmlns:k='http://naregi.org/rns/2010/10/rns'>1</k:other>", query),
            HostileMessages.message("<x:Path s:mustUnderstand='1'>/</x:Path>", query),
            HostileMessages.message("<x:Path s:actor='urn:other'>/</x:Path>", query),
            HostileMessages.message("<x:Unheard/>", query),
            "<?xml version='1.0' encoding='ISO-8859-1'?>" + HostileMessages.message("", query),
            "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body/></e:Envelope>");
    for (String message : others) {
      assertThat(Entrances.fast(endpoint, message.getBytes(UTF_8))).as(message).isNull();
    }
    byte[] wide = HostileMessages.message("", query).getBytes(UTF_16);
    assertThat(Entrances.fast(endpoint, wide, ContentType.parse("text/xml"))).isNull();
    assertThat(Entrances.fast(endpoint, wide, ContentType.parse("text/xml; charset=\"utf-16\""))).isNull();
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
        HostileMessages.message("<x:Path s:mustUnderstand='1'>/</x:Path><a:To s:mustUnderstand='1'>u</a:To>", "<r:query/>");
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

  @Test
  void answersAreRelatedToTheirRequests() throws XMLStreamException {
    String addressed = HostileMessages.message("<a:MessageID> urn:id:1 </a:MessageID>", "<r:query/>");
    assertThat(new String(Entrances.jaxWs(endpoint(), addressed.getBytes(UTF_8), SoapVersion.V1_1), UTF_8))
        .contains(">urn:id:1</_a:RelatesTo>", ">http://schemas.ggf.org/rns/2006/05/rns/RNSPortType/queryResponse</_a:Action>");
  }

  @Test
  void answersOfOtherStandardsHaveTheirActions() throws XMLStreamException {
    SoapEndpoint endpoint = endpoint();
    String id = "<a:MessageID>urn:id:1</a:MessageID>";
    List<String[]> cases =
        List.of(
            new String[] {"<n:LookupRequest/>", "http://schemas.ogf.org/rns/2009/12/rns/RNSPortType/lookupResponse"},
            new String[] {
              "<p:GetResourceProperty>n:readable</p:GetResourceProperty>",
              "http://docs.oasis-open.org/wsrf/rpw-2/GetResourceProperty/GetResourcePropertyResponse"
            },
            new String[] {"<v:resolve/>", "http://schemas.ogf.org/naming/2006/08/naming/wsdl/ReferenceResolver/ResolveResponse"},
            new String[] {"<n:AddRequest/>", "http://www.w3.org/2005/08/addressing/soap/fault"});
    for (String[] one : cases) {
      byte[] message = HostileMessages.message(id, one[0]).getBytes(UTF_8);
      assertThat(new String(Entrances.jaxWs(endpoint, message, SoapVersion.V1_1), UTF_8))
          .contains(">" + one[1] + "</_a:Action>", ">urn:id:1</_a:RelatesTo>");
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

  @Test
  void anEndpointThatIsNotReadySaysSo() throws XMLStreamException {
    byte[] message = HostileMessages.message("", "<r:query/>").getBytes(UTF_8);
    assertThat(new String(Entrances.jaxWs(null, message, SoapVersion.V1_1), UTF_8))
        .contains(":Server</faultcode>", "ResourceUnavailableFault", ">UNAVAILABLE<");
  }
}
