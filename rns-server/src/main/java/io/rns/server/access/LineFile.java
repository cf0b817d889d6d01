package io.rns.server.access;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where lines end up. For one thread. */
interface LineFile extends AutoCloseable {
  /**
   * Appends whole lines: all of them or, if that fails, none as far as that can be had.
   *
   * @throws IOException if they are not there; the next ones may be
   */
  void append(ByteBuffer lines) throws IOException;

  @Override
  void close() throws IOException;
}
