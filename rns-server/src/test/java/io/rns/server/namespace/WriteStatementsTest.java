package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A write asks the database for sets: how many statements there are does not depend on how many entries it is about.
 */
@Tag("server")
class WriteStatementsTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int ITEMS = 200;

  /** Of a write of {@value #ITEMS} items, and of the upkeep after it. */
  private static final int MOST_SELECTS = 100;

  private final String root = "/statements-" + System.nanoTime();
  private Database database;
  private LocalNameService service;
  private List<EntryId> parents;
  private List<EntryId> children;

  @BeforeEach
  void open() throws Exception {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    start();
    add(NewEntry.directory(Target.of(root)));
    add(NewEntry.directory(Target.of(root + "/to")));
    parents = new ArrayList<>();
    children = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      parents.add(add(NewEntry.directory(Target.of(root + "/p" + i))));
      children.add(add(NewEntry.directory(Target.of(root + "/p" + i + "/c"))));
    }
    Eventually.until("what others have removed is gone", BOUND,
        () -> number("SELECT COUNT(*) FROM removed_directory", 1) == 0);
    // Nothing is cached from here on.
    service.close();
    start();
  }

  private void start() {
    service = LocalNameService.start(database, 16 << 20, TestServices.WRITER, InstantSource.system());
  }

  @AfterEach
  void close() {
    service.close();
    database.close();
  }

  private EntryId add(NewEntry entry) {
    return service.add(CALL, AddRequest.of(entry)).value().get(0).orThrow().id();
  }

  private long number(String sql, int column) {
    return database.read(
        connection -> {
          try (var statement = connection.createStatement();
              var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(column);
          }
        });
  }

  private long selects() {
    return number("SHOW GLOBAL STATUS LIKE 'Com_select'", 2);
  }

  private static void assertDone(List<Outcome<Entry>> outcomes) {
    assertThat(outcomes).hasSize(ITEMS).allMatch(Outcome.Done.class::isInstance);
  }

  @Test
  void removingDirectoriesByIdentityAsksForAllOfThemAtOnce() {
    long before = selects();
    List<Removal> removals = children.stream().map(id -> Removal.of(Target.of(id))).toList();
    assertDone(service.remove(CALL, new RemoveRequest(removals, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  @Test
  void addingBelowManyDirectoriesAsksForAllOfThemAtOnce() {
    long before = selects();
    List<NewEntry> entries =
        parents.stream().map(id -> NewEntry.directory(new Target(id, RnsPath.parse("/new")))).toList();
    assertDone(service.add(CALL, new AddRequest(entries, false, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  @Test
  void movingDirectoriesByIdentityAsksForAllOfThemAtOnce() {
    long before = selects();
    List<EntryChange> changes =
        IntStream.range(0, ITEMS)
            .mapToObj(i -> EntryChange.move(Target.of(children.get(i)), Target.of(root + "/to"), EntryName.of("m" + i)))
            .toList();
    assertDone(service.update(CALL, new UpdateRequest(changes, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  private static List<Target> paths(String format) {
    return IntStream.range(0, ITEMS).mapToObj(i -> Target.of(String.format(format, i))).toList();
  }

  @Test
  void addingByPathAsksForAllDirectoriesAtOnce() {
    long before = selects();
    List<NewEntry> entries = paths(root + "/p%d/c/new").stream().map(NewEntry::directory).toList();
    assertDone(service.add(CALL, new AddRequest(entries, false, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  @Test
  void removingDirectoriesByPathAsksForAllOfThemAtOnce() {
    long before = selects();
    List<Removal> removals = paths(root + "/p%d/c").stream().map(Removal::of).toList();
    assertDone(service.remove(CALL, new RemoveRequest(removals, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  @Test
  void changingAndMovingByPathAsksForAllDirectoriesAtOnce() {
    long before = selects();
    Metadata metadata = Metadata.parse("<x xmlns='urn:x'/>");
    List<EntryChange> changes =
        paths(root + "/p%d/c").stream().map(target -> EntryChange.metadata(target, metadata)).toList();
    assertDone(service.update(CALL, new UpdateRequest(changes, false)).value());
    List<EntryChange> moves =
        IntStream.range(0, ITEMS)
            .mapToObj(
                i -> EntryChange.move(
                    Target.of(root + "/p" + i + "/c"), Target.of(root + "/p" + (i + 1) % ITEMS), EntryName.of("m")))
            .toList();
    assertDone(service.update(CALL, new UpdateRequest(moves, false)).value());
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
  }

  private Outcome<Entry> update(EntryChange change) {
    return service.update(CALL, UpdateRequest.of(change)).value().get(0);
  }

  /** Nor is it looked up whether there is an entry where one moves. */
  @Test
  void changingWhatWasJustAddedAsksForNothing() {
    List<NewEntry> entries = paths(root + "/j%d").stream().map(target -> junction(target.path().toString())).toList();
    assertDone(service.add(CALL, new AddRequest(entries, false, false)).value());
    add(NewEntry.directory(Target.of(root + "/to/below")));
    long before = selects();
    for (int i = 0; i < ITEMS; i++) {
      Target moved = Target.of(root + "/to/below/m" + i);
      update(EntryChange.move(entries.get(i).target(), Target.of(root + "/to/below"), moved.path().name())).orThrow();
      update(EntryChange.references(moved, List.of(EndpointReference.ofAddress("urn:y")))).orThrow();
      service.remove(CALL, RemoveRequest.of(Removal.of(moved))).value().get(0).orThrow();
    }
    assertThat(selects() - before).isLessThan(MOST_SELECTS);
  }

  @Test
  void aMoveToAPlaceThatIsTakenIsRefusedAlsoIfTheEntryThereIsNotCached() {
    add(junction(root + "/a"));
    add(junction(root + "/b"));
    add(junction(root + "/to/taken"));
    service.close();
    start();
    List<EntryChange> moves =
        List.of(
            EntryChange.move(Target.of(root + "/a"), Target.of(root + "/to"), EntryName.of("taken")),
            EntryChange.move(Target.of(root + "/b"), Target.of(root + "/to"), EntryName.of("free")));
    List<Outcome<Entry>> outcomes = service.update(CALL, new UpdateRequest(moves, false)).value();
    assertThat(outcomes.get(0)).isEqualTo(
        Outcome.refused(new Refusal.EntryExists(Target.of(root + "/a"), Target.of(root + "/to/taken"))));
    assertThat(outcomes.get(1).orThrow().displayName()).isEqualTo("free");
    assertThat(update(EntryChange.rename(Target.of(root + "/a"), EntryName.of("c"))).orThrow().displayName())
        .isEqualTo("c");
  }

  private static NewEntry refused(String path) {
    return junction(path).with(Metadata.NONE.with(AccessRules.CLOSED));
  }

  /** A refused entry was taken for a new one before; no statement shows that it is. */
  @Test
  void refusedAddsDoNotMakeOthersLookUpWhatTheyAdd() {
    int requests = 50;
    long selects = 0;
    for (int i = 0; i < requests; i++) {
      List<NewEntry> entries = List.of(junction(root + "/not" + i), refused(root + "/refused" + i));
      List<Outcome<Entry>> outcomes = service.add(CALL, new AddRequest(entries, false, i % 2 == 0)).value();
      assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
      long before = selects();
      add(junction(root + "/new" + i));
      selects += selects() - before;
    }
    assertThat(selects).isLessThan(requests / 2);
  }

  @Test
  void anAddThatWouldBeRefusedAnywayIsToldThatTheNameExistsAlsoIfItIsNotCached() {
    add(junction(root + "/taken"));
    service.close();
    start();
    assertThat(service.add(CALL, AddRequest.of(refused(root + "/taken"))).value().getFirst()).isEqualTo(
        Outcome.refused(new Refusal.EntryExists(Target.of(root + "/taken"), Target.of(root + "/taken"))));
  }
}
