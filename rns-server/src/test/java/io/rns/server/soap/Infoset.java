package io.rns.server.soap;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What a document says, whatever its prefixes: one line per element, attribute and text. */
final class Infoset {
  private Infoset() {}

  /** The lines of a document; white space between elements counts only if {@code exact}. */
  static List<String> of(byte[] document, boolean exact) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(document));
    List<String> lines = new ArrayList<>();
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          lines.add("<{" + reader.getNamespaceURI() + "}" + reader.getLocalName());
          lines.addAll(attributes(reader));
        }
        case XMLStreamConstants.END_ELEMENT -> lines.add(">");
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (exact || !reader.getText().isBlank()) {
            lines.add("\"" + reader.getText());
          }
        }
        case XMLStreamConstants.COMMENT -> lines.add("!" + reader.getText());
        case XMLStreamConstants.PROCESSING_INSTRUCTION ->
          lines.add("?" + reader.getPITarget() + " " + reader.getPIData());
        default -> {
        }
      }
    }
    return lines;
  }

  private static Set<String> attributes(XMLStreamReader reader) {
    Set<String> attributes = new TreeSet<>();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      attributes.add(
          "@{" + reader.getAttributeNamespace(i) + "}" + reader.getAttributeLocalName(i) + "="
              + reader.getAttributeValue(i));
    }
    return attributes;
  }
}
