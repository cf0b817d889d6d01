package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors as callers may see them. */
public final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);

  private Incidents() {}

  /** The error as callers may see it: of a defect only a number, which is also in the log. */
  public static RnsException told(RuntimeException error) {
    if (error instanceof RnsException known && known.error() != RnsError.INTERNAL) {
      return known;
    }
    String incident = UUID.randomUUID().toString();
    LOG.error("incident {}", incident, error);
    return new RnsException(RnsError.INTERNAL, "the service has a defect: incident " + incident, error);
  }
}
