package io.rns.front.message;

import io.rns.error.RnsError;

/** A message that is not passed on: its end is ambiguous, or a limit is exceeded. The connection has to be closed. */
public final class RefusedMessage extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final RnsError error;

  /** A refusal. */
  public RefusedMessage(int status, RnsError error, String message) {
    super(message, null, false, false);
    this.status = status;
    this.error = error;
  }

  static RefusedMessage malformed(String why) {
    return new RefusedMessage(400, RnsError.MALFORMED_MESSAGE, why);
  }

  /** The HTTP status of the refusal. */
  public int status() {
    return status;
  }

  /** Its code. */
  public RnsError error() {
    return error;
  }
}
