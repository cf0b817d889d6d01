package io.rns.client.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** Reports how many bytes are read; the listener may refuse more by an exception. */
final class CountedBody extends FilterInputStream {
  private final LongConsumer counter;

  CountedBody(InputStream body, LongConsumer counter) {
    super(body);
    this.counter = counter;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    if (count > 0) {
      counter.accept(count);
    }
    return count;
  }
}
