package io.rns.wire;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/**
 * Markup shared by all codecs.
 *
 * <p>Our messages use unusual prefixes and never a default namespace. They contain foreign fragments verbatim, and text
 * in these that looks like {@code soap:x} must not pass for a use of our prefix when a receiver captures the fragment
 * again.
 */
public final class Markup {
  /** Declarations of the prefixes of a payload, which is self-contained so that any envelope can hold it. */
  public static final String DECLARATIONS =
      " xmlns:_r=\"" + Namespaces.RNS + "\" xmlns:_x=\"" + Namespaces.EXT + "\" xmlns:_a=\"" + Namespaces.WSA + "\"";

  /** Declarations of the prefixes of a payload of RNS 1.1. */
  public static final String DECLARATIONS_11 =
      " xmlns:_n=\"" + Namespaces.RNS_11 + "\" xmlns:_x=\"" + Namespaces.EXT + "\" xmlns:_a=\"" + Namespaces.WSA + "\"";

  private static final int SHOWN_CHARS = 100;

  private Markup() {}

  /** A boolean attribute of our extensions; defaults to false. */
  public static boolean flag(XmlPull pull, String namespace, String name) {
    String value = pull.attribute(namespace, name);
    if (value == null) {
      return false;
    }
    return switch (value.trim()) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default ->
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "attribute '" + name + "' of '" + pull.localName() + "' is neither true nor false");
    };
  }

  /**
   * The text of a path without the indentation around it: white space at either end that contains a line break or a
   * tab, which no name contains. Spaces alone may belong to a name.
   */
  public static String unindented(String text) {
    int start = 0;
    int end = text.length();
    boolean before = false;
    boolean behind = false;
    for (; start < end && text.charAt(start) <= ' '; start++) {
      before |= text.charAt(start) != ' ';
    }
    for (; end > start && text.charAt(end - 1) <= ' '; end--) {
      behind |= text.charAt(end - 1) != ' ';
    }
    return text.substring(before ? start : 0, behind ? end : text.length());
  }

  /** Parses a number. */
  public static long number(String what, String text) {
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " is not a number", e);
    }
  }

  /** Parses an {@code xsd:unsignedLong}; values beyond the range of a long saturate. */
  public static long unsigned(String what, String text) {
    String digits = text.trim();
    boolean ofDigits = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!ofDigits) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " is not a non-negative number");
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /** A mandatory attribute. */
  public static String required(XmlPull pull, String name) {
    String value = pull.attribute("", name);
    if (value == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "element '" + pull.localName() + "' has no attribute '" + name + "'");
    }
    return value;
  }

  /** Checks the name of the element at {@code pull}. */
  public static void expect(XmlPull pull, String namespace, String element) {
    if (!pull.is(namespace, element)) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + pull.localName() + "' found where '" + element + "' is expected");
    }
  }

  /** Rejects the second occurrence of an element. */
  public static void once(@Nullable Object earlier, String name) {
    if (earlier != null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "element '" + name + "' occurs twice");
    }
  }

  /** Text of a request for use in messages: truncated, without characters that XML cannot represent. */
  public static String shown(String text) {
    return Faults.clean(text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...");
  }

  public static RnsException unknownElement(XmlPull pull) {
    return new RnsException(
        RnsError.INVALID_REQUEST,
        "element '" + pull.localName() + "' of namespace " + pull.namespace() + " is not known here");
  }

  /**
   * Skips an element that RNS 1.1 does not expect here. Elements of RNS 1.1 itself or of our extensions are rejected,
   * since ignoring them could change the meaning.
   */
  public static void passOver(XmlPull pull) {
    if (pull.namespace().equals(Namespaces.EXT) || pull.namespace().equals(Namespaces.RNS_11)) {
      throw unknownElement(pull);
    }
    pull.skip();
  }
}
