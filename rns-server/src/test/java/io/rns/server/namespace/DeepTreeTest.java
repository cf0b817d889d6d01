package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.DirectoryCountTable;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tree has a limit to its depth, however entries get there; one that was made deeper before is served as it is. */
@Tag("server")
@Tag("slow")
class DeepTreeTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;

  private final String root = "/deep-" + System.nanoTime();
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    start();
    add(NewEntry.directory(Target.of(root))).orThrow();
  }

  private void start() {
    service = LocalNameService.start(database, 16 << 20, TestServices.WRITER, InstantSource.system());
  }

  @AfterEach
  void close() {
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(root))));
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private Outcome<Entry> add(NewEntry entry) {
    return service.add(CALL, AddRequest.of(entry).withParents()).value().get(0);
  }

  private Outcome<Entry> move(Target from, Target to) {
    return service.update(CALL, UpdateRequest.of(EntryChange.move(from, to, EntryName.of("moved")))).value().get(0);
  }

  private Outcome<Entry> find(Target target) {
    return service.query(CALL, QueryRequest.of(target)).value().get(0);
  }

  /** Directories below one another, the last one's identity. */
  private EntryId chain(String name, int levels) {
    return add(NewEntry.directory(Target.of(root + "/" + name + "/d".repeat(levels - 1)))).orThrow().id();
  }

  private static NewEntry junctionIn(EntryId directory, String path) {
    return NewEntry.junction(new Target(directory, RnsPath.parse(path)), EndpointReference.ofAddress("urn:x"));
  }

  private static void assertTooDeep(Outcome<Entry> outcome, String facts) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused<Entry>) outcome).refusal().error()).isEqualTo(RnsError.LIMIT_EXCEEDED);
    assertThat(((Outcome.Refused<Entry>) outcome).refusal().message())
        .contains(facts)
        .endsWith(" levels below the root; the limit is " + Limits.TREE_DEPTH + " levels");
  }

  @Test
  void chainsThatAreMovedBelowOneAnotherStopAtTheLimitAndTheWriterGoesOn() {
    EntryId bottom = chain("c0", 1_000);
    for (int i = 1; i < 10; i++) {
      chain("c" + i, 1_000);
      Target chain = Target.of(root + "/c" + i);
      assertTooDeep(move(chain, Target.of(bottom)), "'" + chain + "' cannot move to '[" + bottom + "]/'");
    }
    assertThat(add(junctionIn(bottom, "/j"))).isInstanceOf(Outcome.Done.class);
    assertTooDeep(add(junctionIn(bottom, "/e".repeat(30))), "would be " + 1_031);
    assertThat(find(new Target(bottom, RnsPath.parse("/e")))).as("nothing of it was made")
        .isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void anEntryAddedByIdentityMayBeAtTheLimitAndNotBelow() {
    EntryId directory = chain("a", 500);
    int left = Limits.TREE_DEPTH - 501;
    assertThat(add(junctionIn(directory, "/x" + "/e".repeat(left - 2)))).isInstanceOf(Outcome.Done.class);
    assertThat(add(junctionIn(directory, "/y" + "/e".repeat(left - 1)))).isInstanceOf(Outcome.Done.class);
    assertTooDeep(add(junctionIn(directory, "/z" + "/e".repeat(left))), "]/z/e");
    assertThat(find(new Target(directory, RnsPath.parse("/z")))).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void whatWasMovedIntoADirectoryCountsWhenThatMoves() {
    EntryId bottom = chain("inner", 400);
    chain("long", 400);
    move(Target.of(root + "/long"), Target.of(bottom)).orThrow();
    EntryId elsewhere = chain("elsewhere", 300);
    Target inner = Target.of(root + "/inner");
    assertTooDeep(move(inner, Target.of(elsewhere)), "'" + inner + "' cannot move to '[" + elsewhere + "]/'");
  }

  @Test
  void aDirectoryMovesWithAllThatIsBelowItToTheLimitAndNotBelow() {
    EntryId directory = chain("here", 300);
    for (int over : new int[]{-1, 0, 1}) {
      // Where it moves to it is at level 302, its last entry as many more below as it has levels.
      String path = root + "/m" + (over + 1);
      add(NewEntry.junction(Target.of(path + "/d".repeat(Limits.TREE_DEPTH + over - 302)),
          EndpointReference.ofAddress("urn:x")))
          .orThrow();
      if (over == 0) {
        // What is known of heights is read from the database.
        service.close();
        start();
      }
      Outcome<Entry> moved = move(Target.of(path), Target.of(directory));
      if (over <= 0) {
        assertThat(moved).as(path).isInstanceOf(Outcome.Done.class);
        Target last =
            Target.of(root + "/here" + "/d".repeat(299) + "/moved" + "/d".repeat(Limits.TREE_DEPTH + over - 302));
        assertThat(find(last)).isInstanceOf(Outcome.Done.class);
        service.remove(CALL, RemoveRequest.of(Removal.recursive(new Target(directory, RnsPath.parse("/moved")))));
      } else {
        assertTooDeep(moved,
            "'" + path + "' cannot move to '[" + directory + "]/': it has or had 723 levels of entries");
      }
    }
    assertThat(move(Target.of(root + "/m2"), Target.of(root))).as("as deep as before").isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aTreeThatWasMadeDeeperBeforeIsServedAndCanBeTakenApart() {
    EntryId first = chain("old", 1);
    // Ten thousand levels, each in the one before, as a server without the limit left them.
    int levels = 10_000;
    long base = first.value() + 1;
    database.write(
        connection -> {
          try (var insert =
              connection.prepareStatement("INSERT INTO entry VALUES (?, ?, ?, 1, 1, 0, 0, NULL, NULL)")) {
            for (int i = 0; i < levels; i++) {
              insert.setLong(1, i == 0 ? first.value() : base + i - 1);
              insert.setBytes(2, "d".getBytes(StandardCharsets.UTF_8));
              insert.setLong(3, base + i);
              insert.addBatch();
            }
            insert.executeBatch();
          }
          connection.createStatement().execute("UPDATE server_group SET last_entry = last_entry + " + levels);
          connection
              .createStatement()
              .execute(
                  "INSERT INTO directory_count SELECT parent_id, 1, 1024 FROM entry WHERE entry_id >= " + base
                      + " AND entry_id < " + (base + levels) + " ON DUPLICATE KEY UPDATE height = 1024");
          connection.commit();
          return null;
        });
    service.close();
    start();
    EntryId deepest = new EntryId(base + levels - 1);
    assertThat(find(Target.of(deepest))).isInstanceOf(Outcome.Done.class);
    assertTooDeep(add(junctionIn(deepest, "/j")), "would be 10003");
    assertThat(
        service.update(CALL, UpdateRequest.of(EntryChange.metadata(Target.of(deepest), Metadata.NONE))).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    Target middle = Target.of(new EntryId(base + 5_000));
    assertThat(move(middle, Target.of(root))).as("up").isInstanceOf(Outcome.Done.class);
    assertTooDeep(move(Target.of(root + "/moved"), Target.of(first)), "it has or had 1024 levels");
    assertThat(service.remove(CALL, RemoveRequest.of(Removal.of(Target.of(deepest)))).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    assertThat(find(Target.of(new EntryId(base + levels - 2)))).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void theMigrationFindsTheHeightsOfTreesThatExist() throws Exception {
    chain("h", 3);
    EntryId other = chain("i", 1_010);
    add(junctionIn(other, "/j")).orThrow();
    add(NewEntry.junction(Target.of(root + "/h/d/j"), EndpointReference.ofAddress("urn:x"))).orThrow();
    String script;
    try (var resource = Database.class.getResourceAsStream("schema/V4__height_of_directories.sql")) {
      script = new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
    }
    // A migration runs before the service does; beside its upkeep the statements could end in a deadlock.
    service.close();
    try (var connection = java.sql.DriverManager.getConnection(TestDatabase.sharedUrl());
        var statement = connection.createStatement()) {
      statement.execute("UPDATE directory_count SET height = 0");
      for (String each : script.replaceAll("(?m)^--.*$", "").split(";", -1)) {
        if (!each.isBlank() && !each.contains("ALTER TABLE")) {
          statement.execute(each);
        }
      }
    }
    start();
    List<Integer> heights = new ArrayList<>();
    for (String directory : List.of("/h", "/h/d", "/h/d/d", "/i" + "/d".repeat(1_009), "/i" + "/d".repeat(500), "")) {
      EntryId id = find(Target.of(root + directory)).orThrow().id();
      heights.add(database.read(connection -> DirectoryCountTable.find(connection, id).height()));
    }
    assertThat(heights).containsExactly(2, 1, 0, 1, 510, 1_024);
  }
}
