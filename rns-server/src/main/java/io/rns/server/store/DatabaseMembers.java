package io.rns.server.store;

import io.rns.replication.member.DatabaseMember;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Topology;
import java.time.Duration;

/** Makes {@link DatabaseMember}s. */
public final class DatabaseMembers {
  private DatabaseMembers() {}

  /**
   * The database at an address, for its make.
   *
   * @param topology how it is kept like the others
   * @param jdbcUrl as the service has it; an account named in it is not used
   * @param controlUser account that controls replication; docs/operations.md says what it must be allowed
   * @param controlPassword its password
   * @param socketTimeout longest wait for a connection, and for an answer; commands have 10 s at least
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it cannot be reached, so that its make cannot be seen;
   *         {@link RnsError#INVALID_REQUEST} if its make has no such topology, or it writes no binary log
   */
  public static DatabaseMember of(
      Topology topology, String jdbcUrl, String controlUser, String controlPassword, Duration socketTimeout) {
    ControlAccount account = ControlAccount.of(jdbcUrl, controlUser, controlPassword);
    MemberConnection looks = new MemberConnection(account, socketTimeout);
    try {
      boolean mariaDb = looks.value("report its version", "SELECT VERSION()").contains("MariaDB");
      if (looks.value("report its binary log", "SELECT @@global.log_bin").equals("0")) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "the database " + account + " writes no binary log, so no other can follow it: start it with log-bin "
                + "(docs/operations.md, \"Replication: the databases\")");
      }
      MemberConnection commands = new MemberConnection(account, longer(socketTimeout));
      return switch (topology) {
        case SOURCE_REPLICA ->
          mariaDb ? new MariaDbMember(account, looks, commands) : new MySqlMember(account, looks, commands);
        case GROUP -> {
          if (mariaDb) {
            throw new RnsException(
                RnsError.INVALID_REQUEST, "the database " + account + " is a MariaDB; topology 'group' needs MySQL");
          }
          yield new GroupReplicationMember(account, looks, commands);
        }
      };
    } catch (RnsException e) {
      looks.close();
      throw e;
    }
  }

  /** Changing sides waits for threads of the database. */
  private static Duration longer(Duration socketTimeout) {
    Duration least = Duration.ofSeconds(10);
    return socketTimeout.compareTo(least) < 0 ? least : socketTimeout;
  }
}
