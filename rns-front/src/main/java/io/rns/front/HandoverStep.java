package io.rns.front;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * The steps of a handover, as bytes on the control connection. The predecessor owns its sockets until it sends
 * {@link #COMMIT}: before, the successor does not touch what it received; after, the predecessor does not. If the
 * connection ends in between, the successor owns what it has received only if the predecessor's process has ended.
 */
enum HandoverStep {
  /** The listening socket follows. */
  LISTENER(1),
  /** States of connections follow, and their sockets. */
  WINDOW(2),
  /** The successor has received all of it. */
  RECEIVED(3),
  /** The successor is the owner. */
  COMMIT(4),
  /** The predecessor stays the owner. */
  ABORT(5),
  /** Nothing is left. */
  DONE(6);

  /** Of the steps, and of {@link ConnectionState}: a successor that expects another one would misread connections. */
  static final String FORMAT = "2";

  private final int code;

  HandoverStep(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /**
   * Reads the next step.
   *
   * @throws EOFException if the other process has ended
   */
  static HandoverStep read(DataInputStream in) throws IOException {
    int code = in.read();
    if (code < 0) {
      throw new EOFException("the other process has closed the connection");
    }
    for (HandoverStep step : values()) {
      if (step.code == code) {
        return step;
      }
    }
    throw new IOException("unknown step " + code + " of a handover");
  }
}
