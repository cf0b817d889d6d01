package io.rns.association;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;

/** How the bytes of one connection travel. Never blocks. Used only by the {@link Carrier} thread. */
sealed interface Wire permits PlainWire, TlsWire {
  /** How far it is open. */
  sealed interface Opening {
    /** Bytes can be sent and received. */
    record Open() implements Opening {}

    /** It waits for bytes. */
    record Reading() implements Opening {}

    /** It waits until bytes can be sent. */
    record Writing() implements Opening {}

    /** It waits for a computation, which another thread should do. */
    record Computing(Runnable task) implements Opening {}
  }

  /**
   * Goes on opening a connected channel.
   *
   * @throws IOException if that fails
   */
  Opening open() throws IOException;

  /** Reads; returns how many bytes, -1 if the other end has closed. */
  int read(ByteBuffer target) throws IOException;

  /** Takes as many bytes as it can, and returns how many. */
  int write(ByteBuffer source) throws IOException;

  /** Whether bytes that it has taken wait for the network. */
  boolean hasUnsent();

  /** Whether it can read nothing before these are sent. */
  boolean sendsFirst();

  /** Memory of bytes that are neither read nor sent, which the wire holds. */
  long heldBytes();

  /** Whether the other end has closed after what was read. */
  boolean isOver();

  /** The certificates of the other end, its own first; empty if it has presented none. */
  List<X509Certificate> chain();

  /** Closes at once. */
  void close() throws IOException;
}
