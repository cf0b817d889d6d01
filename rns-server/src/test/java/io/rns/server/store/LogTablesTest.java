package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Change.Kind;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import io.rns.server.store.LoggedChange.Place;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.RequestLogTable.Given;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is packed into rows of logs comes out again. Nothing of it is committed: the database belongs to all tests. */
@Tag("server")
class LogTablesTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant FUTURE = Instant.parse("2126-01-01T00:00:00Z"); // the rows of other tests are older

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

  private static RequestKey key() {
    return new RequestKey(RequestId.random().text());
  }

  private static LoggedChange change(long sequence, Kind kind) {
    EntryName name = EntryName.of("n\u00e4me-" + "x".repeat((int) (sequence % 1_000)));
    Place place = new Place(new EntryKey(7, name), path(sequence / 5));
    Place old = new Place(new EntryKey(sequence + 9, EntryName.of("old")), path(sequence / 7));
    return logged(sequence, kind, sequence + 5, place, kind == Kind.MOVED ? old : null);
  }

  private static LoggedChange logged(long sequence, Kind kind, long entry, Place place, @Nullable Place old) {
    return new LoggedChange(new Position(0, 3, sequence), TIME, kind, entry, place, old);
  }

  /** A few in turn; every fourth is none. */
  private static @Nullable RnsPath path(long number) {
    return number % 4 == 0 ? null : RnsPath.parse("/d\u00e4ta/" + number % 4);
  }

  @Test
  void changesOfManyRowsAreReadInOrderFromAnyPosition() {
    long first = 1L << 40;
    List<Kind> kinds = List.of(Kind.values());
    List<LoggedChange> changes = new ArrayList<>();
    changes.add(logged(first, Kind.CHANGED, 1, new Place(EntryKey.ROOT, RnsPath.ROOT), null));
    for (int i = 1; i < 3_000; i++) {
      changes.add(change(first + i, kinds.get(i % kinds.size())));
    }
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          ChangeLogTable.append(statements, changes);
          statements.execute();
          for (int known : new int[]{0, 1, 70, 1_234, 2_999, 3_000}) {
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
      // One that no statement takes as a whole; some that just fit into a piece, or do not.
      int length = i == 100 ? 20_000_000 : i > 195 ? (1 << 20) + 1 - (199 - i) : 10 * i + 1;
      byte[] answer = new byte[length];
      new java.util.Random(i).nextBytes(answer);
      requests.add(new AnsweredRequest(key(), new byte[]{1, 2, (byte) i}, answer));
    }
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          long last = RequestLogTable.insert(statements, 1L << 40, TIME, requests);
          statements.execute();
          assertThat(last).isGreaterThan((1L << 40) + 2);
          RequestKey unknown = key();
          for (int i : new int[]{1, 99, 100, 101, 196, 197, 198, 199}) {
            AnsweredRequest request = requests.get(i);
            Map<RequestKey, AnsweredRequest> found =
                RequestLogTable.find(connection, Set.of(unknown, request.key()));
            assertThat(found).containsOnlyKeys(request.key());
            assertThat(found.get(request.key()).answer()).isEqualTo(request.answer());
            assertThat(found.get(request.key()).fingerprint()).isEqualTo(request.fingerprint());
          }
          return null;
        });
  }

  @Test
  void oldAnswersAreForgottenInStepsWhateverTheirRowsHold() {
    Instant old = Instant.EPOCH.plusSeconds(1);
    List<RequestKey> expired = new ArrayList<>();
    RequestKey kept = key();
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          long last = -1L << 40; // before those of other tests
          for (int row = 0; row < 300; row++) {
            // One request in most rows, 50 in some.
            List<AnsweredRequest> requests = new ArrayList<>();
            for (int i = row % 100 == 20 ? 50 : 1; i > 0; i--) {
              requests.add(new AnsweredRequest(key(), new byte[32], new byte[10]));
            }
            requests.forEach(request -> expired.add(request.key()));
            last = RequestLogTable.insert(statements, last, old, requests);
          }
          long end =
              RequestLogTable.insert(
                  statements, last, old.plusSeconds(1), List.of(new AnsweredRequest(kept, new byte[32], new byte[1])));
          statements.execute();
          AnsweredRequest large = new AnsweredRequest(key(), new byte[32], new byte[40 << 20]);
          long first = -1L << 41;
          last = RequestLogTable.insert(statements, first, old, List.of(large));
          statements.execute();
          assertThat(last - first).as("rows").isEqualTo(40);
          Instant until = old.plusMillis(1);
          SweptLog swept = RequestLogTable.sweep(connection, SweptLog.NOTHING, until, 20);
          assertThat(swept.more()).isTrue();
          assertThat(RequestLogTable.find(connection, List.of(large.key()))).isEmpty();

          assertThat(RequestLogTable.sweep(connection, end, until, 20)).isEqualTo(new SweptLog(end, false));
          int left = RequestLogTable.find(connection, expired).size();
          assertThat(left).isEqualTo(expired.size());
          while (swept.more()) {
            swept = RequestLogTable.sweep(connection, swept.last(), until, 20);
            int now = RequestLogTable.find(connection, expired).size();
            assertThat(left - now).as("forgotten in one step").isBetween(swept.more() ? 20 : 0, 95);
            left = now;
          }
          assertThat(left).isZero();
          assertThat(RequestLogTable.find(connection, List.of(kept))).containsOnlyKeys(kept);
          return null;
        });
  }

  /** The key went with the first answer, so that a repeated request was made again. */
  @Test
  void aLaterAnswerToARequestIsKeptWhenTheFirstIsForgotten() {
    Instant old = Instant.EPOCH.plusSeconds(1);
    RequestKey key = key();
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          AnsweredRequest part = new AnsweredRequest(key, new byte[32], new byte[10]);
          long last = RequestLogTable.insert(statements, -1L << 42, old, List.of(part));
          RequestLogTable.forget(statements, List.of(key));
          AnsweredRequest all = new AnsweredRequest(key, new byte[32], new byte[20]);
          long unused = RequestLogTable.insert(statements, last, old.plusSeconds(1), List.of(all));
          statements.execute();
          SweptLog swept = RequestLogTable.sweep(connection, SweptLog.NOTHING, old.plusMillis(1), 20);
          assertThat(swept).isEqualTo(new SweptLog(last, false));
          assertThat(RequestLogTable.find(connection, List.of(key)).get(key).answer()).hasSize(20);
          return null;
        });
  }

  @Test
  void answersSinceATimeAreReadInOrderManyAtATime() {
    long first = 1L << 50; // behind those of other tests
    Instant later = FUTURE;
    List<RequestKey> since = new ArrayList<>();
    database.write(
        connection -> {
          Statements statements = new Statements(connection);
          long last = first;
          for (int row = 0; row < 9_000; row++) {
            // Numbers are left out, as those of answers that share a row are.
            RequestKey key = key();
            boolean old = row < 1_000;
            last =
                RequestLogTable.insert(
                    statements, last + row % 3, old ? later.minusSeconds(30) : later.plusMillis(row),
                    List.of(new AnsweredRequest(key, new byte[32], new byte[10])));
            if (!old) {
              since.add(key);
            }
          }
          long small = last;
          AnsweredRequest tooLarge = new AnsweredRequest(key(), new byte[32], new byte[(4 << 20) + 1]);
          last = RequestLogTable.insert(statements, last, later.plusSeconds(60), List.of(tooLarge));
          byte[] large = new byte[4 << 20];
          Arrays.fill(large, (byte) 7);
          AnsweredRequest cut = new AnsweredRequest(key(), new byte[32], large);
          since.add(cut.key());
          last = RequestLogTable.insert(statements, last, later.plusSeconds(60), List.of(cut));
          for (int row = 0; row < 20; row++) {
            RequestKey key = key();
            since.add(key);
            last =
                RequestLogTable.insert(
                    statements, last, later.plusSeconds(60),
                    List.of(new AnsweredRequest(key, new byte[32], new byte[(1 << 20) - 100])));
          }
          statements.execute();

          long before = RequestLogTable.before(connection, later);
          assertThat(before).isBetween(first + 1_000, small);
          assertThat(RequestLogTable.before(connection, later.plusSeconds(61))).isEqualTo(last);
          List<RequestKey> read = new ArrayList<>();
          List<Integer> rows = new ArrayList<>();
          int pages = 0;
          Given given = new Given(List.of(), before, RequestLogTable.FEW_ROWS);
          do {
            rows.add(given.next());
            given = RequestLogTable.after(connection, given.last(), given.next());
            assertThat(given.requests().size()).isLessThanOrEqualTo(rows.getLast());
            assertThat(given.requests().stream().mapToLong(each -> each.answer().length).sum()).isLessThan(13 << 20);
            for (AnsweredRequest each : given.requests()) {
              read.add(each.key());
              assertThat(each.answer())
                  .isEqualTo(each.key().equals(cut.key()) ? large : new byte[each.answer().length]);
            }
            pages++;
          } while (given.last() < last);
          assertThat(read).isEqualTo(since);
          assertThat(rows).startsWith(8, 64, 512, 4_096).allMatch(each -> each <= 4_096);
          assertThat(pages).isLessThan(12);
          assertThat(RequestLogTable.after(connection, last, 8)).isEqualTo(new Given(List.of(), last, 64));
          return null;
        });
  }

  @Test
  void theFirstAnswerSinceATimeIsFoundWhereverItIs() {
    database.write(
        connection -> {
          List<Long> numbers = new ArrayList<>();
          Statements statements = new Statements(connection);
          for (int row = 0; row < 20; row++) {
            numbers.add(
                RequestLogTable.insert(
                    statements, (1L << 51) + (long) row * row, FUTURE.plusSeconds(row),
                    List.of(new AnsweredRequest(key(), new byte[32], new byte[1]))));
          }
          statements.execute();
          for (int row = 0; row < 20; row++) {
            long before = RequestLogTable.before(connection, FUTURE.plusSeconds(row));
            assertThat(before).isLessThan(numbers.get(row));
            assertThat(row == 0 ? before : numbers.get(row - 1)).isLessThanOrEqualTo(before);
          }
          assertThat(RequestLogTable.before(connection, FUTURE.plusSeconds(20))).isEqualTo(numbers.getLast());
          return null;
        });
  }

  @Test
  void anErrorOfALaterStatementIsNotLost() {
    RequestKey id = key();
    AnsweredRequest request = new AnsweredRequest(id, new byte[32], new byte[1]);
    assertThatThrownBy(
        () -> database.write(
            connection -> {
              Statements statements = new Statements(connection);
              RequestLogTable.insert(statements, 1L << 40, TIME, List.of(request, request));
              statements.execute();
              return null;
            }))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(SqlErrors.isDuplicateKey(e)).isTrue());
  }
}
