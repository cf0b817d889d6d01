package io.rns.xml;

import io.rns.error.Limits;
import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLStreamReader;

/** Enforces the limits on the structure of one document. */
final class Bounds {
  /** Names that are not counted: most messages have fewer, so the check costs them nothing. */
  private static final int FREE_NAMES = 1_024;

  /** Levels and declarations that a response may add around a fragment from a request. */
  private static final int AROUND = 16;

  private static final int SHOWN_CHARS = 32;

  /** The origin of a document, which decides the limits. */
  enum Source {
    /** A request from any client. */
    REQUEST(Limits.XML_DEPTH, Limits.XML_NAMESPACES, Limits.XML_NAMES),
    /** The stored text of one entry, which may declare more than the request that contained it. */
    TEXT(Limits.XML_DEPTH, Limits.XML_NAMESPACES + AROUND, 2 * Limits.XML_NAMES),
    /** A response, which may combine the content of many requests. */
    ANSWER(Limits.XML_DEPTH + AROUND, Limits.XML_NAMESPACES + AROUND, 4 * Limits.XML_NAMES);

    private final int depth;
    private final int declarations;
    private final int names;

    Source(int depth, int declarations, int names) {
      this.depth = depth;
      this.declarations = declarations;
      this.names = names;
    }
  }

  private final Source source;
  private int names;
  private final Set<String> differentNames = new HashSet<>();
  /** Namespace declarations of the open elements, by depth. */
  private final int[] declarations;
  private int declarationsInScope;

  Bounds(Source source) {
    this.source = source;
    this.declarations = new int[source.depth + 1];
  }

  /** Counts the start tag at the position of {@code reader}. */
  void enter(XMLStreamReader reader, int depth) {
    Limits.check("the message", depth, source.depth, "levels of elements");
    int attributes = reader.getAttributeCount();
    int prefixes = reader.getNamespaceCount();
    if (attributes + prefixes > Limits.XML_ATTRIBUTES) {
      Limits.check(() -> "element '" + reader.getLocalName() + "'", attributes + prefixes, Limits.XML_ATTRIBUTES,
          "attributes");
    }
    declarations[depth] = prefixes;
    declarationsInScope += prefixes;
    Limits.check("the message", declarationsInScope, source.declarations, "namespace declarations in scope");
    boolean counted = countNames(1 + attributes + prefixes);
    check(reader.getLocalName(), counted);
    for (int i = 0; i < attributes; i++) {
      check(reader.getAttributeLocalName(i), counted);
    }
    for (int i = 0; i < prefixes; i++) {
      String prefix = reader.getNamespacePrefix(i);
      check(prefix == null ? "" : prefix, counted);
    }
  }

  /** Discards the declarations of the element that ends. */
  void leave(int depth) {
    declarationsInScope -= declarations[depth];
  }

  /** Counts the processing instruction at the position of {@code reader}: its target is a name as well. */
  void instruction(XMLStreamReader reader) {
    check(reader.getPITarget(), countNames(1));
  }

  private boolean countNames(int more) {
    if (names <= FREE_NAMES) {
      names += more;
    }
    return names > FREE_NAMES;
  }

  private void check(String name, boolean counted) {
    if (name.length() > Limits.XML_NAME_CHARS) {
      Limits.check("name '" + name.substring(0, SHOWN_CHARS) + "...'", name.length(), Limits.XML_NAME_CHARS,
          "characters");
    }
    if (counted && differentNames.add(name)) {
      Limits.check("the message", differentNames.size(), source.names,
          "different names of elements, attributes and prefixes");
    }
  }
}
