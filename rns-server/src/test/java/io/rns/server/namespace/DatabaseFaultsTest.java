package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.LoggedChange;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is killed, paused, locked or full, under a service that goes on. */
@Tag("server")
@Tag("slow")
class DatabaseFaultsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final CallContext CALL = CallContext.ANONYMOUS;

  @TempDir Path directory;
  private DatabaseProcess process;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void start() {
    process = TestDatabase.own(directory, "--innodb-lock-wait-timeout=1");
    open(TestDatabase.withAccount(process));
  }

  private void open(String url) {
    database = new Database(TestDatabase.impatient(url));
    database.migrate();
    WriterSettings settings =
        new WriterSettings(64, 32, Duration.ofSeconds(6), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO,
            true);
    service = LocalNameService.start(database, 1 << 20, settings, InstantSource.system());
  }

  @AfterEach
  void stop() throws Exception {
    service.close();
    Eventually.until("connections given back", BOUND, () -> database.connectionsInUse() == 0);
    database.close();
    process.close();
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:" + path));
  }

  private Answer<List<Outcome<Entry>>> add(RequestId id, String path) {
    return service.add(CALL.with(id), AddRequest.of(junction(path)));
  }

  @Test
  void everyAcknowledgedWriteSurvivesKillsOfTheDatabaseOnceEach() throws Exception {
    ConcurrentHashMap<String, Long> acknowledged = new ConcurrentHashMap<>();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        String prefix = "/w" + t + "-";
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; !stop.get(); i++) {
                    String path = prefix + i;
                    acknowledged.put(path, addUntilAnswered(path));
                  }
                  return null;
                }));
      }
      for (int round = 0; round < 3; round++) {
        int before = acknowledged.size();
        Eventually.until("writes go on", BOUND, () -> acknowledged.size() > before + 50);
        process.kill();
        process.restart();
      }
      int before = acknowledged.size();
      Eventually.until("writes go on after the last restart", BOUND, () -> acknowledged.size() > before + 50);
      stop.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    acknowledged.forEach(
        (path, version) -> assertThat(queryUntilAnswered(path).version()).as(path).isEqualTo(version));
    assertThat(number("SELECT COUNT(*) FROM entry") - 1)
        .as("no write is there that nobody made, none twice")
        .isEqualTo(changes().size());
    assertThat(changes())
        .extracting(change -> change.position().sequence())
        .isEqualTo(LongStream.rangeClosed(2, changes().size() + 1L).boxed().toList());
    assertThat(number("SELECT entries FROM directory_count WHERE directory_id = 1"))
        .isEqualTo(number("SELECT COUNT(*) FROM entry") - 1);
  }

  /** Repeats with one request id, as clients do. */
  private long addUntilAnswered(String path) {
    RequestId id = RequestId.random();
    while (true) {
      try {
        return add(id, path).value().get(0).orThrow().version();
      } catch (RnsException e) {
        assertThat(e.error().kind()).as(e.getMessage()).isEqualTo(RnsError.Kind.TRANSIENT);
        if (Thread.interrupted()) {
          throw e;
        }
      }
    }
  }

  /** Connections of before a kill may still be among those that are kept: each fails once. */
  private Entry queryUntilAnswered(String path) {
    while (true) {
      try {
        return query(path);
      } catch (RnsException e) {
        assertThat(e.error()).as(e.getMessage()).isEqualTo(RnsError.UNAVAILABLE);
      }
    }
  }

  private Entry query(String path) {
    return service.query(CALL, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  /** All changes after the one that made the root. */
  private List<LoggedChange> changes() throws Exception {
    try (Connection connection = DriverManager.getConnection(TestDatabase.withAccount(process))) {
      return ChangeLogTable.read(connection, new Position(0, 0, 1), Integer.MAX_VALUE);
    }
  }

  private long number(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(TestDatabase.withAccount(process));
        ResultSet row = connection.createStatement().executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @ParameterizedTest
  @EnumSource(CommitCutter.Cut.class)
  void aLostAnswerToACommitIsFoundOutAndTheWriteAppliedOnce(CommitCutter.Cut cut) throws Exception {
    service.close();
    database.close();
    try (CommitCutter proxy = new CommitCutter(process.port())) {
      open(TestDatabase.withAccount(process).replace(":" + process.port() + "/", ":" + proxy.port() + "/"));
      add(RequestId.random(), "/before");
      proxy.arm(cut);
      Answer<List<Outcome<Entry>>> answer = service.add(CALL, AddRequest.of(junction("/a")));
      assertThat(proxy.isArmed()).isFalse();
      assertThat(answer.value().get(0).orThrow().version()).isEqualTo(3);
      assertThat(answer.position().sequence()).isEqualTo(3);
      assertThat(query("/a").version()).isEqualTo(3);
      assertThat(add(RequestId.random(), "/after").position().sequence()).isEqualTo(4);
      assertThat(changes()).hasSize(3);
      service.close();
      database.close();
      open(TestDatabase.withAccount(process));
    }
  }

  @Test
  void aPausedDatabaseGivesRetryableErrorsAndOneAnswerAfterwards() throws Exception {
    add(RequestId.random(), "/there");
    query("/there");
    RequestId id = RequestId.random();
    process.pause();
    assertThat(query("/there").version()).as("what is cached is still answered").isEqualTo(2);
    assertThatThrownBy(() -> query("/cold"))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThatThrownBy(() -> add(id, "/late"))
        .isInstanceOfSatisfying(
            RnsException.class, e -> assertThat(e.error().kind()).isEqualTo(RnsError.Kind.TRANSIENT));
    process.resume();
    Eventually.until("the write is answered", BOUND, () -> isAnswered(id, "/late"));
    assertThat(query("/late").version()).isEqualTo(3);
    assertThat(changes()).hasSize(2);
  }

  private boolean isAnswered(RequestId id, String path) {
    try {
      add(id, path).value().get(0).orThrow();
      return true;
    } catch (RnsException e) {
      assertThat(e.error().kind()).as(e.getMessage()).isEqualTo(RnsError.Kind.TRANSIENT);
      return false;
    }
  }

  @Test
  void whatIsCachedIsAnsweredWithoutTheDatabaseByIdentityToo() throws Exception {
    NewEntry directory = NewEntry.directory(Target.of("/d"));
    EntryId id = service.add(CALL, AddRequest.of(directory)).value().get(0).orThrow().id();
    add(RequestId.random(), "/d/e");
    QueryRequest byIdentity = QueryRequest.of(Target.of(id).child(EntryName.of("e")));
    Entry entry = service.query(CALL, byIdentity).value().get(0).orThrow();
    process.pause();
    try {
      assertThat(service.query(CALL, byIdentity).value().get(0).orThrow()).isEqualTo(entry);
    } finally {
      process.resume();
    }
  }

  @Test
  void aLockHeldByOthersIsWaitedForAndWonInTheEnd() throws Exception {
    try (Connection other = DriverManager.getConnection(TestDatabase.withAccount(process));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      other.setAutoCommit(false);
      other.createStatement().executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      Future<Answer<List<Outcome<Entry>>>> write = threads.submit(() -> add(RequestId.random(), "/locked"));
      // The database gives up waiting after a second, the writer tries again.
      Eventually.until(
          "the writer has been refused the lock once",
          BOUND,
          () -> number(
              "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'INNODB_ROW_LOCK_TIME_MAX'") > 900);
      other.rollback();
      assertThat(write.get().value().get(0).orThrow().version()).isEqualTo(2);
    }
  }

  @Test
  void aTreeIsToldApartByTheInstantItWasMade() {
    Instant made = query("/").created();
    assertThat(made).isBetween(Instant.now().minus(BOUND), Instant.now().plusSeconds(1));
  }

  @Test
  void aFullQueueSaysBusy() throws Exception {
    process.pause();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String path = "/q" + i;
        waiting.add(threads.submit(() -> add(RequestId.random(), path)));
      }
      Eventually.until(
          "a write is refused as busy",
          BOUND,
          () -> waiting.stream().anyMatch(f -> f.state() == Future.State.FAILED && isBusy(f.exceptionNow())));
      process.resume();
    }
  }

  private static boolean isBusy(Throwable error) {
    return error instanceof RnsException e && e.error() == RnsError.BUSY;
  }

  @Test
  void aFullDiskRefusesWritesAndLosesNothing() throws Exception {
    service.close();
    database.close();
    process.close();
    process =
        TestDatabase.own(
            directory.resolve("small"),
            "--innodb-file-per-table=0",
            "--innodb-data-file-path=ibdata1:12M:autoextend:max:32M");
    open(TestDatabase.withAccount(process));
    Metadata large = Metadata.parse("<m>" + "x".repeat(100_000) + "</m>");
    List<String> written = new ArrayList<>();
    RnsException refused = null;
    for (int i = 0; i < 1_000 && refused == null; i++) {
      try {
        NewEntry entry = junction("/n" + i).with(large).with(Precondition.IF_ABSENT);
        service.add(CALL, AddRequest.of(entry)).value().get(0).orThrow();
        written.add("/n" + i);
      } catch (RnsException e) {
        refused = e;
      }
    }
    assertThat(refused).isNotNull();
    assertThat(refused.error()).isEqualTo(RnsError.STORAGE_FULL);
    assertThat(refused).hasMessageContaining("no space left");
    assertThat(written).isNotEmpty();
    written.forEach(path -> assertThat(query(path).metadata()).isEqualTo(large));
    ListRequest request = ListRequest.of(Target.ROOT);
    Page page = service.list(CALL, request).value().orThrow();
    int listed = page.entries().size();
    while (page.next().isPresent()) {
      page = service.list(CALL, request.from(page.next().get())).value().orThrow();
      listed += page.entries().size();
    }
    assertThat(listed).isEqualTo(written.size());
  }

  @Test
  void writesThatWaitForAPausedDatabaseAreRefusedAsSoonAsAnotherServerIsThePrimary() throws Exception {
    add(RequestId.random(), "/a");
    process.pause();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      ConcurrentHashMap<String, RnsError> refused = new ConcurrentHashMap<>();
      AtomicInteger number = new AtomicInteger();
      Eventually.until("some wait behind a transaction", BOUND, () -> {
        String path = "/b" + number.incrementAndGet();
        threads.execute(
            () -> refused.put(
                path, catchThrowableOfType(RnsException.class, () -> add(RequestId.random(), path)).error()));
        return service.statistics().get("writesWaiting").longValue() >= 4;
      });
      service.standDown("another server is the primary");
      Eventually.until("these are refused", BOUND, () -> refused.size() >= 4);
      assertThat(refused.values()).as("none took longer").containsOnly(RnsError.NOT_PRIMARY);
    } finally {
      process.resume();
    }
  }

  @Test
  void aServerThatWasReplacedRefusesNothingInTheNameOfTheOther() throws Exception {
    add(RequestId.random(), "/a");
    NewEntry there = junction("/a").with(Precondition.IF_ABSENT);
    assertThat(service.add(CALL, AddRequest.of(there)).value().get(0)).isInstanceOf(Outcome.Refused.class);
    try (Database second = new Database(TestDatabase.impatient(TestDatabase.withAccount(process)));
        LocalNameService successor = TestServices.start(second)) {
      assertThatThrownBy(() -> service.add(CALL, AddRequest.of(there)))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
      assertThat(successor.add(CALL, AddRequest.of(there)).value().get(0)).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  void aServerThatWasReplacedAnswersNothingAnyMore() throws Exception {
    add(RequestId.random(), "/a");
    try (Database second = new Database(TestDatabase.impatient(TestDatabase.withAccount(process)));
        LocalNameService successor = TestServices.start(second)) {
      assertThatThrownBy(() -> add(RequestId.random(), "/b"))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
      assertThatThrownBy(() -> query("/a"))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
      assertThat(successor.add(CALL, AddRequest.of(junction("/b"))).position().sequence()).isEqualTo(3);
    }
  }
}
