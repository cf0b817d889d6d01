package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an entry: a sequence of XML elements of any namespace, preserved as given and each self-contained; at
 * most {@value Limits#METADATA_BYTES} bytes in total.
 *
 * <p>Simple keys and values are elements {@code <rnskv key="K">V</rnskv>} without a namespace. This is the form of the
 * RENKEI tools, so both implementations read each other's metadata.
 */
public final class Metadata {
  public static final Metadata NONE = new Metadata("");

  private static final String KEY_VALUE = "rnskv";
  private static final String KEY_VALUE_START = "<rnskv key=\"";
  private static final String KEY_VALUE_END = "</rnskv>";

  private final String xml;

  /** What the elements say of access, once it was asked for: the same whoever finds it out. */
  private @Nullable AccessRules access;

  private Metadata(String xml) {
    this.xml = xml;
  }

  /** Metadata from keys and values, in the order of the map. */
  public static Metadata of(Map<String, String> values) {
    if (values.isEmpty()) {
      return NONE;
    }
    XmlBuffer xml = new XmlBuffer(64 * values.size());
    values.forEach(
        (key, value) -> {
          xml.raw("<" + KEY_VALUE).attribute("key", key);
          if (value.isEmpty()) {
            xml.raw("/>");
          } else {
            xml.raw(">").text(value).raw(KEY_VALUE_END);
          }
        });
    return checked(xml.toString());
  }

  /** Metadata from elements returned by {@link XmlPull#fragment}. */
  public static Metadata ofFragments(List<String> fragments) {
    return fragments.isEmpty() ? NONE : checked(String.join("", fragments));
  }

  /**
   * Parses a sequence of XML elements.
   *
   * @throws RnsException if the text is not well-formed or too long
   */
  public static Metadata parse(String xml) {
    List<String> fragments = new ArrayList<>();
    each(xml, pull -> fragments.add(pull.fragment()));
    return ofFragments(fragments);
  }

  /** Restores metadata from the store, without validation. */
  public static Metadata stored(String xml) {
    return xml.isEmpty() ? NONE : new Metadata(xml);
  }

  /**
   * Reads the children of the current element as metadata and advances to the end of that element.
   *
   * @throws RnsException if they are too long in total
   */
  public static Metadata readChildren(XmlPull parent) {
    List<String> fragments = new ArrayList<>(2);
    long length = 0;
    while (parent.nextChild()) {
      String fragment = parent.fragment();
      length += fragment.length();
      // Check early: namespace declarations copied into each element can exceed the size of the message.
      Limits.check("metadata", length, Limits.METADATA_BYTES, "characters");
      fragments.add(fragment);
    }
    return ofFragments(fragments);
  }

  private static Metadata checked(String xml) {
    Limits.check("metadata", xml.getBytes(StandardCharsets.UTF_8).length, Limits.METADATA_BYTES, "bytes");
    return new Metadata(xml);
  }

  /** The elements as text; empty if there are none. */
  public String xml() {
    return xml;
  }

  public boolean isEmpty() {
    return xml.isEmpty();
  }

  /** The keys and values among the elements. The last value of a key wins; a value with child elements is ignored. */
  public Map<String, String> values() {
    return plainValues().orElseGet(this::parsedValues);
  }

  private Map<String, String> parsedValues() {
    Map<String, String> values = new LinkedHashMap<>();
    if (xml.contains(KEY_VALUE)) {
      each(
          xml,
          pull -> {
            String key = pull.is("", KEY_VALUE) ? pull.attribute("", "key") : null;
            if (key == null) {
              pull.skip();
            } else {
              String value = pull.textWithoutChildren();
              if (value != null) {
                values.put(key, value);
              }
            }
          });
    }
    return values;
  }

  /**
   * The same without a parser, which would take most of the time of listing a directory as JSON.
   *
   * @return empty unless there is nothing but elements as {@link #of} writes them, of different keys and without
   *         escapes: {@code of} makes the same metadata of the values
   */
  public Optional<Map<String, String>> plainValues() {
    Map<String, String> values = new LinkedHashMap<>();
    int at = 0;
    while (at < xml.length()) {
      int start = at + KEY_VALUE_START.length();
      int end = xml.indexOf('"', start);
      if (end < 0 || !xml.startsWith(KEY_VALUE_START, at)) {
        return Optional.empty();
      }
      String value = "";
      if (xml.startsWith("/>", end + 1)) {
        at = end + 3;
      } else {
        int tag = xml.indexOf('<', end);
        if (!xml.startsWith(">", end + 1) || !xml.startsWith(KEY_VALUE_END, tag) || tag == end + 2) {
          return Optional.empty();
        }
        value = xml.substring(end + 2, tag);
        at = tag + KEY_VALUE_END.length();
      }
      String key = xml.substring(start, end);
      if (!isPlain(key) || !isPlain(value) || values.put(key, value) != null) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }

  /** Whether a text is itself in XML, too. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '&' || c == '<' || c == '>') {
        return false;
      }
    }
    return true;
  }

  /** Returns a copy with some keys set and all other elements unchanged. A key with a null value stays unchanged. */
  public Metadata with(Map<String, String> changed) {
    List<String> kept = new ArrayList<>();
    each(
        xml,
        pull -> {
          String key = pull.is("", KEY_VALUE) ? pull.attribute("", "key") : null;
          String fragment = pull.fragment();
          if (key == null || !changed.containsKey(key)) {
            kept.add(fragment);
          }
        });
    return checked(String.join("", kept) + of(changed).xml);
  }

  // ---- access

  /**
   * What the elements say of access; {@link AccessRules#NONE} if they say nothing. Rules that cannot be understood,
   * which no server stores, permit nobody anything.
   */
  public AccessRules access() {
    AccessRules known = access;
    if (known == null) {
      try {
        known = givenAccess().orElse(AccessRules.NONE);
      } catch (RnsException e) {
        known = AccessRules.CLOSED;
      }
      access = known;
    }
    return known;
  }

  /**
   * The same as somebody gives it.
   *
   * @return empty if the elements say nothing of access
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED} if there is something
   *         wrong with it
   */
  public Optional<AccessRules> givenAccess() {
    if (!mayHaveAccess()) {
      return Optional.empty();
    }
    List<AccessRules> found = new ArrayList<>();
    each(
        xml,
        pull -> {
          if (isAccess(pull)) {
            found.add(AccessRules.read(pull));
          } else {
            pull.skip();
          }
        });
    if (found.size() > 1) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "the metadata has " + found.size() + " elements of access rules");
    }
    return found.stream().findFirst();
  }

  /** The name of an element is always written as it is. */
  private boolean mayHaveAccess() {
    return xml.contains(AccessRules.ELEMENT);
  }

  private static boolean isAccess(XmlPull pull) {
    return pull.is(AccessRules.NAMESPACE, AccessRules.ELEMENT);
  }

  /** The elements that do not concern access. */
  public Metadata withoutAccess() {
    if (!mayHaveAccess()) {
      return this;
    }
    List<String> kept = new ArrayList<>();
    each(
        xml,
        pull -> {
          if (isAccess(pull)) {
            pull.skip();
          } else {
            kept.add(pull.fragment());
          }
        });
    return ofFragments(kept);
  }

  /** Returns a copy that says this of access, and nothing if it is {@link AccessRules#NONE}. */
  public Metadata with(AccessRules given) {
    Metadata others = withoutAccess();
    return given.isNone() ? others : checked(others.xml + given.xml());
  }

  private interface Visitor {
    void visit(XmlPull element);
  }

  private static void each(String xml, Visitor visitor) {
    try (XmlPull pull = XmlPull.document("<m>" + xml + "</m>")) {
      while (pull.nextChild()) {
        visitor.visit(pull);
      }
      pull.finish();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metadata metadata && xml.equals(metadata.xml);
  }

  @Override
  public int hashCode() {
    return xml.hashCode();
  }

  @Override
  public String toString() {
    return xml;
  }
}
