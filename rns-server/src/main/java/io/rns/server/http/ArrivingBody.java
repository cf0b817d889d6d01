package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that has not arrived yet. Waiting for it blocks the reading thread, which should be a virtual
 * one, and no thread of the application server. The request must be in asynchronous mode. For one thread.
 */
public final class ArrivingBody extends InputStream {
  /** Bytes per second that must arrive after {@link #GRACE}, on average. */
  static final int LEAST_RATE = 1_024;

  /** How long a client may take before its rate counts. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private static final String LATE = ArrivingBody.class.getName();

  private final HttpServletRequest request;
  private final ServletInputStream in;
  private final Duration most;

  /** As the client has declared; negative if it has not. */
  private final long length;
  private final long started = System.nanoTime();
  private final Arrivals arrivals = new Arrivals();
  private boolean listens;
  private long received;

  /**
   * The body of {@code request}.
   *
   * @param most longest time in which it must have arrived
   */
  public ArrivingBody(HttpServletRequest request, Duration most) throws IOException {
    this.request = request;
    this.in = request.getInputStream();
    this.most = most;
    this.length = request.getContentLengthLong();
  }

  /** Whether the whole body is in memory, so that reading it does not block. */
  public static boolean isHere(HttpServletRequest request) throws IOException {
    long length = request.getContentLengthLong();
    if (length == 0) {
      return true;
    }
    ServletInputStream in = request.getInputStream();
    return length > 0 ? in.available() >= length : in.isFinished();
  }

  /** Whether the body of a request was given up, so that its connection is of no more use. */
  static boolean isLate(HttpServletRequest request) {
    return request.getAttribute(LATE) != null;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * Reads what has arrived, at least one byte.
   *
   * @throws RnsException {@link RnsError#TIMEOUT} if the client is too slow
   */
  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    // What has come as a whole is not awaited: the container has been seen to forget to say that it has.
    while ((length < 0 || received < length) && (!arrivals.ended || in.available() > 0)) {
      if (in.isReady()) {
        int read = in.read(target, offset, count);
        received += Math.max(0, read);
        return read;
      }
      if (listens) {
        await();
      } else {
        listens = true;
        in.setReadListener(arrivals);
      }
    }
    return -1;
  }

  private void await() throws IOException {
    long allowed = Math.min(most.toNanos(), GRACE.toNanos() + TimeUnit.SECONDS.toNanos(received) / LEAST_RATE);
    try {
      if (!arrivals.signals.tryAcquire(started + allowed - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        request.setAttribute(LATE, true);
        throw new RnsException(
            RnsError.TIMEOUT,
            allowed == most.toNanos()
                ? "the request did not arrive within " + most.toSeconds() + " s"
                : "the request arrives too slowly: " + received + " bytes in " + TimeUnit.NANOSECONDS.toSeconds(allowed)
                    + " s; the limit is " + LEAST_RATE + " bytes per second after " + GRACE.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
    Throwable failed = arrivals.failure;
    if (failed != null) {
      throw new IOException("the body broke off after " + received + " bytes", failed);
    }
  }

  /** What the container reports, on any of its threads. */
  private static final class Arrivals implements ReadListener {
    private final Semaphore signals = new Semaphore(0);
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    @Override
    public void onDataAvailable() {
      signals.release();
    }

    @Override
    public void onAllDataRead() {
      ended = true;
      signals.release();
    }

    @Override
    public void onError(Throwable error) {
      failure = error;
      signals.release();
    }
  }
}
