package io.rns.server.store;

import static io.rns.server.store.MemberConnection.execute;
import static io.rns.server.store.MemberConnection.value;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells one run of a database process from the next. Neither make has a name for its run, and its uptime is in whole
 * seconds of a clock that may be set. So a setting that is lost with the process takes a random number: how long a
 * commit waits for a replica. Each of the numbers means for ever, and a source needs such a one anyway.
 *
 * @param setting of the source that says for how many milliseconds a commit waits for a replica
 * @param least the smallest number
 */
record RunMark(String setting, long least) {
  /** How many numbers there are: two runs have the same one by a chance of one in a billion. */
  private static final long NUMBERS = 990_000_000;

  /** The mark of this run, which is set first if this run has none yet. */
  long find(Connection connection) throws SQLException {
    return find(connection, read(connection));
  }

  /**
   * The same, after the setting was read.
   *
   * @param found its value
   */
  long find(Connection connection, String found) throws SQLException {
    if (Long.parseLong(found) >= least) {
      return Long.parseLong(found);
    }
    execute(connection, "SET GLOBAL " + setting + " = " + (least + ThreadLocalRandom.current().nextLong(NUMBERS)));
    return Long.parseLong(read(connection));
  }

  private String read(Connection connection) throws SQLException {
    return value(connection, "SELECT @@global." + setting);
  }
}
