package io.rns.server;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;

/** The body of a request that is there as a whole. */
public final class RequestBytes extends ServletInputStream {
  private final ByteArrayInputStream bytes;

  public RequestBytes(byte[] bytes) {
    this.bytes = new ByteArrayInputStream(bytes);
  }

  @Override
  public int read() {
    return bytes.read();
  }

  @Override
  public int read(byte[] into, int from, int length) {
    return bytes.read(into, from, length);
  }

  @Override
  public int available() {
    return bytes.available();
  }

  @Override
  public boolean isFinished() {
    return bytes.available() == 0;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setReadListener(ReadListener listener) {
    throw new IllegalStateException("the body is here");
  }
}
