package io.rns.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.TableRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a service over a real database. */
@Tag("server")
class BackupsTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final WriterSettings WRITER =
      new WriterSettings(4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO,
          true);
  private static final int RESTORES = 50;
  private static final int MANY = 2_000;
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir private static Path temporary;
  private static DatabaseProcess process;
  private static Database database;
  private static LocalNameService service;
  private static Backups backups;

  @BeforeAll
  static void start() {
    process = TestDatabase.own(temporary.resolve("database"));
    database = new Database(TestDatabase.settings(TestDatabase.withAccount(process)));
    database.migrate();
    service = LocalNameService.start(database, 16 << 20, WRITER, InstantSource.system());
    backups = new Backups(database, service::replace, "1", InstantSource.system());
  }

  @AfterAll
  static void stop() {
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
    process.close();
  }

  /** All rows as text, without the head. */
  private static final class Content implements TableRows.Sink {
    final List<String> rows = new ArrayList<>();

    @Override
    public void begin(TableRows.Head head) {}

    @Override
    public void table(String name, List<String> columns) {
      rows.add(name + columns);
    }

    @Override
    public void row(@Nullable Object[] values) {
      rows.add(Arrays.deepToString(values));
    }
  }

  private static List<String> content() {
    Content content = new Content();
    var unused = TableRows.read(database, content);
    return content.rows;
  }

  private static NewEntry entry(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("http://h/" + path.length()))
        .with(Metadata.of(Map.of("k", "väl" + path)));
  }

  private static Answer<List<Outcome<Entry>>> add(CallContext call, String... paths) {
    List<NewEntry> entries = Arrays.stream(paths).map(BackupsTest::entry).toList();
    Answer<List<Outcome<Entry>>> answer = service.add(call, new AddRequest(entries, true, false));
    assertThat(answer.value()).allMatch(Outcome.Done.class::isInstance);
    return answer;
  }

  private static boolean exists(String path) {
    return service.query(CALL, QueryRequest.of(Target.of(path))).value().get(0) instanceof Outcome.Done;
  }

  private static void clear() throws Exception {
    for (String top : List.of("/a", "/b", "/many")) {
      if (exists(top)) {
        service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(top))));
      }
    }
    // Else upkeep deletes rows while contents are compared.
    Eventually.until("all rows are deleted", BOUND, () -> content().getLast().startsWith("removed_directory"));
  }

  private static Path made(String name) {
    Path file = temporary.resolve(name);
    backups.make(file);
    return file;
  }

  @Test
  void aRestoredServiceHasWhatItHadAndAnswersAsItDid() throws Exception {
    clear();
    CallContext once = CALL.with(RequestId.random());
    Answer<List<Outcome<Entry>>> answered = add(once, "/a/x/1", "/a/y");
    Entry before = service.query(CALL, QueryRequest.of(Target.of("/a/x"))).value().get(0).orThrow();
    List<String> content = content();
    Position at = service.position();
    Path file = made("one");

    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of("/a"))));
    add(CALL, "/b/new");
    Position last = service.position();
    assertThatThrownBy(() -> backups.restore(file, false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_EMPTY))
        .hasMessageContaining("--force");
    assertThat(exists("/b/new")).as("nothing has changed").isTrue();
    add(CALL, "/b/newer");

    Backups.Restored restored = backups.restore(file, true);
    assertThat(restored.from()).isEqualTo(at);
    assertThat(content()).isEqualTo(content);
    assertThat(exists("/b")).isFalse();
    assertThat(service.query(CALL, QueryRequest.of(Target.of("/a/x"))).value().get(0).orThrow()).isEqualTo(before);
    Answer<List<Outcome<Entry>>> again = add(once, "/a/x/1", "/a/y");
    assertThat(again.value()).as("the answer to the request of then").isEqualTo(answered.value());
    assertThat(again.position()).isEqualTo(answered.position());
    assertThat(restored.position().epoch()).isGreaterThan(last.epoch());
    assertThat(restored.position().sequence()).isGreaterThan(last.sequence());
    assertThat(service.hasServed(Positions.of(last))).as("who has seen %s may read here", last).isTrue();
    assertThatThrownBy(() -> service.changes().after(last, RnsPath.ROOT, Duration.ZERO))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR));
    // It goes on: identities are new, changes are told.
    Entry next = add(CALL, "/a/next").value().get(0).orThrow();
    assertThat(next.id()).isNotEqualTo(before.id());
    assertThat(next.version()).isGreaterThan(last.sequence());
  }

  @Test
  void aRestoredServiceHasNoOlderChangeOfCutsThanTheRestore() throws Exception {
    clear();
    BackupFile file = new BackupFile(made("whole"));
    NewEntry directory = NewEntry.directory(Target.of("/a"));
    service.add(CALL, AddRequest.of(directory)).value().getFirst().orThrow();
    service.assign(CALL, new AssignRequest(Target.of("/a"), 1)).value().orThrow();
    AtomicReference<GroupTable.@Nullable GroupRow> row = new AtomicReference<>();
    Position begins =
        service.replace(
            () -> {
              var unused = TableRows.replace(database, file, true, Instant.now());
              row.set(database.read(GroupTable::find));
            });
    GroupTable.GroupRow restored = Objects.requireNonNull(row.get());
    assertThat(restored.reflected().cutsOf(0)).contains(restored.position());
    assertThat(begins).isGreaterThan(restored.position());
  }

  @Test
  void aRestoreThatBreaksOffChangesNothing() throws Exception {
    clear();
    add(CALL, "/a/1", "/a/2");
    Path file = made("broken");
    add(CALL, "/a/3");
    List<String> content = content();
    TableRows.Head head = headOf(file);
    TableRows.Source breaks =
        new TableRows.Source() {
          @Override
          public TableRows.Head head() {
            return head;
          }

          @Override
          public void to(TableRows.Sink sink) throws IOException {
            sink.table("entry", List.of("parent_id"));
            throw new IOException("the disk is gone");
          }
        };
    assertThatThrownBy(
        () -> service.replace(() -> TableRows.replace(database, breaks, true, Instant.now())))
        .hasMessageContaining("the disk is gone");
    assertThat(content()).isEqualTo(content);
    assertThat(exists("/a/3")).isTrue();
    add(CALL, "/a/4");
  }

  private static TableRows.Head headOf(Path file) {
    try {
      return new BackupFile(file).head();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The old tree has one name, the backup the other, and neither ever both or none. */
  @Test
  void readsSeeOneTreeOrTheOther() throws Exception {
    clear();
    add(CALL, IntStream.range(0, MANY).mapToObj(i -> "/many/n" + i).toArray(String[]::new));
    Path file = made("many");
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of("/many"))));
    add(CALL, "/b/other");
    QueryRequest both = new QueryRequest(List.of(Target.of("/many/n" + (MANY - 1)), Target.of("/b/other")), false);
    CountDownLatch restored = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (restored.getCount() > 0) {
                      List<Outcome<Entry>> found = service.query(CALL, both).value();
                      long there = found.stream().filter(Outcome.Done.class::isInstance).count();
                      assertThat(there).as("%s", found).isEqualTo(1);
                      seen.countDown();
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                    seen.countDown();
                  }
                });
    assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
    Backups.Restored done = backups.restore(file, true);
    restored.countDown();
    reader.join();
    assertThat(failure.get()).isNull();
    assertThat(done.entries()).isGreaterThanOrEqualTo(MANY);
    assertThat(exists("/b/other")).isFalse();
  }

  @Test
  void readsGoOnHoweverTheyMeetTheBeginningOfARestore() throws Exception {
    clear();
    QueryRequest root = new QueryRequest(List.of(Target.ROOT), false);
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService readers = Executors.newFixedThreadPool(4)) {
      List<Future<?>> reading = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        reading.add(
            readers.submit(
                () -> {
                  while (!over.get()) {
                    service.query(CALL, root);
                  }
                }));
      }
      try {
        for (int i = 0; i < RESTORES; i++) {
          Position unused = service.replace(() -> {});
        }
      } finally {
        over.set(true);
      }
      for (Future<?> each : reading) {
        each.get();
      }
    }
  }
}
