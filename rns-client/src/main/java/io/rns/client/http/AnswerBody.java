package io.rns.client.http;

import io.rns.error.RnsException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer. It remembers why reading failed, because a parser in between reports a broken connection as a
 * broken document.
 */
final class AnswerBody extends FilterInputStream {
  /** What may stand behind the document and still be read, so that the connection can be kept. */
  private static final int TRAILING_BYTES = 4_096;

  private @Nullable IOException failure;
  private boolean atEnd;

  AnswerBody(InputStream body) {
    super(body);
  }

  /** Reads the body, and then whatever the reader has left of it. */
  <T> T read(HttpConnection.AnswerReader<T> reader) throws IOException {
    try {
      return reader.read(this);
    } catch (RnsException e) {
      if (failure != null) {
        failure.addSuppressed(e);
        throw failure;
      }
      throw e;
    } finally {
      if (failure == null && !atEnd) {
        readNBytes(TRAILING_BYTES);
      }
    }
  }

  /** Whether all of it was read. */
  boolean isAtEnd() {
    return atEnd;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      int count = super.read(bytes, offset, length);
      atEnd |= count < 0;
      return count;
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
