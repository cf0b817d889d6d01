package io.rns.server.query;

import com.sun.management.ThreadMXBean;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import net.sf.saxon.expr.XPathContext;
import net.sf.saxon.lib.TraceListener;
import net.sf.saxon.trace.Traceable;

/**
 * Stops an evaluation that takes too long or too much memory: asked before and behind every expression, and for the
 * items that it gives. Belongs to the thread that evaluates.
 */
class Guard implements TraceListener {
  /** How much memory an evaluation may ask for, also what it gives back: a next piece is at most as large again. */
  static final long BYTES = 64 * 1_048_576;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long start = System.nanoTime();
  private final long nanos;
  private long bytes;

  /** A guard of evaluations that may take so long together. */
  Guard(long nanos) {
    this.nanos = nanos;
  }

  /** Begins with the next evaluation. */
  void begin() {
    bytes = THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Whether half of the time has passed. */
  boolean isHalfOver() {
    return System.nanoTime() - start > nanos / 2;
  }

  /**
   * Lets the evaluation go on.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if it must not
   */
  void check() {
    if (System.nanoTime() - start > nanos) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "the search takes more than the " + nanos / 1_000_000 + " ms allowed; search fewer entries");
    }
    if (THREADS.getCurrentThreadAllocatedBytes() - bytes > BYTES) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "the query needs more than the " + BYTES + " bytes of memory allowed for one entry");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping");
    }
  }

  @Override
  public void enter(Traceable expression, Map<String, Object> properties, XPathContext context) {
    check();
  }

  @Override
  public void leave(Traceable expression) {
    check();
  }
}
