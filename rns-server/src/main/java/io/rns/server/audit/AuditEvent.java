package io.rns.server.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
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
 * @param items entries that it is about, the first ones, with texts that are not too long
 * @param count how many there are
 * @param refused how many of them were refused
 * @param outcome done, partly, refused or failed
 * @param error why; null if nothing was refused and nothing failed
 * @param decisions what decided that the caller may do it, or may not
 * @param position of the change; empty if there is none
 * @param isBrief whether it is one of {@link RefusalShares}, and cut for that
 * @param bytes about the memory that it takes, or, if it is brief, the length of its line at most
 */
record AuditEvent(
    long millis, String caller, String credential, String ticket, String client, String through, String face,
    String operation, String query, List<AuditItem> items, int count, int refused, String requestId, String outcome,
    @Nullable RnsError error, List<Decision> decisions, String position,
    boolean isBrief, long bytes) implements AuditContent {
  /** Longest text that is written as it is; of a longer one the beginning is. */
  static final int MOST_CHARACTERS = 4_096;

  /** The same of a brief event, and how many items it lists. */
  static final int BRIEF_CHARACTERS = 256;
  static final int BRIEF_ITEMS = 10;

  static final long OBJECT_IN_LIST = 64;
  private static final long OBJECT_BYTES = 512;

  /** Bytes of a character that is not written as it is. */
  private static final int ESCAPED = 6;

  private static final SerializableString CALLER = new SerializedString("caller");
  private static final SerializableString CREDENTIAL = new SerializedString("credential");
  private static final SerializableString TICKET = new SerializedString("ticket");
  private static final SerializableString CLIENT = new SerializedString("client");
  private static final SerializableString THROUGH = new SerializedString("through");
  private static final SerializableString FACE = new SerializedString("face");
  private static final SerializableString OPERATION = new SerializedString("operation");
  private static final SerializableString QUERY = new SerializedString("query");
  private static final SerializableString REQUEST_ID = new SerializedString("requestId");
  private static final SerializableString OUTCOME = new SerializedString("outcome");
  private static final SerializableString ERROR = new SerializedString("error");
  private static final SerializableString POSITION = new SerializedString("position");
  private static final SerializableString PATH = new SerializedString("path");
  private static final SerializableString TO = new SerializedString("to");
  private static final SerializableString BY = new SerializedString("by");
  private static final SerializableString RIGHT = new SerializedString("right");
  private static final SerializableString IN = new SerializedString("in");
  private static final SerializableString OF = new SerializedString("of");

  /** Counts its bytes, whatever is given. */
  AuditEvent {
    bytes = OBJECT_BYTES + size(caller, isBrief) + size(ticket, isBrief) + size(client, isBrief)
        + size(through, isBrief) + size(face, isBrief) + size(operation, isBrief) + size(query, isBrief)
        + size(requestId, isBrief);
    for (AuditItem item : items) {
      bytes += item.bytes(isBrief);
    }
    for (Decision decision : decisions) {
      bytes += OBJECT_IN_LIST + size(decision.by(), isBrief) + size(decision.in(), isBrief);
    }
  }

  /** One that is not brief. */
  AuditEvent(
      long millis, String caller, String credential, String ticket, String client, String through, String face,
      String operation, String query, List<AuditItem> items, int count, int refused, String requestId, String outcome,
      @Nullable RnsError error, List<Decision> decisions, String position) {
    this(
        millis, caller, credential, ticket, client, through, face, operation, query, items, count, refused, requestId,
        outcome, error, decisions, position, false, 0);
  }

  /** The same with few items and short texts. */
  AuditEvent brief() {
    return new AuditEvent(
        millis, caller, credential, brief(ticket), client, brief(through), brief(face), brief(operation), brief(query),
        items.stream().limit(BRIEF_ITEMS).map(item -> item.cut(BRIEF_CHARACTERS)).toList(), count, refused,
        brief(requestId), outcome, error,
        decisions.stream()
            .map(each -> new Decision(brief(each.by()), each.right(), brief(each.in()), each.of())).toList(),
        position, true, 0);
  }

  private static String brief(String text) {
    return cut(text, BRIEF_CHARACTERS);
  }

  static long size(String text, boolean isBrief) {
    return isBrief ? written(text) : text.length();
  }

  /** The length of a text in a line at most. */
  private static long written(String text) {
    return text.chars().map(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\' ? 1 : ESCAPED).asLongStream().sum();
  }

  @Override
  public String event() {
    return AuditLine.REQUEST;
  }

  @Override
  public long queued() {
    // Those are bounded elsewhere.
    return isBrief ? 0 : bytes;
  }

  @Override
  public void write(JsonGenerator out) throws IOException {
    text(out, CALLER, caller);
    text(out, CREDENTIAL, credential);
    text(out, TICKET, ticket);
    text(out, CLIENT, client);
    text(out, THROUGH, through);
    text(out, FACE, face);
    text(out, OPERATION, operation);
    text(out, QUERY, query);
    writeItems(out);
    text(out, REQUEST_ID, requestId);
    text(out, OUTCOME, outcome);
    if (error != null) {
      text(out, ERROR, error.name());
    }
    writeDecisions(out);
    text(out, POSITION, position);
  }

  private void writeItems(JsonGenerator out) throws IOException {
    if (count == 0) {
      return;
    }
    out.writeArrayFieldStart("items");
    for (AuditItem item : items) {
      out.writeStartObject();
      whole(out, PATH, item.path());
      whole(out, TO, item.to());
      if (item.error() != null) {
        text(out, ERROR, item.error().name());
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
      text(out, BY, decision.by());
      text(out, RIGHT, decision.right());
      text(out, IN, decision.in());
      text(out, OF, decision.of());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void text(JsonGenerator out, SerializableString name, String value) throws IOException {
    whole(out, name, cut(value, MOST_CHARACTERS));
  }

  /** A text that has been cut. */
  private static void whole(JsonGenerator out, SerializableString name, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeFieldName(name);
      out.writeString(value);
    }
  }

  /** A text, or its beginning and how long it was. */
  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "... (" + text.length() + " characters)";
  }
}
