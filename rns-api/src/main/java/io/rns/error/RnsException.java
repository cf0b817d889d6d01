package io.rns.error;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request that could not be answered. Answers that are expected of a namespace (no such entry, exists, ...) are
 * values (outcomes) instead, which turn into this exception on demand.
 */
public final class RnsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RnsError error;
  private final @Nullable String referral;
  private final long retryMillis;

  /** An error with a message that carries the facts: path, limit, value. */
  public RnsException(RnsError error, String message) {
    this(error, message, null);
  }

  /** An error with its cause. */
  public RnsException(RnsError error, String message, @Nullable Throwable cause) {
    this(error, message, cause, null, -1);
  }

  private RnsException(
      RnsError error, String message, @Nullable Throwable cause, @Nullable String referral, long retryMillis) {
    super(message, cause);
    this.error = error;
    this.referral = referral;
    this.retryMillis = retryMillis;
  }

  /**
   * An error that another server would not give.
   *
   * @param server the address of that server, such as {@code http://host:8080/rns}
   */
  public static RnsException referral(RnsError error, String message, String server) {
    return new RnsException(error, message, null, server, -1);
  }

  /**
   * A request that was turned away before anything was done, since there are too many.
   *
   * @param retryMillis when to come back to the same server, 0 or more; another one may be asked at once
   */
  public static RnsException busy(String message, long retryMillis) {
    return new RnsException(RnsError.BUSY, message, null, null, retryMillis);
  }

  /** When to come back to the same server, in milliseconds from now; empty if it did not say. */
  public OptionalLong retryMillis() {
    return retryMillis < 0 ? OptionalLong.empty() : OptionalLong.of(retryMillis);
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
