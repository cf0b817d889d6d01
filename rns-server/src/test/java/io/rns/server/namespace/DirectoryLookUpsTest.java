package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A directory that a write has met is not looked up by the next one. */
@Tag("server")
class DirectoryLookUpsTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final String root = "/look-ups-" + System.nanoTime();

  /** Stands still, so that upkeep does not sweep while statements are counted. */
  private final InstantSource clock = InstantSource.fixed(Instant.now());

  private Database database;
  private LocalNameService service;
  private EntryId outer;
  private EntryId inner;
  private int added;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    start();
    outer = add(Target.of(root));
    inner = add(Target.of(root + "/inner"));
    service.close();
    // Nothing is cached from here on.
    start();
  }

  private void start() {
    service = LocalNameService.start(database, 16 << 20, TestServices.WRITER, clock);
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private EntryId add(Target target) {
    return service.add(CALL, AddRequest.of(NewEntry.directory(target))).value().get(0).orThrow().id();
  }

  private EntryId addBelow(EntryId directory) {
    return add(new Target(directory, RnsPath.parse("/n" + System.nanoTime() + "-" + added++)));
  }

  private long selectsOf(Runnable work) {
    long before = selects();
    work.run();
    return selects() - before;
  }

  private long selects() {
    return database.read(
        connection -> {
          try (var statement = connection.createStatement();
              var row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_select'")) {
            row.next();
            return row.getLong(2);
          }
        });
  }

  private void update(EntryChange change) {
    service.update(CALL, UpdateRequest.of(change)).value().get(0).orThrow();
  }

  /** Upkeep may come between, but not each time. */
  private void assertAsksForNothing(String what, Supplier<Runnable> prepared) throws Exception {
    Eventually.until(what, BOUND, () -> selectsOf(prepared.get()) == 0);
  }

  @Test
  void theSecondAdditionByIdentityAsksForNoDirectory() throws Exception {
    addBelow(inner);
    assertAsksForNothing("below the same directory", () -> () -> addBelow(inner));
    assertAsksForNothing("below the one above it", () -> () -> addBelow(outer));
  }

  @Test
  void theSecondAdditionByPathAsksForNoDirectory() throws Exception {
    add(Target.of(root + "/inner/a"));
    assertAsksForNothing("by path", () -> () -> add(Target.of(root + "/inner/b" + added++)));
    assertAsksForNothing("also by identity", () -> () -> addBelow(inner));
  }

  @Test
  void theFirstAdditionByPathAsksForItsDirectoriesAtOnce() throws Exception {
    Eventually.until("two directories", BOUND, () -> {
      service.close();
      start();
      addBelow(EntryId.ROOT);
      return selectsOf(() -> add(Target.of(root + "/inner/c" + added++))) == 1;
    });
  }

  @Test
  void anAdditionBelowANewDirectoryAsksForNothing() throws Exception {
    assertAsksForNothing("below a new directory", () -> {
      EntryId made = addBelow(inner);
      return () -> addBelow(made);
    });
  }

  @Test
  void anAdditionBelowAChangedOrMovedDirectoryAsksForNothing() throws Exception {
    EntryId made = addBelow(inner);
    assertAsksForNothing("below a changed directory", () -> {
      update(EntryChange.metadata(Target.of(made), Metadata.parse("<x xmlns='urn:x'/>")));
      return () -> addBelow(made);
    });
    AtomicReference<String> moved = new AtomicReference<>();
    assertAsksForNothing("below a moved directory", () -> {
      moved.set("moved" + added++);
      update(EntryChange.move(Target.of(made), Target.of(outer), EntryName.of(moved.get())));
      return () -> addBelow(made);
    });
    add(new Target(made, RnsPath.parse("/below")));
    assertThat(service.query(CALL, QueryRequest.of(Target.of(root + "/" + moved + "/below"))).value().get(0))
        .isInstanceOf(Outcome.Done.class);
  }
}
