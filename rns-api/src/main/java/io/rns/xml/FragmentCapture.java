package io.rns.xml;

import io.rns.error.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Copies one element from a StAX reader to self-contained text. */
final class FragmentCapture {
  private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;
  private static final String OUR_PREFIX = "_";
  /**
   * The longest prefix with its colon, part of which a parser may have cut off, and one more character to detect a
   * longer one.
   */
  private static final int MAX_TAIL = Limits.XML_NAME_CHARS + 2;

  private final XMLStreamReader reader;
  private final IntSupplier next;
  private final Supplier<String> text;
  private final StringBuilder out = new StringBuilder(128);
  private final @Nullable StringBuilder rootText;
  /** Where the name of the element itself ends. */
  private int insertAt;
  /** Prefixes declared by the open elements inside the fragment. */
  private final Deque<Set<String>> declared = new ArrayDeque<>();
  /**
   * The previous piece of text, whose end the next piece may complete to a prefix: parsers split text anywhere.
   */
  private String lastText = "";
  /** The prefixes that the fragment uses but does not declare, and their namespaces. */
  private final Map<String, String> inherited = new LinkedHashMap<>();

  /**
   * Copies from {@code reader}; {@code rootText}, if present, receives the text of the element, without that of
   * children.
   */
  FragmentCapture(
      XMLStreamReader reader, IntSupplier next, Supplier<String> text, @Nullable StringBuilder rootText) {
    this.reader = reader;
    this.next = next;
    this.text = text;
    this.rootText = rootText;
  }

  String element() {
    String prefix = reader.getPrefix();
    String localName = reader.getLocalName();
    int rootAttributes = reader.getAttributeCount() + reader.getNamespaceCount();
    boolean open = startTag();
    while (!declared.isEmpty()) {
      switch (next.getAsInt()) {
        case XMLStreamConstants.START_ELEMENT -> {
          close(open);
          lastText = "";
          open = startTag();
        }
        case XMLStreamConstants.END_ELEMENT -> {
          endTag(open);
          lastText = "";
          open = false;
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          String characters = text.get();
          if (!characters.isEmpty()) {
            close(open);
            open = false;
            String joined = lastText.isEmpty() ? characters : tail(lastText) + characters;
            inheritPrefixesIn(joined);
            lastText = joined;
            escape(out, characters, false);
            if (rootText != null && declared.size() == 1) {
              rootText.append(characters);
            }
          }
        }
        case XMLStreamConstants.COMMENT -> {
          close(open);
          open = false;
          out.append("<!--").append(text.get()).append("-->");
        }
        case XMLStreamConstants.PROCESSING_INSTRUCTION -> {
          close(open);
          open = false;
          instruction();
        }
        default -> {
        }
      }
    }
    // Inherited declarations count as attributes of the root: the stored text must be readable again.
    Limits.check(() -> "element '" + name(new StringBuilder(), prefix, localName) + "'",
        rootAttributes + inherited.size(), Limits.XML_ATTRIBUTES,
        "attributes");
    return inherited.isEmpty() ? out.toString() : out.insert(insertAt, declarations()).toString();
  }

  private void close(boolean open) {
    if (open) {
      out.append('>');
    }
  }

  private void endTag(boolean open) {
    declared.pop();
    if (open) {
      out.append("/>");
    } else {
      name(out.append("</"), reader.getPrefix(), reader.getLocalName()).append('>');
    }
  }

  private void instruction() {
    out.append("<?").append(reader.getPITarget());
    String data = reader.getPIData();
    if (data != null && !data.isEmpty()) {
      out.append(' ').append(data);
    }
    out.append("?>");
  }

