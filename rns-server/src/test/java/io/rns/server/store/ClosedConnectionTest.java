package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A database that is killed ends connections in the middle of work. Whatever the pool and the driver say of a
 * connection that they have given up already, it is not a defect of the service.
 */
@Tag("server")
class ClosedConnectionTest {
  private static final int MOST_STATEMENTS = 5;

  private final AtomicInteger runs = new AtomicInteger();
  private final List<SQLException> overlooked = new ArrayList<>();
  private Database database;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Loses the connection, of which the first error is overlooked. */
  private void lose(Connection connection) throws SQLException {
    for (int statements = 0; !connection.isClosed(); statements++) {
      assertThat(statements).isLessThan(MOST_STATEMENTS);
      try {
        boolean unused =
            connection.createStatement().execute(statements == 0 ? "KILL CONNECTION_ID()" : "SELECT 1");
      } catch (SQLException e) {
        overlooked.add(e);
      }
    }
  }

  private int seven(Connection connection) throws SQLException {
    if (runs.getAndIncrement() == 0) {
      lose(connection);
      assertThat(overlooked).isNotEmpty();
    }
    try (ResultSet row = connection.createStatement().executeQuery("SELECT 7")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Loses the connection between the rows of a result that no buffer holds. */
  private int sevenAfterRows(Connection connection) throws SQLException {
    if (runs.getAndIncrement() == 0) {
      try (Statement select = connection.createStatement()) {
        select.setFetchSize(Integer.MIN_VALUE);
        ResultSet rows = select.executeQuery(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
                + " SELECT CONNECTION_ID(), REPEAT('x', 200000) FROM n");
        rows.next();
        long id = rows.getLong(1);
        database.<Boolean>read(other -> other.createStatement().execute("KILL " + id));
        while (rows.next()) {
          assertThat(rows.getLong(1)).isEqualTo(id);
        }
      }
    }
    return 7;
  }

  private static void assertUnavailable(RnsException e) {
    assertThat(e.error()).as(e.getMessage()).isEqualTo(RnsError.UNAVAILABLE);
    assertThat(SqlErrors.passes(e)).isTrue();
  }

  @Test
  void aReadRunsAgain() {
    assertThat(database.<Integer>read(this::seven)).isEqualTo(7);
    assertThat(runs).hasValue(2);
  }

  @Test
  void aReadWhoseRowsEndInTheMiddleRunsAgain() {
    assertThat(database.<Integer>read(this::sevenAfterRows)).isEqualTo(7);
    assertThat(runs).hasValue(2);
  }

  @Test
  void aWriteIsUnavailable() {
    assertThatThrownBy(() -> database.write(this::seven))
        .isInstanceOfSatisfying(RnsException.class, ClosedConnectionTest::assertUnavailable);
    runs.set(0);
    assertThatThrownBy(() -> database.writeToTheEnd(this::seven))
        .isInstanceOfSatisfying(RnsException.class, ClosedConnectionTest::assertUnavailable);
    assertThat(database.<Integer>write(this::seven)).isEqualTo(7);
  }

  @Test
  void aRefusedStatementStaysADefect() {
    assertThatThrownBy(() -> database.read(connection -> connection.createStatement().execute("SELEC 1")))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INTERNAL));
  }
}
