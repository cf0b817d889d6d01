package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.replication.MemberList;
import io.rns.server.TestDatabase;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of members. Nothing of it is committed: the database belongs to all tests. */
@Tag("server")
class MemberTableTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final String A = "http://a.example.org:8080/rns";
  private static final String B = "http://b\u00e9.example.org:8080/rns";

  private Database database;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aDatabaseWithoutGroupHasNoList() {
    MemberList found =
        database.write(connection -> MemberTable.write(connection, 7, List.of(), TIME, 1));
    assertThat(found).isEqualTo(MemberList.NONE);
  }

  @Test
  void aListIsReadAsItWasWritten() {
    database.write(
        connection -> {
          MemberTable table = new MemberTable(connection.getCatalog());
          MemberList written = MemberTable.write(connection, 7, List.of(B, A), TIME, 1);
          assertThat(written.urls()).containsExactly(A, B);
          assertThat(table.find(connection)).isEqualTo(written);
          return true;
        });
  }

  @Test
  void eachListIsLaterThanTheOneBeforeAndKeepsWhoWasAdded() {
    database.write(
        connection -> {
          MemberList first = MemberTable.write(connection, 7, List.of(A), TIME, 1);
          MemberList second = MemberTable.write(connection, 7, List.of(A, B), TIME.plusSeconds(1), 1);
          MemberList nextEpoch = MemberTable.write(connection, 8, List.of(), TIME.plusSeconds(2), 1);
          assertThat(second.isLater(first)).isTrue();
          assertThat(nextEpoch.isLater(second)).isTrue();
          assertThat(nextEpoch.members())
              .containsExactly(
                  new MemberList.Member(A, TIME.toEpochMilli()),
                  new MemberList.Member(B, TIME.plusSeconds(1).toEpochMilli()));
          return true;
        });
  }
}
