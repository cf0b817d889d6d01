package io.rns.wire;

import io.rns.api.Refusal;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsError.Kind;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Faults: the one table between {@link RnsError} and the fault elements of the standards. */
public final class Faults {
  private Faults() {}

  /** The detail element of a fault, with prefix {@code _r} for RNS and {@code _f} for WSRF. */
  private static String element(Fault fault) {
    return switch (fault.error()) {
      case ENTRY_EXISTS -> "_r:RNSEntryExistsFaultType";
      case NOT_DIRECTORY -> "_r:RNSEntryNotDirectoryFaultType";
      case NOT_EMPTY -> "_r:RNSDirectoryNotEmptyFaultType";
      case MOVE_INTO_SELF, ROOT_IS_FIXED, NOT_PERMITTED -> "_r:RNSOperationNotAllowedFaultType";
      case NO_SUCH_ENTRY ->
          fault.refusal().orElse(null) instanceof NoSuchEntry none && none.missing() == 0
              ? "_f:ResourceUnknownFault"
              : "_r:RNSFaultType";
      case BUSY, UNAVAILABLE, TIMEOUT, STORAGE_FULL, NOT_PRIMARY -> "_f:ResourceUnavailableFault";
      case IS_DIRECTORY,
          VERSION_MISMATCH,
          NOT_APPLIED,
          INVALID_NAME,
          INVALID_PATH,
          INVALID_CURSOR,
          INVALID_REQUEST,
          LIMIT_EXCEEDED,
          MALFORMED_MESSAGE,
          UNKNOWN_OPERATION,
          REQUEST_ID_REUSED,
          INTERNAL ->
          "_r:RNSFaultType";
    };
  }

  /** Appends a fault, whose envelope {@link Envelope} opens and closes. */
  public static void write(XmlBuffer out, SoapVersion version, Fault fault, boolean extended, Instant now) {
    boolean callers = fault.error().kind() == Kind.CALLER;
    String message = clean(fault.message());
    if (version == SoapVersion.V1_1) {
      out.raw("<_s:Fault><faultcode>").raw(callers ? "_s:Client" : "_s:Server");
      out.raw("</faultcode><faultstring>").text(message).raw("</faultstring><detail>");
      writeDetail(out, fault, extended, now);
      out.raw("</detail></_s:Fault>");
    } else {
      out.raw("<_s:Fault><_s:Code><_s:Value>").raw(callers ? "_s:Sender" : "_s:Receiver");
      out.raw("</_s:Value></_s:Code><_s:Reason><_s:Text xml:lang=\"en\">").text(message);
      out.raw("</_s:Text></_s:Reason><_s:Detail>");
      writeDetail(out, fault, extended, now);
      out.raw("</_s:Detail></_s:Fault>");
    }
  }

  /** Appends the fault that the SOAP standard asks for when a header that must be understood is not. */
  public static void writeNotUnderstood(XmlBuffer out, SoapVersion version, String message) {
    if (version == SoapVersion.V1_1) {
      out.raw("<_s:Fault><faultcode>_s:MustUnderstand</faultcode><faultstring>");
      out.text(clean(message)).raw("</faultstring></_s:Fault>");
    } else {
      out.raw("<_s:Fault><_s:Code><_s:Value>_s:MustUnderstand</_s:Value></_s:Code><_s:Reason><_s:Text xml:lang=\"en\">");
      out.text(clean(message)).raw("</_s:Text></_s:Reason></_s:Fault>");
    }
  }

