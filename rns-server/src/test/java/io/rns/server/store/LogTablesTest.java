package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RequestId;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import io.rns.server.store.ChangeLogTable.Change;
import io.rns.server.store.ChangeLogTable.Kind;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is packed into rows of logs comes out again. Nothing of it is committed: the database belongs to all tests. */
class LogTablesTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

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

  private static Change change(long sequence, Kind kind) {
    EntryName name = EntryName.of("n\u00e4me-" + "x".repeat((int) (sequence % 1_000)));
    EntryKey oldKey = kind == Kind.MOVED ? new EntryKey(sequence + 9, EntryName.of("old")) : null;
    return new Change(sequence, kind, sequence + 5, new EntryKey(7, name), oldKey);
  }

  @Test
  void changesOfManyRowsAreReadInOrderFromAnyPosition() {
    long first = 1L << 40;
    List<Kind> kinds = List.of(Kind.values());
    List<Change> changes = new ArrayList<>();
    changes.add(new Change(first, Kind.CHANGED, 1, EntryKey.ROOT, null));
    for (int i = 1; i < 3_000; i++) {
      changes.add(change(first + i, kinds.get(i % kinds.size())));
    }
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          ChangeLogTable.append(statements, 3, TIME, changes);
          statements.execute();
          for (int known : new int[] {0, 1, 70, 1_234, 2_999, 3_000}) {
            Position position = new Position(0, 3, first + known - 1);
            assertThat(ChangeLogTable.read(connection, position, 1_000)).isEqualTo(changes.subList(known, 3_000));
          }
          assertThat(ChangeLogTable.read(connection, new Position(0, 3, first + 9), 1))
              .as("one row of many")
              .hasSizeBetween(10, 1_000)
              .startsWith(changes.get(10));
          return null;
        });
  }

  @Test
  void answersOfManyRowsAreFoundByTheirRequests() {
    List<AnsweredRequest> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] answer = new byte[i == 100 ? 3_000_000 : 10 * i + 1];
      answer[answer.length - 1] = (byte) i;
      requests.add(new AnsweredRequest(RequestId.random(), new byte[] {1, 2, (byte) i}, answer));
    }
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          long last = RequestLogTable.insert(statements, 1L << 40, TIME, requests);
          statements.execute();
          assertThat(last).isGreaterThan((1L << 40) + 2);
          RequestId unknown = RequestId.random();
          for (int i : new int[] {1, 99, 100, 101, 199}) {
            AnsweredRequest request = requests.get(i);
            Map<RequestId, AnsweredRequest> found =
                RequestLogTable.find(connection, Set.of(unknown, request.id()));
            assertThat(found).containsOnlyKeys(request.id());
            assertThat(found.get(request.id()).answer()).isEqualTo(request.answer());
            assertThat(found.get(request.id()).fingerprint()).isEqualTo(request.fingerprint());
          }
          return null;
        });
  }

  @Test
  void anErrorOfALaterStatementIsNotLost() {
    RequestId id = RequestId.random();
    AnsweredRequest request = new AnsweredRequest(id, new byte[32], new byte[1]);
    assertThatThrownBy(
            () ->
                database.write(
                    connection -> {
                      Statements statements = new Statements(connection);
                      RequestLogTable.insert(statements, 1L << 40, TIME, List.of(request, request));
                      statements.execute();
                      return null;
                    }))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(SqlErrors.isDuplicateKey(e)).isTrue());
  }
}
