package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.server.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the text of statements holds arrives in the database. Nothing is committed: it belongs to all tests. */
@Tag("server")
class StatementsTest {
  private static final String INSERT = "INSERT INTO answer_log (answers_id, answered_at, answers) VALUES ";
  private static final long FIRST = -1L << 50;

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

  /** All bytes, in all orders of two, what quotes and escapes are made of, and text. */
  private static List<byte[]> contents() {
    List<byte[]> contents = new ArrayList<>();
    byte[] pairs = new byte[2 * 256 * 256];
    for (int i = 0; i < 256 * 256; i++) {
      pairs[2 * i] = (byte) (i >> 8);
      pairs[2 * i + 1] = (byte) i;
    }
    contents.add(pairs);
    for (int value = 0; value < 256; value++) {
      contents.add(new byte[]{(byte) value});
    }
    for (String text : new String[]{"", "'", "''", "\\", "\\'", "\\0", "\"", "`", "?", "; COMMIT", "/* ", "-- ", "{d}",
        "%", "\0\0", "\u001a", "\u00e9", "\ud83d\ude00", "x'00'", "\u00bf\\'"}) {
      contents.add(text.getBytes(StandardCharsets.UTF_8));
    }
    Random random = new Random(7);
    for (int length = 1; length < 3_000_000; length *= 7) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      contents.add(bytes);
    }
    return contents;
  }

  /** Character sets in which a byte may be a part of another character, and modes that change how text is read. */
  @ParameterizedTest
  @ValueSource(strings = {
      "sql_mode = ''",
      "sql_mode = 'STRICT_ALL_TABLES'",
      "sql_mode = 'NO_BACKSLASH_ESCAPES'",
      "sql_mode = 'ANSI'",
      "character_set_client = latin1",
      "character_set_client = gbk, collation_connection = gbk_bin",
      "character_set_client = sjis, sql_mode = 'NO_BACKSLASH_ESCAPES'",
      "character_set_client = utf8mb4, collation_connection = utf8mb4_bin"})
  void everyByteArrives(String session) {
    List<byte[]> contents = contents();
    database.write(
        connection -> {
          try (Statement set = connection.createStatement()) {
            set.execute("SET SESSION " + session);
          }
          Statements statements = new Statements(connection);
          Statements.Rows rows = statements.insert(INSERT);
          for (int i = 0; i < contents.size(); i++) {
            rows.add(FIRST + 2L * i, i, contents.get(i));
          }
          for (int i = 0; i < contents.size(); i++) {
            statements.add(INSERT + "(?, ?, ?)", FIRST + 2L * i + 1, -i, contents.get(i));
          }
          statements.execute();
          for (int i = 0; i < contents.size(); i++) {
            assertThat(find(connection, FIRST + 2L * i)).as("row " + i).isEqualTo(contents.get(i));
            assertThat(find(connection, FIRST + 2L * i + 1)).as("statement " + i).isEqualTo(contents.get(i));
          }
          connection.rollback();
          return null;
        });
  }

  private static byte @Nullable [] find(Connection connection, long id) throws SQLException {
    try (
        PreparedStatement select = connection.prepareStatement("SELECT answers FROM answer_log WHERE answers_id = ?")) {
      select.setLong(1, id);
      try (ResultSet row = select.executeQuery()) {
        assertThat(row.next()).as("row of " + id).isTrue();
        return row.getBytes(1);
      }
    }
  }

  @Test
  void numbersAndNullsArrive() {
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          statements.insert(INSERT).add(FIRST, Long.MIN_VALUE, new byte[1]);
          statements.insert(INSERT).add(FIRST + 1, Long.MAX_VALUE, new byte[1]);
          statements.add("INSERT INTO entry (parent_id, name, entry_id, kind, version, created_at, modified_at, epr) "
              + "VALUES (?, ?, ?, 1, 1, 1, 1, ?)", FIRST, new byte[0], FIRST, null);
          statements.execute();
          try (Statement select = connection.createStatement();
              ResultSet row = select.executeQuery(
                  "SELECT MIN(answered_at), MAX(answered_at), (SELECT COUNT(*) FROM entry WHERE parent_id = " + FIRST
                      + " AND name = '' AND epr IS NULL) FROM answer_log WHERE answers_id BETWEEN " + FIRST + " AND "
                      + (FIRST + 1))) {
            row.next();
            assertThat(row.getLong(1)).isEqualTo(Long.MIN_VALUE);
            assertThat(row.getLong(2)).isEqualTo(Long.MAX_VALUE);
            assertThat(row.getInt(3)).isEqualTo(1);
          }
          connection.rollback();
          return null;
        });
  }

  @Test
  void aMissingOrFurtherParameterIsAnError() {
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          assertThatThrownBy(() -> statements.add("DO ?", 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
          Statements others = new Statements(connection);
          others.add("DO ?, ?", 1);
          assertThatThrownBy(others::execute).isInstanceOf(SQLException.class);
          return null;
        });
  }
}
