package io.rns.wire;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/**
 * Small pieces that all codecs share.
 *
 * <p>What we write uses prefixes that nobody else would and never a default namespace: foreign fragments stand in our
 * messages as they are, and text in them that looks like {@code soap:x} must not be taken for a use of our prefix when
 * a receiver captures it again.
 */
public final class Markup {
  /** Declarations of the prefixes of a payload, which is self-contained so that any envelope can hold it. */
  public static final String DECLARATIONS =
      " xmlns:_r=\"" + Namespaces.RNS + "\" xmlns:_x=\"" + Namespaces.EXT + "\" xmlns:_a=\"" + Namespaces.WSA + "\"";

  /** The same for messages of RNS 1.1. */
  public static final String DECLARATIONS_11 =
      " xmlns:_n=\"" + Namespaces.RNS_11 + "\" xmlns:_x=\"" + Namespaces.EXT + "\" xmlns:_a=\"" + Namespaces.WSA + "\"";

  private static final int SHOWN_CHARS = 100;

  private Markup() {}

  /** A boolean attribute of our extensions; absent means false. */
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
   * The text of a path without the indentation around it: white space at an end that has a line break or a tab, which
   * no name has. Spaces alone may belong to a name.
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

  /** A number from text. */
  public static long number(String what, String text) {
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " is not a number", e);
    }
  }

  /** A number from text as {@code xsd:unsignedLong}; what does not fit into a long is the greatest that does. */
  public static long unsigned(String what, String text) {
    String digits = text.trim();
    boolean ofDigits = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!ofDigits) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " is not a number from 0 on");
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /** An attribute that must be there. */
  public static String required(XmlPull pull, String name) {
    String value = pull.attribute("", name);
    if (value == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "element '" + pull.localName() + "' lacks its attribute '" + name + "'");
    }
    return value;
  }

  /** Checks which element is at {@code pull}. */
  public static void expect(XmlPull pull, String namespace, String element) {
    if (!pull.is(namespace, element)) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + pull.localName() + "' stands where '" + element + "' is expected");
    }
  }

  /** Refuses the second occurrence of an element. */
  public static void once(@Nullable Object earlier, String name) {
    if (earlier != null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "element '" + name + "' occurs twice");
    }
  }

  /** Text of a request as messages show it: cut, and without what XML cannot carry. */
  public static String shown(String text) {
    return Faults.clean(text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...");
  }

  public static RnsException unknownElement(XmlPull pull) {
    return new RnsException(
        RnsError.INVALID_REQUEST,
        "element '" + pull.localName() + "' of namespace " + pull.namespace() + " is not known here");
  }

  /**
   * Passes over an element that RNS 1.1 does not expect here; one of its own or of ours is refused, as it meant
   * something.
   */
  public static void passOver(XmlPull pull) {
    if (pull.namespace().equals(Namespaces.EXT) || pull.namespace().equals(Namespaces.RNS_11)) {
      throw unknownElement(pull);
    }
    pull.skip();
  }
}
