package io.rns.loadtest.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Writes down what the clients of a load ask for. Thread-safe; who made the writer below closes it. */
public final class TraceWriter {
  private final Writer out;
  private final long begin;
  private final String top;

  /**
   * Begins.
   *
   * @param out where lines go
   * @param begin when the trace begins, in nanoseconds
   * @param top where the load has its directory, which is left out of paths
   */
  public TraceWriter(Writer out, long begin, String top) {
    this.out = out;
    this.begin = begin;
    this.top = top;
  }

  /**
   * Writes one operation.
   *
   * @param now when it began
   * @throws UncheckedIOException if that fails
   */
  public synchronized void write(long now, String session, Call call) {
    try {
      Call relative = new Call(call.kind(), below(call.path()), below(call.to()));
      out.write(Trace.line(Math.max(0, now - begin), session, relative) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String below(String path) {
    return path.equals(top) ? "/" : path.startsWith(top + "/") ? path.substring(top.length()) : path;
  }
}
