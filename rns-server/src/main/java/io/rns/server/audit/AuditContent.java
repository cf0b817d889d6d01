package io.rns.server.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** What a line says, but for its number and its hash. */
interface AuditContent {
  /** When it happened, in milliseconds since 1970. */
  long millis();

  /** One of the constants of {@link io.rns.audit.AuditLine}. */
  String event();

  /** Memory of the queue that it takes until it is written, in bytes. */
  default long queued() {
    return 0;
  }

  /** Writes the members of the object. */
  void write(JsonGenerator out) throws IOException;
}
