package io.rns.local;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A reference of a directory as someone knows it who has read RNS 1.1, WS-Addressing and WS-Naming and has an XML
 * parser and HTTP: nothing of ours.
 *
 * @param address where it leads
 * @param parameters what goes into the header of messages there, as it is written
 * @param identifier its endpoint identifier
 * @param resolvers the addresses of those who answer identifiers, in their order
 */
record PlainReference(String address, String parameters, String identifier, List<String> resolvers) {
  private static final String RNS = "http://schemas.ogf.org/rns/2009/12/rns";
  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String NAMING = "http://schemas.ogf.org/naming/2006/08/naming";
  private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** That of an entry of the root, as a service tells it. */
  static PlainReference lookup(String service, String name) throws IOException {
    String body = "<n:LookupRequest xmlns:n='" + RNS + "'><n:entry-name>" + name + "</n:entry-name></n:LookupRequest>";
    return of((Element) post(service, "", body).getElementsByTagNameNS(RNS, "endpoint").item(0));
  }

  /** What a resolver answers for the identifier; empty if it cannot be reached or knows nothing. */
  Optional<PlainReference> resolve(String resolver) {
    try {
      String body = "<w:EndpointIdentifier xmlns:w='" + NAMING + "'>" + identifier + "</w:EndpointIdentifier>";
      NodeList found = post(resolver, "", body).getElementsByTagNameNS(ADDRESSING, "EndpointReference");
      return Optional.ofNullable((Element) found.item(0)).map(PlainReference::of);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The names in the directory, asked where the reference leads. */
  List<String> list() throws IOException {
    NodeList entries = post(address, parameters, "<n:LookupRequest xmlns:n='" + RNS + "'/>").getElementsByTagNameNS(RNS,
        "entry-response");
    return elements(entries).stream().map(entry -> entry.getAttribute("entry-name")).toList();
  }

  private static PlainReference of(Element reference) {
    Element parameters = (Element) reference.getElementsByTagNameNS(ADDRESSING, "ReferenceParameters").item(0);
    StringBuilder headers = new StringBuilder();
    elements(parameters.getElementsByTagName("*")).forEach(parameter -> headers.append(text(parameter)));
    List<String> resolvers = new ArrayList<>();
    for (Element resolver : elements(reference.getElementsByTagNameNS(NAMING, "EndpointIdentifierResolver"))) {
      resolvers.add(content(resolver, ADDRESSING, "Address"));
    }
    String identifier = content(reference, NAMING, "EndpointIdentifier");
    return new PlainReference(content(reference, ADDRESSING, "Address"), headers.toString(), identifier,
        List.copyOf(resolvers));
  }

  private static String content(Element within, String namespace, String name) {
    return within.getElementsByTagNameNS(namespace, name).item(0).getTextContent();
  }

  private static List<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  private static String text(Element element) {
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      StringWriter text = new StringWriter();
      transformer.transform(new DOMSource(element), new StreamResult(text));
      return text.toString();
    } catch (TransformerException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Element post(String address, String headers, String body) throws IOException {
    String message =
        "<s:Envelope xmlns:s='" + SOAP + "'><s:Header>" + headers + "</s:Header><s:Body>" + body
            + "</s:Body></s:Envelope>";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(BOUND)
            .header("Content-Type", "text/xml; charset=utf-8")
            .POST(BodyPublishers.ofString(message))
            .build();
    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      byte[] answer = http.send(request, BodyHandlers.ofByteArray()).body();
      DocumentBuilderFactory parsers = DocumentBuilderFactory.newDefaultNSInstance();
      return parsers.newDocumentBuilder().parse(new ByteArrayInputStream(answer)).getDocumentElement();
    } catch (SAXException e) {
      throw new IOException("no message", e);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
