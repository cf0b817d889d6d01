package io.rns.server.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.audit.AuditLine;
import io.rns.error.RnsError;
import io.rns.permission.AccessDecisions.Decision;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as it waits to be written. Empty texts and lists are not written.
 *
 * @param caller its name; empty if it has none
 * @param credential by what the caller is known: none, the kind of its name, ticket, forwarded or secret
 * @param ticket id of the ticket
 * @param client address of the other end of the connection
 * @param through the server that passed the request on
 * @param face soap, or the first part of the path
 * @param query of the address, of administration
 * @param items entries that it is about, the first ones
 * @param count how many there are
 * @param refused how many of them were refused
 * @param outcome done, partly, refused or failed
 * @param error why; null if nothing was refused and nothing failed
 * @param decisions what decided that the caller may do it, or may not
 * @param position of the change; empty if there is none
 */
record AuditEvent(
    long millis, String caller, String credential, String ticket, String client, String through, String face,
    String operation, String query, List<AuditItem> items, int count, int refused, String requestId, String outcome,
    @Nullable RnsError error, List<Decision> decisions, String position) implements AuditContent {
  /** Longest text that is written as it is; of a longer one the beginning is. */
  static final int MOST_CHARACTERS = 4_096;

  private static final long OBJECT_BYTES = 512;

  @Override
  public String event() {
    return AuditLine.REQUEST;
  }

  /** About the memory that it takes. */
  long bytes() {
    long bytes = OBJECT_BYTES + query.length() + caller.length();
    for (AuditItem item : items) {
      bytes += item.bytes();
    }
    return bytes;
  }

  @Override
  public void write(JsonGenerator out) throws IOException {
    text(out, "caller", caller);
    text(out, "credential", credential);
    text(out, "ticket", ticket);
    text(out, "client", client);
    text(out, "through", through);
    text(out, "face", face);
    text(out, "operation", operation);
    text(out, "query", query);
    writeItems(out);
    text(out, "requestId", requestId);
    text(out, "outcome", outcome);
    if (error != null) {
      text(out, "error", error.name());
    }
    writeDecisions(out);
    text(out, "position", position);
  }

  private void writeItems(JsonGenerator out) throws IOException {
    if (count == 0) {
      return;
    }
    out.writeArrayFieldStart("items");
    for (AuditItem item : items) {
      out.writeStartObject();
      text(out, "path", item.path());
      text(out, "to", item.to());
      if (item.error() != null) {
        text(out, "error", item.error().name());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    if (count > 1) {
      out.writeNumberField("count", count);
    }
    if (refused > 0) {
      out.writeNumberField("refused", refused);
    }
  }

  private void writeDecisions(JsonGenerator out) throws IOException {
    if (decisions.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart("rules");
    for (Decision decision : decisions) {
      out.writeStartObject();
      text(out, "by", decision.by());
      text(out, "right", decision.right());
      text(out, "in", decision.in());
      text(out, "of", decision.of());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void text(JsonGenerator out, String name, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeStringField(name, cut(value));
    }
  }

  /** A text that is not too long. */
  static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text
        : text.substring(0, MOST_CHARACTERS) + "... (" + text.length() + " characters)";
  }
}
