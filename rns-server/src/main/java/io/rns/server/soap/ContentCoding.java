package io.rns.server.soap;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a body is coded on its way. */
enum ContentCoding {
  /** As it is. */
  IDENTITY,
  /** Compressed by gzip. */
  GZIP,
  /** In a way that is not understood here. */
  OTHER;

  /** Reads the header {@code Content-Encoding}. */
  static ContentCoding of(@Nullable String header) {
    if (header == null) {
      return IDENTITY;
    }
    return switch (header.trim().toLowerCase(Locale.ROOT)) {
      case "identity", "" -> IDENTITY;
      case "gzip", "x-gzip" -> GZIP;
      default -> OTHER;
    };
  }

  /** Reads the header {@code Accept-Encoding}: whether the caller asks for gzip. */
  static boolean acceptsGzip(@Nullable String header) {
    if (header == null) {
      return false;
    }
    for (String one : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = one.split(";", 2);
      if (of(parts[0]) == GZIP) {
        return parts.length == 1 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
      }
    }
    return false;
  }
}
