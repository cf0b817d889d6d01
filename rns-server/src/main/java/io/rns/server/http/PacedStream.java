package io.rns.server.http;

import io.rns.error.RnsException;
import io.rns.server.memory.RequestMemory;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Bytes of an answer, each piece handed to the container when the client has taken the one before. For one thread. */
public final class PacedStream extends ServletOutputStream {
  /** A response up to this size is small: it needs no place and delays no other. */
  public static final int SMALL_BYTES = 16_384;

  /** What is handed to the container at one time. */
  public static final int PIECE_BYTES = 65_536;

  /**
   * How long a client may take for one piece: what the operating system holds for it does not count as slow for longer.
   */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ServletRequest request;
  private final ServletOutputStream out;
  private final Traffic traffic;
  private final RequestMemory memory = RequestMemory.current();
  private final Readiness readiness = new Readiness();
  private boolean listens;
  private boolean placed;
  /** Whether something failed: what is left then is not worth waiting for. */
  private boolean broken;
  private long sent;
  private long waitedNanos;

  PacedStream(ServletRequest request, ServletOutputStream out, Traffic traffic) {
    this.request = request;
    this.out = out;
    this.traffic = traffic;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[]{(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length;) {
      int count = Math.min(PIECE_BYTES, length - done);
      if (!placed && sent + count > SMALL_BYTES) {
        enter();
      }
      awaitReady();
      broken = true;
      out.write(bytes, offset + done, count);
      broken = false;
      done += count;
      sent += count;
      waitedNanos = 0;
      if (placed) {
        turn(memory::takeTurns);
        Traffic.giveWay();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    awaitReady();
    out.flush();
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    throw new IllegalStateException("writing blocks until the client reads: no listener is called");
  }

  /**
   * The answer is complete: waits until a large one has left the container, and gives its place back. What is written
   * then is another answer.
   */
  public void end() throws IOException {
    try {
      if (placed && !broken) {
        flush();
        awaitReady();
      }
    } finally {
      leave();
    }
    sent = 0;
    waitedNanos = 0;
  }

  /** Waits, as for a large answer, until what the container still has of an answer has left it. */
  void awaitSent() throws IOException {
    if (!placed) {
      enter();
    }
  }

  private void enter() throws IOException {
    broken = true;
    try {
      memory.bePatient();
      memory.take(Traffic.ANSWER_BYTES);
      placed = true;
      broken = false;
    } catch (RnsException e) {
      throw cut("too many large answers are being sent: " + e.getMessage());
    }
  }

  private void leave() {
    if (placed) {
      placed = false;
      memory.giveBack(Traffic.ANSWER_BYTES);
      // Who watches goes on: the next answer may be long in coming.
      memory.passTurn();
    }
  }

  private void awaitReady() throws IOException {
    while (!out.isReady()) {
      if (listens) {
        memory.passTurn();
        await();
      } else {
        listens = true;
        out.setWriteListener(readiness);
      }
    }
    if (placed) {
      turn(memory::awaitTurn);
    }
  }

  private void turn(Runnable wait) throws IOException {
    try {
      wait.run();
    } catch (RnsException e) {
      throw cut(e.getMessage());
    }
  }

  private void await() throws IOException {
    broken = true;
    long start = System.nanoTime();
    try {
      if (!readiness.signals.tryAcquire(PATIENCE.toNanos() - waitedNanos, TimeUnit.NANOSECONDS)) {
        throw cut("after " + sent + " bytes the client has not taken the next " + PIECE_BYTES + " within "
            + PATIENCE.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    waitedNanos += System.nanoTime() - start;
    Throwable failed = readiness.failure;
    if (failed != null) {
      throw new IOException("the client disconnected after " + sent + " bytes", failed);
    }
    broken = false;
  }

  private IOException cut(String why) {
    traffic.noteCut();
    ClientConnection.drop(request);
    return new IOException(why);
  }

  private IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException stopped = new InterruptedIOException("the service is stopping");
    stopped.initCause(e);
    return stopped;
  }

  /** What the container reports, on any of its threads. */
  private static final class Readiness implements WriteListener {
    private final Semaphore signals = new Semaphore(0);
    private volatile @Nullable Throwable failure;

    @Override
    public void onWritePossible() {
      signals.release();
    }

    @Override
    public void onError(Throwable error) {
      failure = error;
      signals.release();
    }
  }
}
