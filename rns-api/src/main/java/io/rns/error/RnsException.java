package io.rns.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that could not be answered. Answers that are expected of a namespace (no such entry, exists, ...) are values
 * (outcomes) instead, which turn into this exception on demand.
 */
public final class RnsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RnsError error;
  private final @Nullable String referral;

  /** An error with a message that carries the facts: path, limit, value. */
  public RnsException(RnsError error, String message) {
    this(error, message, null);
  }

  /** An error with its cause. */
  public RnsException(RnsError error, String message, @Nullable Throwable cause) {
    this(error, message, cause, null);
  }

  private RnsException(RnsError error, String message, @Nullable Throwable cause, @Nullable String referral) {
    super(message, cause);
    this.error = error;
    this.referral = referral;
  }

  /**
   * An error that another server would not give.
   *
   * @param server the address of that server, such as {@code http://host:8080/rns}
   */
  public static RnsException referral(RnsError error, String message, String server) {
    return new RnsException(error, message, null, server);
  }

  /** The address of the server to ask instead, if it is known. */
  public Optional<String> referral() {
    return Optional.ofNullable(referral);
  }

  /** The code; its kind says whether to repeat. */
  public RnsError error() {
    return error;
  }
}
