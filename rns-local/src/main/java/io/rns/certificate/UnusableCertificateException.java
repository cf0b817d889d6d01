package io.rns.certificate;

import org.jspecify.annotations.Nullable;

/** A certificate or key that cannot be used; the message names the file and what to do. */
public final class UnusableCertificateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a reason. */
  public UnusableCertificateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
