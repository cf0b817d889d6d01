package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the writer does between batches. */
@Tag("server")
class UpkeepTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final InstantSource clock = now::get;
  private final String root = "/upkeep-" + System.nanoTime();
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    startService();
    service.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(root))));
  }

  private void startService() {
    service = LocalNameService.start(database, 1 << 20, TestServices.WRITER, clock);
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private long number(String sql) {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  private Outcome<Entry> query(Target target) {
    return service.query(CallContext.ANONYMOUS, QueryRequest.of(target)).value().get(0);
  }

  private Answer<List<Outcome<Entry>>> add(RequestId id, String path) {
    NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
    return service.add(CallContext.ANONYMOUS.with(id), AddRequest.of(entry));
  }

  @Test
  void aRequestIdIsKnownFor24HoursAlsoAfterARestartAndForgottenLater() throws Exception {
    RequestId id = RequestId.random();
    Answer<List<Outcome<Entry>>> first = add(id, root + "/once");
    now.updateAndGet(time -> time.plus(Duration.ofHours(23)));
    service.close();
    startService();
    assertThat(add(id, root + "/once")).isEqualTo(first);
    assertThatThrownBy(() -> add(id, root + "/other"))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.REQUEST_ID_REUSED));
    now.updateAndGet(time -> time.plus(Duration.ofHours(2)));
    Eventually.until(
        "the id is swept",
        BOUND,
        () -> number("SELECT COUNT(*) FROM request_log WHERE request_id = '" + id.text() + "'") == 0);
    assertThat(add(id, root + "/once").value().get(0)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aRecursiveRemovalGoesOnAfterARestartAndLeavesNoRow() throws Exception {
    List<EntryId> directories = new ArrayList<>();
    directories.add(addDirectory(root + "/gone"));
    for (int d = 0; d < 4; d++) {
      directories.add(addDirectory(root + "/gone/d" + d));
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        entries
            .add(NewEntry.junction(Target.of(root + "/gone/d" + d + "/n" + i), EndpointReference.ofAddress("urn:x")));
      }
      service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, true));
    }
    service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of(root + "/gone"))));
    service.close();
    String rows = "SELECT COUNT(*) FROM entry WHERE parent_id IN (" + ids(directories) + ")";
    assertThat(number(rows)).as("the work is not done at once").isPositive();
    startService();
    assertThat(query(Target.of(directories.get(1))))
        .as("what was below is gone also by identity, before its rows are deleted")
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(directories.get(1)), 0)));
    Eventually.until("the rows are deleted", BOUND, () -> number(rows) == 0);
    Eventually.until("the list of work is empty", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    assertThat(number("SELECT COUNT(*) FROM directory_count WHERE directory_id IN (" + ids(directories) + ")"))
        .isZero();
  }

  @Test
  void manySmallDirectoriesAreDeletedTogether() throws Exception {
    int many = 2_000;
    List<NewEntry> entries = new ArrayList<>();
    entries.add(NewEntry.directory(Target.of(root + "/gone")));
    for (int d = 0; d < many; d++) {
      entries.add(NewEntry.directory(Target.of(root + "/gone/d" + d)));
      entries.add(NewEntry.junction(Target.of(root + "/gone/d" + d + "/n"), EndpointReference.ofAddress("urn:x")));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, true));
    addDirectory(root + "/other");
    long rows = number("SELECT COUNT(*) FROM entry");
    long counts = number("SELECT COUNT(*) FROM directory_count");
    long before = deletions();
    service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of(root + "/gone"))));
    Eventually.until("the list of work is empty", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    assertThat(deletions() - before).as("statements that delete").isLessThan(many / 5);
    assertThat(number("SELECT COUNT(*) FROM entry")).isEqualTo(rows - 1 - 2L * many);
    assertThat(number("SELECT COUNT(*) FROM directory_count")).isEqualTo(counts - 1 - many);
    assertThat(query(Target.of(root + "/other"))).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aRemovalEndsAlsoWhileAClientWritesWithoutPause() throws Exception {
    // Of deep trees that others have removed a step deletes two levels: that takes minutes under load.
    Eventually.until("the list of work is empty", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    int many = 2_000;
    List<NewEntry> entries = new ArrayList<>();
    entries.add(NewEntry.directory(Target.of(root + "/gone")));
    for (int i = 0; i < many; i++) {
      entries.add(NewEntry.junction(Target.of(root + "/gone/n" + i), EndpointReference.ofAddress("urn:x")));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, true));
    service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of(root + "/gone"))));
    long until = System.nanoTime() + BOUND.toNanos();
    for (int i = 0; number("SELECT COUNT(*) FROM removed_directory") > 0; i++) {
      assertThat(System.nanoTime() - until).as("time until the removal has ended").isNegative();
      add(RequestId.random(), root + "/n" + i);
    }
  }

  @Test
  void aStepDoesOneKindOfWorkAndEndsSoonIfARequestWaits() throws Exception {
    Eventually.until("the list of work is empty", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    EntryId gone = addDirectory(root + "/gone");
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      entries.add(NewEntry.junction(Target.of(root + "/gone/n" + i), EndpointReference.ofAddress("urn:x")));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, true));
    for (int i = 0; i < 120; i++) {
      addDirectory(root + "/n" + i);
    }
    service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of(root + "/gone"))));
    service.close();
    String entriesLeft = "SELECT COUNT(*) FROM entry WHERE parent_id = " + gone.value();
    String changesLeft = "SELECT COUNT(*) FROM change_log";
    long entriesBefore = number(entriesLeft);
    long changesBefore = number(changesLeft);
    now.updateAndGet(time -> time.plus(Duration.ofDays(4)));
    int epoch = database.group().position().epoch();
    Upkeep upkeep = new Upkeep(TestServices.WRITER, clock, () -> true);
    upkeep.step(database, epoch, List.of(), GroupTable.ALL);
    assertThat(entriesBefore - number(entriesLeft)).as("entries deleted by the first step").isBetween(1L, 64L);
    assertThat(number(changesLeft)).as("changes, which are for the second one").isEqualTo(changesBefore);
    entriesBefore = number(entriesLeft);
    upkeep.step(database, epoch, List.of(), GroupTable.ALL);
    assertThat(changesBefore - number(changesLeft)).as("changes deleted by the second step").isEqualTo(50);
    assertThat(number(entriesLeft)).isEqualTo(entriesBefore);
    startService();
    Eventually.until("the list of work is empty", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
  }

  /** Statements so far that delete, as the database counts them. */
  private long deletions() {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery("SHOW GLOBAL STATUS LIKE 'Com_delete'")) {
            row.next();
            return row.getLong(2);
          }
        });
  }

  private EntryId addDirectory(String path) {
    return service
        .add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path))))
        .value()
        .get(0)
        .orThrow()
        .id();
  }

  private static String ids(List<EntryId> ids) {
    return String.join(", ", ids.stream().map(id -> Long.toString(id.value())).toList());
  }

  @Test
  void oldChangesAreSwept() throws Exception {
    for (int i = 0; i < 120; i++) {
      addDirectory(root + "/n" + i);
    }
    long last = service.position().sequence();
    now.updateAndGet(time -> time.plus(Duration.ofDays(4)));
    Eventually.until(
        "old changes are deleted but for a last step",
        BOUND,
        () -> number("SELECT COUNT(*) FROM change_log WHERE last_sequence <= " + last) < 50);
    addDirectory(root + "/later");
    assertThat(service.position().sequence()).isEqualTo(last + 1);
  }

  /** Rows that the database touched for some work, counted by the database itself. */
  private long rowsTouched(Runnable work) {
    boolean mariaDb = number("SELECT VERSION() LIKE '%MariaDB%'") == 1;
    String sql =
        "SELECT SUM(VARIABLE_VALUE) FROM "
            + (mariaDb ? "information_schema.GLOBAL_STATUS" : "performance_schema.global_status")
            + " WHERE VARIABLE_NAME IN ('Handler_read_next', 'Handler_read_rnd_next', 'Handler_read_prev',"
            + " 'Handler_read_first', 'Handler_read_key', 'Handler_delete')";
    long before = number(sql);
    long own = number(sql) - before;
    long start = number(sql);
    work.run();
    return number(sql) - start - own;
  }

  @Test
  void noOperationScansWhatGrows() {
    String big = root + "/big";
    addDirectory(big);
    for (int batch = 0; batch < 5; batch++) {
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        entries.add(NewEntry.junction(Target.of(big + "/n" + batch + "-" + i), EndpointReference.ofAddress("urn:x")));
      }
      service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, true));
    }
    // A second of upkeep may fall into each measurement; it touches few rows as well.
    assertThat(rowsTouched(() -> add(RequestId.random(), big + "/one"))).isLessThan(300);
    assertThat(rowsTouched(() -> query(Target.of(big + "/n3-77")))).isLessThan(300);
    assertThat(rowsTouched(() -> query(Target.of(big + "/missing")))).isLessThan(300);
    assertThat(
        rowsTouched(
            () -> service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.of(Target.of(big + "/n3-77"))))))
        .isLessThan(300);
    List<NewEntry> batch = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      batch.add(NewEntry.junction(Target.of(big + "/p" + i), EndpointReference.ofAddress("urn:x")));
    }
    assertThat(rowsTouched(() -> service.add(CallContext.ANONYMOUS, new AddRequest(batch, false, true))))
        .isLessThan(1_500);
    assertThat(
        rowsTouched(
            () -> service.list(CallContext.ANONYMOUS, ListRequest.of(Target.of(big)).pagesOf(100))))
        .isLessThan(500);
  }
}
