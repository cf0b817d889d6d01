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

  /** What can be told of an error: of a defect a number only, which the log has too. */
  public static RnsException told(RuntimeException error) {
    if (error instanceof RnsException known && known.error() != RnsError.INTERNAL) {
      return known;
    }
    String incident = UUID.randomUUID().toString();
    LOG.error("incident {}", incident, error);
    return new RnsException(RnsError.INTERNAL, "the service has a defect: incident " + incident, error);
  }
}