  /**
   * Appends the detail element, self-contained. What its type does not know stands first where the base type of all
   * faults has room for foreign elements, so the element is valid.
   */
  public static void writeDetail(XmlBuffer out, Fault fault, boolean extended, Instant now) {
    String element = element(fault);
    boolean ours = element.startsWith("_r:");
    out.raw("<").raw(element).raw(" xmlns:_r=\"" + Namespaces.RNS + "\" xmlns:_b=\"" + Namespaces.WSBF + "\"");
    if (!ours) {
      out.raw(" xmlns:_f=\"" + Namespaces.WSRF_R + "\"");
    }
    boolean exact = extended && fault.refusal().isPresent();
    out.raw(exact ? " xmlns:_x=\"" + Namespaces.EXT + "\">" : ">");
    if (exact) {
      RefusalCodec.write(out, fault.refusal().get());
    }
    if (!ours) {
      writePath(out, fault);
    }
    out.raw("<_b:Timestamp>").raw(now.toString()).raw("</_b:Timestamp>");
    out.raw("<_b:ErrorCode dialect=\"" + Namespaces.EXT + "\">").raw(fault.error().name()).raw("</_b:ErrorCode>");
    out.raw("<_b:Description>").text(clean(fault.message())).raw("</_b:Description>");
    if (ours) {
      writePath(out, fault);
    }
    out.raw("</").raw(element).raw(">");
  }

  private static void writePath(XmlBuffer out, Fault fault) {
    out.raw("<_r:Path>").text(fault.path().toString()).raw("</_r:Path>");
  }

  /** Reads a SOAP 1.1 fault element of any service. */
  static Fault read(XmlPull pull) {
    String code = "";
    String message = "";
    Fault detail = null;
    while (pull.nextChild()) {
      switch (pull.localName()) {
        case "faultcode" -> code = pull.text().trim();
        case "faultstring" -> message = pull.text();
        case "detail" -> detail = firstDetail(pull);
        default -> pull.skip();
      }
    }
    if (detail != null) {
      return detail;
    }
    boolean callers = code.toLowerCase(Locale.ROOT).contains("client") || code.contains("MustUnderstand");
    RnsError error = callers ? RnsError.INVALID_REQUEST : RnsError.INTERNAL;
    return new Fault(error, "the server answers with fault " + code + ": " + message, RnsPath.ROOT, Optional.empty());
  }

  private static @Nullable Fault firstDetail(XmlPull detail) {
    Fault found = null;
    while (detail.nextChild()) {
      if (found == null) {
        found = readDetail(detail);
      } else {
        detail.skip();
      }
    }
    return found;
  }

  /** Reads a detail element; null if it is of no kind that is known here. */
  static @Nullable Fault readDetail(XmlPull pull) {
    RnsError error = null;
    String message = "";
    RnsPath path = RnsPath.ROOT;
    Refusal refusal = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSBF, "ErrorCode") && Namespaces.EXT.equals(pull.attribute("", "dialect"))) {
        error = errorNamed(pull.text().trim());
      } else if (pull.is(Namespaces.WSBF, "Description")) {
        message = pull.text();
      } else if (pull.is(Namespaces.RNS, "Path")) {
        path = RnsPath.parse(pull.text());
      } else if (pull.is(Namespaces.EXT, "refusal")) {
        refusal = RefusalCodec.read(pull);
      } else {
        pull.skip();
      }
    }
    return error == null ? null : new Fault(error, message, path, Optional.ofNullable(refusal));
  }

  static @Nullable RnsError errorNamed(@Nullable String name) {
    for (RnsError error : RnsError.values()) {
      if (error.name().equals(name)) {
        return error;
      }
    }
    return null;
  }

  /** A message without the characters that XML cannot carry. */
  static String clean(String message) {
    int clean = 0;
    while (clean < message.length() && isPlain(message.charAt(clean))) {
      clean++;
    }
    if (clean == message.length()) {
      return message;
    }
    StringBuilder cleaned = new StringBuilder(message.length());
    message
        .codePoints()
        .map(c -> c <= 0xffff && !isPlain((char) c) && c != '\n' && c != '\t' ? 0xfffd : c)
        .forEach(cleaned::appendCodePoint);
    return cleaned.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= ' ' && c < 0xd800) || (c > 0xdfff && c < 0xfffe);
  }
}
