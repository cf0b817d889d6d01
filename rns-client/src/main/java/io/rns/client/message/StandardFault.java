package io.rns.client.message;

import io.rns.api.EndpointReference;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Faults;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A SOAP fault of any server of the standards.
 *
 * @param kind which
 * @param error what it means for a caller
 * @param message what the server says about it
 * @param referrals where to ask instead, in a fault of a resolver: resolvers of the resource
 * @param identifiers other identifiers to ask for, in a fault of a resolver
 */
public record StandardFault(
    Kind kind, RnsError error, String message, List<EndpointReference> referrals, List<String> identifiers) {
  /** The faults that make a difference to a caller. */
  public enum Kind {
    /** {@code wsrf-r:ResourceUnknownFault}: the address knows no such resource. */
    RESOURCE_UNKNOWN(RnsError.NO_SUCH_ENTRY),
    /** {@code wsrf-r:ResourceUnavailableFault}. */
    RESOURCE_UNAVAILABLE(RnsError.UNAVAILABLE),
    /** {@code ReadNotPermittedFault} and {@code WriteNotPermittedFault} of RNS 1.1. */
    NOT_PERMITTED(RnsError.NOT_PERMITTED),
    /** {@code wsrl:ResourceNotDestroyedFault}. */
    NOT_DESTROYED(RnsError.NOT_EMPTY),
    /** {@code naming:ResolveFailedFault}, with or without a referral. */
    RESOLVE_FAILED(RnsError.NO_SUCH_ENTRY),
    /** Any other. */
    OTHER(RnsError.INTERNAL);

    private final RnsError error;

    Kind(RnsError error) {
      this.error = error;
    }

    private static Kind of(String element) {
      return switch (element.endsWith("Type") ? element.substring(0, element.length() - 4) : element) {
        case "ResourceUnknownFault" -> RESOURCE_UNKNOWN;
        case "ResourceUnavailableFault" -> RESOURCE_UNAVAILABLE;
        case "ReadNotPermittedFault", "WriteNotPermittedFault" -> NOT_PERMITTED;
        case "ResourceNotDestroyedFault" -> NOT_DESTROYED;
        case "ResolveFailedFault", "ResolveFailedWithReferralFault" -> RESOLVE_FAILED;
        default -> OTHER;
      };
    }
  }

  /** Copies the lists. */
  public StandardFault {
    referrals = List.copyOf(referrals);
    identifiers = List.copyOf(identifiers);
  }

  /** The same as an exception. */
  public RnsException toException() {
    return new RnsException(error, message);
  }

  /** That the target of a message is no directory of the server, reported by other means than a fault. */
  static StandardFault unknown(String message) {
    return new StandardFault(Kind.RESOURCE_UNKNOWN, RnsError.NO_SUCH_ENTRY, message, List.of(), List.of());
  }

  /** Reads the SOAP 1.1 fault at {@code pull}. */
  static StandardFault read(XmlPull pull) {
    String code = "";
    String message = "";
    @Nullable
    StandardFault told = null;
    while (pull.nextChild()) {
      switch (pull.localName()) {
        case "faultcode" -> code = pull.text().trim();
        case "faultstring" -> message = pull.text().trim();
        case "detail" -> told = detail(pull);
        default -> pull.skip();
      }
    }
    boolean callers = code.toLowerCase(Locale.ROOT).contains("client") || code.contains("MustUnderstand");
    if (told == null) {
      told = new StandardFault(Kind.OTHER, RnsError.INTERNAL, "", List.of(), List.of());
    }
    RnsError error = told.error == RnsError.INTERNAL && callers ? RnsError.INVALID_REQUEST : told.error;
    String text = told.message.isBlank() ? "the server returned fault " + code + ": " + message : told.message;
    return new StandardFault(told.kind, error, text, told.referrals, told.identifiers);
  }

  private static @Nullable StandardFault detail(XmlPull detail) {
    @Nullable
    StandardFault found = null;
    while (detail.nextChild()) {
      Kind kind = Kind.of(detail.localName());
      if (found == null || (found.kind == Kind.OTHER && kind != Kind.OTHER)) {
        found = content(detail, kind);
      } else {
        detail.skip();
      }
    }
    return found;
  }

  private static StandardFault content(XmlPull pull, Kind kind) {
    RnsError error = kind.error;
    String message = "";
    List<EndpointReference> referrals = new ArrayList<>(0);
    List<String> identifiers = new ArrayList<>(0);
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSBF, "ErrorCode") && Namespaces.EXT.equals(pull.attribute("", "dialect"))) {
        RnsError named = Faults.errorNamed(pull.text().trim());
        error = named == null ? error : named;
      } else if (pull.is(Namespaces.WSBF, "Description") && message.isEmpty()) {
        String text = pull.textWithoutChildren();
        message = text == null ? "" : text.trim();
      } else if (ReferenceParts.isNaming(pull.namespace()) && pull.localName().equals("ReferenceResolver")) {
        referrals.add(EndpointReference.read(pull));
      } else if (ReferenceParts.isNaming(pull.namespace()) && pull.localName().equals("EndpointIdentifier")) {
        identifiers.add(pull.text().trim());
      } else {
        pull.skip();
      }
    }
    return new StandardFault(kind, error, message, referrals, identifiers);
  }
}
