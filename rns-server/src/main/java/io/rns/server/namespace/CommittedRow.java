package io.rns.server.namespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.GroupTable.GroupRow;
import io.rns.server.store.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;

/**
 * The server group's row as the primary's last commit left it. Nobody else changes it in the primary's epoch, so a
 * transaction need not read it first: it begins with an update that fails if the row is another one.
 *
 * <p>A transaction that is not answered may reach the database at any later time. What it would do is excluded by
 * {@link #confirm}, which changes the row that it names. Belongs to the writer's thread.
 */
final class CommittedRow {
  private final Database database;
  private final InstantSource clock;
  private GroupRow row;

  /** The number of the last change of which a commit was answered. */
  private long confirmed;

  /** Of how many replicas commits wait. */
  private volatile int acknowledgements;

  /**
   * A row that was just committed by this server.
   *
   * @param acknowledgements of how many replicas commits wait
   */
  CommittedRow(Database database, InstantSource clock, GroupRow row, int acknowledgements) {
    this.database = database;
    this.clock = clock;
    this.row = row;
    this.confirmed = row.position().sequence();
    this.acknowledgements = acknowledgements;
  }

  /** The row; what is confirmed in it is what the next transaction has to say of that. */
  GroupRow now() {
    return row.with(confirmed());
  }

  /** What the next transaction says to be confirmed: a replica that gets it may show that. */
  long confirmed() {
    return acknowledgements > 1 ? confirmed : GroupTable.ALL;
  }

  /** Of how many replicas commits wait. */
  int acknowledgements() {
    return acknowledgements;
  }

  /** Has commits wait for another number of replicas. By any thread. */
  void await(int replicas) {
    acknowledgements = replicas;
  }

  /** A transaction was committed that set it. */
  void advance(GroupRow next) {
    row = next;
    confirmed = next.position().sequence();
  }

  /**
   * Whether it is still what it was, which a transaction that writes nothing does not show.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if the epoch has passed
   */
  boolean isStill(Connection connection) throws SQLException {
    GroupRow found = WriteTransaction.lock(connection, row.position().epoch());
    connection.rollback();
    return found.isSameState(row);
  }

  /**
   * Reads and locks it.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if the epoch has passed
   */
  GroupRow read() {
    return database.write(
        connection -> {
          row = WriteTransaction.lock(connection, row.position().epoch());
          connection.rollback();
          return row;
        });
  }

  /**
   * Reads it under its lock, which waits for a transaction that the database is still at, and changes it: none that was
   * sent before can take effect later. In a group that also confirms what was found: what the database has was
   * acknowledged by a replica only if a later commit was; after a crash it also has what was not.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if the epoch has passed
   */
  GroupRow confirm() {
    GroupRow confirming = database.write(
        connection -> {
          GroupRow found = WriteTransaction.lock(connection, row.position().epoch());
          // A number of answers that is never used.
          GroupRow next =
              new GroupRow(
                  found.position(), found.lastEntry(), found.lastAnswers() + 1, clock.instant(), found.reflected(),
                  confirmed());
          Statements statements = new Statements(connection);
          GroupTable.update(statements, next);
          statements.execute();
          connection.commit();
          return next;
        });
    advance(confirming);
    return confirming;
  }
}
