package io.rns.wire.rns;

import io.rns.api.Metadata;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a resource is marked as supporting RNS. The mark of a link is stored as an element of its metadata, where
 * clients of RNS 1.0 see and preserve it; a missing mark means unknown and is not stored. Our own directories always
 * support RNS, whatever a request says.
 */
public enum SupportsRns {
  TRUE("true"), FALSE("false"),
  /** Not specified. */
  UNKNOWN("unknown");

  private static final String ELEMENT = "supports-rns";

  private final String text;
  private final String kept;

  SupportsRns(String text) {
    this.text = text;
    this.kept = "<rns:" + ELEMENT + " xmlns:rns=\"" + Namespaces.RNS_11 + "\" value=\"" + text + "\"/>";
  }

  /** The value in messages. */
  public String text() {
    return text;
  }

  /** The element as in RNS 1.1. */
  public String element() {
    return "<_n:" + ELEMENT + " value=\"" + text + "\"/>";
  }

  /** Adds the mark to metadata without one. */
  public Metadata with(Metadata others) {
    return others.isEmpty() ? with(List.of()) : with(List.of(others.xml()));
  }

  /** Adds the mark to other elements. */
  public Metadata with(List<String> fragments) {
    if (this == UNKNOWN) {
      return Metadata.ofFragments(fragments);
    }
    List<String> all = new ArrayList<>(fragments.size() + 1);
    all.add(kept);
    all.addAll(fragments);
    return Metadata.ofFragments(all);
  }

  static boolean isAt(XmlPull pull) {
    return pull.is(Namespaces.RNS_11, ELEMENT);
  }

  /** Reads the element at {@code pull} and moves to its end. */
  static SupportsRns read(XmlPull pull) {
    SupportsRns value = of(Markup.required(pull, "value"));
    if (value == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "attribute 'value' of '" + ELEMENT + "' is none of true, false and unknown");
    }
    pull.skip();
    return value;
  }

  private static @Nullable SupportsRns of(@Nullable String text) {
    for (SupportsRns value : values()) {
      if (text != null && value.text.equals(text.trim())) {
        return value;
      }
    }
    return null;
  }

  /**
   * Metadata in two parts.
   *
   * @param supportsRns the mark
   * @param rest the other elements
   */
  public record Split(SupportsRns supportsRns, String rest) {}

  /** The mark in metadata. */
  public static SupportsRns of(Metadata metadata) {
    return split(metadata).supportsRns();
  }

  /** Separates the mark from metadata. */
  public static Split split(Metadata metadata) {
    String xml = metadata.xml();
    if (!xml.contains(ELEMENT)) {
      return new Split(UNKNOWN, xml);
    }
    for (SupportsRns value : values()) {
      // Our own stored form needs no parsing.
      if (xml.startsWith(value.kept) && xml.indexOf(ELEMENT, value.kept.length()) < 0) {
        return new Split(value, xml.substring(value.kept.length()));
      }
    }
    SupportsRns mark = null;
    StringBuilder rest = new StringBuilder(xml.length());
    try (XmlPull pull = XmlPull.document("<m>" + xml + "</m>")) {
      while (pull.nextChild()) {
        if (isAt(pull)) {
          mark = mark == null ? of(pull.attribute("", "value")) : mark;
          pull.skip();
        } else {
          rest.append(pull.fragment());
        }
      }
    }
    return new Split(mark == null ? UNKNOWN : mark, rest.toString());
  }
}
