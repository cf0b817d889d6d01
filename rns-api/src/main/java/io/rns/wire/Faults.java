package io.rns.wire;

import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsError.Kind;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;

/** Faults in messages; {@link FaultTable} selects the element for each error. */
public final class Faults {
  private static final String NO_SUCH_ENTRY_TYPE = "RNSEntryDoesNotExistFaultType";
  private static final String ENTRY_EXISTS_TYPE = "RNSEntryExistsFaultType";

  private Faults() {}

  /** Appends a fault; {@link Envelope} opens and closes its envelope. */
  public static void write(XmlBuffer out, SoapVersion version, Fault fault, boolean extended, Instant now) {
    boolean callers = fault.error().kind() == Kind.CALLER;
    String code = version == SoapVersion.V1_1 ? callers ? "Client" : "Server" : callers ? "Sender" : "Receiver";
    write(out, version, code, fault, extended, now);
  }

  /** Appends the fault that SOAP prescribes for an envelope in an unexpected namespace. */
  public static void writeVersionMismatch(XmlBuffer out, SoapVersion version, Fault fault, Instant now) {
    write(out, version, "VersionMismatch", fault, false, now);
  }

  private static void write(XmlBuffer out, SoapVersion version, String code, Fault fault, boolean extended,
      Instant now) {
    String message = clean(fault.message());
    if (version == SoapVersion.V1_1) {
      out.raw("<_s:Fault><faultcode>_s:").raw(code);
      out.raw("</faultcode><faultstring>").text(message).raw("</faultstring><detail>");
      writeDetail(out, fault, extended, now);
      out.raw("</detail></_s:Fault>");
    } else {
      out.raw("<_s:Fault><_s:Code><_s:Value>_s:").raw(code);
      out.raw("</_s:Value></_s:Code><_s:Reason><_s:Text xml:lang=\"en\">").text(message);
      out.raw("</_s:Text></_s:Reason><_s:Detail>");
      writeDetail(out, fault, extended, now);
      out.raw("</_s:Detail></_s:Fault>");
    }
  }

  /** Appends the fault that SOAP prescribes for a mandatory header that was not understood. */
  public static void writeNotUnderstood(XmlBuffer out, SoapVersion version, String message) {
    if (version == SoapVersion.V1_1) {
      out.raw("<_s:Fault><faultcode>_s:MustUnderstand</faultcode><faultstring>");
      out.text(clean(message)).raw("</faultstring></_s:Fault>");
    } else {
      out.raw(
          "<_s:Fault><_s:Code><_s:Value>_s:MustUnderstand</_s:Value></_s:Code><_s:Reason><_s:Text xml:lang=\"en\">");
      out.text(clean(message)).raw("</_s:Text></_s:Reason></_s:Fault>");
    }
  }

  /**
   * Appends the detail element, self-contained. Elements outside the fault's type come first, where the base type of
   * all faults permits foreign elements, so the result is valid.
   */
  public static void writeDetail(XmlBuffer out, Fault fault, boolean extended, Instant now) {
    FaultElement element = fault.table().element(fault);
    boolean ours = element.namespace().equals(Namespaces.RNS);
    out.raw("<").raw(element.qualified());
    out.raw(" xmlns:_r=\"" + Namespaces.RNS + "\" xmlns:_b=\"" + Namespaces.WSBF + "\"").raw(element.declaration());
    boolean exact = extended && fault.refusal().isPresent();
    boolean tellsMore = fault.referral().isPresent() || fault.retryMillis().isPresent();
    out.raw(exact || tellsMore ? " xmlns:_x=\"" + Namespaces.EXT + "\">" : ">");
    if (exact) {
      RefusalCodec.write(out, fault.refusal().get());
    }
    fault.referral().ifPresent(server -> out.raw("<_x:referral>").text(server).raw("</_x:referral>"));
    fault.retryMillis()
        .ifPresent(millis -> out.raw("<_x:retryMillis>").raw(Long.toString(millis)).raw("</_x:retryMillis>"));
    if (!ours) {
      writePath(out, fault);
    }
    writeBase(out, fault, now);
    if (ours) {
      writePath(out, fault);
    }
    out.raw("</").raw(element.qualified()).raw(">");
  }

  /** Appends the children defined by the base type of all faults. */
  private static void writeBase(XmlBuffer out, Fault fault, Instant now) {
    out.raw("<_b:Timestamp>").raw(now.toString()).raw("</_b:Timestamp>");
    out.raw("<_b:ErrorCode dialect=\"" + Namespaces.EXT + "\">").raw(fault.error().name()).raw("</_b:ErrorCode>");
    out.raw("<_b:Description>").text(clean(fault.message())).raw("</_b:Description>");
  }

