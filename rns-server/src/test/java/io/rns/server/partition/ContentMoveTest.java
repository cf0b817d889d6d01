package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryFilter;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Refused;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.Eventually;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import io.rns.server.namespace.ContentSum;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.DepartingContent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that moves between the groups of a {@link TestTree}, under requests at servers of all of them. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContentMoveTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Metadata METADATA = Metadata.parse("<m xmlns='urn:m'>1</m>");

  @TempDir private static Path directory;

  private static TestTree tree;
  private static int last;

  private String root;
  private EntryId moving;

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 3);
  }

  /** However the tests left it: the path of what differs begins with the test's. */
  @AfterAll
  static void stop() {
    try {
      assertEntriesCounted();
    } finally {
      tree.close();
    }
  }

  @BeforeEach
  void make() throws Exception {
    root = "/t" + ++last;
    add(0, root + "/d/a/one");
    add(0, root + "/d/a/deep/er/two");
    add(0, root + "/d/three");
    add(0, root + "/outside/four");
    NewEntry other = NewEntry.directory(Target.of(root + "/other"));
    Entry unused = tree.groups.getFirst().service.add(CALL, AddRequest.of(other)).value().getFirst().orThrow();
    tree.assign(0, other.target(), 1);
    tree.teach();
    moving = entry(0, root + "/d").id();
    // A group that deletes what another test has moved takes nothing in.
    Eventually.until("content that has moved is deleted", Duration.ofSeconds(30),
        () -> tree.groups.stream().allMatch(group -> group.arriving(moving).isCleared()));
  }

  private static void assertEntriesCounted() {
    tree.completeMoves();
    Map<RnsPath, Long> counted = tree.countedEntries();
    Map<RnsPath, Long> found = new TreeMap<>();
    PartitionMap map = tree.groups.getFirst().table.map();
    map.partitions().forEach(partition -> found.put(partition.path(), 0L));
    subtree(0, "/", 1_000).keySet()
        .forEach(path -> found.merge(map.ofEntry(RnsPath.parse(path)).path(), 1L, Long::sum));
    assertThat(counted).isEqualTo(found);
  }

  @Test
  void copiesOfContentAreNotCounted() throws Exception {
    moveInVain(0, 1);
    assertEntriesCounted();
    move(0, moving, 1);
    assertEntriesCounted();
    moveInVain(1, 0);
    assertEntriesCounted();
    assertThat(sum(0, moving).entries()).as("a copy is there").isPositive();
  }

  private static Entry add(int at, String path) {
    NewEntry entry =
        new NewEntry(Target.of(path), List.of(EndpointReference.ofAddress("urn:" + path)), METADATA, Precondition.NONE);
    return tree.groups.get(at).service.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
  }

  private static Entry entry(int at, String path) {
    return tree.groups.get(at).service.query(CALL, QueryRequest.of(Target.of(path))).value().getFirst().orThrow();
  }

  private static void move(int from, EntryId directory, int to) throws Exception {
    move(from, directory, to, target -> target);
  }

  private static void move(int from, EntryId directory, int to, UnaryOperator<ContentTarget> by) throws Exception {
    Eventually.until("the content moves", Duration.ofSeconds(30), () -> {
      try {
        ContentTarget target = by.apply(tree.groups.get(to).arriving(directory));
        long unused = tree.groups.get(from).departing(directory, to, () -> target).move();
        return true;
      } catch (RnsException e) {
        // What is not given away yet is to be tried again, however long the machine stood still.
        boolean again = e.error() == RnsError.BUSY
            || (e.error() == RnsError.UNAVAILABLE && tree.groups.get(from).names.row(directory).owner().isEmpty());
        if (again) {
          return false;
        }
        throw e;
      }
    });
    tree.teach();
  }

  /** All entries below a path, by path, as a server sees them. */
  private static Map<String, Entry> subtree(int at, String path) {
    return subtree(at, path, 5);
  }

  private static Map<String, Entry> subtree(int at, String path, int pageSize) {
    SubtreeRequest request = new SubtreeRequest(
        Target.of(path), SubtreeRequest.Order.NAMES, 100, EntryFilter.ALL, pageSize, Optional.empty());
    Map<String, Entry> all = new TreeMap<>();
    while (true) {
      SubtreePage page = tree.groups.get(at).service.subtree(CALL, request).value().orThrow();
      page.entries().forEach(visit -> all.put(visit.path().toString(), visit.entry()));
      if (page.next().isEmpty()) {
        return all;
      }
      request = request.after(page.next().get());
    }
  }

  @Test
  void contentThatMovedIsTheSameAtEveryServer() throws Exception {
    Map<String, Entry> before = subtree(0, root + "/d");
    EntryId one = entry(0, root + "/d/a/one").id();

    move(0, moving, 1);

    Entry found = entry(0, root + "/d/a/one");
    for (int at = 0; at < 3; at++) {
      Target byId = Target.of(one);
      assertThat(tree.groups.get(at).client.query(CALL, QueryRequest.of(byId)).value().getFirst().orThrow())
          .as("at " + at).isEqualTo(found);
      ListRequest deep = ListRequest.of(Target.of(before.get(root + "/d/a").id()));
      assertThat(tree.groups.get(at).client.list(CALL, deep).value().orThrow().entries()).hasSize(2);
      EntryChange change = EntryChange.metadata(byId, Metadata.parse("<m xmlns='urn:m'>" + at + "</m>"));
      found = tree.groups.get(at).client.update(CALL, UpdateRequest.of(change)).value().getFirst().orThrow();
    }
    EntryChange change = EntryChange.metadata(Target.of(one), METADATA);
    Entry unused = tree.groups.get(2).client.update(CALL, UpdateRequest.of(change)).value().getFirst().orThrow();
    for (int at = 0; at < 3; at++) {
      Map<String, Entry> after = subtree(at, root + "/d");
      assertThat(after.keySet()).isEqualTo(before.keySet());
      after.keySet().stream().filter(path -> !path.endsWith("/one"))
          .forEach(path -> assertThat(after.get(path)).as(path).isEqualTo(before.get(path)));
      assertThat(entry(at, root + "/d/a/one").id()).isEqualTo(one);
    }
  }

  @Test
  void serversThatKnowOfNoPartitionsRenameAndMoveInAndOutOfContentThatHasJustMoved() throws Exception {
    move(0, moving, 1);
    forgetPartitions();
    List<EntryChange> changes =
        List.of(
            EntryChange.move(path("/d/a/one"), path("/d/a"), EntryName.of("renamed")),
            EntryChange.move(path("/d/three"), path("/outside"), EntryName.of("three")),
            EntryChange.rename(path("/outside/four"), EntryName.of("quatre")),
            EntryChange.move(path("/d/a/deep/er/two"), path("/d"), EntryName.of("two")));
    assertThat(tree.groups.getFirst().client.update(CALL, new UpdateRequest(changes, false)).value())
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Done.class));
    tree.teach();
    for (int at = 0; at < 3; at++) {
      assertThat(subtree(at, root).keySet())
          .contains(root + "/d/a/renamed", root + "/d/two", root + "/outside/three", root + "/outside/quatre")
          .doesNotContain(root + "/d/a/one", root + "/d/a/deep/er/two", root + "/d/three");
    }
    forgetPartitions();
    EntryChange in = EntryChange.move(path("/outside/quatre"), path("/d/a"), EntryName.of("four"));
    assertThat(tree.groups.getFirst().client.update(CALL, UpdateRequest.of(in)).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    tree.teach();
    for (int at = 0; at < 3; at++) {
      assertThat(subtree(at, root).keySet()).contains(root + "/d/a/four").doesNotContain(root + "/outside/quatre");
    }
    forgetPartitions();
    List<EntryChange> together =
        List.of(
            EntryChange.move(path("/d/a/four"), path("/d"), EntryName.of("four")),
            EntryChange.move(path("/d/two"), path("/d/a"), EntryName.of("two")));
    assertThat(tree.groups.getFirst().client.update(CALL, new UpdateRequest(together, true)).value())
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Done.class));
  }

  /** As before the first map with partitions has come. */
  private static void forgetPartitions() {
    for (TestTree.Group group : tree.groups) {
      group.table =
          new PartitionTable(
              group.number, PartitionMap.whole(0), Positions.NONE, Positions.NONE, group.table.servers());
    }
  }

  private Target path(String below) {
    return Target.of(root + below);
  }

  @Test
  void contentMovesBackAndOnAndIsDeletedWhereItWas() throws Exception {
    move(0, moving, 1);
    add(2, root + "/d/a/new");
    remove(0, root + "/d/three");
    Map<String, Entry> before = subtree(2, root + "/d");

    move(1, moving, 2);
    assertThat(subtree(0, root + "/d")).usingRecursiveComparison().isEqualTo(before);
    move(2, moving, 1);
    assertThat(subtree(1, root + "/d").keySet()).isEqualTo(before.keySet());
    move(1, moving, 0);
    for (int at = 0; at < 3; at++) {
      assertThat(subtree(at, root + "/d").keySet()).isEqualTo(before.keySet());
      assertThat(tree.groups.get(at).table.map().ofContent(Target.of(root + "/d").path()).path().isRoot()).isTrue();
    }
    add(1, root + "/d/three");
    for (int at : List.of(1, 2)) {
      Eventually.until("content is deleted where it was", Duration.ofSeconds(20),
          () -> sum(at, moving).entries() == 0);
    }
  }

  @Test
  void aDirectoryThatWasGivenAwayDoesNotMoveDeeperWhenItsContentIsDeleted() throws Exception {
    move(0, moving, 1);
    Eventually.until("content is deleted where it was", Duration.ofSeconds(20),
        () -> tree.groups.get(0).arriving(moving).isCleared());
    tree.groups.get(0).replacePrimary();
    EntryChange change = EntryChange.move(Target.of(root + "/d"), Target.of(root + "/outside"), EntryName.of("d"));
    Refused.with(
        RnsError.LIMIT_EXCEEDED,
        () -> tree.groups.get(0).names.update(CALL, UpdateRequest.of(change)).value().getFirst().orThrow(),
        root + "/d");
  }

  private static ContentSum sum(int at, EntryId of) {
    return tree.groups.get(at).arriving(of).sum();
  }

  private static void remove(int at, String path) {
    Entry unused =
        tree.groups.get(at).service
            .remove(CALL, RemoveRequest.of(new Removal(Target.of(path), true, Precondition.NONE)))
            .value().getFirst().orThrow();
  }

  /** A target that does something before and after each request, and may lose the request or its answer there. */
  private record Watched(ContentTarget target, Runnable before, Runnable after) implements ContentTarget {
    private <T> T call(Supplier<T> call) {
      before.run();
      T answer = call.get();
      after.run();
      return answer;
    }

    private void run(Runnable call) {
      Object unused = call(() -> {
        call.run();
        return "";
      });
    }

    @Override
    public long version() {
      return call(target::version);
    }

    @Override
    public Receipt receive(int from, long offered, long at, boolean afresh) {
      return call(() -> target.receive(from, offered, at, afresh));
    }

    @Override
    public void insert(long token, List<Entry> entries) {
      run(() -> target.insert(token, entries));
    }

    @Override
    public void remove(long token, List<EntryId> entries, boolean forever) {
      run(() -> target.remove(token, entries, forever));
    }

    @Override
    public void remember(long token, String answers) {
      assertThat(answers.length()).as("what one request takes").isLessThan(PartitionServlet.BODY_BYTES);
      run(() -> target.remember(token, answers));
    }

    @Override
    public void abandon(long token) {
      run(() -> target.abandon(token));
    }

    @Override
    public long lagMillis() {
      return call(target::lagMillis);
    }

    @Override
    public Set<EntryId> has(Collection<EntryId> entries) {
      return call(() -> target.has(entries));
    }

    @Override
    public Set<EntryId> settled(Collection<EntryId> entries) {
      return call(() -> target.settled(entries));
    }

    @Override
    public boolean isCleared() {
      return call(target::isCleared);
    }

    @Override
    public ContentSum sum() {
      return call(target::sum);
    }

    @Override
    public void own(long token, Positions given, long version) {
      run(() -> target.own(token, given, version));
    }
  }

  private static void cutIf(boolean fails) {
    if (fails) {
      throw new RnsException(RnsError.UNAVAILABLE, "cut");
    }
  }

  /** Begins a move that ends when all is copied. */
  private void moveInVain(int from, int to) {
    AtomicReference<DepartingContent> departing = new AtomicReference<>();
    ContentTarget target = tree.groups.get(to).arriving(moving);
    Watched watched =
        new Watched(target, () -> cutIf(departing.get().phase().equals("verifying")), () -> {});
    departing.set(tree.groups.get(from).departing(moving, to, () -> watched));
    Refused.with(RnsError.UNAVAILABLE, () -> departing.get().move(), "cut");
  }

  @Test
  void contentMovesThoughItsGroupIsNeverQuiet() {
    AtomicReference<DepartingContent> departing = new AtomicReference<>();
    AtomicInteger made = new AtomicInteger();
    // Each round finds what was added during the one before.
    Runnable addMany = () -> {
      if (Set.of("verifying", "catching up").contains(departing.get().phase())) {
        NewEntry[] many = new NewEntry[60];
        Arrays.setAll(many, i -> NewEntry.directory(Target.of(root + "/outside/n" + made.incrementAndGet())));
        tree.groups.getFirst().service.add(CALL, AddRequest.of(many)).value().forEach(Outcome::orThrow);
        // The next owner is asked about what may have left.
        rename(0, root + "/outside/n" + made, root + "/outside/m" + made).orThrow();
      }
    };
    Set<String> before = subtree(0, root + "/d").keySet();
    ContentTarget target = tree.groups.get(1).arriving(moving);
    departing.set(tree.groups.getFirst().departing(moving, 1, () -> new Watched(target, addMany, () -> {})));

    assertThat(departing.get().move()).isPositive();

    assertThat(made.get()).isGreaterThan(60);
    tree.teach();
    assertThat(subtree(1, root + "/d").keySet()).isEqualTo(before);
  }

  /**
   * Names go from one entry to another over more changes than are looked up together.
   *
   * @param keptBytes more than the changes take, and less than one in ten of them
   */
  @ParameterizedTest
  @ValueSource(longs = {ContentMoves.KEPT_BYTES, 10_000})
  void contentMovesThoughItsGroupHasChangedMuchMeanwhile(long keptBytes) {
    AtomicReference<DepartingContent> departing = new AtomicReference<>();
    AtomicReference<Map<String, Entry>> before = new AtomicReference<>();
    AtomicBoolean changed = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    Runnable change = () -> {
      if (departing.get().phase().equals("verifying") && changed.compareAndSet(false, true)) {
        rename(0, root + "/d/a/one", root + "/d/a/between").orThrow();
        remove(0, root + "/d/a/deep/er/two");
        for (int batch = 0; batch < 12; batch++) {
          NewEntry[] many = new NewEntry[900];
          String parent = root + (batch == 6 ? "/d/n" : "/outside/n") + batch + "-";
          Arrays.setAll(many, i -> NewEntry.directory(Target.of(parent + i)));
          tree.groups.getFirst().service.add(CALL, AddRequest.of(many)).value().forEach(Outcome::orThrow);
        }
        rename(0, root + "/d/three", root + "/d/a/one").orThrow();
        rename(0, root + "/d/a/between", root + "/d/three").orThrow();
        rename(0, root + "/outside/four", root + "/d/n6-1/four").orThrow();
        // Below what is new or has gone, to be given up and sent in this order only.
        rename(0, root + "/d/a/deep", root + "/d/n6-2/deep").orThrow();
        rename(0, root + "/d/a", root + "/d/n6-2/deep/er/a").orThrow();
        rename(0, root + "/outside", root + "/d/n6-3/outside").orThrow();
        before.set(subtree(0, root + "/d", 1_000));
      }
    };
    ContentTarget target = before(tree.groups.get(1).arriving(moving), "settled", entries -> asked.incrementAndGet());
    departing.set(
        tree.groups.getFirst().names.departing(
            moving, 1, () -> new Watched(target, change, () -> {}), keptBytes));

    assertThat(departing.get().move()).isPositive();

    tree.teach();
    assertThat(subtree(1, root + "/d", 1_000)).hasSizeGreaterThan(10_000).isEqualTo(before.get());
    assertThat(asked.get() > 0).as("all entries were gone through again").isEqualTo(keptBytes == 10_000);
  }

  /**
   * Thousands of other changes a second were asked about by the hundred, so that a busy group's content never moved.
   */
  @Test
  void theNextOwnerIsNotAskedAboutChangesThatAreElsewhere() {
    AtomicReference<DepartingContent> departing = new AtomicReference<>();
    AtomicBoolean changed = new AtomicBoolean();
    List<EntryId> asked = new ArrayList<>();
    Runnable change = () -> {
      if (departing.get().phase().equals("verifying") && changed.compareAndSet(false, true)) {
        NewEntry[] many = new NewEntry[900];
        Arrays.setAll(many, i -> NewEntry.directory(Target.of(root + "/outside/n" + i)));
        tree.groups.getFirst().service.add(CALL, AddRequest.of(many)).value().forEach(Outcome::orThrow);
        rename(0, root + "/outside/n0", root + "/d/n0").orThrow();
        rename(0, root + "/d/three", root + "/outside/three").orThrow();
      }
    };
    EntryId left = entry(0, root + "/d/three").id();
    ContentTarget target = before(tree.groups.get(1).arriving(moving), "has", arguments -> {
      @SuppressWarnings("unchecked")
      Collection<EntryId> entries = (Collection<EntryId>) arguments[0];
      asked.addAll(entries);
    });
    departing.set(tree.groups.getFirst().departing(moving, 1, () -> new Watched(target, change, () -> {})));

    assertThat(departing.get().move()).isPositive();

    tree.teach();
    EntryId came = entry(1, root + "/d/n0").id();
    assertThat(asked).contains(left, came).hasSizeLessThan(10);
    assertThat(subtree(1, root + "/d")).doesNotContainKey(root + "/d/three");
  }

  /** A target that tells of entries before it takes them. */
  private static ContentTarget telling(ContentTarget target, Consumer<List<Entry>> before) {
    return before(target, "insert", arguments -> {
      @SuppressWarnings("unchecked")
      List<Entry> entries = (List<Entry>) arguments[1];
      before.accept(entries);
    });
  }

  /** A target before whose steps of a name something happens. */
  private static ContentTarget before(ContentTarget target, String step, Consumer<Object[]> happening) {
    return (ContentTarget) Proxy.newProxyInstance(
        ContentTarget.class.getClassLoader(), new Class<?>[]{ContentTarget.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals(step)) {
            happening.accept(arguments);
          }
          try {
            return method.invoke(target, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void aCopyWaitsForReplicasThatLag() throws Exception {
    TestTree.Group next = tree.groups.get(1);
    next.lagMillis = 5_000;
    DepartingContent departing = tree.groups.getFirst().departing(moving, 1, () -> next.arriving(moving));
    try (ExecutorService mover = Executors.newSingleThreadExecutor()) {
      Future<Long> move = mover.submit(departing::move);
      try {
        Eventually.until("the copy waits", Duration.ofSeconds(8),
            () -> departing.phase().equals("waiting for replicas"));
        assertThat(next.arriving(moving).sum()).isEqualTo(ContentSum.ZERO);
      } finally {
        next.lagMillis = 0;
      }
      assertThat(move.get()).isPositive();
    }
    tree.teach();
    assertThat(next.names.row(moving).owner()).isEmpty();
    assertThat(subtree(2, root + "/d").keySet()).contains(root + "/d/a/deep/er/two");
  }

  @Test
  void aCopyThatWasInterruptedGoesOnWhereItEnded() throws Exception {
    for (int batch = 0; batch < 2; batch++) {
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        entries.add(NewEntry.directory(Target.of(root + "/d/" + (batch * 600 + i))));
      }
      AddRequest request = new AddRequest(entries, false, false);
      tree.groups.getFirst().service.add(CALL, request).value().forEach(Outcome::orThrow);
    }
    Set<EntryId> copied = new HashSet<>();
    ContentTarget failing = telling(tree.groups.get(1).arriving(moving), entries -> {
      cutIf(!copied.isEmpty());
      entries.forEach(entry -> copied.add(entry.id()));
    });
    DepartingContent first = tree.groups.getFirst().departing(moving, 1, () -> failing);
    Refused.with(RnsError.UNAVAILABLE, first::move, "cut");
    tree.groups.get(0).replacePrimary();
    tree.groups.get(1).replacePrimary();

    Set<EntryId> changed = new HashSet<>();
    for (String[] names : new String[][]{{"/d/0", "/d/swap"}, {"/d/1", "/d/0"}, {"/d/swap", "/d/1"},
        {"/d/2", "/d/3/moved"}, {"/d/4", "/outside/4"}, {"/outside/four", "/d/5/four"}}) {
      changed.add(rename(0, root + names[0], root + names[1]).orThrow().id());
    }
    changed.add(add(0, root + "/d/6/new").id());
    remove(0, root + "/d/7");
    Map<String, Entry> before = subtree(0, root + "/d");

    Set<EntryId> again = new HashSet<>();
    move(0, moving, 1, target -> telling(target, entries -> entries.forEach(entry -> again.add(entry.id()))));

    assertThat(subtree(2, root + "/d")).isEqualTo(before);
    assertThat(tree.groups.get(1).names.row(moving).owner()).isEmpty();
    assertThat(copied).hasSize(1_000);
    again.removeAll(changed);
    assertThat(again).hasSizeBetween(200, 250).doesNotContainAnyElementsOf(copied);
  }

  private static Outcome<Entry> rename(int at, String from, String to) {
    Target place = Target.of(to);
    EntryChange change =
        EntryChange.move(Target.of(from), Target.of(place.path().parent().toString()), place.path().name());
    return tree.groups.get(at).service.update(CALL, UpdateRequest.of(change)).value().getFirst();
  }

  /** A server answers each request within its share of the memory. */
  @Test
  void aRequestAboutTheManyEntriesOfAnInterruptedCopyIsAnswered() {
    NewEntry[] many = new NewEntry[300];
    String reference = "urn:" + "x".repeat(400);
    Arrays.setAll(
        many, i -> NewEntry.junction(path("/d/many-" + i), EndpointReference.ofAddress(reference)));
    List<EntryId> ids =
        tree.groups.getFirst().service.add(CALL, AddRequest.of(many)).value().stream()
            .map(outcome -> outcome.orThrow().id()).toList();
    moveInVain(0, 1);
    try (RequestMemory memory = new MemoryPool(1 << 20).open()) {
      memory.bind();
      assertThat(tree.groups.get(1).arriving(moving).has(ids)).hasSameSizeAs(ids);
    } finally {
      RequestMemory.unbind();
    }
  }

  /** Each server has another first guess of where the entry and the directory are. */
  @Test
  void whatMovedWithContentMovesOnByItsIdentityAtEveryServer() throws Exception {
    EntryId outside = entry(0, root + "/outside").id();
    EntryId other = entry(1, root + "/other").id();
    EntryId into = entry(0, root + "/d/a").id();
    for (int at = 0; at < 3; at++) {
      Entry unused = add(0, root + "/d/x" + at);
    }
    move(0, moving, 1);
    for (int at = 0; at < 3; at++) {
      EntryId id = entry(0, root + "/d/x" + at).id();
      assertThat(id.group()).as("where it was made").isZero();
      for (EntryId to : List.of(into, outside, into, other, into)) {
        EntryChange change = EntryChange.move(Target.of(id), Target.of(to), EntryName.of("x" + at));
        Entry moved =
            tree.groups.get(at).service.update(CALL, UpdateRequest.of(change)).value().getFirst().orThrow();
        assertThat(moved.binding().parent()).as("at " + at).isEqualTo(to);
      }
      assertAt(root + "/d/a/x" + at, id);
    }
    Target junction = Target.of(entry(0, root + "/d/a/x0").id());
    // Smaller numbers may be in use, by tests before this one.
    Target last = Target.of(new EntryId((1L << 48) - 1));
    EntryChange nowhere = EntryChange.move(junction, last, EntryName.of("x"));
    assertThat(tree.groups.getFirst().service.update(CALL, UpdateRequest.of(nowhere)).value().getFirst())
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(last, 0)));
  }

  private static void assertAt(String path, EntryId id) {
    for (int at = 0; at < 3; at++) {
      assertThat(entry(at, path).id()).as("at " + at).isEqualTo(id);
      assertThat(tree.groups.get(at).client.query(CALL, QueryRequest.of(Target.of(id))).value().getFirst())
          .as("by identity at " + at).isInstanceOf(Outcome.Done.class);
    }
  }

  @Test
  void largeAnswersAreTakenAlongInSeveralRequests() throws Exception {
    String name = "n".repeat(Limits.NAME_BYTES - 10);
    Map<AddRequest, List<Outcome<Entry>>> answers = new HashMap<>();
    Map<AddRequest, CallContext> calls = new HashMap<>();
    for (int batch = 0; batch < 9; batch++) {
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 900; i++) {
        entries.add(NewEntry.directory(Target.of(root + "/d/" + name + (batch * 900 + i))));
      }
      AddRequest request = new AddRequest(entries, false, false);
      calls.put(request, CALL.with(RequestId.random()));
      answers.put(request, tree.groups.getFirst().service.add(calls.get(request), request).value());
    }
    move(0, moving, 1, target -> new Watched(target, () -> {}, () -> {}));
    answers.forEach(
        (request, answer) -> assertThat(tree.groups.get(1).service.add(calls.get(request), request).value())
            .isEqualTo(answer));
  }

  /** The answer has more than a row of the log takes: a repetition found nothing to remove any more, and failed. */
  @Test
  void anAnswerOfMegabytesIsTakenAlong() throws Exception {
    String reference = "urn:" + "x".repeat(2_000);
    NewEntry[] many = new NewEntry[700];
    Arrays.setAll(many, i -> NewEntry.junction(path("/d/removed-" + i), EndpointReference.ofAddress(reference)));
    tree.groups.getFirst().service.add(CALL, AddRequest.of(many)).value().forEach(Outcome::orThrow);
    RemoveRequest request =
        RemoveRequest.of(Arrays.stream(many).map(entry -> Removal.of(entry.target())).toArray(Removal[]::new));
    CallContext call = CALL.with(RequestId.random());
    List<Outcome<Entry>> answer = tree.groups.getFirst().service.remove(call, request).value();
    move(0, moving, 1, target -> new Watched(target, () -> {}, () -> {}));
    assertThat(answer).allMatch(Outcome.Done.class::isInstance);
    assertThat(tree.groups.get(1).service.remove(call, request).value().equals(answer)).isTrue();
  }

  @Test
  void anEntryStaysThatMovesToTheNextOwnerAfterItWasCopiedThere() throws Exception {
    EntryId three = entry(0, root + "/d/three").id();
    AtomicBoolean moved = new AtomicBoolean();
    AtomicReference<DepartingContent> departing = new AtomicReference<>();
    Runnable once = () -> {
      if (departing.get().phase().equals("verifying") && moved.compareAndSet(false, true)) {
        Entry unused = rename(0, root + "/d/three", root + "/other/three").orThrow();
      }
    };
    Watched watched = new Watched(tree.groups.get(1).arriving(moving), once, () -> {});
    departing.set(tree.groups.get(0).departing(moving, 1, () -> watched));
    moveInOneGo(departing.get());
    assertAt(root + "/other/three", three);
    assertThat(subtree(2, root + "/d").keySet()).doesNotContain(root + "/d/three").contains(root + "/d/a/one");
  }

  private static void moveInOneGo(DepartingContent departing) throws Exception {
    Eventually.until("the content moves", Duration.ofSeconds(30), () -> {
      try {
        return departing.move() > 0;
      } catch (RnsException e) {
        assertThat(e.error()).as(e.getMessage()).isEqualTo(RnsError.BUSY);
        return false;
      }
    });
    tree.teach();
  }

  @Test
  void anEntryStaysThatMovesToTheNextOwnerBeforeItIsCopiedThere() throws Exception {
    EntryId three = entry(0, root + "/d/three").id();
    AtomicBoolean moved = new AtomicBoolean();
    ContentTarget target =
        telling(
            tree.groups.get(1).arriving(moving), entries -> {
              if (moved.compareAndSet(false, true)) {
                Entry unused = rename(0, root + "/d/three", root + "/other/three").orThrow();
              }
            });
    moveInOneGo(tree.groups.get(0).departing(moving, 1, () -> target));
    assertAt(root + "/other/three", three);
    assertThat(subtree(2, root + "/d").keySet()).doesNotContain(root + "/d/three").contains(root + "/d/a/one");
  }

  @Test
  void anEntryStaysThatMovesToAGroupWithACopyOfItFromAMoveThatFailed() throws Exception {
    EntryId three = entry(0, root + "/d/three").id();
    moveInVain(0, 1);

    Entry unused = rename(0, root + "/d/three", root + "/other/three").orThrow();

    assertAt(root + "/other/three", three);
    move(0, moving, 1);
    assertAt(root + "/other/three", three);
    assertThat(subtree(2, root + "/d").keySet()).doesNotContain(root + "/d/three").contains(root + "/d/a/one");
  }

  @Test
  void aDirectoryDoesNotMoveToAGroupWithEntriesThatItOnceHad() throws Exception {
    moveInVain(0, 1);
    remove(0, root + "/d/a/deep/er");

    assertThat(rename(0, root + "/d/a/deep", root + "/other/deep"))
        .isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
          assertThat(refused.refusal().error()).isEqualTo(RnsError.BUSY);
          assertThat(refused.refusal().message()).contains("a copy of the content");
        });

    assertThat(subtree(0, root + "/d").keySet()).contains(root + "/d/a/deep");
    move(0, moving, 1);
    assertThat(subtree(0, root + "/d").keySet()).contains(root + "/d/a/deep");
    EntryId deep = rename(1, root + "/d/a/deep", root + "/other/deep").orThrow().id();
    assertAt(root + "/other/deep", deep);
    assertThat(subtree(2, root + "/other").keySet()).containsExactly(root + "/other/deep");
  }

  @Test
  void aDirectoryMovesToAGroupThatHasDeletedItsFormerCopy() throws Exception {
    moveInVain(0, 1);
    remove(0, root + "/d/a/deep/er");
    EntryId deep = entry(0, root + "/d/a/deep").id();
    Eventually.until("the copy is deleted", Duration.ofSeconds(20),
        () -> rename(0, root + "/d/a/deep", root + "/other/deep") instanceof Outcome.Done<Entry>);
    assertAt(root + "/other/deep", deep);
  }

  @Test
  void aDirectoryIsAssignedToAGroupInWhichItWas() throws Exception {
    NewEntry made = NewEntry.directory(Target.of(root + "/made"));
    EntryId id = tree.groups.getFirst().service.add(CALL, AddRequest.of(made)).value().getFirst().orThrow().id();
    for (String[] way : new String[][]{{"/made", "/other/made"}, {"/other/made", "/made"}}) {
      Entry unused = rename(0, root + way[0], root + way[1]).orThrow();
    }
    assertThat(tree.groups.getFirst().names.assign(CALL, new AssignRequest(Target.of(id), 1)).value())
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(Target.of(id), 0)));

    move(0, id, 1);

    assertAt(root + "/made/x", add(2, root + "/made/x").id());
    assertThat(tree.groups.get(1).names.row(id).owner()).isEmpty();
  }

  @Test
  void aDirectoryWhoseContentWasElsewhereMovesThereItself() throws Exception {
    move(0, moving, 1);
    move(1, moving, 0);
    for (String name : List.of("/a", "/three")) {
      remove(0, root + "/d" + name);
    }
    Eventually.until("content is deleted where it was", Duration.ofSeconds(20),
        () -> rename(0, root + "/d", root + "/other/d") instanceof Outcome.Done<Entry>);

    assertAt(root + "/other/d", moving);
    Entry below = add(2, root + "/other/d/new");
    assertAt(root + "/other/d/new", below.id());
    tree.teach();
    assertThat(tree.groups.get(1).names.partitions().value().partitions())
        .noneMatch(partition -> partition.root().equals(moving));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void contentThatHasComeIsDividedFurther(int to) throws Exception {
    move(0, moving, 1);
    EntryId inside = entry(2, root + "/d/a").id();
    EntryId empty = entry(2, root + "/d/a/deep/er").id();
    remove(2, root + "/d/a/deep/er/two");

    for (EntryId part : List.of(empty, inside)) {
      assertThat(tree.groups.get(1).names.assign(CALL, new AssignRequest(Target.of(part), to)).value())
          .isInstanceOf(Outcome.Refused.class);
    }
    move(1, empty, to);
    assertAt(root + "/d/a/deep/er/there", add(0, root + "/d/a/deep/er/there").id());
    move(to, empty, 1);
    // To a group that has had a part of it before.
    move(1, inside, to);

    assertThat(tree.groups.get(1).names.row(inside).owner()).hasValue(to);
    for (int at = 0; at < 3; at++) {
      assertAt(root + "/d/a/deep/er/new" + at, add(at, root + "/d/a/deep/er/new" + at).id());
      assertThat(entry(at, root + "/d/a/one").id()).isEqualTo(entry(2, root + "/d/a/one").id());
    }
  }

  @Test
  void aMoveThatFailsAnywhereLeavesTheContentWithOneOwner() throws Exception {
    moveThatFailsAnywhere(0, 1);
  }

  @Test
  void aMoveBackThatFailsAnywhereLeavesTheContentWithOneOwner() throws Exception {
    move(0, moving, 1);
    moveThatFailsAnywhere(1, 0);
  }

  @Test
  void aMoveToTheRootsGroupOfWhatIsInOtherContentThatFailsAnywhereLeavesItWithOneOwner() throws Exception {
    move(0, moving, 1);
    moving = entry(1, root + "/d/a").id();
    moveThatFailsAnywhere(1, 0);
  }

  /** The group of the root owns content in that of group 1, and moves it on and back. */
  @Test
  void contentInThatOfOthersMovesFromTheRootsGroupAndBack() throws Exception {
    add(0, root + "/d/a/sub/five");
    move(0, moving, 1);
    EntryId inside = entry(1, root + "/d/a").id();
    EntryId sub = entry(1, root + "/d/a/sub").id();
    Set<String> before = subtree(0, root).keySet();
    for (int[] step : new int[][]{{1, 0}, {0, 2}, {2, 0}, {0, 1}, {1, 0}}) {
      move(step[0], inside, step[1]);
      for (int at = 0; at < 3; at++) {
        assertThat(subtree(at, root).keySet()).as("at " + at).isEqualTo(before);
        assertAt(root + "/d/a/one", entry(at, root + "/d/a/one").id());
      }
    }
    // What is in it is divided further, and what is around it moves on.
    move(0, sub, 2);
    move(1, moving, 2);
    assertThat(tree.groups.get(2).names.row(inside).owner()).hasValue(0);
    Refused.with(RnsError.INVALID_REQUEST, () -> move(2, moving, 0), "below belongs to server group 0 already");
    assertThat(subtree(1, root).keySet()).isEqualTo(before);
    for (String[] way : new String[][]{
        {"/d/a/one", "/outside/one"}, {"/outside/one", "/d/a/deep/one"}, {"/d/a/deep/one", "/d/one"},
        {"/d/one", "/other/one"}, {"/other/one", "/d/a/one"}}) {
      EntryId moved = rename(1, root + way[0], root + way[1]).orThrow().id();
      assertAt(root + way[1], moved);
    }
    assertThat(subtree(2, root).keySet()).isEqualTo(before);
  }

  @Test
  void anEmptyDirectoryIsServedByTheGroupThatHadItsContentBefore() throws Exception {
    move(0, moving, 1);
    move(1, moving, 0);
    remove(0, root + "/d/a");
    remove(0, root + "/d/three");
    move(0, moving, 1);

    add(0, root + "/d/new");
    assertThat(tree.groups.get(1).names.row(moving).owner()).isEmpty();
    for (int at = 0; at < 3; at++) {
      assertThat(subtree(at, root + "/d").keySet()).containsExactly(root + "/d/new");
    }
  }

  private void moveThatFailsAnywhere(int from, int to) throws Exception {
    Set<String> before = subtree(0, root + "/d").keySet();
    for (int n = 1;; n++) {
      for (boolean done : List.of(false, true)) {
        ContentTarget target = tree.groups.get(to).arriving(moving);
        AtomicInteger left = new AtomicInteger(n);
        int attempt = n;
        boolean moved = Eventually.get("the move begins", Duration.ofSeconds(30), () -> {
          left.set(attempt);
          try {
            Watched watched = new Watched(
                target, () -> cutIf(left.decrementAndGet() == 0 && !done), () -> cutIf(left.get() == 0 && done));
            long unused = tree.groups.get(from).departing(moving, to, () -> watched).move();
            return Optional.of(true);
          } catch (RnsException e) {
            return e.error() == RnsError.BUSY ? Optional.empty() : Optional.of(false);
          }
        });
        boolean given = tree.groups.get(from).names.row(moving).owner().isPresent();
        tree.completeMoves();
        for (int at = 0; at < 3; at++) {
          assertThat(subtree(at, root + "/d").keySet()).as("after " + n).isEqualTo(before);
        }
        add(2, root + "/d/after" + n + done);
        before = subtree(1, root + "/d").keySet();
        if (moved && left.get() > 0) {
          return;
        }
        if (given) {
          move(to, moving, from);
        }
      }
    }
  }

  /**
   * Writes below the directory that moves, and between it and its surroundings, at any server, and knows the result.
   */
  private final class Worker implements Callable<Map<String, String>> {
    private final Random random;
    private final String mine;
    private final AtomicBoolean over;
    private final Map<String, String> expected = new TreeMap<>();
    private int made;

    Worker(int number, AtomicBoolean over) {
      this.random = new Random(number);
      this.mine = "w" + number;
      this.over = over;
      for (String place : List.of("/d/", "/outside/")) {
        add(0, root + place + mine + "/first");
        expected.put(place + mine + "/first", "urn:" + root + place + mine + "/first");
      }
    }

    @Override
    public Map<String, String> call() {
      for (int more = 0; more < 20; more += over.get() ? 1 : 0) {
        step();
      }
      return expected;
    }

    private NameService at() {
      return tree.groups.get(random.nextInt(3)).client;
    }

    private void step() {
      CallContext call = CALL.with(RequestId.random());
      List<String> all = List.copyOf(expected.keySet());
      String path = all.get(random.nextInt(all.size()));
      String to = (random.nextBoolean() ? "/d/" : "/outside/") + mine + "/n" + ++made;
      switch (random.nextInt(4)) {
        case 0 -> {
          NewEntry entry = NewEntry.junction(Target.of(root + to), EndpointReference.ofAddress("urn:" + root + to));
          Entry unused = once(() -> at().add(call, AddRequest.of(entry).withParents())).orThrow();
          expected.put(to, "urn:" + root + to);
        }
        case 1 -> {
          String now = "urn:changed:" + made;
          EntryChange change =
              EntryChange.references(Target.of(root + path), List.of(EndpointReference.ofAddress(now)));
          Entry unused = once(() -> at().update(call, UpdateRequest.of(change))).orThrow();
          expected.put(path, now);
        }
        case 2 -> {
          if (expected.size() > 2) {
            Removal removal = new Removal(Target.of(root + path), false, Precondition.NONE);
            Entry unused = once(() -> at().remove(call, RemoveRequest.of(removal))).orThrow();
            expected.remove(path);
          }
        }
        default -> move(call, random.nextBoolean() ? "/d/" + mine : "/outside/" + mine, to + "dir");
      }
    }

    /** Makes a directory with content and moves it, perhaps into the moving content or out of it. */
    private void move(CallContext call, String parent, String to) {
      String directory = parent + "/m" + made;
      for (String name : List.of("/x", "/deep/y")) {
        NewEntry entry =
            NewEntry.junction(Target.of(root + directory + name), EndpointReference.ofAddress("urn:" + made));
        CallContext first = CALL.with(RequestId.random());
        Entry unused = once(() -> at().add(first, AddRequest.of(entry).withParents())).orThrow();
      }
      Target place = Target.of(root + to);
      EntryChange change =
          EntryChange.move(Target.of(root + directory), Target.of(place.path().parent().toString()),
              place.path().name());
      Outcome<Entry> moved = at().update(call, UpdateRequest.of(change)).value().getFirst();
      boolean refused =
          moved instanceof Outcome.Refused<Entry>(Refusal refusal) && refusal.error() == RnsError.DELEGATED;
      if (!refused) {
        Entry unused = moved.orThrow();
      }
      for (String name : List.of("/x", "/deep/y")) {
        expected.put((refused ? directory : to) + name, "urn:" + made);
      }
    }

    /** What a write comes to, which a client sends again that has not seen the answer. */
    private Outcome<Entry> once(Supplier<Answer<List<Outcome<Entry>>>> write) {
      Outcome<Entry> outcome = write.get().value().getFirst();
      assertThat(write.get().value().getFirst()).isEqualTo(outcome);
      return outcome;
    }
  }

  @Test
  void nothingIsLostOrDoneTwiceUnderWritesWhileContentMoves() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService workers = Executors.newFixedThreadPool(4)) {
      List<Future<Map<String, String>>> running = new ArrayList<>();
      for (int number = 0; number < 4; number++) {
        running.add(workers.submit(new Worker(number, over)));
      }
      try {
        for (int[] way : new int[][]{{0, 1}, {1, 2}, {2, 0}, {0, 2}}) {
          move(way[0], moving, way[1]);
        }
      } finally {
        over.set(true);
      }
      for (Future<Map<String, String>> each : running) {
        Map<String, String> expected = each.get();
        String mine = expected.keySet().iterator().next().replaceFirst("^/[^/]*(/w[0-9]+)/.*", "$1");
        Map<String, String> found = new TreeMap<>();
        for (String place : List.of("/d", "/outside")) {
          subtree(1, root + place + mine).forEach((path, entry) -> {
            if (entry instanceof Entry.Junction junction) {
              found.put(path.substring(root.length()), junction.references().getFirst().address());
            }
          });
        }
        assertThat(found).isEqualTo(expected);
      }
    }
  }
}