  private boolean startTag() {
    declared.push(ownPrefixes());
    name(out.append('<'), reader.getPrefix(), reader.getLocalName());
    if (declared.size() == 1) {
      insertAt = out.length();
    }
    inherit(nonNull(reader.getPrefix()), reader.getNamespaceURI());
    for (int i = 0; i < reader.getNamespaceCount(); i++) {
      declaration(out, nonNull(reader.getNamespacePrefix(i)), nonNull(reader.getNamespaceURI(i)));
    }
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String prefix = nonNull(reader.getAttributePrefix(i));
      if (!prefix.isEmpty()) {
        inherit(prefix, reader.getAttributeNamespace(i));
      }
      attribute(i, prefix);
    }
    return true;
  }

  private Set<String> ownPrefixes() {
    int count = reader.getNamespaceCount();
    if (count == 0) {
      return Set.of();
    }
    if (count == 1) {
      return Set.of(nonNull(reader.getNamespacePrefix(0)));
    }
    Set<String> own = new HashSet<>();
    for (int i = 0; i < count; i++) {
      own.add(nonNull(reader.getNamespacePrefix(i)));
    }
    return own;
  }

  private void attribute(int index, String prefix) {
    String value = reader.getAttributeValue(index);
    inheritPrefixesIn(value);
    String localName = reader.getAttributeLocalName(index);
    if (localName.equals("type") && value.indexOf(':') < 0 && XSI.equals(reader.getAttributeNamespace(index))) {
      // The only QName in the specifications that uses the default namespace.
      inheritBinding("");
    }
    name(out.append(' '), prefix, localName).append("=\"");
    escape(out, value, true);
    out.append('"');
  }

  private void inherit(String prefix, @Nullable String uri) {
    // Bound everywhere; nobody may declare the second one.
    if (prefix.equals(XMLConstants.XML_NS_PREFIX) || prefix.equals(XMLConstants.XMLNS_ATTRIBUTE)
        || isDeclared(prefix)) {
      return;
    }
    String namespace = nonNull(uri);
    if (prefix.isEmpty() && namespace.isEmpty()) {
      return;
    }
    inherited.put(prefix, namespace);
  }

  private boolean isDeclared(String prefix) {
    for (Set<String> element : declared) {
      if (element.contains(prefix)) {
        return true;
      }
    }
    return inherited.containsKey(prefix);
  }

  /**
   * QNames in content ({@code xsi:type}, {@code wsa:PortType}) depend on bindings that no element name reveals.
   * Prefixes that begin with an underscore belong to our own messages: text that looks like one is plain text and must
   * not change because one of our messages carried it.
   */
  private void inheritPrefixesIn(String value) {
    for (int colon = value.indexOf(':'); colon > 0; colon = value.indexOf(':', colon + 1)) {
      int start = colon;
      while (start > 0 && isNameCharacter(value.charAt(start - 1))) {
        start--;
      }
      boolean qname = start < colon && colon + 1 < value.length() && isNameCharacter(value.charAt(colon + 1));
      if (qname) {
        String prefix = value.substring(start, colon);
        if (!prefix.startsWith(OUR_PREFIX)) {
          inheritBinding(prefix);
        }
      }
    }
  }

  private void inheritBinding(String prefix) {
    String uri = isDeclared(prefix) ? null : reader.getNamespaceContext().getNamespaceURI(prefix);
    if (uri != null && !uri.isEmpty() && !uri.equals(SOAP_11) && !uri.equals(SOAP_12)) {
      inherit(prefix, uri);
    }
  }

  private static String tail(String characters) {
    int start = characters.length();
    int least = Math.max(0, start - MAX_TAIL);
    while (start > least && (isNameCharacter(characters.charAt(start - 1)) || characters.charAt(start - 1) == ':')) {
      start--;
    }
    return characters.substring(start);
  }

  private static boolean isNameCharacter(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
  }

  private static void escape(StringBuilder out, String value, boolean attribute) {
    int plain = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      String escape = XmlBuffer.isPlain(c) ? null : XmlBuffer.escape(c, attribute);
      if (escape != null) {
        out.append(value, plain, i).append(escape);
        plain = i + 1;
      }
    }
    if (plain == 0) {
      // Copied at once.
      out.append(value);
    } else {
      out.append(value, plain, value.length());
    }
  }

  private StringBuilder declarations() {
    StringBuilder declarations = new StringBuilder();
    inherited.forEach((prefix, uri) -> declaration(declarations, prefix, uri));
    return declarations;
  }

  private static void declaration(StringBuilder out, String prefix, String uri) {
    out.append(" xmlns");
    if (!prefix.isEmpty()) {
      out.append(':').append(prefix);
    }
    escape(out.append("=\""), uri, true);
    out.append('"');
  }

  /** The foreign attributes of the element, preceded by the declarations that they and their values depend on. */
  static String foreignAttributes(XMLStreamReader reader) {
    if (reader.getAttributeCount() == 0) {
      return "";
    }
    // The reader does not advance, so neither events nor text are needed.
    return new FragmentCapture(reader, reader::getEventType, reader::getText, null).foreignAttributes();
  }

  private String foreignAttributes() {
    int attributes = 0;
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String uri = nonNull(reader.getAttributeNamespace(i));
      if (!uri.isEmpty() && !uri.equals(XSI)) {
        String prefix = attributePrefix(nonNull(reader.getAttributePrefix(i)));
        inherit(prefix, uri);
        attribute(i, prefix);
        attributes++;
      }
    }
    // One less, for the declaration of the prefix of the element that will carry them.
    Limits.check("an endpoint reference", attributes + inherited.size(), Limits.XML_ATTRIBUTES - 1, "attributes");
    return declarations().append(out).toString();
  }

  /** Next to a declaration of one of our prefixes, an element of ours would change its namespace. */
  private String attributePrefix(String prefix) {
    String free = prefix;
    while (free.startsWith(OUR_PREFIX) || (!free.equals(prefix) && isBound(free))) {
      free = "n" + free;
    }
    return free;
  }

  private boolean isBound(String prefix) {
    String uri = reader.getNamespaceContext().getNamespaceURI(prefix);
    return uri != null && !uri.isEmpty();
  }

  private static StringBuilder name(StringBuilder out, @Nullable String prefix, String localName) {
    if (prefix != null && !prefix.isEmpty()) {
      out.append(prefix).append(':');
    }
    return out.append(localName);
  }

  private static String nonNull(@Nullable String value) {
    return value == null ? "" : value;
  }
}
