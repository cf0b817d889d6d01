package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.ModelNameService;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.wire.HostileMessages;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** RNS 1.1 as its clients see it, beside RNS 1.0 on one tree. */
class Rns11Test {
  private static final String LINK =
      "<n:endpoint><a:Address>http://h/f</a:Address><a:ReferenceParameters><k xmlns='urn:k'> 1 <!-- c --></k>"
          + "</a:ReferenceParameters></n:endpoint>";

  private final ModelNameService service =
      new ModelNameService(InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678901Z")));
  private final SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(service, SoapSettings.DEFAULT));

  private String ask(String headers, String body) {
    return ask(Target.ROOT, headers, body);
  }

  private String ask(Target urlTarget, String headers, String body) {
    SoapScratch scratch = new SoapScratch();
    scratch.body = HostileMessages.message(headers, body).getBytes(UTF_8);
    scratch.length = scratch.body.length;
    SoapCall call =
        new SoapCall(Caller.ANONYMOUS, Entrances.URL, urlTarget, "", () -> "192.0.2.1", () -> "192.0.2.1", () -> "",
            Optional.empty());
    FastPathResult result = FastPath.read(endpoint, scratch, ContentType.parse("text/xml"), call);
    assertThat(result).as(body).isInstanceOf(FastPathResult.Plain.class);
    Reply reply = ((FastPathResult.Plain) result).answer().get();
    XmlBuffer out = new XmlBuffer(16);
    boolean more = true;
    while (more) {
      more = reply.writeNext(out, SoapVersion.V1_1);
    }
    return out.toString();
  }

  private static String names(String... names) {
    StringBuilder all = new StringBuilder();
    for (String name : names) {
      all.append("<n:entry-name>").append(name).append("</n:entry-name>");
    }
    return all.toString();
  }

  private String lookup(String headers, String... names) {
    return ask(headers, "<n:LookupRequest>" + names(names) + "</n:LookupRequest>");
  }

  private String add(String headers, String... entries) {
    return ask(headers, "<n:AddRequest>" + String.join("", entries) + "</n:AddRequest>");
  }

  private static String entry(String name, String content) {
    return "<n:entry entry-name='" + name + "'>" + content + "</n:entry>";
  }

