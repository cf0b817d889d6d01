package io.rns.server.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.audit.AuditLine;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much is recorded of refused requests whose callers have proved no name, since anybody can send any number: in an
 * interval, lines of so many bytes of each origin, and of all. The others are counted, and a line says so when the
 * interval is over. Remembers a bounded number of origins. Safe for use by many threads.
 */
final class RefusalShares {
  /** The shortest interval. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Bytes of lines of one origin in an interval: some 30 lines. */
  static final long ORIGIN_BYTES = 24 << 10;

  /** Bytes of all. More than a day of them fits into a log of the default size. */
  static final long ALL_BYTES = 96 << 10;

  /** Origins that are told apart in an interval; requests of further ones are counted only. */
  static final int ORIGINS = 1_000;

  /** Origins that the line names, those with most first. */
  static final int NAMED = 10;

  private final Map<String, Share> shares = new HashMap<>();
  private long begun;
  private long bytes;
  private long count;
  private long firstMillis;
  private long lastMillis;
  private long unlisted;

  /** What came from an origin. */
  private static final class Share {
    private long bytes;
    private long unlisted;
  }

  /**
   * Requests that are counted only.
   *
   * @param since when the first one was, in milliseconds since 1970
   * @param millis when the last one was
   */
  private record Unlisted(long since, long millis, long count, List<OfOrigin> origins) implements AuditContent {
    private record OfOrigin(String origin, long count) {}

    @Override
    public String event() {
      return AuditLine.UNLISTED;
    }

    @Override
    public void write(JsonGenerator out) throws IOException {
      out.writeStringField("since", Instant.ofEpochMilli(since).toString());
      out.writeNumberField("count", count);
      out.writeArrayFieldStart("clients");
      for (OfOrigin each : origins) {
        out.writeStartObject();
        out.writeStringField("client", each.origin());
        out.writeNumberField("count", each.count());
        out.writeEndObject();
      }
      out.writeEndArray();
    }
  }

  /**
   * Begins the first interval.
   *
   * @param nanos now, of a clock that only goes forward
   */
  RefusalShares(long nanos) {
    this.begun = nanos;
  }

  /** Takes an event, or counts it; whether it is taken. */
  synchronized boolean take(String origin, AuditEvent event) {
    Share share = shares.get(origin);
    if (share == null && shares.size() < ORIGINS) {
      share = new Share();
      shares.put(origin, share);
    }
    if (share != null && share.bytes + event.bytes() <= ORIGIN_BYTES && bytes + event.bytes() <= ALL_BYTES) {
      share.bytes += event.bytes();
      bytes += event.bytes();
      return true;
    }
    if (share != null) {
      share.unlisted++;
    }
    firstMillis = count == 0 ? event.millis() : firstMillis;
    lastMillis = event.millis();
    count++;
    unlisted++;
    return false;
  }

  /**
   * Begins the next interval if this one is over.
   *
   * @param isLast whether it is over in any case
   * @return what has been counted in it; empty if it is not over, or nothing was
   */
  synchronized Optional<AuditContent> next(long nanos, boolean isLast) {
    if (!isLast && nanos - begun < INTERVAL.toNanos()) {
      return Optional.empty();
    }
    Optional<AuditContent> ended =
        count == 0 ? Optional.empty() : Optional.of(new Unlisted(firstMillis, lastMillis, count, named()));
    begun = nanos;
    bytes = 0;
    count = 0;
    shares.clear();
    return ended;
  }

  private List<Unlisted.OfOrigin> named() {
    return shares.entrySet().stream().filter(each -> each.getValue().unlisted > 0)
        .map(each -> new Unlisted.OfOrigin(each.getKey(), each.getValue().unlisted))
        .sorted(Comparator.comparingLong(Unlisted.OfOrigin::count).reversed()).limit(NAMED).toList();
  }

  /** How many were counted since the server started. */
  synchronized long unlisted() {
    return unlisted;
  }
}
