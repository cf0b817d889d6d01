package io.rns.local;

import org.jspecify.annotations.Nullable;

/**
 * A part of the local service could not be started, stopped or found. The message is for the person at the terminal: it
 * names the file, port or process and the remedy.
 */
public final class LocalServiceException extends RuntimeException {
  LocalServiceException(String message) {
    this(message, null);
  }

  LocalServiceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
