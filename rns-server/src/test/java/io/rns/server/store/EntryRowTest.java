package io.rns.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.TestDatabase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row that the database packs is the row of the table. Nothing is committed: it belongs to all tests. */
@Tag("server")
class EntryRowTest {
  private static final long PARENT = -1L << 51;
  private static final byte[] NAME = {'n'};
  private static final int MOST = 100;

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

  private EntryRow packed(long id, long version, byte @Nullable [] epr, byte @Nullable [] metadata) {
    return database.write(
        connection -> {
          Statements statements = new Statements(connection);
          statements.add("INSERT INTO entry (" + EntryTable.COLUMNS + ") VALUES (?, ?, ?, 2, ?, ?, ?, ?, ?)",
              PARENT, NAME, id, version, 0, Long.MAX_VALUE, epr, metadata);
          statements.execute();
          try (PreparedStatement select = connection.prepareStatement(
              "SELECT " + EntryRow.packed("e.", MOST) + " FROM entry e WHERE parent_id = " + PARENT);
              ResultSet row = select.executeQuery()) {
            assertThat(row.next()).isTrue();
            return EntryRow.unpack(row.getBytes(1));
          } finally {
            connection.rollback();
          }
        });
  }

  @Test
  void numbersAndContentArrive() {
    byte[] content = "\u00e9 \0'\\ \ud83d\ude00".getBytes(UTF_8);
    EntryRow row = packed(Long.MIN_VALUE, Long.MIN_VALUE + 1, content, new byte[]{' ', -1, 0});
    assertThat(row.id()).isEqualTo(Long.MIN_VALUE);
    assertThat(row.kind()).isEqualTo(2);
    assertThat(row.version()).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(row.created()).isZero();
    assertThat(row.modified()).isEqualTo(Long.MAX_VALUE);
    assertThat(row.epr()).isEqualTo(content);
    assertThat(row.metadata()).containsExactly(' ', -1, 0);
    assertThat(row.bytes()).isEqualTo(content.length + 3);
  }

  @Test
  void nothingIsNoBytesAndMoreThanIsReadIsCounted() {
    EntryRow none = packed(1L << 51, 7, null, null);
    assertThat(none.epr()).isEmpty();
    assertThat(none.metadata()).isEmpty();
    assertThat(none.bytes()).isZero();
    assertThat(packed(1L << 51, 7, new byte[MOST], null).epr()).hasSize(MOST);
    EntryRow large = packed(1L << 51, 7, new byte[MOST], new byte[1]);
    assertThat(large.bytes()).isEqualTo(MOST + 1);
    assertThat(large.epr()).isEmpty();
    assertThat(large.metadata()).isEmpty();
    assertThat(EntryRow.unpack(null)).isNull();
  }
}
