package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.wire.HostileMessages;
import io.rns.wire.RemoteCall;
import io.rns.wire.WireValues;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.w3c.dom.Element;
import org.w3c.dom.Node;
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
        Stream.of("resource-faults.xsd", "rns-ext-1.xsd", "rns-11.xsd", "resource-properties.xsd", "resource-lifetime.xsd",
                "naming.xsd", "naming-resolve.xsd")
            .map(name -> new StreamSource(WSDL.resolve(name).toFile()))
            .toArray(Source[]::new);
    schema = factory.newSchema(sources);
  }

  @Test
  void wsimportMakesAClientOfIt(@TempDir Path generated) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] arguments = {"-keep", "-d", generated.toString(), WSDL.resolve("rns.wsdl").toString()};
    boolean done = new WsimportTool(said).run(arguments);
    assertThat(done).as(said.toString(UTF_8)).isTrue();
    try (Stream<Path> files = Files.walk(generated)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("RNSPortType.class", "RNSService.class", "RNSEntryExistsFault.class", "ResourceUnknownFault.class");
    }
    Path port = generated.resolve("org/ggf/schemas/rns/_2006/_05/rns/RNSPortType.java");
    assertThat(Files.readString(port)).contains("public ListResponse list(", "throws RNSFault");
  }

  @Test
  void standardRequestsAndAnswersAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(new ModelNameService(), SoapSettings.DEFAULT);
    for (byte[] message : StandardMessages.rns10()) {
      // Schemas of version 1.0 have no room for metadata without a namespace.
      String valid = new String(message, UTF_8).replace("<kind>", "<k:kind xmlns:k='urn:k'>").replace("</kind>", "</k:kind>");
      validate(valid.getBytes(UTF_8));
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
      // The second time most of them are refused.
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
    }
  }

  @Test
  void requestsAndAnswersOfRns11AndItsCompanionsAreValid() throws Exception {
    SoapEndpoint endpoint = new SoapEndpoint(new ModelNameService(), SoapSettings.DEFAULT);
    for (byte[] message : StandardMessages.rns11()) {
      String text = new String(message, UTF_8);
      // The published schema has no room for what only clients and servers of ours say, nor for a nil request.
      if (text.contains("<x:Extensions/>") || text.contains("x:recursive") || text.contains("LookupRequest i:nil")) {
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
    SoapEndpoint endpoint = new SoapEndpoint(new ModelNameService(), SoapSettings.DEFAULT);
    for (String request :
        List.of(
            "<n:AddRequest/>", "<n:AddRequest><n:entry/></n:AddRequest>", "<p:GetResourceProperty>n:size</p:GetResourceProperty>",
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
    SoapEndpoint endpoint = new SoapEndpoint(new ModelNameService(), SoapSettings.DEFAULT);
    for (long seed = 0; seed < 100; seed++) {
      for (byte[] message : requests(new WireValues(seed))) {
        validate(message);
        validate(Entrances.fast(endpoint, message));
      }
    }
  }

  private static List<byte[]> requests(WireValues values) {
    List<byte[]> requests = new ArrayList<>();
    for (RemoteCall<?> call :
        List.of(
            RemoteCall.add(values.addRequest()),
            RemoteCall.query(values.queryRequest()),
            RemoteCall.list(values.listRequest()),
            RemoteCall.update(values.updateRequest()),
            RemoteCall.remove(values.removeRequest()))) {
      XmlBuffer message = new XmlBuffer(16);
      call.writeTo(message, CallContext.ANONYMOUS, Optional.empty());
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
