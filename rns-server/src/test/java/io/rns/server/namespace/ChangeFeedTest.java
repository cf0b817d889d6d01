package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.Change.Kind;
import io.rns.api.EntryName;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.RandomOperationsContract;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.TreeWalk;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.PlacedChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever random requests have done to the tree, the changes tell: who follows them has the same tree. */
@Tag("server")
class ChangeFeedTest extends RandomOperationsContract {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Duration NO_WAIT = Duration.ZERO;

  private static Database database;
  private static LocalNameService service;

  private Position start;

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    service = TestServices.start(database);
  }

  @AfterAll
  static void close() {
    service.close();
    database.close();
  }

  @Override
  public NameService service() {
    return service;
  }

  @BeforeEach
  void begin() {
    start = service.changes().last();
  }

  @AfterEach
  void theChangesMakeTheTree() throws Exception {
    List<Change> all = read(service.changes(), start, RnsPath.ROOT);
    assertThat(all)
        .extracting(change -> change.position().sequence())
        .as("without gap or duplicate")
        .isEqualTo(LongStream.rangeClosed(start.sequence() + 1, service.changes().last().sequence()).boxed().toList());

    NavigableSet<RnsPath> followed = new TreeSet<>();
    all.forEach(change -> follow(change, followed));
    NavigableSet<RnsPath> there = new TreeSet<>();
    for (RnsPath top : followed.stream().filter(path -> path.depth() == 1).toList()) {
      there.add(top);
      try (TreeWalk walk = TreeWalk.of(service, Target.of(top)).open()) {
        while (walk.hasNext()) {
          there.add(walk.next().path());
        }
      }
    }
    assertThat(followed).isEqualTo(there);

    assertThat(read(new ChangeFeed(database, service.changes().last()), start, RnsPath.ROOT))
        .as("as the log tells it")
        .isEqualTo(all);
    Random random = new Random();
    for (int i = 0; i < 10 && !all.isEmpty(); i++) {
      int from = random.nextInt(all.size());
      RnsPath watched = all.get(random.nextInt(all.size())).path();
      assertThat(read(service.changes(), all.get(from).position(), watched))
          .as("of %s behind %s", watched, all.get(from).position())
          .isEqualTo(all.subList(from + 1, all.size()).stream().filter(change -> change.concerns(watched)).toList());
    }
  }

  private static List<Change> read(ChangeFeed feed, Position from, RnsPath path) throws InterruptedException {
    List<Change> changes = new ArrayList<>();
    Position known = from;
    while (known.sequence() < feed.last().sequence()) {
      ChangeFeed.Step step = feed.after(known, path, NO_WAIT);
      step.changes().forEach(placed -> changes.add(placed.change()));
      known = step.known();
    }
    return changes;
  }

  private static void follow(Change change, NavigableSet<RnsPath> paths) {
    switch (change.kind()) {
      case ADDED -> {
        assertThat(change.path().depth() == 1 || paths.contains(change.path().parent())).as("above %s", change)
            .isTrue();
        assertThat(paths.add(change.path())).as("%s is new", change).isTrue();
      }
      case CHANGED -> assertThat(paths).as(change.toString()).contains(change.path());
      case REMOVED -> assertThat(paths.removeIf(change.path()::contains)).as(change.toString()).isTrue();
      case MOVED -> {
        RnsPath old = change.oldPath().orElseThrow();
        List<RnsPath> moved = paths.stream().filter(old::contains).toList();
        assertThat(moved).as(change.toString()).contains(old);
        paths.removeAll(moved);
        moved.forEach(path -> paths.add(below(change.path(), path.names().subList(old.depth(), path.depth()))));
      }
    }
  }

  private static RnsPath below(RnsPath directory, List<EntryName> names) {
    return directory.resolve(RnsPath.of(names));
  }

  private static String fresh() {
    return "/feed-" + System.nanoTime();
  }

  private static void mkdir(String path) {
    service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(path)))).value().get(0).orThrow();
  }

  @Test
  void aReaderThatWaitsIsToldAtOnce() throws Exception {
    String path = fresh();
    try (ExecutorService reader = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ChangeFeed.Step> step =
          reader.submit(() -> service.changes().after(start, RnsPath.parse(path), Duration.ofSeconds(30)));
      mkdir(path);
      assertThat(step.get().changes()).extracting(PlacedChange::change).extracting(Change::kind, Change::path)
          .containsExactly(org.assertj.core.groups.Tuple.tuple(Kind.ADDED, RnsPath.parse(path)));
    }
  }

  @Test
  void moreThanMemoryKeepsComesFromTheLog() throws Exception {
    String path = fresh();
    mkdir(path);
    for (int batch = 0; batch < 9; batch++) {
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        entries.add(NewEntry.directory(Target.of(path + "/" + batch + "-" + i)));
      }
      service.add(CALL, new AddRequest(entries, false, false));
    }
    assertThat(read(service.changes(), start, RnsPath.parse(path))).hasSize(9_001);
  }

  @Test
  void whatIsNoLongerKeptOrNotYetThereIsAnError() {
    Position last = service.changes().last();
    Position ahead = new Position(last.group(), last.epoch(), last.sequence() + 1);
    Position foreign = new Position(last.group() + 1, 0, 5);
    for (Position wrong : List.of(ahead, foreign)) {
      assertThatThrownBy(() -> service.changes().after(wrong, RnsPath.ROOT, NO_WAIT))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
          .hasMessageContaining(wrong.toString());
    }
  }

  /** After a failover that lost changes: the next primary has given their numbers to others. */
  @Test
  void whoKnowsALostChangeStartsOver() throws Exception {
    mkdir(fresh());
    Position before = service.changes().last();
    restart();
    Position begun = service.changes().last();
    assertThat(begun).isEqualTo(new Position(before.group(), before.epoch() + 1, before.sequence()));
    Position lost = new Position(before.group(), before.epoch(), before.sequence() + 1);
    assertLost(service.changes(), lost);
    String path = fresh();
    mkdir(path);
    mkdir(path + "/a");
    for (ChangeFeed feed : List.of(service.changes(), new ChangeFeed(database, service.changes().last()))) {
      assertLost(feed, lost);
      assertLost(feed, new Position(lost.group(), lost.epoch(), lost.sequence() + 10));
      assertThat(feed.resume(before)).isEqualTo(before);
      assertThat(feed.resume(begun)).as("with the epoch of the change there").isEqualTo(before);
      assertThat(read(feed, feed.resume(begun), RnsPath.parse(path))).hasSize(2);
      assertThat(feed.resume(feed.last())).isEqualTo(feed.last());
    }
    start = service.changes().last();
  }

  /** Each start of a server begins an epoch. */
  @Test
  void epochsWithoutChangesDoNotSendReadersAway() {
    mkdir(fresh());
    Position changed = service.changes().last();
    restart();
    Position begun = service.changes().last();
    Position known = service.changes().resume(begun);
    assertThat(known).isEqualTo(changed);
    restart();
    assertThat(service.changes().resume(known)).isEqualTo(changed);
    // Whether that epoch had changes which were lost is not known any more.
    assertLost(service.changes(), begun);
    Position later = new Position(begun.group(), service.changes().last().epoch() + 1, begun.sequence());
    assertThatThrownBy(() -> service.changes().resume(later))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining("has not been reached here");
    start = service.changes().last();
  }

  private static void assertLost(ChangeFeed feed, Position known) {
    assertThatThrownBy(() -> feed.resume(known))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR))
        .hasMessageContaining("position " + known + " is not in the log of changes");
  }

  private static void restart() {
    service.close();
    service = TestServices.start(database);
  }

  @Test
  void whatIsBelowAMovedDirectoryIsToldAtItsNewPath() throws Exception {
    String path = fresh();
    mkdir(path);
    mkdir(path + "/a");
    mkdir(path + "/a/b");
    Position before = service.changes().last();
    service.update(CALL, UpdateRequest.of(EntryChange.rename(Target.of(path + "/a"), EntryName.of("c"))));
    mkdir(path + "/c/b/d");
    List<Change> told = read(service.changes(), before, RnsPath.parse(path + "/a/b"));
    assertThat(told).extracting(Change::kind).containsExactly(Kind.MOVED);
    assertThat(told.get(0).oldPath()).isEqualTo(Optional.of(RnsPath.parse(path + "/a")));
    assertThat(read(service.changes(), before, RnsPath.parse(path + "/c/b")))
        .extracting(change -> change.path().toString())
        .containsExactly(path + "/c", path + "/c/b/d");
  }

  @Test
  void aStoppedServiceEndsIt() throws Exception {
    Database other = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    LocalNameService stopped = TestServices.start(other);
    ChangeFeed feed = stopped.changes();
    Position last = feed.last();
    stopped.close();
    other.close();
    Eventually.until(
        "readers are told",
        Duration.ofSeconds(10),
        () -> {
          try {
            feed.check(last);
            return false;
          } catch (RnsException e) {
            return e.error() == RnsError.UNAVAILABLE;
          }
        });
    service.close();
    service = TestServices.start(database);
    start = service.changes().last();
  }
}
