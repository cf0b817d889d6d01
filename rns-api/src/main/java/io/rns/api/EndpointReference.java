package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A WS-Addressing 1.0 endpoint reference, preserved as the XML received: foreign namespaces, attributes, comments and
 * mixed content survive. Parsing makes each child element self-contained once; the bytes never change afterwards.
 *
 * <p>Two references are equal if their XML is equal. WS-Addressing defines no equality; only a WS-Naming endpoint
 * identifier states that two references denote one resource.
 */
public final class EndpointReference {
  public static final String WSA = "http://www.w3.org/2005/08/addressing";

  private static final Pattern ABSOLUTE_START = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*+:.", Pattern.DOTALL);
  private static final String ADDRESS_START = "<wsa:Address xmlns:wsa=\"" + WSA + "\">";
  private static final String ADDRESS_END = "</wsa:Address>";
  private static final String NAMING = "http://schemas.ogf.org/naming/2006/08/naming";
  private static final String OLD_NAMING = "http://schemas.ggf.org/naming/2006/03/naming";

  private final String address;
  private final String attributes;
  private final String content;

  private EndpointReference(String address, String attributes, String content) {
    this.address = address;
    this.attributes = attributes;
    this.content = content;
  }

  /**
   * A reference that consists of an address.
   *
   * @param address an absolute URI
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the address is blank or contains white space or control
   *         characters
   */
  public static EndpointReference ofAddress(String address) {
    checkAddress(address);
    XmlBuffer content = new XmlBuffer(address.length() + 80);
    content.raw(ADDRESS_START).text(address).raw(ADDRESS_END);
    return checked(address, "", content.toString());
  }

