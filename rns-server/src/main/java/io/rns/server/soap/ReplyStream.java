package io.rns.server.soap;

import io.rns.wire.Envelope;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A whole answer message as bytes to read; the pieces are made as they are read. */
final class ReplyStream extends InputStream {
  private final Reply reply;
  private final SoapVersion version;
  private final XmlBuffer buffer = new XmlBuffer(4_096);
  private ByteArrayInputStream piece;
  private boolean more;

  /** The bytes of {@code reply}. */
  ReplyStream(Reply reply, SoapVersion version) {
    this.reply = reply;
    this.version = version;
    reply.open(buffer, version);
    this.piece = next();
  }

  private ByteArrayInputStream next() {
    more = reply.writeNext(buffer, version);
    if (!more) {
      Envelope.close(buffer);
    }
    byte[] bytes = buffer.toByteArray();
    buffer.truncate(0);
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public int read() {
    while (piece.available() == 0 && more) {
      piece = next();
    }
    return piece.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    while (piece.available() == 0 && more) {
      piece = next();
    }
    return piece.read(target, offset, length);
  }
}
