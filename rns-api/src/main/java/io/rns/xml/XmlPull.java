package io.rns.xml;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.Bounds.Source;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pull reader: walks elements child by child over any StAX reader. Refuses document type declarations and
 * entities, and limits nesting, attributes, namespaces and distinct names.
 *
 * <p>Every method throws {@link RnsException} with {@link RnsError#MALFORMED_MESSAGE} or
 * {@link RnsError#LIMIT_EXCEEDED} for an unacceptable document. The position is always a start element (initially, or
 * after {@link #nextChild} returned true) or the end element of what was read last.
 */
public final class XmlPull implements AutoCloseable {
  private static final XMLInputFactory FACTORY = new ParserFactory();

  private final XMLStreamReader reader;
  private final boolean isOurs;
  private final Bounds bounds;
  private int depth;
  /** Behind the attribute that was found last, of whatever element: where the search begins. */
  private int nextAttribute;

  private XmlPull(XMLStreamReader reader, boolean isOurs, Source source) {
    this.reader = reader;
    this.isOurs = isOurs;
    this.bounds = new Bounds(source);
  }

  /** Opens a UTF-8 document and moves to its root element. */
  public static XmlPull document(InputStream utf8) {
    return document(utf8, "UTF-8", Source.REQUEST);
  }

  /**
   * Opens a document in any encoding and moves to its root element.
   *
   * @param encoding the encoding, or null to detect it from the document
   */
  public static XmlPull document(InputStream bytes, @Nullable String encoding) {
    return document(bytes, encoding, Source.REQUEST);
  }

  /**
   * Opens a response: like {@link #document(InputStream)}, with room for what a response adds around a fragment and for
   * the names of many requests.
   */
  public static XmlPull answer(InputStream utf8) {
    return document(utf8, "UTF-8", Source.ANSWER);
  }

  private static XmlPull document(InputStream bytes, @Nullable String encoding, Source source) {
    try {
      XmlPull pull = new XmlPull(FACTORY.createXMLStreamReader(bytes, encoding), true, source);
      if ("1.1".equals(pull.reader.getVersion())) {
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is XML 1.1; only XML 1.0 is read");
      }
      pull.toRoot();
      return pull;
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
  }

  /** Opens a document of {@code length} bytes of strictly validated UTF-8. */
  public static XmlPull document(byte[] utf8, int length) {
    int bad = Utf8.firstBad(utf8, length);
    if (bad >= 0) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE,
          "the message is not UTF-8: invalid byte " + bad);
    }
    return document(new ByteArrayInputStream(utf8, 0, length));
  }

  /** Opens a document from text, which may have more declarations than a request if it was stored from one. */
  public static XmlPull document(String text) {
    return document(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "UTF-8", Source.TEXT);
  }

  /**
   * Continues from another reader, positioned at or right before a start element that is {@code depth} levels deep (1
   * for a root).
   */
  public static XmlPull at(XMLStreamReader reader, int depth) {
    XmlPull pull = new XmlPull(reader, false, Source.REQUEST);
    if (reader.getEventType() == XMLStreamConstants.START_ELEMENT) {
      pull.depth = depth;
      pull.bounds.enter(reader, depth);
    } else {
      pull.depth = depth - 1;
      pull.toRoot();
    }
    return pull;
  }

  private void toRoot() {
    while (next() != XMLStreamConstants.START_ELEMENT) {
      if (reader.getEventType() == XMLStreamConstants.END_DOCUMENT) {
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is empty");
      }
    }
  }

  private int next() {
    try {
      int event = reader.next();
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          depth++;
          bounds.enter(reader, depth);
        }
        case XMLStreamConstants.END_ELEMENT -> {
          bounds.leave(depth);
          depth--;
        }
        case XMLStreamConstants.PROCESSING_INSTRUCTION -> bounds.instruction(reader);
        case XMLStreamConstants.DTD ->
          throw new RnsException(RnsError.MALFORMED_MESSAGE, "a document type declaration (DTD) is refused");
        case XMLStreamConstants.ENTITY_REFERENCE ->
          throw new RnsException(RnsError.MALFORMED_MESSAGE, "an entity reference is refused");
        default -> {
        }
      }
      return event;
    } catch (XMLStreamException e) {
      throw refused(e);
    } catch (RnsException e) {
      throw e;
    } catch (RuntimeException e) {
      // Parsers report some bad input (lazily decoded characters, excessive sizes) with unchecked exceptions.
      throw malformed(e);
    }
  }

  private RnsException refused(XMLStreamException e) {
    // Our parser reports an exceeded limit of its own with the base class, and bad XML with subclasses.
    return isOurs && e.getClass() == XMLStreamException.class
        ? new RnsException(RnsError.LIMIT_EXCEEDED, "the message exceeds a limit of the XML parser: " + e.getMessage(),
            e)
        : malformed(e);
  }

  private static RnsException malformed(Exception e) {
    String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    return new RnsException(RnsError.MALFORMED_MESSAGE, "the message is not well-formed XML: " + message, e);
  }

  /**
   * Moves to the next child element of the element last entered, skipping everything else.
   *
   * @return false if there is none: the position is then the parent's end
   */
  public boolean nextChild() {
    while (true) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT) {
        return false;
      }
      if (event == XMLStreamConstants.END_DOCUMENT) {
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is truncated");
      }
    }
  }

  /** Reads to the end of the document, which proves that nothing malformed follows. */
  public void finish() {
    while (next() != XMLStreamConstants.END_DOCUMENT) {
      if (reader.getEventType() == XMLStreamConstants.START_ELEMENT) {
        skip();
      }
    }
  }

  /** The namespace of the element; empty if none. */
  public String namespace() {
    String uri = reader.getNamespaceURI();
    return uri == null ? "" : uri;
  }

  /** The local name of the element. */
  public String localName() {
    return reader.getLocalName();
  }

  /** Whether the element has this name. */
  public boolean is(String namespace, String localName) {
    return reader.getLocalName().equals(localName) && namespace().equals(namespace);
  }

  /**
   * The value of an attribute, or null. An empty namespace means no namespace, not any namespace as in many parsers.
   */
  public @Nullable String attribute(String namespace, String localName) {
    // Attributes are mostly asked for in their order.
    int count = reader.getAttributeCount();
    int at = nextAttribute;
    for (int left = count; left > 0; left--) {
      at = at < count ? at : 0;
      if (reader.getAttributeLocalName(at).equals(localName)) {
        String uri = reader.getAttributeNamespace(at);
        if (namespace.equals(uri == null ? "" : uri)) {
          nextAttribute = at + 1;
          return reader.getAttributeValue(at);
        }
      }
      at++;
    }
    return null;
  }

  /** Whether the element has {@code xsi:nil="true"}. */
  public boolean isNil() {
    String nil = attribute(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
    return nil != null && (nil.trim().equals("true") || nil.trim().equals("1"));
  }

  /** The namespace bound to a prefix here, or null; at the end of an element its own bindings are still in scope. */
  public @Nullable String namespaceOf(String prefix) {
    return reader.getNamespaceURI(prefix);
  }

  /**
   * Reads the text of an element and moves to its end.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if it has child elements
   */
  public String text() {
    String text = textBeforeChild();
    if (text == null) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + reader.getLocalName() + "' found where text is expected");
    }
    return text;
  }

  /**
   * Reads the text of an element as a qualified name and moves to its end.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if it has child elements, {@link RnsError#INVALID_REQUEST}
   *         if the prefix is not bound
   */
  public QName qname() {
    String text = text().trim();
    int colon = text.indexOf(':');
    String prefix = colon < 0 ? "" : text.substring(0, colon);
    // The bindings of an element stay in scope until its end is passed.
    String namespace = reader.getNamespaceURI(prefix);
    if (namespace == null && colon >= 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a qualified name has a prefix that is not bound");
    }
    return new QName(namespace == null ? "" : namespace, text.substring(colon + 1));
  }

  /** Like {@link #text()}, but returns null if there are child elements. */
  public @Nullable String textWithoutChildren() {
    int level = depth;
    String text = textBeforeChild();
    if (text == null) {
      leave(level);
    }
    return text;
  }

  private @Nullable String textBeforeChild() {
    String single = null;
    StringBuilder many = null;
    while (true) {
      switch (next()) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          String part = lazyText();
          if (single == null) {
            single = part;
          } else {
            many = many == null ? new StringBuilder(single) : many;
            many.append(part);
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          return many != null ? many.toString() : single == null ? "" : single;
        }
        case XMLStreamConstants.START_ELEMENT -> {
          return null;
        }
        case XMLStreamConstants.END_DOCUMENT ->
          throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is truncated");
        default -> {
        }
      }
    }
  }

  private String lazyText() {
    try {
      return reader.getText();
    } catch (RuntimeException e) {
      throw malformed(e);
    }
  }

  /** The number of open elements, including the one at the position. */
  public int depth() {
    return depth;
  }

  /** Moves to the end of the element, skipping its content. */
  public void skip() {
    leave(depth);
  }

  /** Moves to the end of the open element that is {@code level} levels deep, from anywhere inside it. */
  public void leave(int level) {
    while (depth >= level) {
      if (next() == XMLStreamConstants.END_DOCUMENT) {
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is truncated");
      }
    }
  }

  /**
   * Reads the element as self-contained text. Prefixes, attributes, comments, processing instructions and white space
   * are preserved. The start tag gains the inherited namespace declarations that names use, or that text and attribute
   * values appear to use. Reading the text back returns the same text.
   */
  public String fragment() {
    return capture(null);
  }

  /** Like {@link #fragment()}; also appends the text of the element, without that of its children, to {@code text}. */
  public String fragment(StringBuilder text) {
    return capture(text);
  }

  private String capture(@Nullable StringBuilder text) {
    try {
      return new FragmentCapture(reader, this::next, this::lazyText, text).element();
    } catch (RnsException e) {
      throw e;
    } catch (RuntimeException e) {
      // The content of an instruction is read lazily, too.
      throw malformed(e);
    }
  }

  /**
   * The foreign attributes of the element as self-contained text, each with a leading space; empty if there are none.
   */
  public String foreignAttributes() {
    return FragmentCapture.foreignAttributes(reader);
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
  }
}
