package io.rns.server.names;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.rns.api.Answer;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import io.rns.error.RnsException;
import io.rns.server.http.Incidents;
import io.rns.server.http.JsonReplies;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A subtree as lines of JSON, page by page as the client reads: between two pages nothing is held but the position. The
 * last line shows that it is the end, or why it is not.
 */
final class SubtreeLines implements JsonReplies.Document {
  /** The media type. */
  static final String TYPE = "application/x-ndjson";

  private static final SerializedString LINE_END = new SerializedString("\n");

  private final Pages pages;
  private SubtreePage page;
  private Positions positions;
  private long entries;
  private long visited;

  /** Reads further pages. */
  @FunctionalInterface
  interface Pages {
    /** Reads the page behind a position. */
    Answer<Outcome<SubtreePage>> after(SubtreePosition position);
  }

  /**
   * The lines of a subtree.
   *
   * @param first its first page
   * @param positions that the first page reflects
   */
  SubtreeLines(SubtreePage first, Positions positions, Pages pages) {
    this.page = first;
    this.positions = positions;
    this.pages = pages;
  }

  @Override
  public void write(JsonGenerator out) throws IOException {
    out.setRootValueSeparator(LINE_END);
    try {
      writePage(out);
      while (page.next().isPresent()) {
        SubtreePosition reached = page.next().get();
        writeReached(out, reached);
        Answer<Outcome<SubtreePage>> answer = pages.after(reached);
        page = answer.value().orThrow();
        positions = positions.with(answer.positions());
        writePage(out);
      }
      writeEnd(out);
    } catch (RuntimeException e) {
      writeError(out, Incidents.told(e));
    }
    out.writeRaw('\n');
  }

  private void writePage(JsonGenerator out) throws IOException {
    for (SubtreePage.Visit visit : page.entries()) {
      NamesJson.writeLine(out, visit);
    }
    entries += page.entries().size();
    visited += page.visited();
  }

  private void writeReached(JsonGenerator out, SubtreePosition reached) throws IOException {
    if (!reached.past()) {
      // Clients of earlier versions know no other positions; they have the last entry of what is behind this one.
      out.writeStartObject();
      out.writeStringField("after", reached.toString());
      out.writeNumberField("visited", visited);
      out.writeEndObject();
    }
    // The client sees what there is while the next page is read.
    out.flush();
  }

  private void writeEnd(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeBooleanField("end", true);
    out.writeNumberField("entries", entries);
    out.writeNumberField("visited", visited);
    out.writeStringField("position", positions.toString());
    out.writeEndObject();
  }

  private static void writeError(JsonGenerator out, RnsException error) throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart("error");
    out.writeStringField("code", error.error().name());
    out.writeStringField("message", error.getMessage());
    OptionalLong retry = error.retryMillis();
    if (retry.isPresent()) {
      out.writeNumberField("retryMillis", retry.getAsLong());
    }
    out.writeEndObject();
    out.writeEndObject();
  }
}
