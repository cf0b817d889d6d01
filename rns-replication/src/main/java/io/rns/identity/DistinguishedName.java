package io.rns.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BitString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The name in a certificate as text in the grid's form, {@code /DC=org/DC=example/CN=Alice}. Unlike what OpenSSL and
 * Globus print, no two names have the same text: in values, characters that separate parts or cannot be seen are
 * written as a backslash and two hexadecimal digits for each byte of UTF-8.
 */
final class DistinguishedName {
  /** Longest text. */
  static final int MOST_CHARACTERS = 512;

  private static final Map<ASN1ObjectIdentifier, String> LABELS =
      Map.ofEntries(
          Map.entry(BCStyle.DC, "DC"), Map.entry(BCStyle.C, "C"), Map.entry(BCStyle.ST, "ST"),
          Map.entry(BCStyle.L, "L"), Map.entry(BCStyle.O, "O"), Map.entry(BCStyle.OU, "OU"),
          Map.entry(BCStyle.CN, "CN"), Map.entry(BCStyle.UID, "UID"), Map.entry(BCStyle.E, "emailAddress"),
          Map.entry(BCStyle.SERIALNUMBER, "serialNumber"), Map.entry(BCStyle.SURNAME, "SN"),
          Map.entry(BCStyle.GIVENNAME, "GN"), Map.entry(BCStyle.T, "title"), Map.entry(BCStyle.STREET, "street"));

  /** What ends a value, or a list of names in settings. */
  private static final String SEPARATORS = "/+,\\";

  private DistinguishedName() {}

  /** The text of a name; empty if it is empty, malformed or too long. */
  static Optional<String> text(X500Principal principal) {
    try {
      String text =
          Arrays.stream(X500Name.getInstance(principal.getEncoded()).getRDNs()).map(DistinguishedName::part)
              .collect(Collectors.joining());
      return text.isEmpty() || text.length() > MOST_CHARACTERS ? Optional.empty() : Optional.of(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String part(RDN part) {
    return Arrays.stream(part.getTypesAndValues()).map(DistinguishedName::attribute)
        .collect(Collectors.joining("+", "/", ""));
  }

  private static String attribute(AttributeTypeAndValue attribute) {
    String label = LABELS.getOrDefault(attribute.getType(), attribute.getType().getId());
    return label + "=" + value(attribute.getValue());
  }

  private static String value(ASN1Encodable value) {
    // The text of these two is their encoding.
    boolean isCoded = value instanceof ASN1BitString || value instanceof ASN1UniversalString;
    if (value instanceof ASN1String text && !isCoded) {
      return escaped(text.getString());
    }
    try {
      return "#" + HexFormat.of().formatHex(value.toASN1Primitive().getEncoded());
    } catch (IOException e) {
      throw new IllegalArgumentException("a value without an encoding", e);
    }
  }

  private static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    int[] points = value.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      if (Character.getType(points[i]) == Character.SURROGATE) {
        throw new IllegalArgumentException("half of a character");
      }
      boolean atEnd = i == 0 || i == points.length - 1;
      if (isPlain(points[i]) && !(atEnd && points[i] == ' ') && !(i == 0 && points[i] == '#')) {
        text.appendCodePoint(points[i]);
      } else {
        for (byte octet : Character.toString(points[i]).getBytes(StandardCharsets.UTF_8)) {
          text.append(String.format("\\%02X", octet));
        }
      }
    }
    return text.toString();
  }

  private static boolean isPlain(int point) {
    if (point == ' ') {
      return true;
    }
    return SEPARATORS.indexOf(point) < 0 && switch (Character.getType(point)) {
      case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.UNASSIGNED,
          Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
        false;
      default -> true;
    };
  }
}
