package io.rns.server.watch;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.http.PacedResponse;
import io.rns.server.http.PacedStream;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.store.PlacedChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events for one watcher, until it goes or the server ends. For one thread. */
final class EventStream {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /** After this time without an event the position is sent, which also shows that both sides are alive. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private final ChangeFeed feed;
  private final Supplier<PartitionTable> partitions;
  private final RnsPath path;
  private final VisibleChanges visible;
  private final BooleanSupplier lasting;
  private final WatchScope scope;
  private final Set<RnsPath> announcedCuts = new HashSet<>();
  private Position known;

  /**
   * Events from a position on.
   *
   * @param partitions what is known of the partitions; must cost little
   * @param path the watched path, whose content belongs to the group of the feed
   * @param visible what of it the watcher may see
   * @param lasting whether the watcher is still who it was, and should stay with this server
   */
  EventStream(
      ChangeFeed feed, Supplier<PartitionTable> partitions, RnsPath path, Position from, VisibleChanges visible,
      BooleanSupplier lasting) {
    this.visible = visible;
    this.lasting = lasting;
    this.feed = feed;
    this.partitions = partitions;
    this.path = path;
    this.scope = WatchScope.of(partitions.get(), path);
    this.known = from;
  }

  /** Sends the events as they come. */
  void run(PacedResponse response) {
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("utf-8");
    response.setHeader("Cache-Control", "no-store");
    try {
      PacedStream out = response.paced();
      ByteArrayOutputStream first = new ByteArrayOutputStream();
      try {
        known = feed.resume(known);
        first.writeBytes(cuts(scope, known));
      } catch (RnsException e) {
        send(out, failure(e));
        return;
      }
      first.writeBytes(position());
      send(out, first.toByteArray());
      stream(out);
    } catch (IOException e) {
      LOG.debug("a watcher of {} has disconnected: {}", path, e.toString());
    } catch (RuntimeException e) {
      // The watcher reconnects automatically, with its position.
      LOG.error("the stream of {} broke off at {}", path, known, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stream(PacedStream out) throws IOException, InterruptedException {
    while (true) {
      ChangeFeed.Step step;
      PartitionTable table;
      WatchScope now;
      try {
        step = feed.after(known, scope.inner(), HEARTBEAT);
        if (!lasting.getAsBoolean()) {
          // It reconnects with its position, elsewhere if it can, and is told if its credential is no longer good.
          return;
        }
        visible.again();
        table = partitions.get();
        now = WatchScope.of(table, path);
        checkIsPartOf(now);
      } catch (RnsException e) {
        send(out, failure(e));
        return;
      }
      ByteArrayOutputStream events = new ByteArrayOutputStream();
      boolean silent;
      try {
        for (PlacedChange change : step.changes()) {
          Optional<Change> told = now.told(table, change).flatMap(visible::of);
          if (told.isPresent()) {
            events.writeBytes(event(told.get()));
          }
        }
        silent = events.size() == 0;
        events.writeBytes(cuts(now, step.known()));
      } catch (RnsException e) {
        send(out, failure(e));
        return;
      }
      known = step.known();
      if (silent) {
        // Also when much has changed elsewhere: the watcher would else come back with a position that is long gone.
        events.writeBytes(position());
      }
      send(out, events.toByteArray());
    }
  }

  /** The directory above the watched content may have been renamed, or the content assigned to another group. */
  private void checkIsPartOf(WatchScope now) {
    if (!scope.isPartOf(now)) {
      throw new RnsException(
          RnsError.INVALID_CURSOR,
          "the content of '" + path
              + "' is another one, or belongs to another server group, since a directory was moved"
              + " or assigned; start over");
    }
  }

  /** Events for directories whose changes this watch does not have, each once. */
  private byte[] cuts(WatchScope now, Position at) throws IOException {
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    for (Partition cut : now.unannounced(announcedCuts)) {
      Optional<Boolean> isSeen = visible.of(cut);
      if (isSeen.isEmpty()) {
        // The map does not have its new path yet, or has it already.
        announcedCuts.remove(cut.path());
      }
      if (!isSeen.orElse(false)) {
        continue;
      }
      events.writeBytes(event("cut", at, new CutJson(at, cut.path(), cut.group())));
    }
    return events.toByteArray();
  }

  private static void send(PacedStream out, byte[] events) throws IOException {
    out.write(events);
    out.flush();
    out.end();
  }

  private byte[] failure(RnsException e) throws IOException {
    return event("error", known, new Failure(known, e.error(), e.getMessage()));
  }

  private byte[] position() throws IOException {
    return event("position", known, Map.of("position", known));
  }

  private record Failure(Position position, RnsError code, @Nullable String message) {}

  private record CutJson(Position position, RnsPath path, int group) {}

  private record ChangeJson(
      Position position,
      RnsPath path,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<RnsPath> oldPath,
      EntryId id,
      Instant time) {}

  private static byte[] event(Change change) throws IOException {
    ChangeJson data =
        new ChangeJson(change.position(), change.path(), change.oldPath(), change.entry(), change.time());
    return event(change.kind().name().toLowerCase(Locale.ROOT), change.position(), data);
  }

  private static byte[] event(String name, Position position, Object data) throws IOException {
    return ("id: " + position + "\nevent: " + name + "\ndata: " + ServerJson.MAPPER.writeValueAsString(data) + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }
}
