package io.rns.server.store;

import java.time.Duration;

/**
 * How the database is reached; documented knob by knob in docs/operations.md.
 *
 * @param url JDBC URL of MySQL or MariaDB, {@code jdbc:mysql://host:port/name}
 * @param user account
 * @param password its password, empty for none
 * @param readConnections most connections of the reads
 * @param connectionTimeout longest wait for a free connection
 * @param socketTimeout longest wait for an answer of the database
 * @param maxLifetime age at which a connection is renewed
 * @param keepalive how often an idle connection is probed
 * @param group the number of the server group that the database belongs to
 */
public record DatabaseSettings(
    String url,
    String user,
    String password,
    int readConnections,
    Duration connectionTimeout,
    Duration socketTimeout,
    Duration maxLifetime,
    Duration keepalive,
    int group) {

  /** Without the password. */
  @Override
  public String toString() {
    return url.replaceAll("password=[^&]*", "password=...") + " as " + user;
  }
}
