package io.rns.server.store;

import io.rns.error.RnsException;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, once each, that the database cannot be reached, why, and that it can be again. Thread-safe. */
final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final DatabaseSettings settings;
  private volatile boolean away;

  Reachability(DatabaseSettings settings) {
    this.settings = settings;
  }

  /** A connection was not to be had; returns the error as callers see it. */
  RnsException failed(SQLException e) {
    RnsException error = SqlErrors.toException(e);
    if (!away) {
      away = true;
      LOG.warn("no connection to {}: {} ({})", settings, error.getMessage(), SqlErrors.detail(e));
    }
    return error;
  }

  /** A connection was had. */
  void reached() {
    if (away) {
      away = false;
      LOG.info("connected to {} again", settings);
    }
  }
}
