package io.rns.client.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicReference;

/** The body of a response, which gives its connection back at its end, and ends it if it is closed before. */
final class CallBody extends FilterInputStream {
  private enum State {
    OPEN, AT_END, CLOSED
  }

  private final CallHost host;
  private final CallConnection connection;

  /** Another thread than the one that reads may close it: who leaves the first state disposes of the connection. */
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

  CallBody(InputStream content, CallHost host, CallConnection connection) {
    super(content);
    this.host = host;
    this.connection = connection;
  }

  @Override
  public int read() throws IOException {
    return isAtEnd() ? -1 : noted(super.read());
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    return isAtEnd() ? -1 : noted(super.read(into, from, most));
  }

  private boolean isAtEnd() throws IOException {
    State now = state.get();
    if (now == State.CLOSED) {
      throw new IOException("closed");
    }
    return now == State.AT_END;
  }

  private int noted(int read) {
    if (read < 0 && state.compareAndSet(State.OPEN, State.AT_END)) {
      host.giveBack(connection);
    }
    return read;
  }

  /** Without reading the rest. */
  @Override
  public void close() {
    if (state.compareAndSet(State.OPEN, State.CLOSED)) {
      host.discard(connection);
    }
  }
}
