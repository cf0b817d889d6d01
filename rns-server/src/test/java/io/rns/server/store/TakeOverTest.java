package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server becomes the primary while the former one still takes itself for it. */
@Tag("server")
class TakeOverTest {
  private static final int ATTEMPTS = 5;

  private final AtomicInteger attempts = new AtomicInteger();

  /** Becomes the writer; some of its sessions are ended before they have done anything. */
  private GroupTable.GroupRow takeOver(int ended) {
    try (Database database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
        Database former = new Database(TestDatabase.settings(TestDatabase.sharedUrl()))) {
      database.migrate();
      return database.takeOver(connection -> {
        if (attempts.incrementAndGet() <= ended) {
          end(former, connection);
        }
        return GroupTable.lock(connection);
      });
    }
  }

  private static void end(Database former, Connection session) throws SQLException {
    String id = MemberConnection.value(session, "SELECT CONNECTION_ID()");
    former.read(other -> {
      MemberConnection.execute(other, "KILL CONNECTION " + id);
      return id;
    });
  }

  @Test
  void isRepeatedIfTheFormerWriterEndsItsSession() {
    assertThat(takeOver(2).position().epoch()).isNotNegative();
    assertThat(attempts).hasValue(3);
  }

  /** Writes wait for what is done then. */
  @Test
  void beginsWithItsTransactionIfItWasPrepared() {
    try (Database database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()))) {
      database.prepareTakeOver();
      long before = database.write(TakeOverTest::statements);
      long after = database.takeOver(TakeOverTest::statements);
      assertThat(after - before).as("a rollback and this question").isLessThanOrEqualTo(2);
    }
  }

  private static long statements(Connection connection) throws SQLException {
    return Long.parseLong(MemberConnection.row(connection, "SHOW SESSION STATUS LIKE 'Questions'").get(1));
  }

  @Test
  void isGivenUpIfThatDoesNotEnd() {
    assertThatThrownBy(() -> takeOver(ATTEMPTS))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(attempts).hasValue(ATTEMPTS);
  }
}
