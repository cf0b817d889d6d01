package io.rns.server;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.util.function.IntConsumer;

/** The body of a response to a client that reads at once. */
public final class ResponseBytes extends ServletOutputStream {
  private final IntConsumer client;

  /**
   * A body.
   *
   * @param client takes it byte by byte
   */
  public ResponseBytes(IntConsumer client) {
    this.client = client;
  }

  @Override
  public void write(int one) {
    client.accept(one);
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    throw new IllegalStateException("the client reads at once");
  }
}
