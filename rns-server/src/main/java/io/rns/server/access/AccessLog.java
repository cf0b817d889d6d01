package io.rns.server.access;

import io.rns.access.AccessLine;
import io.rns.api.Caller;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs operations. Requests never wait for it: lines in excess of the write rate are dropped and counted.
 *
 * <p>Safe for use by many threads.
 */
public final class AccessLog implements AutoCloseable {
  private static final String NAME = "access log";

  private final LineLog lines;
  private final InstantSource clock;
  private final LongSupplier nanos;

  private AccessLog(LineLog lines, InstantSource clock, LongSupplier nanos) {
    this.lines = lines;
    this.clock = clock;
    this.nanos = nanos;
  }

  /**
   * Opens the log and starts writing.
   *
   * @param nanos a clock that only goes forward, in nanoseconds
   * @throws IOException if the file cannot be written, or another server writes it
   */
  public static AccessLog start(LineLogSettings settings, InstantSource clock, LongSupplier nanos)
      throws IOException {
    return new AccessLog(LineLog.start(NAME, settings, AccessLine.HEADER, AccessLine.COLUMNS), clock, nanos);
  }

  static AccessLog start(LineFile file, InstantSource clock, LongSupplier nanos, int most) {
    return new AccessLog(LineLog.start(NAME, file, most), clock, nanos);
  }

  /**
   * A service whose operations are logged, one line for each item of a request. Forwarded requests are not: the server
   * that received them first logs them.
   *
   * @param session address and port of the client's end of the connection
   */
  public NameService over(NameService service, String session) {
    return new LoggedNames(service, this, session);
  }

  /**
   * Logs the start or refusal of a watch.
   *
   * @param outcome {@link io.rns.access.AccessLine#OK}, or the name of an error
   */
  public void watched(RnsPath path, String session, Caller caller, String outcome) {
    take(new PendingLogLine(now(), session, caller.name(), "watch", Target.of(path), "", outcome, 0));
  }

  Instant now() {
    return clock.instant();
  }

  long nanos() {
    return nanos.getAsLong();
  }

  void take(PendingLogLine asked) {
    lines.take(asked);
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    return Map.of("accessLogDropped", lines.dropped());
  }

  /** Writes what waits, within a bound, and closes the file. What is taken down after this is lost. */
  @Override
  public void close() {
    lines.close();
  }
}
