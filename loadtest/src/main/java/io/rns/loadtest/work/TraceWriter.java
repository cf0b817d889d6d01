package io.rns.loadtest.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** Writes down what the clients of a load ask for, relative to the directory of the load. Thread-safe. */
public record TraceWriter(Writer out, long begin, String top) {
  /** Calls that are written as a session when they begin. */
  public CallSource recorded(CallSource calls, String session) {
    return new CallSource() {
      @Override
      public @Nullable Call next() {
        return calls.next();
      }

      @Override
      public void begun(Call call) {
        write(System.nanoTime(), session, call);
      }

      @Override
      public void done(Call call, boolean succeeded) {
        calls.done(call, succeeded);
      }
    };
  }

  synchronized void write(long now, String session, Call call) {
    Call relative = call.withPaths(this::below);
    String line = Trace.line(Math.max(0, now - begin), session, relative) + "\n";
    try {
      out.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String below(String path) {
    return path.equals(top) ? "/" : path.startsWith(top + "/") ? path.substring(top.length()) : path;
  }
}
