package io.rns.loadtest.http;

import java.io.IOException;

/** The server closed the connection where an answer, or the rest of one, should have come. */
final class ClosedByServerException extends IOException {
  private static final long serialVersionUID = 1L;

  ClosedByServerException(int received) {
    super("the server closed the connection after " + received + " bytes of the answer");
  }
}
