package io.rns.error;

import org.jspecify.annotations.Nullable;

/**
 * A request that could not be answered. Answers that are expected of a namespace (no such entry, exists, ...) are values
 * (outcomes) instead, which turn into this exception on demand.
 */
public final class RnsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RnsError error;

  /** An error with a message that carries the facts: path, limit, value. */
  public RnsException(RnsError error, String message) {
    this(error, message, null);
  }

  /** An error with its cause. */
  public RnsException(RnsError error, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  /** The code; its kind says whether to repeat. */
  public RnsError error() {
    return error;
  }
}
