package io.rns.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log file. Callers never wait for the disk: lines in excess of the write rate are dropped and counted.
 *
 * <p>Safe for use by many threads.
 */
public final class LineLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);
  /** Maximum waiting lines: some tenths of a second of a busy server, a few megabytes. */
  private static final int WAITING = 8_192;
  /** Maximum lines per write. */
  private static final int TOGETHER = 512;
  private static final long CLOSING_SECONDS = 10;
  /** Marks the end for the writer. */
  private static final Line END = () -> "";

  private final String name;
  private final LineFile file;
  private final BlockingQueue<Line> waiting;
  private final LongAdder dropped = new LongAdder();
  private final Thread writer;
  /** Of the writer only: whether the last lines could not be written. */
  private boolean failing;

  /** A waiting line: the writing thread formats it. */
  @FunctionalInterface
  public interface Line {
    /** The line, without its end. */
    String text();
  }

  private LineLog(String name, LineFile file, int most) {
    this.name = name;
    this.file = file;
    this.waiting = new ArrayBlockingQueue<>(most);
    this.writer = Thread.ofPlatform().name("rns-" + name.replace(' ', '-')).daemon().unstarted(this::run);
  }

  /**
   * Opens the file and starts writing.
   *
   * @param name of the log, for operators, such as {@code access log}
   * @param head the first lines of each file
   * @throws IOException if the file cannot be written, or another server writes it
   */
  public static LineLog start(String name, LineLogSettings settings, String... head) throws IOException {
    return start(name, RotatedFile.open(settings, head), WAITING);
  }

  static LineLog start(String name, LineFile file, int most) {
    LineLog log = new LineLog(name, file, most);
    log.writer.start();
    return log;
  }

  /** Enqueues a line, or drops it. */
  public void take(Line line) {
    if (!waiting.offer(line)) {
      dropped.increment();
    }
  }

  /** Number of lines dropped because they came too fast or could not be written. */
  public long dropped() {
    return dropped.sum();
  }

  private void run() {
    List<Line> some = new ArrayList<>(TOGETHER);
    try {
      boolean ended = false;
      while (!ended) {
        some.add(waiting.take());
        waiting.drainTo(some, TOGETHER - 1);
        ended = some.remove(END);
        write(some);
        some.clear();
      }
    } catch (InterruptedException e) {
      LOG.info("interrupted while writing the {}", name);
    }
  }

  private void write(List<Line> some) {
    try {
      StringBuilder lines = new StringBuilder();
      some.forEach(line -> lines.append(line.text()).append('\n'));
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
      LOG.error("{} lines of the {} are lost", some.size(), name, e);
    }
  }

  /** Reports failure once, and recovery once. */
  private void note(boolean fails, String why) {
    if (fails && !failing) {
      LOG.warn("the {} cannot be written, its lines are dropped: {}", name, why);
    } else if (!fails && failing) {
      LOG.warn("the {} is writable again; {} lines were dropped", name, dropped.sum());
    }
    failing = fails;
  }

  /** Writes the waiting lines, within 10 s, and closes the file. Later lines are lost. */
  @Override
  public void close() {
    try {
      if (waiting.offer(END, CLOSING_SECONDS, TimeUnit.SECONDS)) {
        writer.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
      }
      file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the {} cannot be closed: {}", name, e.getMessage());
    }
  }
}