  /**
   * A reference that consists of an address typed by a user or script. Stricter than {@link #ofAddress}, which SOAP
   * messages use: an address without a scheme is most likely a mistake.
   *
   * @param uri an absolute URI
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the address has no scheme, or for the reasons of
   *         {@link #ofAddress}
   */
  public static EndpointReference ofUri(String uri) {
    if (!ABSOLUTE_START.matcher(uri).lookingAt()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "'" + Text.shown(uri) + "' is not an absolute URI: it does not begin with a scheme like http:");
    }
    return ofAddress(uri);
  }

  /**
   * Parses one XML element of any name.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE}, {@link RnsError#INVALID_REQUEST} or
   *         {@link RnsError#LIMIT_EXCEEDED}
   */
  public static EndpointReference parse(String xml) {
    try (XmlPull pull = XmlPull.document(xml)) {
      EndpointReference reference = read(pull);
      pull.finish();
      return reference;
    }
  }

  /** Reads the reference at the current element of {@code pull} and advances to its end. */
  public static EndpointReference read(XmlPull pull) {
    String attributes = pull.foreignAttributes();
    String address = null;
    String only = "";
    StringBuilder several = null;
    while (pull.nextChild()) {
      String child;
      if (address == null && pull.is(WSA, "Address")) {
        StringBuilder text = new StringBuilder(64);
        child = pull.fragment(text);
        address = text.toString().trim();
      } else {
        child = pull.fragment();
      }
      if (several != null) {
        several.append(child);
      } else if (only.isEmpty()) {
        only = child;
      } else {
        several = new StringBuilder(only).append(child);
      }
      // Check early: namespace declarations copied into each child can exceed the size of the message.
      Limits.check("an endpoint reference", several == null ? only.length() : several.length(), Limits.EPR_BYTES,
          "characters");
    }
    if (address == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "an endpoint reference has no wsa:Address");
    }
    checkAddress(address);
    return checked(address, attributes, several == null ? only : several.toString());
  }

  /** Restores a reference from its parts, read from the store or sent by a trusted peer; nothing is checked. */
  public static EndpointReference stored(String address, String attributes, String content) {
    return new EndpointReference(address, attributes, content);
  }

  private static void checkAddress(String address) {
    boolean plain = !address.isEmpty();
    for (int i = 0; plain && i < address.length(); i++) {
      char c = address.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        int point = address.codePointAt(i);
        plain = !isRefused(point);
        i += Character.charCount(point) - 1;
      }
    }
    if (!plain) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "endpoint address '" + Text.shown(address)
              + "' is empty or has white space or characters that XML cannot represent");
    }
  }

  private static boolean isRefused(int c) {
    // codePoints() yields a surrogate only if it is unpaired.
    boolean unpaired = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c <= ' ' || Character.isISOControl(c) || unpaired || c == 0xfffe || c == 0xffff;
  }

  private static EndpointReference checked(String address, String attributes, String content) {
    // A char takes at most 3 bytes: most references need no exact count.
    if (content.length() + attributes.length() > Limits.EPR_BYTES / 3) {
      int bytes = content.getBytes(StandardCharsets.UTF_8).length + attributes.getBytes(StandardCharsets.UTF_8).length;
      Limits.check(() -> "the endpoint reference of '" + Text.shown(address) + "'", bytes, Limits.EPR_BYTES, "bytes");
    }
    return new EndpointReference(address, attributes, content);
  }

  public String address() {
    return address;
  }

  /** Whether the reference consists of its address, as {@link #ofAddress} makes it. */
  public boolean isAddressOnly() {
    if (!attributes.isEmpty()) {
      return false;
    }
    // Most addresses have nothing that is escaped.
    boolean plain =
        content.length() == ADDRESS_START.length() + address.length() + ADDRESS_END.length()
            && content.startsWith(ADDRESS_START)
            && content.startsWith(address, ADDRESS_START.length())
            && content.endsWith(ADDRESS_END);
    return plain || equals(ofAddress(address));
  }

  /** The foreign attributes of the element, each with a leading space; usually empty. */
  public String attributes() {
    return attributes;
  }

  /** The child elements in order, as self-contained XML. */
  public String content() {
    return content;
  }

  /** The WS-Naming endpoint identifier, in either of the two WS-Naming namespaces. */
  public Optional<String> endpointIdentifier() {
    // A plain URL hardly ever has one; skip the parsing.
    if (!content.contains("EndpointIdentifier")) {
      return Optional.empty();
    }
    try (XmlPull pull = XmlPull.document(xml())) {
      while (pull.nextChild()) {
        if (pull.is(WSA, "Metadata")) {
          return Optional.ofNullable(endpointIdentifier(pull));
        }
        pull.skip();
      }
      return Optional.empty();
    }
  }

  private static @Nullable String endpointIdentifier(XmlPull metadata) {
    while (metadata.nextChild()) {
      if (metadata.is(NAMING, "EndpointIdentifier") || metadata.is(OLD_NAMING, "EndpointIdentifier")) {
        return metadata.text().trim();
      }
      metadata.skip();
    }
    return null;
  }

  /** The whole reference as a {@code wsa:EndpointReference} element, as {@link #parse} accepts it. */
  public String xml() {
    String prefix = freePrefix();
    String name = prefix + ":EndpointReference";
    return "<" + name + " xmlns:" + prefix + "=\"" + WSA + "\"" + attributes + ">" + content + "</" + name + ">";
  }

  /**
   * A prefix for the element that does not occur in the text of the reference. Otherwise {@link #parse} would take text
   * that looks like a name with that prefix for a use of its declaration.
   */
  private String freePrefix() {
    String prefix = "wsa";
    String leaning = content.replace("<wsa:", "").replace("</wsa:", "");
    for (int i = 1; attributes.contains(prefix) || leaning.contains(prefix + ":"); i++) {
      prefix = "wsa" + i;
    }
    return prefix;
  }

  /** Appends the reference under another element name, as required by some specifications. */
  public void writeTo(XmlBuffer out, String elementName) {
    out.raw("<").raw(elementName).raw(attributes).raw(">").raw(content).raw("</").raw(elementName).raw(">");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EndpointReference epr && content.equals(epr.content) && attributes.equals(epr.attributes);
  }

  @Override
  public int hashCode() {
    return content.hashCode();
  }

  @Override
  public String toString() {
    return xml();
  }
}
