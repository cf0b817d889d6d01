package io.rns.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a MySQL database commits apart from what it has lost. A database counts its transactions, and one that was
 * rebuilt from another begins again after the last one that it has: it gave the numbers that follow before, to
 * transactions that the other one lacked. A member that has one of these would never receive its namesake. So each
 * rebuild makes up a tag, which MySQL makes a part of the identities of all that a session commits.
 *
 * <p>A procedure gives it to a session, with the rights of the account that controls replication: that of the service
 * needs none. The procedure belongs to this database alone; it is made outside of the binary log, and lasts.
 */
final class TransactionTag {
  private static final String PROCEDURE = "tag_transactions";

  private static final String EXISTS =
      "SELECT COUNT(*) FROM information_schema.routines WHERE routine_schema = COALESCE(?, DATABASE())"
          + " AND routine_name = ?";

  private static final int HEXADECIMAL_DIGITS = 7;

  private TransactionTag() {}

  /** What a session has to execute before it changes data; empty if the database has no tag, as a MariaDB. */
  static Optional<String> statement(Connection connection) throws SQLException {
    return exists(connection, null) ? Optional.of("CALL " + PROCEDURE) : Optional.empty();
  }

  /**
   * Whether the database has a tag.
   *
   * @param schema the service's; null for that of the connection
   */
  static boolean exists(Connection connection, @Nullable String schema) throws SQLException {
    return !MemberConnection.value(connection, EXISTS, schema, PROCEDURE).equals("0");
  }

  /**
   * Makes up another tag. Sessions that are open keep the one before.
   *
   * @param connection of the account that controls replication, which may write
   * @param schema the service's
   * @throws SQLException also, before anything has changed, if this account may not tag transactions
   */
  static void renew(Connection connection, String schema) throws SQLException {
    // It begins with a letter, and has eight characters at most.
    String tagged = "SET SESSION gtid_next = 'AUTOMATIC:t"
        + UUID.randomUUID().toString().substring(0, HEXADECIMAL_DIGITS) + "'";
    MemberConnection.execute(connection, tagged);
    MemberConnection.execute(connection, "SET SESSION gtid_next = 'AUTOMATIC'");
    String procedure = MemberConnection.quoted(schema) + "." + PROCEDURE;
    PromiseTable.unlogged(connection, () -> {
      MemberConnection.execute(connection, "DROP PROCEDURE IF EXISTS " + procedure);
      // A single server of the same database may run without GTIDs.
      MemberConnection.execute(
          connection,
          "CREATE PROCEDURE " + procedure + "() IF @@global.gtid_mode = 'ON' THEN " + tagged + "; END IF");
    });
  }
}
