package io.rns.server.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long the database waits for others within a session of ours, so that each wait ends before the one around it
 * does:
 *
 * <pre> lock wait a third of the socket's time-out the database answers "lock wait timeout": the writer repeats
 * statement two thirds of it the database ends a read of its own accord socket RNS_DB_SOCKET_TIMEOUT we give the
 * connection up, and have the database end it request RNS_WRITE_TIMEOUT the caller is told </pre>
 *
 * <p>Were a lock wait longer than the socket's time-out, as it is by default in MySQL and MariaDB (50 s), every lost
 * race would look like a lost connection.
 */
record SessionTimes(Duration socket, Duration keepalive) {
  private static final int PARTS = 3;

  long lockWaitSeconds() {
    return Math.max(1, socket.toSeconds() / PARTS);
  }

  long statementMillis() {
    return 2 * socket.toMillis() / PARTS;
  }

  /** An idle connection is probed before this; a vanished server's is closed after it. */
  private long idleSeconds() {
    return 2 * keepalive.toSeconds();
  }

  /** What a connection for reads sets first; each engine runs the part in its comments. */
  String forReads() {
    return "SET SESSION wait_timeout = %d /*M!, max_statement_time = %d.%03d */ /*!80000 , max_execution_time = %d */"
        .formatted(idleSeconds(), statementMillis() / 1_000, statementMillis() % 1_000, statementMillis());
  }

  /**
   * What the writer's connection sets first. MySQL has no bound for a transaction that does nothing. A session that is
   * not strict would take a null as 0 where {@link GroupTable#replace} wants it refused.
   */
  String forWrites() {
    return ("SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), "
        + "wait_timeout = %d, innodb_lock_wait_timeout = %d /*M!, idle_transaction_timeout = %d */")
        .formatted(idleSeconds(), lockWaitSeconds(), TimeUnit.MILLISECONDS.toSeconds(socket.toMillis() + 999));
  }
}
