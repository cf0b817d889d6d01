package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.ConcludeRequest;
import io.rns.api.Consistency;
import io.rns.api.DepartRequest;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Refused;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.DepartureTable.Departure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves of entries between three server groups with databases of their own: 0 has the root, 1 a directory, 2 another.
 */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EntryMovesTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("http://example.org/");
  private static final EntryName NAME = EntryName.of("e");

  @TempDir private static Path directory;

  private static TestTree tree;
  private static int last;

  /** The directory of the test. */
  private String root;

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 3);
  }

  @AfterAll
  static void stop() {
    tree.close();
  }

  /** /root-n/a belongs to group 1, /root-n/a/b to group 2. */
  @BeforeEach
  void cut() {
    root = "/root-" + last++;
    add(NewEntry.directory(Target.of(root + "/a")));
    Entry a = entry(0, root + "/a");
    tree.assign(0, Target.of(root + "/a"), 1);
    tree.teach();
    add(NewEntry.directory(Target.of(root + "/a/b")));
    tree.assign(1, new Target(a.id(), Target.of("/b").path()), 2);
    tree.teach();
  }

  @AfterEach
  void goOn() {
    tree.beforeTaking = () -> {};
    tree.afterTaking = () -> {};
    tree.groups.forEach(group -> group.moves.resume(Runnable::run));
    assertThat(tree.countedEntries()).as("counted as many as there are").isNotEmpty();
  }

  private Stream<String> directories() {
    return Stream.of(root, root + "/a", root + "/a/b");
  }

  private static Entry add(NewEntry entry) {
    return tree.groups.getFirst().client.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
  }

  private static Junction junction(String path) {
    NewEntry entry = NewEntry.junction(Target.of(path), REFERENCE);
    return (Junction) add(new NewEntry(
        entry.target(), entry.references(), Metadata.of(Map.of("k", "v")), entry.precondition()));
  }

  private static Outcome<Entry> query(int at, Target target) {
    return tree.groups.get(at).client.query(CALL, QueryRequest.of(target)).value().getFirst();
  }

  private static Entry entry(int at, String path) {
    return query(at, Target.of(path)).orThrow();
  }

  private static EntryChange change(String from, String to) {
    Target destination = Target.of(to);
    return EntryChange.move(
        Target.of(from), new Target(destination.start(), destination.path().parent()), destination.path().name());
  }

  private static Outcome<Entry> move(int at, String from, String to) {
    return tree.groups.get(at).client.update(CALL, UpdateRequest.of(change(from, to))).value().getFirst();
  }

  /** At a server itself: nobody repeats the request. */
  private static Outcome<Entry> moveOnce(int at, CallContext call, String from, String to) {
    return tree.groups.get(at).service.update(call, UpdateRequest.of(change(from, to))).value().getFirst();
  }

  private static List<String> names(int at, String path) {
    Page page = tree.groups.get(at).client.list(CALL, ListRequest.of(Target.of(path))).value().orThrow();
    return page.entries().stream().map(Entry::displayName).toList();
  }

  private static void assertOnlyAt(String path, String former, Entry expected) {
    for (int at = 0; at < 3; at++) {
      assertThat(entry(at, path)).as("at " + at).isEqualTo(expected);
      assertThat(query(at, Target.of(expected.id()))).as("by identity at " + at).isEqualTo(Outcome.done(expected));
      assertThat(query(at, Target.of(former))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  void junctionsMoveBetweenAllGroupsAtEveryServerAndBack() {
    String at = root + "/first";
    Junction made = junction(at);
    int moves = 0;
    for (int server = 0; server < 3; server++) {
      for (String to : directories().toList()) {
        for (String other : directories().toList()) {
          for (String into : List.of(to, other)) {
            String next = into + "/j" + moves++;
            Junction moved = (Junction) move(server, at, next).orThrow();
            assertThat(moved.id()).isEqualTo(made.id());
            assertThat(moved.created()).isEqualTo(made.created());
            assertThat(moved.metadata()).isEqualTo(made.metadata());
            assertThat(moved.references()).isEqualTo(made.references());
            assertOnlyAt(next, at, moved);
            at = next;
          }
        }
      }
    }
  }

  @Test
  void anEmptyDirectoryMovesAndIsUsedThere() {
    add(NewEntry.directory(Target.of(root + "/d")));
    Entry moved = move(2, root + "/d", root + "/a/b/d").orThrow();
    assertOnlyAt(root + "/a/b/d", root + "/d", moved);
    Entry below = junction(root + "/a/b/d/x");
    for (int at = 0; at < 3; at++) {
      assertThat(names(at, root + "/a/b/d")).containsExactly("x");
      assertThat(names(at, root)).doesNotContain("d");
      Target byIdentity = Target.of(moved.id()).child(EntryName.of("x"));
      assertThat(query(at, byIdentity)).as("at " + at).isEqualTo(Outcome.done(below));
      Page page = tree.groups.get(at).client.list(CALL, ListRequest.of(Target.of(moved.id()))).value().orThrow();
      assertThat(page.entries()).extracting(Entry::displayName).containsExactly("x");
    }
    Outcome<Entry> withContent = move(0, root + "/a/b/d", root + "/a/d");
    assertThat(withContent).isInstanceOfSatisfying(
        Outcome.Refused.class,
        refused -> {
          assertThat(refused.refusal().error()).isEqualTo(RnsError.DELEGATED);
          assertThat(refused.refusal().message()).contains(root + "/a/b/d", "only junctions and empty directories");
        });
    assertThat(entry(1, root + "/a/b/d")).as("as it was").isEqualTo(moved);
  }

  @Test
  void aMoveChangesTheEntryAsItIsTold() {
    Junction made = junction(root + "/j");
    EndpointReference other = EndpointReference.ofAddress("http://example.org/other");
    EntryChange move = change(root + "/j", root + "/a/k");
    EntryChange all = new EntryChange(
        move.target(), move.name(), move.parent(), Optional.of(List.of(other)),
        Optional.of(Metadata.of(Map.of("k", "w"))), Precondition.ifVersion(made.version()));
    EntryChange stale = all.with(Precondition.ifVersion(made.version() + 1));
    Refused.with(
        RnsError.VERSION_MISMATCH,
        () -> tree.groups.get(1).client.update(CALL, UpdateRequest.of(stale)).value().getFirst().orThrow(),
        root + "/j");
    Junction moved =
        (Junction) tree.groups.get(1).client.update(CALL, UpdateRequest.of(all)).value().getFirst().orThrow();
    assertThat(moved.references()).containsExactly(other);
    assertThat(moved.metadata()).isEqualTo(Metadata.of(Map.of("k", "w")));
    assertOnlyAt(root + "/a/k", root + "/j", moved);
  }

  @Test
  void aRefusedMoveLeavesTheEntryAsItWasAndNamesThePathsOfTheCaller() {
    Junction made = junction(root + "/a/j");
    junction(root + "/a/b/taken");
    for (int at = 0; at < 3; at++) {
      Target from = Target.of(root + "/a/j");
      assertThat(move(at, root + "/a/j", root + "/a/b/taken"))
          .isEqualTo(Outcome.refused(new Refusal.EntryExists(from, Target.of(root + "/a/b/taken"))));
      assertThat(move(at, root + "/a/j", root + "/a/b/no/such"))
          .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(root + "/a/b/no"), 4)));
      assertThat(move(at, root + "/a/j", root + "/a/b/taken/x"))
          .isEqualTo(Outcome.refused(new Refusal.NotDirectory(Target.of(root + "/a/b/taken"), 4)));
      assertThat(move(at, root + "/a/none", root + "/a/b/x"))
          .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(root + "/a/none"), 3)));
      assertThat(entry(at, root + "/a/j")).isEqualTo(made);
    }
  }

  @Test
  void aMoveIsMadeOnceWhicheverServerRepeatsIt() {
    junction(root + "/j");
    CallContext call = CALL.with(RequestId.random());
    Entry moved = moveOnce(0, call, root + "/j", root + "/a/j").orThrow();
    junction(root + "/j");
    for (int at = 0; at < 3; at++) {
      assertThat(moveOnce(at, call, root + "/j", root + "/a/j")).as("at " + at).isEqualTo(Outcome.done(moved));
    }
    assertThat(entry(2, root + "/j").id()).isNotEqualTo(moved.id());
  }

  /** The other group decides as it answers: else a repeated request would find it of another mind. */
  @Test
  void aMoveThatWasRefusedSinceTheDirectoryIsElsewhereIsNotMadeWhenThatComes() {
    Junction made = junction(root + "/j");
    EntryId b = entry(0, root + "/a/b").id();
    TestTree.Group source = tree.groups.getFirst();
    CallContext call = CALL.with(RequestId.random());
    // By a map that has the directory in group 1, which knows that it is in group 2.
    DepartRequest depart =
        new DepartRequest(EntryChange.move(Target.of(made.id()), Target.of(b), NAME), 1);
    Outcome<Entry> refused = source.moves.moveHence(call, depart).value();
    assertThat(refused).isInstanceOfSatisfying(
        Outcome.Refused.class, outcome -> assertThat(outcome.refusal()).isInstanceOf(Refusal.Delegated.class));
    assertThat(entry(0, root + "/j")).isEqualTo(made);

    move(2, b, 1);
    assertThat(source.moves.moveHence(call, depart).value()).isEqualTo(refused);
    assertThat(names(0, root + "/a/b")).isEmpty();
    assertThat(entry(0, root + "/j")).isEqualTo(made);
    Entry moved = moveOnce(0, CALL, root + "/j", root + "/a/b/j").orThrow();
    assertOnlyAt(root + "/a/b/j", root + "/j", moved);
  }

  /** Groups do not agree where a directory is: the first one has refused it when it was with the other one. */
  @Test
  void aMoveIsMadeThoughTheGroupHasRefusedItBeforeTheDirectoryCame() {
    Junction made = junction(root + "/j");
    EntryId b = entry(0, root + "/a/b").id();
    CallContext call = CALL.with(RequestId.random());
    PartitionTable former = tree.groups.getFirst().table;
    move(2, b, 1);
    PartitionTable latest = tree.groups.getFirst().table;
    move(1, b, 2);
    // Group 1 refuses by the map of a moment when it had the directory; before group 2 is asked, it has it again.
    tree.groups.getFirst().table = latest;
    tree.afterTaking = () -> {
      tree.afterTaking = () -> {};
      move(2, b, 1);
      tree.groups.getFirst().table = former;
    };
    UpdateRequest request =
        UpdateRequest.of(EntryChange.move(Target.of(root + "/j"), Target.of(b), EntryName.of("j")));
    Entry moved = tree.groups.getFirst().service.update(call, request).value().getFirst().orThrow();
    tree.teach();
    assertThat(moved.id()).isEqualTo(made.id());
    assertOnlyAt(root + "/a/b/j", root + "/j", moved);
    assertThat(tree.groups.getFirst().service.update(call, request).value().getFirst()).isEqualTo(Outcome.done(moved));
  }

  /** Moves the content of a directory, once what is left of an earlier copy is deleted. */
  private static void move(int from, EntryId of, int to) {
    long since = System.nanoTime();
    while (true) {
      try {
        long unused = tree.groups.get(from).departing(of, to, () -> tree.groups.get(to).arriving(of)).move();
        break;
      } catch (RnsException e) {
        if (e.error() != RnsError.BUSY || Duration.ofNanos(System.nanoTime() - since).toSeconds() > 30) {
          throw e;
        }
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
    }
    tree.completeMoves();
  }

  private static void fail() {
    throw new RnsException(RnsError.UNAVAILABLE, "stopped here");
  }

  @Test
  void aMoveThatStoppedBeforeTheOtherGroupDecidedIsCompletedByTheNextPrimary() {
    Junction made = junction(root + "/j");
    tree.beforeTaking = EntryMovesTest::fail;
    Refused.with(RnsError.UNAVAILABLE, () -> moveOnce(0, CALL, root + "/j", root + "/a/j"), "stopped here");
    assertThat(query(1, Target.of(root + "/a/j"))).isInstanceOf(Outcome.Refused.class);
    assertUndecided(made);
    tree.beforeTaking = () -> {};
    tree.groups.getFirst().replacePrimary();
    tree.groups.getFirst().moves.resume(Runnable::run);
    assertOnlyAt(root + "/a/j", root + "/j", entry(0, root + "/a/j"));
    assertThat(entry(0, root + "/a/j").id()).isEqualTo(made.id());
  }

  @Test
  void aMoveThatStoppedAfterTheOtherGroupDecidedIsCompletedByTheNextPrimary() {
    Junction made = junction(root + "/j");
    tree.afterTaking = EntryMovesTest::fail;
    Refused.with(RnsError.UNAVAILABLE, () -> moveOnce(0, CALL, root + "/j", root + "/a/j"), "stopped here");
    Entry moved = entry(1, root + "/a/j");
    assertUndecided(made);
    tree.afterTaking = () -> {};
    tree.groups.get(1).replacePrimary();
    tree.groups.getFirst().replacePrimary();
    tree.groups.getFirst().moves.resume(Runnable::run);
    assertOnlyAt(root + "/a/j", root + "/j", moved);
  }

  @Test
  void anEntryThatIsBackBeforeItsFirstMoveHasEndedStays() {
    Junction made = junction(root + "/j");
    tree.afterTaking = EntryMovesTest::fail;
    Refused.with(RnsError.UNAVAILABLE, () -> moveOnce(0, CALL, root + "/j", root + "/a/j"), "stopped here");
    tree.afterTaking = () -> {};
    Entry back = moveOnce(1, CALL, root + "/a/j", root + "/k").orThrow();
    tree.groups.getFirst().moves.resume(Runnable::run);
    assertThat(back.id()).isEqualTo(made.id());
    assertOnlyAt(root + "/k", root + "/a/j", back);
    assertThat(names(2, root)).containsExactly("a", "k");
  }

  /** In the group that an entry leaves. */
  private void assertUndecided(Entry entry) {
    TestTree.Group group = tree.groups.getFirst();
    Target target = Target.of(root + "/j");
    Refused.with(RnsError.UNAVAILABLE, () -> group.service.query(CALL, QueryRequest.of(target)), "moving");
    Refused.with(RnsError.UNAVAILABLE, () -> group.service.list(CALL, ListRequest.of(Target.of(root))), "moving");
    EntryChange rename = EntryChange.rename(target, EntryName.of("k"));
    Refused.with(RnsError.BUSY, () -> group.service.update(CALL, UpdateRequest.of(rename)), "moving");
    NewEntry same = NewEntry.junction(target, REFERENCE);
    Refused.with(RnsError.BUSY, () -> group.service.add(CALL, AddRequest.of(same)), "moving");
    Removal removal = new Removal(Target.of(entry.id()), false, Precondition.NONE);
    Refused.with(RnsError.BUSY, () -> group.service.remove(CALL, RemoveRequest.of(removal)), "moving");
  }

  @Test
  void aDirectoryAboveAMovingEntryIsNotRemoved() {
    junction(root + "/d/j");
    tree.beforeTaking = EntryMovesTest::fail;
    Refused.with(RnsError.UNAVAILABLE, () -> moveOnce(0, CALL, root + "/d/j", root + "/a/j"), "stopped here");
    Removal all = new Removal(Target.of(root + "/d"), true, Precondition.NONE);
    Refused.with(
        RnsError.BUSY, () -> tree.groups.getFirst().service.remove(CALL, RemoveRequest.of(all)), "'j' is moving");
    tree.beforeTaking = () -> {};
    tree.groups.getFirst().moves.resume(Runnable::run);
    tree.groups.getFirst().service.remove(CALL, RemoveRequest.of(all)).value().getFirst().orThrow();
    assertThat(names(2, root + "/a")).contains("j");
  }

  private static Outcome<Entry> rename(int at, String path, String to) {
    EntryChange change = EntryChange.rename(Target.of(path), EntryName.of(to));
    return tree.groups.get(at).client.update(CALL, UpdateRequest.of(change)).value().getFirst();
  }

  /** The map of the servers has the cut where it was. */
  @Test
  void anEntryMovesOutOfADirectoryThatHasJustTakenTheNameOfACut() {
    Junction former = junction(root + "/a/f");
    rename(0, root + "/a", "c").orThrow();
    Junction made = junction(root + "/a/f");
    Junction other = junction(root + "/a/g");
    Entry moved = move(0, root + "/a/f", root + "/c/moved").orThrow();
    Entry otherMoved = move(0, root + "/a/g", root + "/c/b/g").orThrow();
    tree.teach();
    assertThat(moved.id()).isEqualTo(made.id());
    assertThat(otherMoved.id()).isEqualTo(other.id());
    assertOnlyAt(root + "/c/moved", root + "/a/f", moved);
    assertOnlyAt(root + "/c/b/g", root + "/a/g", otherMoved);
    assertThat(entry(0, root + "/c/f")).isEqualTo(former);
  }

  @Test
  void anEntryMovesIntoADirectoryThatHasJustTakenTheNameOfACut() {
    junction(root + "/a/j");
    junction(root + "/a/b/k");
    rename(0, root + "/a", "c").orThrow();
    add(NewEntry.directory(Target.of(root + "/a")));
    Entry moved = move(0, root + "/c/j", root + "/a/j").orThrow();
    Entry otherMoved = move(0, root + "/c/b/k", root + "/a/k").orThrow();
    tree.teach();
    assertOnlyAt(root + "/a/j", root + "/c/j", moved);
    assertOnlyAt(root + "/a/k", root + "/c/b/k", otherMoved);
  }

  @Test
  void anEntryMovesOutOfADirectoryThatHasJustTakenTheNameOfACutBelowAnother() {
    rename(0, root + "/a/b", "c").orThrow();
    Junction made = junction(root + "/a/b/f");
    Entry moved = move(0, root + "/a/b/f", root + "/moved").orThrow();
    tree.teach();
    assertThat(moved.id()).isEqualTo(made.id());
    assertOnlyAt(root + "/moved", root + "/a/b/f", moved);
  }

  @Test
  void aSessionMovesWhatItHasMadeAtAServerThatHasNotHeardOfIt() {
    Junction former = junction(root + "/a/f");
    EntryId b = entry(2, root + "/a/b").id();
    rename(2, root + "/a", "c").orThrow();
    NewEntry entry = NewEntry.junction(Target.of(root + "/a/f"), REFERENCE);
    Entry made =
        tree.groups.get(2).client.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
    EntryChange change = EntryChange.move(entry.target(), Target.of(b), EntryName.of("moved"));
    Entry moved = tree.groups.get(2).client.update(CALL, UpdateRequest.of(change)).value().getFirst().orThrow();
    tree.teach();
    assertThat(moved.id()).isEqualTo(made.id());
    assertOnlyAt(root + "/c/b/moved", root + "/a/f", moved);
    assertThat(entry(0, root + "/c/f")).isEqualTo(former);
  }

  /** Of the own group the session has seen more than the map has. */
  @Test
  void aSessionMovesWhatItHasMadeBelowACutThatItsServersGroupMade() {
    rename(1, root + "/a/b", "c").orThrow();
    NewEntry entry = NewEntry.junction(Target.of(root + "/a/b/f"), REFERENCE);
    Entry made =
        tree.groups.get(1).client.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
    Entry moved = move(1, root + "/a/b/f", root + "/moved").orThrow();
    tree.teach();
    assertThat(moved.id()).isEqualTo(made.id());
    assertOnlyAt(root + "/moved", root + "/a/b/f", moved);
  }

  /** What the session has seen of the root, the map of the server does not cover. */
  @Test
  void aSessionMovesByIdentityToPathsOfAllGroupsAtAServerThatHasNotHeardOfThem() {
    Junction made = junction(root + "/a/j");
    add(NewEntry.directory(Target.of(root + "/a/into")));
    junction(root + "/a/d/below");
    Entry directory = entry(0, root + "/a/d");
    NewEntry latest = NewEntry.directory(Target.of(root + "/z"));
    tree.groups.get(1).client.add(CALL, AddRequest.of(latest)).value().getFirst().orThrow();
    for (String to : List.of("/z/j", "/a/into/j", "/a/b/j")) {
      assertThat(moveByIdentity(made, root + to).id()).isEqualTo(made.id());
      assertThat(entry(1, root + to).id()).isEqualTo(made.id());
    }
    moveByIdentity(directory, root + "/a/into/d");
    assertThat(names(1, root + "/a/into/d")).containsExactly("below");
  }

  private static Entry moveByIdentity(Entry entry, String to) {
    EntryChange change = change("/", to);
    EntryChange move =
        EntryChange.move(Target.of(entry.id()), change.parent().orElseThrow(), change.name().orElseThrow());
    return tree.groups.get(1).client.update(CALL, UpdateRequest.of(move)).value().getFirst().orThrow();
  }

  @Test
  void aBatchDuringWhichEntriesMoveEachTimeIsNotAnswered() {
    AtomicInteger moved = new AtomicInteger();
    AtomicBoolean moving = new AtomicBoolean();
    for (int i = 0; i < 8; i++) {
      junction(root + "/j" + i);
    }
    TestTree.Group group = tree.groups.get(1);
    NameService service = tree.groups.getFirst().service;
    QueryRequest both = new QueryRequest(List.of(Target.of(root + "/j0"), Target.of(root + "/a/j0")), false);
    group.beforeQuerying =
        () -> {
          if (moving.compareAndSet(false, true)) {
            String name = "/j" + moved.getAndIncrement();
            moveOnce(0, CALL, root + name, root + "/a" + name).orThrow();
            moving.set(false);
          }
        };
    try {
      Refused.with(RnsError.UNAVAILABLE, () -> service.query(CALL, both), "moved between server groups", "retry");
      assertThat(service.query(CALL.with(Consistency.ANY), both).value()).hasSize(2);
    } finally {
      group.beforeQuerying = () -> {};
    }
    assertThat(service.query(CALL, both).value().getLast()).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void movesToAGroupThatHangsLeaveRoomForOthers() throws Exception {
    LocalNameService names = tree.groups.getFirst().names;
    NewEntry[] entries = new NewEntry[Limits.DEPARTURES];
    Arrays.setAll(entries, i -> NewEntry.directory(Target.of(root + "/d" + i)));
    names.add(CALL, AddRequest.of(entries)).value().forEach(Outcome::orThrow);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      departAll(callers, 0, Limits.DEPARTURES / 2, 1);
      Refused.with(RnsError.BUSY, () -> depart(Limits.DEPARTURES - 1, 1), "512 entries", "to server group 1");
      departAll(callers, Limits.DEPARTURES / 2, Limits.DEPARTURES / 4, 2);
      Refused.with(RnsError.BUSY, () -> depart(Limits.DEPARTURES - 1, 2), "256 entries", "to server group 2");
      List<Future<?>> ended = new ArrayList<>();
      for (Departure left : names.departures()) {
        ConcludeRequest stays =
            new ConcludeRequest(left.entry(), left.arrival().departed(), Optional.empty(), Positions.NONE);
        ended.add(callers.submit(() -> names.conclude(stays)));
      }
      for (Future<?> each : ended) {
        each.get();
      }
    }
    assertThat(depart(Limits.DEPARTURES - 1, 1)).isInstanceOf(Outcome.Done.class);
  }

  private void departAll(ExecutorService callers, int from, int many, int to) throws Exception {
    List<Future<Outcome<Entry>>> departed = new ArrayList<>();
    for (int i = from; i < from + many; i++) {
      int number = i;
      departed.add(callers.submit(() -> depart(number, to)));
    }
    for (Future<Outcome<Entry>> each : departed) {
      assertThat(each.get()).isInstanceOf(Outcome.Done.class);
    }
  }

  /** Marks a directory, as the first step of a move of which the others do not follow. */
  private Outcome<Entry> depart(int number, int to) {
    EntryChange change = change(root + "/d" + number, root + "/a/d" + number);
    return tree.groups.getFirst().names.depart(CALL.with(RequestId.random()), new DepartRequest(change, to)).value();
  }

  @Test
  void directoriesThatMoveIntoEachOtherMakeNoCircle() {
    add(NewEntry.directory(Target.of(root + "/d")));
    add(NewEntry.directory(Target.of(root + "/a/d")));
    Target there = Target.of(entry(1, root + "/a/d").id());
    DepartRequest back =
        new DepartRequest(EntryChange.move(there, Target.of(root + "/d"), EntryName.of("d")), 0);
    AtomicBoolean inside = new AtomicBoolean();
    List<Outcome<Entry>> other = new ArrayList<>();
    tree.beforeTaking =
        () -> {
          if (inside.compareAndSet(false, true)) {
            other.add(tree.groups.get(1).moves.move(CALL, 1, back).value());
          }
        };
    Outcome<Entry> one = moveOnce(0, CALL, root + "/d", root + "/a/d/d");
    assertThat(other).singleElement().isInstanceOfSatisfying(
        Outcome.Refused.class, refused -> assertThat(refused.refusal().message()).contains(root + "/d is moving"));
    assertThat(one).isInstanceOf(Outcome.Done.class);
    assertThat(names(2, root + "/a/d")).containsExactly("d");
  }

  @Test
  void aGroupThatIsAwayLeavesTheEntryReadable() {
    Junction made = junction(root + "/j");
    TestTree.Group first = tree.groups.getFirst();
    first.loseSight(1);
    Refused.with(RnsError.UNAVAILABLE, () -> moveOnce(0, CALL, root + "/j", root + "/a/j"), "server group 1");
    assertThat(first.service.query(CALL, QueryRequest.of(Target.of(root + "/j"))).value().getFirst())
        .isEqualTo(Outcome.done(made));
    tree.teach();
  }

  @Test
  void aDirectoryThatCameFromAnotherGroupIsAssignedByAMoveOfContent() {
    add(NewEntry.directory(Target.of(root + "/d")));
    Target moved = Target.of(move(0, root + "/d", root + "/a/d").orThrow().id());
    assertThat(tree.groups.get(1).names().assign(CALL, new AssignRequest(moved, 2)).value())
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(moved, 0)));
  }

  @Test
  void readersFindAMovingEntryInExactlyOnePlace() throws InterruptedException, ExecutionException {
    List<String> places = directories().map(path -> path + "/" + NAME).toList();
    junction(places.getFirst());
    AtomicBoolean over = new AtomicBoolean();
    QueryRequest all = new QueryRequest(places.stream().map(Target::of).toList(), false);
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> reads = new ArrayList<>();
      for (int at = 0; at < 3; at++) {
        TestTree.Group group = tree.groups.get(at);
        reads.add(readers.submit(() -> {
          int read = 0;
          while (!over.get()) {
            Answer<List<Outcome<Entry>>> answer = group.client.query(CALL, all);
            assertThat(answer.value()).as("at " + group.number + ": " + answer)
                .filteredOn(Outcome.Done.class::isInstance).hasSize(1);
            read++;
          }
          return read;
        }));
      }
      try {
        for (int i = 0; i < 60; i++) {
          move(i % 3, places.get(i % 3), places.get((i + 1 + i / 3 % 2) % 3)).orThrow();
          if (i / 3 % 2 == 1) {
            String now = places.get((i + 2) % 3);
            move(i % 3, now, places.get((i + 1) % 3)).orThrow();
          }
        }
      } finally {
        over.set(true);
      }
      for (Future<Integer> read : reads) {
        assertThat(read.get()).isPositive();
      }
    }
  }
}
