package io.rns.loadtest.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What was received is no HTTP/1.1 answer to the request. */
final class MalformedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedAnswerException(String found) {
    this(found, null);
  }

  MalformedAnswerException(String found, @Nullable Throwable cause) {
    super("the server sent " + found, cause);
  }
}
