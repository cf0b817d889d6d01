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
 * A bounded pull reader: walks elements child by child over any StAX reader and refuses document type declarations,
 * entities, too deep nesting, and too many attributes, namespaces and different names.
 *
 * <p>Every method throws {@link RnsException} with {@link RnsError#MALFORMED_MESSAGE} or
 * {@link RnsError#LIMIT_EXCEEDED} where the document is not acceptable. A position is always a start element
 * ({@link #nextChild} true, or the start) or the end element of what was read last.
 */
public final class XmlPull implements AutoCloseable {
  private static final XMLInputFactory FACTORY = new ParserFactory();

  private final XMLStreamReader reader;
  private final boolean isOurs;
  private final Bounds bounds;
  private int depth;

  private XmlPull(XMLStreamReader reader, boolean isOurs, Source source) {
    this.reader = reader;
    this.isOurs = isOurs;
    this.bounds = new Bounds(source);
  }

  /** Reads a document of UTF-8 and moves to its root element. */
  public static XmlPull document(InputStream utf8) {
    return document(utf8, "UTF-8", Source.REQUEST);
  }

  /**
   * Reads a document of any encoding and moves to its root element.
   *
   * @param encoding its encoding, or null to find out from the document
   */
  public static XmlPull document(InputStream bytes, @Nullable String encoding) {
    return document(bytes, encoding, Source.REQUEST);
  }

  /**
   * Reads an answer: like {@link #document(InputStream)}, with room for what an answer puts around a fragment, and for
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

  /** Reads a document from {@code length} bytes of UTF-8, checked strictly. */
  public static XmlPull document(byte[] utf8, int length) {
    int bad = Utf8.firstBad(utf8, length);
    if (bad >= 0) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE,
          "the message is not UTF-8: byte " + bad + " has no place there");
    }
    return document(new ByteArrayInputStream(utf8, 0, length));
  }

  /** Reads a document from text, which may declare more than a request where it was kept from one. */
  public static XmlPull document(String text) {
    return document(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "UTF-8", Source.TEXT);
  }

  /**
   * Goes on where another reader stands: at or right before a start element, which is {@code depth} levels deep (1 for
   * a root).
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
      // Parsers report some bad input (lazily decoded characters, hostile sizes) with unchecked exceptions of their
      // own.
      throw malformed(e);
    }
  }

  private RnsException refused(XMLStreamException e) {
    // Our parser reports a bound of its own by the plain class, and bad XML by classes of its own.
    return isOurs && e.getClass() == XMLStreamException.class
        ? new RnsException(RnsError.LIMIT_EXCEEDED, "the message passes a bound of the XML parser: " + e.getMessage(),
            e)
        : malformed(e);
  }

  private static RnsException malformed(Exception e) {
    String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    return new RnsException(RnsError.MALFORMED_MESSAGE, "the message is not well-formed XML: " + message, e);
  }

  /**
   * Moves to the next child element of the element last entered, past anything else.
   *
   * @return false when there is none: the position is then the parent's end
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
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message ends in the middle");
      }
    }
  }

  /** Reads on to the end of the document, which shows that nothing bad follows. */
  public void finish() {
    while (next() != XMLStreamConstants.END_DOCUMENT) {
      if (reader.getEventType() == XMLStreamConstants.START_ELEMENT) {
        skip();
      }
    }
  }

  /** The element's namespace; empty if none. */
  public String namespace() {
    String uri = reader.getNamespaceURI();
    return uri == null ? "" : uri;
  }

  /** The element's local name. */
  public String localName() {
    return reader.getLocalName();
  }

  /** Whether the element has this name. */
  public boolean is(String namespace, String localName) {
    return reader.getLocalName().equals(localName) && namespace().equals(namespace);
  }

  /** The value of an attribute, or null; an empty namespace stands for none and not, as for many parsers, for any. */
  public @Nullable String attribute(String namespace, String localName) {
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      if (reader.getAttributeLocalName(i).equals(localName)) {
        String uri = reader.getAttributeNamespace(i);
        if (namespace.equals(uri == null ? "" : uri)) {
          return reader.getAttributeValue(i);
        }
      }
    }
    return null;
  }

  /** Whether any attribute is in the namespace. */
  public boolean hasAttributeIn(String namespace) {
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      if (namespace.equals(reader.getAttributeNamespace(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the element says {@code xsi:nil="true"}. */
  public boolean isNil() {
    String nil = attribute(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil");
    return nil != null && (nil.trim().equals("true") || nil.trim().equals("1"));
  }

  /** The encoding that the XML declaration names, or null if it names none. */
  public @Nullable String declaredEncoding() {
    return reader.getCharacterEncodingScheme();
  }

  /** The namespace bound to a prefix here, or null; at the end of an element its own bindings are still there. */
  public @Nullable String namespaceOf(String prefix) {
    return reader.getNamespaceURI(prefix);
  }

  /**
   * Reads the text of an element and moves to its end.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if there are child elements
   */
  public String text() {
    String text = textBeforeChild();
    if (text == null) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + reader.getLocalName() + "' stands where text is expected");
    }
    return text;
  }

  /**
   * Reads the text of an element as a qualified name and moves to its end.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if there are child elements,
   *         {@link RnsError#INVALID_REQUEST} if its prefix is not bound there
   */
  public QName qname() {
    String text = text().trim();
    int colon = text.indexOf(':');
    String prefix = colon < 0 ? "" : text.substring(0, colon);
    // The bindings of an element are there until its end is passed.
    String namespace = reader.getNamespaceURI(prefix);
    if (namespace == null && colon >= 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a qualified name has a prefix that is not bound there");
    }
    return new QName(namespace == null ? "" : namespace, text.substring(colon + 1));
  }

  /** Like {@link #text()}, but null if there are child elements. */
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
          throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message ends in the middle");
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

  /** How many elements are open here, that at the position included. */
  public int depth() {
    return depth;
  }

  /** Moves to the end of the element, past its content. */
  public void skip() {
    leave(depth);
  }

  /** Moves to the end of the open element that is {@code level} levels deep, from anywhere inside it. */
  public void leave(int level) {
    while (depth >= level) {
      if (next() == XMLStreamConstants.END_DOCUMENT) {
        throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message ends in the middle");
      }
    }
  }

  /**
   * Reads the element as self-contained text: prefixes, attributes, comments, processing instructions and white space
   * as they are, with the namespace declarations it inherits (those used by names and those that text or attribute
   * values seem to use as prefixes) added to its start tag. Reading the text back gives the same text.
   */
  public String fragment() {
    return new FragmentCapture(reader, this::next, this::lazyText, null).element();
  }

  /**
   * Like {@link #fragment()}; appends the text of the element itself, without that of its children, to {@code text}.
   */
  public String fragment(StringBuilder text) {
    return new FragmentCapture(reader, this::next, this::lazyText, text).element();
  }

  /**
   * The foreign attributes of the element as self-contained text: each with a leading space; empty if there are none.
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
