package io.rns.client.call;

import io.rns.error.RnsException;

/**
 * The cause of the error of a write that may have been applied, in whole or in part, by a server that does not know
 * request ids: it must not be repeated.
 */
public final class UnknownOutcomeException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnknownOutcomeException(RnsException cause) {
    super("the write may have been applied", cause);
  }

  /** Whether an error has such a cause. */
  public static boolean isOf(RnsException error) {
    return error.getCause() instanceof UnknownOutcomeException;
  }
}
