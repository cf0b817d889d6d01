package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
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
        Stream.of("resource-faults.xsd", "rns-ext-1.xsd")
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
    for (byte[] message : StandardMessages.all()) {
      // Schemas of version 1.0 have no room for metadata without a namespace.
      String valid = new String(message, UTF_8).replace("<kind>", "<k:kind xmlns:k='urn:k'>").replace("</kind>", "</k:kind>");
      validate(valid.getBytes(UTF_8));
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
      // The second time most of them are refused.
      validate(Entrances.fast(endpoint, valid.getBytes(UTF_8)));
    }
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
