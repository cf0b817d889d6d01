package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.client.message.RemoteCall;
import io.rns.wire.HostileMessages;
import io.rns.wire.WireValues;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The WSDL and the schemas: tools take them, and our messages are as they say. */
class DescriptionTest {
  private static final Path WSDL = Path.of("src/main/webapp/WEB-INF/wsdl");

  private static Schema schema;

  @BeforeAll
  static void readSchemas() throws SAXException {
    SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file");
    Source[] sources =
        Stream
            .of("resource-faults.xsd", "rns-ext-1.xsd", "rns-11.xsd", "resource-properties.xsd",
                "resource-lifetime.xsd",
                "naming.xsd", "naming-resolve.xsd", "iterator.xsd", "metadata-search.xsd")
            .map(name -> new StreamSource(WSDL.resolve(name).toFile()))
            .toArray(Source[]::new);
    schema = factory.newSchema(sources);
  }

  @ParameterizedTest
  @CsvSource({
      "rns.wsdl, -keep, GetMultipleResourceProperties",
      "rns-soap12.wsdl, -extension, ImmediateResourceTermination",
      "rns-11-only.wsdl, -keep, RNSPortType",
      "rns-naming.wsdl, -Xno-addressing-databinding, EndpointIdentifierResolver"
  })
  void wsimportMakesAClientOfIt(String description, String option, String port, @TempDir Path generated)
      throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] arguments =
        {"-keep", option, "-Xnocompile", "-d", generated.toString(), WSDL.resolve(description).toString()};
    boolean done = new WsimportTool(said).run(arguments);
    assertThat(done).as(said.toString(UTF_8)).isTrue();
    Path service = generated.resolve("rns/service/_1");
    assertThat(service.resolve(port + ".java")).exists();
    assertThat(service.resolve("RNS10PortType.java").toFile().exists())
        .isEqualTo(description.matches("rns(-soap12)?.wsdl"));
    if (Files.exists(service.resolve("RNS10PortType.java"))) {
      assertThat(service.resolve("RNS10PortType.java")).content().contains("public ListResponse list(",
          "throws RNSFault");
    }
    if (!description.equals("rns-naming.wsdl")) {
      assertThat(service.resolve("RNSPortType.java"))
          .content().contains("public LookupResponseType lookup(", "throws ReadNotPermittedFault");
    }
  }

  @Test
  void everythingThatIsImportedIsThere() throws Exception {
    for (Path file : documents()) {
      String text = Files.readString(file);
      Matcher location =
          Pattern.compile("(?:schemaLocation|import namespace=\"[^\"]*\" location)=\"([^\"]*)\"").matcher(text);
      while (location.find()) {
        // As seen from the URL of the service, too: it has as many levels.
        assertThat(file.resolveSibling(location.group(1)).normalize()).as(file + " imports").exists().hasParent(WSDL);
      }
    }
  }

  /** PHP compares local names only, over all documents that import each other. */
  @Test
  void noTwoMessagesPortTypesOrBindingsShareAName() throws Exception {
    for (String kind : List.of("message", "portType", "binding")) {
      Set<String> names = new HashSet<>();
      for (Path file : documents()) {
        for (Element declared : all(file, kind)) {
          assertThat(names.add(declared.getAttribute("name")))
              .as(kind + " " + declared.getAttribute("name") + " in " + file).isTrue();
        }
      }
    }
  }

  @Test
  void everyOperationThatIsDescribedIsServed() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(), SoapSettings.DEFAULT));
    int operations = 0;
    for (Path file : documents()) {
      for (Element input : all(file, "input")) {
        if (input.hasAttribute("message")) {
          operations++;
          String message = message(file, input.getAttribute("message"));
          byte[] answer = Entrances.fast(endpoint, message.getBytes(UTF_8));
          assertThat(answer).as("handed on: " + message).isNotNull();
          assertThat(new String(answer, UTF_8)).as(message).doesNotContain("UNKNOWN_OPERATION");
        }
      }
    }
    assertThat(operations).isGreaterThanOrEqualTo(16);
  }

  /** An empty request of the element that a message of a description has. */
  private static String message(Path file, String message) throws Exception {
    for (Element declared : all(file, "message")) {
      if (declared.getAttribute("name").equals(message.substring(message.indexOf(':') + 1))) {
        String element = children(declared).get(0).getAttribute("element");
        String prefix = element.substring(0, element.indexOf(':'));
        String namespace = declared.lookupNamespaceURI(prefix);
        return HostileMessages.message("", "<" + element + " xmlns:" + prefix + "='" + namespace + "'/>");
      }
    }
    throw new AssertionError(file + " has no message " + message);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.list(WSDL)) {
      return files.toList();
    }
  }

  private static List<Element> all(Path file, String localName) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    NodeList nodes =
        factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagNameNS("http://schemas.xmlsoap.org/wsdl/",
            localName);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  @Test
  void theAddressIsThatOfTheService() throws IOException {
    for (String description : List.of("rns.wsdl", "rns-soap12.wsdl", "rns-11-only.wsdl", "rns-naming.wsdl")) {
      String text = Files.readString(WSDL.resolve(description));
      int ports = text.split("<wsdl:port ", -1).length;
      String addressed = DescriptionServlet.addressed(text, "http://h/a?b=\"&<");
      assertThat(addressed.split("location=\"http://h/a\\?b=&quot;&amp;&lt;\"", -1)).hasSize(ports);
      assertThat(addressed).doesNotContain("localhost");
    }
  }

  @Test
  void aQueryAsksForOneOfThem() {
    assertThat(DescriptionServlet.path("wsdl")).isEqualTo("/wsdl/rns.wsdl");
    assertThat(DescriptionServlet.path("WSDL")).isEqualTo("/wsdl/rns.wsdl");
    assertThat(DescriptionServlet.path("wsdl=soap12")).isEqualTo("/wsdl/rns-soap12.wsdl");
    assertThat(DescriptionServlet.path("wsdl=RNS-1.1")).isEqualTo("/wsdl/rns-11-only.wsdl");
    assertThat(DescriptionServlet.path("wsdl=naming")).isEqualTo("/wsdl/rns-naming.wsdl");
    for (String other : new String[]{null, "", "wsdl=", "wsdl=../web.xml", "xsd=1", "path=/wsdl"}) {
      assertThat(DescriptionServlet.path(other)).as(other).isNull();
    }
  }

  @Test
  void standardRequestsAndAnswersAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(), SoapSettings.DEFAULT));
    for (byte[] message : StandardMessages.rns10()) {
      // Schemas of version 1.0 have no room for metadata without a namespace.
      String valid =
          new String(message, UTF_8).replace("<kind>", "<k:kind xmlns:k='urn:k'>").replace("</kind>", "</k:kind>");
      validate(valid.getBytes(UTF_8));
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
      // The second time most of them are refused.
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
    }
  }

  @Test
  void requestsAndAnswersOfRns11AndItsCompanionsAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(), SoapSettings.DEFAULT));
    for (byte[] message : StandardMessages.rns11()) {
      String text = new String(message, UTF_8);
      // The published schema has no room for what only clients and servers of ours say, nor for a nil request;
      // two operations are not described yet.
      if (text.contains("<x:Extensions/>") || text.contains("x:recursive") || text.contains("LookupRequest i:nil")
          || text.contains("<p:QueryResourceProperties>") || text.contains("<l:SetTerminationTime>")) {
        continue;
      }
      String foreign = "<k:rnskv xmlns:k='urn:k' key='k'>v</k:rnskv>";
      String known = text.replaceAll("<k:RNSID.*</k:RNSID>", "");
      byte[] valid = known.replace("<rnskv key='k'>v</rnskv>", foreign).getBytes(UTF_8);
      validate(valid);
      validate(Entrances.fast(endpoint, valid));
      // The second time most items are refused.
      validate(Entrances.fast(endpoint, valid));
    }
  }

  @Test
  void faultsOfRns11AndItsCompanionsAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(), SoapSettings.DEFAULT));
    for (String request : List.of(
        "<n:AddRequest/>", "<n:AddRequest><n:entry/></n:AddRequest>",
        "<p:GetResourceProperty>n:size</p:GetResourceProperty>",
        "<l:Destroy/>", "<w:EndpointIdentifier>urn:x</w:EndpointIdentifier>",
        "<n:RenameRequest><n:rename-request source-name='a' target-name='..'/></n:RenameRequest>")) {
      byte[] answer = Entrances.fast(endpoint, HostileMessages.message("", request).getBytes(UTF_8));
      assertThat(new String(answer, UTF_8)).contains("ault");
      validate(answer);
    }
    byte[] unknown = HostileMessages.message("<x:Path>/none</x:Path>", "<n:LookupRequest/>").getBytes(UTF_8);
    validate(Entrances.fast(endpoint, unknown));
  }

  @Test
  void extendedRequestsAndAnswersAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(), SoapSettings.DEFAULT));
    for (long seed = 0; seed < 100; seed++) {
      for (byte[] message : requests(new WireValues(seed))) {
        validate(message);
        validate(Entrances.fast(endpoint, message));
      }
    }
  }

  @Test
  void everyExampleOfTheDocumentIsValid() throws Exception {
    for (ProtocolDocTest.Exchange exchange : ProtocolDocTest.exchanges()) {
      for (String message : List.of(exchange.request(), exchange.response())) {
        // Schemas of version 1.0 have no room for metadata without a namespace.
        String valid =
            message.replace("<rnskv key=\"state\">closed</rnskv>", "<k:rnskv xmlns:k='urn:k'>closed</k:rnskv>");
        validate(valid.getBytes(UTF_8));
      }
    }
  }

  private static List<byte[]> requests(WireValues values) {
    List<byte[]> requests = new ArrayList<>();
    for (RemoteCall<?> call : List.of(
        RemoteCall.add(values.addRequest()),
        RemoteCall.query(values.queryRequest()),
        RemoteCall.list(values.listRequest()),
        RemoteCall.update(values.updateRequest()),
        RemoteCall.remove(values.removeRequest()))) {
      XmlBuffer message = new XmlBuffer(16);
      call.writeTo(message, CallContext.ANONYMOUS);
      requests.add(message.toByteArray());
    }
    return requests;
  }

  /** Checks every header, and the body's child or the first child of a fault's detail. */
  private static void validate(byte[] message) throws IOException, ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Element envelope;
    // Foreign content may break rules that are not ours: a type nobody knows, an attribute WS-Addressing does not have.
    String ours = new String(message, UTF_8).replace(" xsi:type=\"q:type\"", "").replace(" wsa:other=\"1\"", "");
    byte[] untyped = ours.getBytes(UTF_8);
    try {
      envelope = factory.newDocumentBuilder().parse(new ByteArrayInputStream(untyped)).getDocumentElement();
    } catch (SAXException e) {
      throw new AssertionError(new String(message, UTF_8), e);
    }
    for (Element part : children(envelope)) {
      for (Element content : children(part)) {
        Element checked = content.getLocalName().equals("Fault") ? detail(content) : content;
        try {
          schema.newValidator().validate(new DOMSource(checked));
        } catch (SAXException e) {
          throw new AssertionError(e.getMessage() + " in " + new String(message, UTF_8), e);
        }
      }
    }
  }

  private static Element detail(Element fault) {
    List<Element> parts = children(fault);
    return children(parts.get(parts.size() - 1)).get(0);
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }
}
