package io.rns.wire;

import io.rns.api.Precondition;
import io.rns.api.Precondition.IfVersion;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/** Preconditions of writes: attribute {@code x:if-version} of the element, or header {@code x:IfVersion}. */
public final class Preconditions {
  private Preconditions() {}

  public static Precondition read(XmlPull pull, RequestFrame frame, Precondition otherwise) {
    String version = pull.attribute(Namespaces.EXT, "if-version");
    if (version != null) {
      long expected = Markup.number("attribute x:if-version", version);
      if (frame.ifVersion().isPresent() && frame.ifVersion().getAsLong() != expected) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "attribute x:if-version is " + expected + " but header x:IfVersion is " + frame.ifVersion().getAsLong());
      }
      return Precondition.ifVersion(expected);
    }
    return frame.ifVersion().isPresent() ? Precondition.ifVersion(frame.ifVersion().getAsLong()) : otherwise;
  }

  /** Rejects the header on operations that do not write. */
  public static void none(RequestFrame frame, String operation) {
    if (frame.ifVersion().isPresent()) {
      throw new RnsException(RnsError.INVALID_REQUEST, operation + " takes no header x:IfVersion");
    }
  }

  public static void write(XmlBuffer out, Precondition precondition) {
    if (precondition instanceof IfVersion ifVersion) {
      out.attribute("_x:if-version", ifVersion.version());
    }
  }

  /** The error for a page requested of an operation without pages. */
  public static RnsException noPage(String element) {
    return new RnsException(RnsError.INVALID_REQUEST, element + " takes no header x:Page");
  }
}
