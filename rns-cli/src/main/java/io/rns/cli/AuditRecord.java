package io.rns.cli;

import io.rns.audit.AuditLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a search reads of a line about a request, or about requests that have none.
 *
 * @param line all of it
 * @param fields its members
 */
record AuditRecord(Instant time, String line, FlatJson fields) {
  private static final Set<String> EVENTS = Set.of(AuditLine.REQUEST, AuditLine.UNLISTED);

  /** Reads a line; empty if it is none, or about no request. */
  static Optional<AuditRecord> parse(byte[] line, int length) {
    Optional<AuditLine> known =
        AuditLine.parse(line, length).filter(found -> EVENTS.contains(found.event()));
    if (known.isEmpty()) {
      return Optional.empty();
    }
    String text = new String(line, 0, length, StandardCharsets.US_ASCII);
    try {
      return Optional.of(new AuditRecord(Instant.parse(known.get().time()), text, FlatJson.read(text)));
    } catch (IOException | DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Whether it only counts refused requests of callers without a name. */
  boolean isUnlisted() {
    return field("event").equals(AuditLine.UNLISTED);
  }

  /** A field; empty if the line does not have it. */
  String field(String name) {
    return fields.field(name);
  }

  /** The entries that it lists, each with {@code path}, and perhaps {@code to} and {@code error}. */
  List<Map<String, String>> items() {
    return fields.list("items");
  }

  /** How many entries it is about. */
  int count() {
    return field("count").isEmpty() ? items().size() : Integer.parseInt(field("count"));
  }

  /** Whether it is about an entry at or below a path, as far as it lists them. */
  boolean concerns(String path) {
    return items().stream().anyMatch(item -> isWithin(item.get("path"), path) || isWithin(item.get("to"), path));
  }

  private static boolean isWithin(@Nullable String at, String path) {
    return at != null && at.startsWith(path)
        && (path.equals("/") || at.length() == path.length() || at.charAt(path.length()) == '/');
  }
}