  /** Appends the {@code rns:fault} of an item of RNS 1.1; {@code xsi:type} names its actual type. */
  public static void writeItem(XmlBuffer out, Fault fault, String name, boolean extended, Instant now) {
    String type =
        fault.error() == RnsError.NO_SUCH_ENTRY
            ? "_n:" + NO_SUCH_ENTRY_TYPE
            : fault.error() == RnsError.ENTRY_EXISTS ? "_n:" + ENTRY_EXISTS_TYPE : "_b:BaseFaultType";
    out.raw("<_n:fault xmlns:_b=\"" + Namespaces.WSBF + "\" xmlns:_i=\"" + XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI);
    out.raw("\" _i:type=\"").raw(type).raw("\">");
    if (extended && fault.refusal().isPresent()) {
      RefusalCodec.write(out, fault.refusal().get());
    }
    writeBase(out, fault, now);
    if (type.startsWith("_n:")) {
      out.raw("<_n:entry-name>").text(name).raw("</_n:entry-name>");
    }
    out.raw("</_n:fault>");
  }

  /**
   * Whether an element is the fault of an item: {@code rns:fault} or, as some implementations write it, an element
   * named after its type.
   */
  public static boolean isItem(XmlPull pull) {
    return pull.is(Namespaces.RNS_11, "fault")
        || (pull.namespace().equals(Namespaces.RNS_11) && ofType(pull.localName()) != null);
  }

  /** Reads the fault of an item from any service, identified by its {@code xsi:type} or else by its element name. */
  public static Fault readItem(XmlPull pull) {
    String type = pull.attribute(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "type");
    RnsError error = ofType(type == null ? pull.localName() : type.substring(type.indexOf(':') + 1).trim());
    return Objects.requireNonNull(readContent(pull, error == null ? RnsError.INVALID_REQUEST : error));
  }

  private static @Nullable RnsError ofType(String local) {
    return switch (local.endsWith("Type") ? local : local + "Type") {
      case NO_SUCH_ENTRY_TYPE -> RnsError.NO_SUCH_ENTRY;
      case ENTRY_EXISTS_TYPE -> RnsError.ENTRY_EXISTS;
      case "ReadNotPermittedFaultType", "WriteNotPermittedFaultType" -> RnsError.NOT_PERMITTED;
      default -> null;
    };
  }

  private static void writePath(XmlBuffer out, Fault fault) {
    out.raw("<_r:Path>").text(fault.path().toString()).raw("</_r:Path>");
  }

  /** Reads a SOAP 1.1 fault element from any service. */
  public static Fault read(XmlPull pull) {
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
    return new Fault(error, "the server returned fault " + code + ": " + message, RnsPath.ROOT, Optional.empty(),
        false);
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

  /** Reads a detail element; null if its kind is unknown. */
  public static @Nullable Fault readDetail(XmlPull pull) {
    return readContent(pull, standard(pull));
  }

  /** The error for a detail element of another implementation, which lacks our code; null if its kind is unknown. */
  private static @Nullable RnsError standard(XmlPull pull) {
    return switch (pull.localName()) {
      case "ReadNotPermittedFault", "WriteNotPermittedFault" -> RnsError.NOT_PERMITTED;
      case "ResourceUnknownFault", "ResolveFailedFault" -> RnsError.NO_SUCH_ENTRY;
      case "ResourceUnavailableFault" -> RnsError.UNAVAILABLE;
      case "ResourceNotDestroyedFault" -> RnsError.NOT_EMPTY;
      default -> null;
    };
  }

  private static @Nullable Fault readContent(XmlPull pull, @Nullable RnsError otherwise) {
    RnsError error = otherwise;
    String message = "";
    RnsPath path = RnsPath.ROOT;
    Refusal refusal = null;
    String referral = null;
    OptionalLong retryMillis = OptionalLong.empty();
    boolean coded = false;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSBF, "ErrorCode") && Namespaces.EXT.equals(pull.attribute("", "dialect"))) {
        coded = true;
        RnsError named = errorNamed(pull.text().trim());
        error = named == null ? otherwise : named;
      } else if (pull.is(Namespaces.WSBF, "Description")) {
        message = pull.text();
      } else if (pull.is(Namespaces.RNS, "Path")) {
        path = RnsPath.parse(pull.text());
      } else if (pull.is(Namespaces.EXT, "refusal")) {
        refusal = RefusalCodec.read(pull);
      } else if (pull.is(Namespaces.EXT, "referral")) {
        referral = pull.text().trim();
      } else if (pull.is(Namespaces.EXT, "retryMillis")) {
        retryMillis = OptionalLong.of(Markup.number("x:retryMillis", pull.text()));
      } else {
        pull.skip();
      }
    }
    return error == null
        ? null
        : new Fault(
            error,
            message,
            path,
            Optional.ofNullable(refusal),
            FaultTable.RNS_1_0,
            coded,
            Optional.ofNullable(referral),
            retryMillis);
  }

  public static @Nullable RnsError errorNamed(@Nullable String name) {
    for (RnsError error : RnsError.values()) {
      if (error.name().equals(name)) {
        return error;
      }
    }
    return null;
  }

  /** A message without the characters that XML cannot represent. */
  public static String clean(String message) {
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
