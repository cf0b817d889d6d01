package io.rns.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks the session of the database that writes, by a lock of a name: at most one session holds it, and the database
 * tells which. A session that is left over, of a server that vanished or of a connection that was lost, may hold the
 * row of the group until the database notices, perhaps for hours; the next writer ends it first.
 *
 * <p>The mark belongs to one database server; it is not replicated.
 */
final class WriterSession {
  private static final Logger LOG = LoggerFactory.getLogger(WriterSession.class);

  private static final String NAME = "LEFT(CONCAT('rns-writer:', DATABASE()), 64)";
  private static final String HOLDER = "SELECT IS_USED_LOCK(" + NAME + "), CONNECTION_ID()";

  /** An ended session takes a moment to take back its transaction. */
  private static final int MOST_SECONDS = 2;

  private static final String TAKE = "SELECT GET_LOCK(" + NAME + ", " + MOST_SECONDS + ")";
  private static final int NO_SUCH_SESSION = 1094;
  private static final int NOT_OURS = 1095;

  private WriterSession() {}

  /**
   * Makes the session of a new connection the one that writes, and ends the one that was, if it is still there.
   *
   * @return false if that one has not ended yet
   */
  static boolean take(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      long former = otherHolder(statement);
      if (former != 0) {
        LOG.warn("ending session {} of the database, which was the writer's; its uncommitted changes are rolled back",
            former);
        end(statement, former);
      }
      try (ResultSet row = statement.executeQuery(TAKE)) {
        boolean taken = row.next() && row.getInt(1) == 1;
        if (!taken) {
          LOG.warn("the former session of the writer has not ended within {} s", MOST_SECONDS);
        }
        return taken;
      }
    }
  }

  private static long otherHolder(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(HOLDER)) {
      row.next();
      long holder = row.getLong(1);
      return holder == row.getLong(2) ? 0 : holder;
    }
  }

  private static void end(Statement statement, long session) throws SQLException {
    try {
      statement.execute("KILL CONNECTION " + session);
    } catch (SQLException e) {
      switch (e.getErrorCode()) {
        case NO_SUCH_SESSION -> LOG.debug("session {} has already ended", session);
        case NOT_OURS -> LOG.warn("session {} is of another account and cannot be ended: {}", session, e.getMessage());
        default -> throw e;
      }
    }
  }
}
