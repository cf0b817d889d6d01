package io.rns.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads bodies of answers, one after the other, for a consumer in another thread. A server that falls
 * silent counts as gone: its connection is closed when the consumer asks for that.
 */
public final class BackgroundReader implements AutoCloseable {
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

  private final Thread thread;
  private final Duration silence;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable InputStream body;
  private volatile long heardAt = System.nanoTime();

  /** What the thread does. */
  @FunctionalInterface
  public interface Work {
    /** Reads until there is nothing else, or it is interrupted. */
    void run() throws InterruptedException;
  }

  /**
   * A reader that is not started yet.
   *
   * @param name the thread's
   * @param silence the longest time without {@link #heard}
   */
  public BackgroundReader(String name, Duration silence, Work work) {
    this.silence = silence;
    this.thread = new Thread(() -> run(work), name);
    thread.setDaemon(true);
  }

  private void run(Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      closing.countDown();
    }
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  // ---- for the thread

  /** Notes that the server is there, or has just been asked. */
  public void heard() {
    heardAt = System.nanoTime();
  }

  /** The body that is read from now on, which the consumer may close; null for none. */
  public void reads(@Nullable InputStream open) {
    body = open;
  }

  /** Waits, at most until it is closed; true if it is. */
  public boolean pause(long millis) throws InterruptedException {
    return closing.await(millis, TimeUnit.MILLISECONDS);
  }

  // ---- for the consumer

  /** Whether it was closed or interrupted. */
  public boolean isClosed() {
    return closing.getCount() == 0;
  }

  /** Closes a connection that only seems to be there, so that the thread makes another. */
  public void breakSilence() {
    if (System.nanoTime() - heardAt > silence.toNanos()) {
      closeBody();
    }
  }

  private void closeBody() {
    InputStream open = body;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // It is broken already, which is what is wanted.
      }
    }
  }

  /** Ends the thread and its connection; waits for it up to a second. */
  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
    closeBody();
    try {
      thread.join(CLOSE_WAIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