  private Entry find(String path) {
    return service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  @Test
  void everyItemIsAnsweredInOrder() {
    String answer =
        add("", entry("d", ""), entry("l", LINK), entry("d", LINK), entry("a/b", ""), "<n:entry/>",
            entry("s", "<n:metadata><n:supports-rns value='maybe'/></n:metadata>"),
            entry("e", "<n:endpoint i:nil='true'/>"));
    assertThat(answer)
        .containsSubsequence(
            "<_n:AddResponse", "entry-name=\"d\"", "<_n:endpoint>", "value=\"true\"",
            "entry-name=\"l\"", "http://h/f", "value=\"unknown\"",
            "entry-name=\"d\"", "_i:type=\"_n:RNSEntryExistsFaultType\"", "Timestamp",
            "<_n:entry-name>d</_n:entry-name>",
            "entry-name=\"a/b\"", "_i:type=\"_b:BaseFaultType\"", ">INVALID_NAME<",
            "entry-name=\"\"", ">INVALID_REQUEST<",
            "entry-name=\"s\"", ">INVALID_REQUEST<",
            "entry-name=\"e\"", "<_n:endpoint>")
        .doesNotContain(":Fault>");
    assertThat(lookup("", "x", "d", "l", "..", "x"))
        .containsSubsequence(
            "entry-name=\"x\"", "_n:RNSEntryDoesNotExistFaultType", "<_n:entry-name>x</_n:entry-name>",
            "entry-name=\"d\"", "entry-name=\"l\"", "entry-name=\"..\"", ">INVALID_NAME<", "entry-name=\"x\"");
  }

  @Test
  void anEmptyDirectoryHasNoResponses() {
    assertThat(ask("", "<n:LookupRequest/>")).startsWith("<_n:LookupResponse").doesNotContain("entry-response");
  }

  @Test
  void foreignReferencesAndMetadataComeBackAsTheyWere() {
    add("",
        entry("l", LINK + "<n:metadata><n:supports-rns value='false'/><rnskv key='k'>v <i/>w</rnskv></n:metadata>"));
    String reference = "<k xmlns=\"urn:k\"> 1 <!-- c --></k>";
    assertThat(lookup("", "l")).contains(reference,
        "<_n:supports-rns value=\"false\"/><rnskv key=\"k\">v <i/>w</rnskv>");
    assertThat(ask("", "<r:query><r:entry-pattern>l</r:entry-pattern></r:query>"))
        .contains(reference, "<rnskv key=\"k\">v <i/>w</rnskv>");
  }

  @Test
  void oneTreeIsSeenByBothVersions() {
    add("", entry("l", LINK + "<n:metadata><n:supports-rns value='false'/><m/></n:metadata>"), entry("d", ""));
    assertThat(ask("", "<r:list/>")).contains("<r", "http://h/f").containsSubsequence("entry_name>d<", "entry_name>l<");
    String two = "<r:entry_reference><a:Address>http://h/1</a:Address></r:entry_reference>"
        + "<r:entry_reference><a:Address>http://h/2</a:Address></r:entry_reference>";
    ask("<x:Path>/d</x:Path>", "<r:add><r:entry_name>two</r:entry_name>" + two + "<m/></r:add>");
    String answer = lookup("<x:Path>/d</x:Path>", "two");
    assertThat(answer).containsSubsequence("<_n:endpoint>", "http://h/1", "<_n:metadata>", "<_x:reference>",
        "http://h/2", "<m/>");
    // A client moves an entry by adding what it looked up: no reference is lost.
    String content = answer.substring(answer.indexOf("<_n:endpoint>"), answer.indexOf("</_n:entry-response>"))
        .replace("_n:", "n:").replace("_x:", "x:").replace("_a:", "a:");
    add("", entry("moved", content));
    assertThat(((Junction) find("/moved")).references()).isEqualTo(((Junction) find("/d/two")).references());
    assertThat(find("/moved").metadata()).isEqualTo(find("/d/two").metadata());
    // What RNS 1.1 told of a link survives what RNS 1.0 does to it.
    ask("<x:Path>/l</x:Path>", "<r:update><r:entry_name>renamed</r:entry_name>" + two + "</r:update>");
    assertThat(lookup("", "renamed")).contains("value=\"false\"", "http://h/1");
    String shown = ask("<x:Path>/renamed</x:Path>", "<r:query/>");
    String metadata = shown.substring(shown.indexOf("<rns:supports-rns"), shown.indexOf("<_r:entry_reference>"));
    ask("<x:Path>/renamed</x:Path>", "<r:update>" + metadata + "<more/></r:update>");
    assertThat(lookup("", "renamed")).contains("<_n:supports-rns value=\"false\"/>", "<m/><more/></_n:metadata>");
  }

  @Test
  void aDirectoryIsSelectedInManyWays() {
    add("", entry("d", ""));
    String id = find("/d").id().toString();
    add("<x:EntryId a:IsReferenceParameter='true'>" + id + "</x:EntryId>", entry("in", ""));
    assertThat(lookup("<x:EntryId>" + id + "</x:EntryId>", "in")).doesNotContain("fault");
    assertThat(lookup("<x:Path>/d</x:Path>", "in")).doesNotContain("fault");
    String root = "<k:RNSID xmlns:k='http://naregi.org/rns/2010/10/rns'>ROOT</k:RNSID>";
    assertThat(lookup(root, "d")).doesNotContain("fault");
    assertThat(lookup(root + "<x:Path>/d</x:Path>", "in")).doesNotContain("fault");
    String in = "<n:LookupRequest>" + names("in") + "</n:LookupRequest>";
    assertThat(ask(SoapCall.target("/d", null, null), "", in)).doesNotContain("fault");
    assertThat(ask(SoapCall.target("", id, null), "", in)).doesNotContain("fault");
    assertThat(ask(SoapCall.target("", null, "/d"), "", in)).doesNotContain("fault");
    assertThat(ask(SoapCall.target("/d", null, "/in"), "", "<n:LookupRequest/>")).startsWith("<_n:LookupResponse");
    // A reference parameter says more than the URL it is sent to.
    assertThat(ask(SoapCall.target("/none", null, null), root, "<n:LookupRequest>" + names("d") + "</n:LookupRequest>"))
        .doesNotContain("fault");
  }

  @Test
  void aDirectoryThatIsNotThereIsUnknown() {
    add("", entry("l", LINK));
    for (String target : List.of("<x:EntryId>00000000000000ff</x:EntryId>", "<x:Path>/none</x:Path>",
        "<x:Path>/l</x:Path>",
        "<x:Path>/none/deeper</x:Path>")) {
      for (String request : List.of(
          "<n:LookupRequest/>", "<n:LookupRequest>" + names("a") + "</n:LookupRequest>",
          "<n:AddRequest>" + entry("a/b", "") + entry("a", "") + "</n:AddRequest>",
          "<n:RemoveRequest>" + names("a") + "</n:RemoveRequest>",
          "<n:RenameRequest><n:rename-request source-name='a' target-name='b'/></n:RenameRequest>",
          "<n:SetMetadataRequest><n:set-metadata-request entry-name='a'/></n:SetMetadataRequest>",
          "<p:GetResourcePropertyDocument/>", "<l:Destroy/>")) {
        assertThat(ask(target, request)).as(target + request).contains("<_f:ResourceUnknownFault", "Timestamp");
      }
      assertThat(ask(target, "<v:resolve/>")).contains("<_w:ResolveFailedFault");
    }
    assertThat(ask("<k:RNSID xmlns:k='http://naregi.org/rns/2010/10/rns'>7</k:RNSID>", "<n:LookupRequest/>"))
        .contains("<_f:ResourceUnknownFault", "RNSID '7'");
  }

  @Test
  void aRenamingIsAnsweredWithTheNameThatMatters() {
    add("", entry("a", LINK), entry("b", LINK), entry("c", ""));
    String answer =
        ask("", "<n:RenameRequest><n:rename-request source-name='a' target-name='b'/>"
            + "<n:rename-request source-name='none' target-name='n'/><n:rename-request source-name='a' target-name='d'/>"
            + "<n:rename-request source-name='b' target-name='x/y'/></n:RenameRequest>");
    assertThat(answer)
        .containsSubsequence(
            "entry-name=\"b\"", "_n:RNSEntryExistsFaultType", "<_n:entry-name>b<",
            "entry-name=\"none\"", "_n:RNSEntryDoesNotExistFaultType",
            "entry-name=\"d\"", "http://h/f", "<_n:metadata>",
            "entry-name=\"b\"", ">INVALID_NAME<");
  }

  @Test
  void metadataAreReplacedAndReferencesStay() {
    add("", entry("l", LINK + "<n:metadata><n:supports-rns value='true'/><old/></n:metadata>"), entry("d", ""));
    String answer =
        ask("", "<n:SetMetadataRequest><n:set-metadata-request entry-name='l'><n:supports-rns value='false'/><new/>"
            + "<x:reference><a:Address>http://h/shown</a:Address></x:reference></n:set-metadata-request>"
            + "<n:set-metadata-request entry-name='d'><n:supports-rns value='false'/><new/></n:set-metadata-request>"
            + "<n:set-metadata-request entry-name='none'/></n:SetMetadataRequest>");
    assertThat(answer)
        .containsSubsequence(
            "entry-name=\"l\"", "http://h/f", "<_n:supports-rns value=\"false\"/><new/></_n:metadata>",
            "entry-name=\"d\"", "<_n:supports-rns value=\"true\"/><new/></_n:metadata>",
            "entry-name=\"none\"", "_n:RNSEntryDoesNotExistFaultType")
        .doesNotContain("<old/>", "shown");
  }

  @Test
  void aRemovalTellsWhatWasThere() {
    add("", entry("l", LINK), entry("d", ""));
    add("<x:Path>/d</x:Path>", entry("in", ""));
    assertThat(ask("", "<n:RemoveRequest>" + names("l", "none", "d", "l") + "</n:RemoveRequest>"))
        .containsSubsequence(
            "entry-name=\"l\"", "http://h/f", "entry-name=\"none\"", "_n:RNSEntryDoesNotExistFaultType",
            "entry-name=\"d\"", "_b:BaseFaultType", ">NOT_EMPTY<", "entry-name=\"l\"",
            "_n:RNSEntryDoesNotExistFaultType");
  }

  @Test
  void faultsAreThoseOfTheirStandard() {
    assertThat(ask("", "<n:AddRequest/>")).contains("<_b:BaseFault ", ">INVALID_REQUEST<");
    assertThat(ask("", "<p:GetResourceProperty>n:size</p:GetResourceProperty>"))
        .contains("<_p:InvalidResourcePropertyQNameFault ", "Timestamp", "size");
    assertThat(ask("", "<p:GetMultipleResourceProperties/>")).contains("<_p:InvalidResourcePropertyQNameFault ");
    assertThat(ask("", "<w:EndpointIdentifier>urn:x</w:EndpointIdentifier>")).contains("<_w:ResolveFailedFault ",
        "urn:x");
    assertThat(ask("", "<l:Destroy/>")).contains("<_l:ResourceNotDestroyedFault ", ">ROOT_IS_FIXED<");
  }

  @Test
  void propertiesAreThoseOfTheDirectory() {
    add("", entry("d", ""));
    add("<x:Path>/d</x:Path>", entry("a", ""), entry("b", LINK));
    assertThat(ask("<x:Path>/d</x:Path>", "<p:GetResourcePropertyDocument/>"))
        .containsSubsequence(
            "<_n:RNSRP ", "<_n:elementCount>2<", "<_n:createTime>2026-01-02T03:04:05.678901Z<", "<_n:accessTime ",
            "nil=\"true\"",
            "<_n:modificationTime>", "<_n:readable>true<", "<_n:writable>true<", "</_n:RNSRP>");
    assertThat(ask("", "<p:GetResourceProperty>n:elementCount</p:GetResourceProperty>"))
        .contains("<_n:elementCount>1<");
    assertThat(ask("", "<p:GetResourceProperty>n:readable</p:GetResourceProperty>"))
        .as("whatever else is asked for").contains("<_n:readable>true<");
  }

  private static String query(String dialect, String expression) {
    return "<p:QueryResourceProperties><p:QueryExpression Dialect='" + dialect
        + "' xmlns:q='http://schemas.ogf.org/rns/2009/12/rns'>"
        + expression + "</p:QueryExpression></p:QueryResourceProperties>";
  }

  @Test
  void propertiesAreQueried() {
    String xpath = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    add("", entry("d", ""));
    assertThat(ask("", query(xpath, "/q:RNSRP/q:elementCount"))).contains("<_p:QueryResourcePropertiesResponse",
        "elementCount", ">1</");
    assertThat(ask("", query(xpath, "/n:RNSRP/n:elementCount &gt; 3")))
        .contains(">false</_p:QueryResourcePropertiesResponse>");
    assertThat(ask("", query("urn:x", "1"))).contains("<_p:UnknownQueryExpressionDialectFault", "urn:x");
    assertThat(ask("", query(xpath, "/none:x"))).contains("<_p:InvalidQueryExpressionFault");
    assertThat(ask("", "<p:QueryResourceProperties/>")).contains("<_p:InvalidQueryExpressionFault");
    assertThat(ask("", query(xpath, "/*/*/*/*/*/*/*/*/*/*/*"))).contains("<_p:QueryEvaluationErrorFault", "11 steps");
    assertThat(ask("", query(xpath, "1" + " ".repeat(Limits.EXPRESSION_CHARS - 1)))).contains(">1</_p:Query");
    assertThat(ask("", query(xpath, "1" + " ".repeat(Limits.EXPRESSION_CHARS))))
        .contains("<_p:QueryEvaluationErrorFault", "4097 characters");
    assertThat(ask("<x:Path>/none</x:Path>", query(xpath, "1"))).contains("<_f:ResourceUnknownFault");
  }

  @Test
  void aDirectoryHasNoEnd() {
    add("", entry("d", ""));
    String time =
        "<l:SetTerminationTime><l:RequestedTerminationTime>2099-01-01T00:00:00Z</l:RequestedTerminationTime></l:SetTerminationTime>";
    String never = "<l:SetTerminationTime><l:RequestedTerminationTime i:nil='true'/></l:SetTerminationTime>";
    assertThat(ask("<x:Path>/d</x:Path>", never)).contains("<_l:NewTerminationTime ", "nil=\"true\"",
        "<_l:CurrentTime>");
    assertThat(ask("<x:Path>/d</x:Path>", time)).contains("<_l:UnableToSetTerminationTimeFault", "/d accepts no");
    for (String request : List.of(never, time)) {
      assertThat(ask("<x:Path>/none</x:Path>", request)).contains("<_f:ResourceUnknownFault");
    }
    assertThat(ask("", "<p:GetResourceProperty>l:TerminationTime</p:GetResourceProperty>")).contains("nil=\"true\"");
  }

  @Test
  void aDestroyedDirectoryLeavesALinkUntilItsNameIsRemoved() {
    add("", entry("d", "<n:metadata><n:supports-rns value='true'/><m/></n:metadata>"));
    String id = "<x:EntryId>" + find("/d").id() + "</x:EntryId>";
    add(id, entry("in", ""));
    assertThat(ask(id, "<l:Destroy/>")).contains("<_l:ResourceNotDestroyedFault", "not empty");
    ask(id, "<n:RemoveRequest>" + names("in") + "</n:RemoveRequest>");
    assertThat(ask("<x:RequestId>r</x:RequestId>" + id, "<l:Destroy/>")).startsWith("<_l:DestroyResponse");
    assertThat(ask(id, "<p:GetResourcePropertyDocument/>")).contains("<_f:ResourceUnknownFault");
    assertThat(ask(id, "<l:Destroy/>")).contains("<_f:ResourceUnknownFault");
    assertThat(lookup("", "d")).contains("<_n:endpoint>", "value=\"unknown\"", "<m/>").doesNotContain("fault");
    assertThat(find("/d")).isInstanceOf(Junction.class);
    // The same call again gets the same answer, by whatever it names the directory.
    assertThat(ask("<x:RequestId>r</x:RequestId>" + id, "<l:Destroy/>")).startsWith("<_l:DestroyResponse");
    assertThat(ask("<x:RequestId>r</x:RequestId><x:Path>/d</x:Path>", "<l:Destroy/>"))
        .startsWith("<_l:DestroyResponse");
    assertThat(ask("<x:Path>/d</x:Path>", "<l:Destroy/>")).contains("<_f:ResourceUnknownFault");
    assertThat(ask("", "<n:RemoveRequest>" + names("d") + "</n:RemoveRequest>")).doesNotContain("fault");
    assertThat(lookup("", "d")).contains("_n:RNSEntryDoesNotExistFaultType");
    assertThat(ask("<x:RequestId>r</x:RequestId>" + id, "<l:Destroy/>")).startsWith("<_l:DestroyResponse");
    assertThat(lookup("", "d")).contains("_n:RNSEntryDoesNotExistFaultType");
  }

  @Test
  void resolversGiveTheReferenceOfADirectoryWhereverItMoves() {
    add("", entry("d", ""), entry("e", ""));
    String before = lookup("", "d");
    String reference = before.substring(before.indexOf("<_a:Address>"), before.indexOf("</_n:endpoint>"));
    int start = reference.indexOf("urn:ws-naming:epi:");
    String epi = reference.substring(start, reference.indexOf('<', start));
    assertThat(reference.split(epi, -1)).as("in both namespaces").hasSize(3);
    assertThat(reference)
        .contains("naming/2006/08/naming", "naming/2006/03/naming", "<_w:EndpointIdentifierResolver>",
            "<_o:ReferenceResolver>");
    ask("<x:Path>/d</x:Path>", "<r:update><x:parent path='/e'/></r:update>");
    assertThat(lookup("<x:Path>/e</x:Path>", "d")).contains(reference);
    EndpointReference expected = EndpointReference.parse(ask("<x:Path>/e/d</x:Path>", "<v:resolve/>"));
    assertThat(expected.endpointIdentifier()).contains(epi);
    for (String namespace : List.of("ogf.org/naming/2006/08/naming", "ggf.org/naming/2006/03/naming")) {
      String request =
          "<q:EndpointIdentifier xmlns:q='http://schemas." + namespace + "'> " + epi + " </q:EndpointIdentifier>";
      assertThat(EndpointReference.parse(ask("", request))).isEqualTo(expected);
    }
    ask("<x:Path>/e/d</x:Path>", "<r:remove/>");
    assertThat(ask("", "<w:EndpointIdentifier>" + epi + "</w:EndpointIdentifier>")).contains("<_w:ResolveFailedFault ");
  }
}
