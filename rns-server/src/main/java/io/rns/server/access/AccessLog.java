package io.rns.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.api.Caller;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs operations. Requests never wait for it: lines in excess of the write rate are dropped and counted.
 *
 * <p>Safe for use by many threads.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
  /** Maximum waiting lines: some tenths of a second of a busy server, a few megabytes. */
  private static final int WAITING = 8_192;
  /** Maximum lines per write. */
  private static final int TOGETHER = 512;
  private static final long CLOSING_SECONDS = 10;

  private final LineFile file;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final BlockingQueue<PendingLogLine> waiting;
  private final LongAdder dropped = new LongAdder();
  private final Thread writer = Thread.ofPlatform().name("rns-access-log").daemon().unstarted(this::run);
  /** Marks the end for the writer. */
  private final PendingLogLine end = new PendingLogLine(Instant.EPOCH, "", "", "", Target.ROOT, "", "", 0);
  /** Of the writer only: whether the last lines could not be written. */
  private boolean failing;

  private AccessLog(LineFile file, InstantSource clock, LongSupplier nanos, int most) {
    this.file = file;
    this.clock = clock;
    this.nanos = nanos;
    this.waiting = new ArrayBlockingQueue<>(most);
  }

  /**
   * Opens the log and starts writing.
   *
   * @param nanos a clock that only goes forward, in nanoseconds
   * @throws IOException if the file cannot be written, or another server writes it
   */
  public static AccessLog start(AccessLogSettings settings, InstantSource clock, LongSupplier nanos)
      throws IOException {
    return start(RotatedFile.open(settings), clock, nanos, WAITING);
  }

  static AccessLog start(LineFile file, InstantSource clock, LongSupplier nanos, int most) {
    AccessLog log = new AccessLog(file, clock, nanos, most);
    log.writer.start();
    return log;
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
    if (!waiting.offer(asked)) {
      dropped.increment();
    }
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    return Map.of("accessLogDropped", dropped.sum());
  }

  private void run() {
    List<PendingLogLine> some = new ArrayList<>(TOGETHER);
    try {
      boolean ended = false;
      while (!ended) {
        some.add(waiting.take());
        waiting.drainTo(some, TOGETHER - 1);
        ended = some.remove(end);
        write(some);
        some.clear();
      }
    } catch (InterruptedException e) {
      LOG.info("interrupted while writing the access log");
    }
  }

  private void write(List<PendingLogLine> some) {
    StringBuilder lines = new StringBuilder();
    some.forEach(asked -> lines.append(asked.line()).append('\n'));
    try {
      if (!some.isEmpty()) {
        file.append(ByteBuffer.wrap(lines.toString().getBytes(UTF_8)));
        note(false, "");
      }
    } catch (IOException e) {
      dropped.add(some.size());
      note(true, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // No error may end the thread: the next lines may succeed.
      dropped.add(some.size());
      LOG.error("{} lines of the access log are lost", some.size(), e);
    }
  }

  /** Reports failure once, and recovery once. */
  private void note(boolean fails, String why) {
    if (fails && !failing) {
      LOG.warn("the access log cannot be written, its lines are dropped: {}", why);
    } else if (!fails && failing) {
      LOG.warn("the access log is writable again; {} lines were dropped", dropped.sum());
    }
    failing = fails;
  }

  /** Writes what waits, within a bound, and closes the file. What is taken down after this is lost. */
  @Override
  public void close() {
    try {
      if (waiting.offer(end, CLOSING_SECONDS, TimeUnit.SECONDS)) {
        writer.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
      }
      file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the access log cannot be closed: {}", e.getMessage());
    }
  }
}
