package io.rns.server.soap;

import io.rns.wire.SoapVersion;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content type of a request, as far as it decides who reads it.
 *
 * @param kind what the body is
 * @param version the version of SOAP that a message of this type has, and its answer
 * @param charset the charset it names, or null
 */
record ContentType(Kind kind, SoapVersion version, @Nullable String charset) {
  enum Kind {
    /** An envelope. */
    SOAP,
    /** A message with attachments. */
    MULTIPART,
    /** Nothing that is understood here. */
    OTHER
  }

  private static final String SOAP_XML = "application/soap+xml";

  private static final ContentType PLAIN = new ContentType(Kind.SOAP, SoapVersion.V1_1, null);
  private static final ContentType PLAIN_UTF_8 = new ContentType(Kind.SOAP, SoapVersion.V1_1, "utf-8");

  /** Reads a header's value. */
  static ContentType parse(@Nullable String header) {
    if (header == null) {
      return new ContentType(Kind.OTHER, SoapVersion.V1_1, null);
    }
    // Almost all requests say one of these.
    if (header.equalsIgnoreCase("text/xml; charset=utf-8") || header.equalsIgnoreCase("text/xml;charset=utf-8")) {
      return PLAIN_UTF_8;
    }
    if (header.equals("text/xml")) {
      return PLAIN;
    }
    int end = header.indexOf(';');
    String type = (end < 0 ? header : header.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    Kind kind =
        switch (type) {
          case "text/xml", SOAP_XML -> Kind.SOAP;
          case "multipart/related" -> Kind.MULTIPART;
          default -> Kind.OTHER;
        };
    // A message with attachments names the type of its first part.
    boolean later =
        type.equals(SOAP_XML) || (kind == Kind.MULTIPART && header.toLowerCase(Locale.ROOT).contains(SOAP_XML));
    String charset = end < 0 ? null : charset(header.substring(end + 1));
    return new ContentType(kind, later ? SoapVersion.V1_2 : SoapVersion.V1_1, charset);
  }

  private static @Nullable String charset(String parameters) {
    for (String parameter : parameters.split(";", -1)) {
      int equals = parameter.indexOf('=');
      if (equals > 0 && parameter.substring(0, equals).trim().equalsIgnoreCase("charset")) {
        String value = parameter.substring(equals + 1).trim();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
      }
    }
    return null;
  }
}
