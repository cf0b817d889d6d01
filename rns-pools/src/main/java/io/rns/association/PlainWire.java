package io.rns.association;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;

/** Bytes as they are. */
final class PlainWire implements Wire {
  private static final Opening OPEN = new Opening.Open();

  private final SocketChannel channel;

  PlainWire(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public Opening open() {
    return OPEN;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public boolean hasUnsent() {
    return false;
  }

  @Override
  public boolean sendsFirst() {
    return false;
  }

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public List<X509Certificate> chain() {
    return List.of();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
