package io.rns.server.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.server.http.PacedResponse;
import io.rns.server.http.PacedStream;
import io.rns.server.namespace.ChangeFeed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events for one watcher, until it goes or the server ends. For one thread. */
final class EventStream {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /** After this time without an event the position is told, which also shows that both sides are still there. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private static final JsonFactory JSON = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private final ChangeFeed feed;
  private final RnsPath path;
  private Position known;

  EventStream(ChangeFeed feed, RnsPath path, Position from) {
    this.feed = feed;
    this.path = path;
    this.known = from;
  }

  /** Sends the events as they come. */
  void run(PacedResponse response) {
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("utf-8");
    response.setHeader("Cache-Control", "no-store");
    try {
      PacedStream out = response.paced();
      send(out, position());
      stream(out);
    } catch (IOException e) {
      LOG.debug("a watcher of {} has gone: {}", path, e.toString());
    } catch (RuntimeException e) {
      // The watcher comes back by itself, with the position that it has got to.
      LOG.error("the stream of {} broke off at {}", path, known, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stream(PacedStream out) throws IOException, InterruptedException {
    while (true) {
      ChangeFeed.Step step;
      try {
        step = feed.after(known, path, HEARTBEAT);
      } catch (RnsException e) {
        send(out, event("error", known, json -> {
          json.writeStringField("code", e.error().name());
          json.writeStringField("message", e.getMessage());
        }));
        return;
      }
      ByteArrayOutputStream events = new ByteArrayOutputStream();
      for (Change change : step.changes()) {
        events.writeBytes(event(change));
      }
      known = step.known();
      if (events.size() == 0) {
        // Also when much has changed elsewhere: the watcher would else come back with a position that is long gone.
        events.writeBytes(position());
      }
      send(out, events.toByteArray());
    }
  }

  private static void send(PacedStream out, byte[] events) throws IOException {
    out.write(events);
    out.flush();
    out.end();
  }

  private byte[] position() throws IOException {
    return event("position", known, json -> {});
  }

  private static byte[] event(Change change) throws IOException {
    return event(
        change.kind().name().toLowerCase(Locale.ROOT),
        change.position(),
        json -> {
          json.writeStringField("path", change.path().toString());
          if (change.oldPath().isPresent()) {
            json.writeStringField("oldPath", change.oldPath().get().toString());
          }
          json.writeStringField("id", change.entry().toString());
          json.writeStringField("time", change.time().toString());
        });
  }

  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] event(String name, Position position, Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(("id: " + position + "\nevent: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8));
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("position", position.toString());
      fields.write(json);
      json.writeEndObject();
    }
    bytes.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }
}
