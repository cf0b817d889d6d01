package io.rns.error;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request that could not be processed. Expected results of a namespace (no such entry, entry exists, ...) are values
 * (outcomes) instead, which convert to this exception on demand.
 */
public final class RnsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RnsError error;
  private final @Nullable String referral;
  private final long retryMillis;

  /** An error with a message that states the facts: path, limit, value. */
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
   * An error that another server would not return.
   *
   * @param server the address of that server, for example {@code http://host:8080/rns}
   */
  public static RnsException referral(RnsError error, String message, String server) {
    return new RnsException(error, message, null, server, -1);
  }

  /**
   * A request rejected before any work was done because of too many concurrent requests.
   *
   * @param retryMillis when to retry at the same server, in ms from now, 0 or more; another server may be tried at once
   */
  public static RnsException busy(String message, long retryMillis) {
    return new RnsException(RnsError.BUSY, message, null, null, retryMillis);
  }

  /** When to retry at the same server, in ms from now; empty if the server did not specify it. */
  public OptionalLong retryMillis() {
    return retryMillis < 0 ? OptionalLong.empty() : OptionalLong.of(retryMillis);
  }

  /** The address of the server to contact instead, if known. */
  public Optional<String> referral() {
    return Optional.ofNullable(referral);
  }

  /** The code; its kind decides whether to retry. */
  public RnsError error() {
    return error;
  }
}
