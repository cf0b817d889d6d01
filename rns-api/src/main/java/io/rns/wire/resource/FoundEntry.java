package io.rns.wire.resource;

import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/**
 * The result of a query for one entry: the content of an {@code rns:RNSEntryResponseType}.
 *
 * @param name its attribute {@code entry-name}
 * @param content its child elements: self-contained XML, in order
 */
public record FoundEntry(String name, String content) {
  /**
   * Parses one {@code rns:RNSEntryResponseType}, or an element of that type.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#INVALID_REQUEST} if it has no name
   */
  public static FoundEntry parse(String xml) {
    try (XmlPull pull = XmlPull.document(xml)) {
      FoundEntry entry = read(pull);
      pull.finish();
      return entry;
    }
  }

  /** Reads the element at {@code pull} and moves to its end. */
  static FoundEntry read(XmlPull pull) {
    String name = Markup.required(pull, "entry-name");
    StringBuilder content = new StringBuilder();
    while (pull.nextChild()) {
      content.append(pull.fragment());
    }
    return new FoundEntry(name, content.toString());
  }

  /** Appends it as an element of the given name. */
  void writeTo(XmlBuffer out, String element) {
    out.raw("<").raw(element).attribute("entry-name", name).raw(">").raw(content).raw("</").raw(element).raw(">");
  }

  /** The element that represents it in the responses of an iterator. */
  public String element() {
    XmlBuffer out = new XmlBuffer(content.length() + name.length() + 128);
    out.raw("<_n:RNSEntryResponseType xmlns:_n=\"" + Namespaces.RNS_11 + "\"").attribute("entry-name", name);
    return out.raw(">").raw(content).raw("</_n:RNSEntryResponseType>").toString();
  }
}
