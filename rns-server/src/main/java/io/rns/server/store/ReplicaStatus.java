package io.rns.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * What a replica says about its replication.
 *
 * @param source where from, {@code host:port}
 * @param receiver the thread that receives: {@code Yes}, {@code No}, {@code Connecting}, ...
 * @param applier the thread that applies: {@code Yes} or {@code No}
 * @param received transactions received, as this make writes them
 * @param receiverTrouble the last error of the receiver, if any
 * @param applierTrouble the last error of the applier, if any
 */
record ReplicaStatus(
    String source,
    String receiver,
    String applier,
    String received,
    Optional<String> receiverTrouble,
    Optional<String> applierTrouble) {
  private static final String REFUSED = "error 1236:";

  /**
   * The words of a make.
   *
   * @param sql the statement that asks
   * @param source what the column of the source's host begins with
   * @param replica what the columns of the threads begin with
   * @param received the column of the transactions received
   */
  record Words(String sql, String source, String replica, String received) {}

  /** The status; empty if the member has no source. */
  static Optional<ReplicaStatus> find(Connection connection, Words words) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(words.sql())) {
      return row.next() ? Optional.of(read(row, words)) : Optional.empty();
    }
  }

  private static ReplicaStatus read(ResultSet row, Words words) throws SQLException {
    return new ReplicaStatus(
        row.getString(words.source() + "_Host") + ":" + row.getInt(words.source() + "_Port"),
        row.getString(words.replica() + "_IO_Running"),
        row.getString(words.replica() + "_SQL_Running"),
        // MySQL breaks sets into lines
        row.getString(words.received()).replaceAll("\\s", ""),
        trouble(row, "Last_IO_Errno", "Last_IO_Error"),
        trouble(row, "Last_SQL_Errno", "Last_SQL_Error"));
  }

  private static Optional<String> trouble(ResultSet row, String number, String text) throws SQLException {
    int error = row.getInt(number);
    return error == 0 ? Optional.empty() : Optional.of("error " + error + ": " + row.getString(text));
  }

  /** The last errors, if any. */
  Optional<String> trouble() {
    return receiverTrouble.isPresent() && applierTrouble.isPresent()
        ? Optional.of(receiverTrouble.get() + "; " + applierTrouble.get())
        : receiverTrouble.or(() -> applierTrouble);
  }

  /** Whether the source has refused it, as one whose position is not in its log. */
  boolean refused() {
    return receiverTrouble.filter(trouble -> trouble.startsWith(REFUSED)).isPresent();
  }

  boolean receiving() {
    return receiver.equals("Yes");
  }

  /** Whether the receiver is there, connected or trying to. */
  boolean wantsToReceive() {
    return !receiver.equals("No");
  }

  boolean applying() {
    return applier.equals("Yes");
  }
}
