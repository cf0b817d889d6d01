package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Refused;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.partition.OtherGroups;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.replication.partition.PartitionedNameService;
import io.rns.server.Eventually;
import io.rns.server.namespace.ContentTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tree over three server groups, each with a database of its own, that reach each other over HTTP: group 0 has the
 * root, 1 a directory of it, 2 or 0 a directory of 1. Every request is made at a server of each group.
 */
@ParameterizedClass
@ValueSource(ints = {2, 0})
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionedTreeTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;

  @TempDir private static Path directory;

  private static TestTree tree;
  private static int last;

  /** The group that has a directory of group 1. */
  private final int inner;

  /** The directory of the test. */
  private String root;

  PartitionedTreeTest(int inner) {
    this.inner = inner;
  }

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 3);
  }

  @AfterAll
  static void stop() {
    tree.close();
  }

  /** /root-n/a belongs to group 1, /root-n/a/b/c to {@link #inner}. */
  @BeforeEach
  void cut() {
    root = "/root-" + last++;
    add(0, root + "/a");
    EntryId a = entry(0, root + "/a").id();
    tree.assign(0, Target.of(root + "/a"), 1);
    tree.teach();
    add(0, root + "/a/b/c");
    tree.assign(1, new Target(a, Target.of("/b/c").path()), inner);
    tree.teach();
  }

  private static void add(int at, String path) {
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of(path))).withParents();
    tree.groups.get(at).client.add(CALL, request).value().getFirst().orThrow();
  }

  private static Outcome<Entry> query(int at, String path) {
    return tree.groups.get(at).client.query(CALL, QueryRequest.of(Target.of(path))).value().getFirst();
  }

  private static Entry entry(int at, String path) {
    return query(at, path).orThrow();
  }

  private static Stream<Integer> servers() {
    return tree.groups.stream().map(group -> group.number);
  }

  /** Anybody can send a request as a server does that has passed it on. */
  @Test
  void noCallerChangesWhatAGroupKeepsOfItsPartitions() {
    add(0, root + "/a/x");
    add(0, root + "/a/x/y");
    Entry a = entry(0, root + "/a");
    Target anchor = Target.of("/" + a.id());
    TestTree.Group owner = tree.groups.get(1);
    for (CallContext call : List.of(
        CALL.with(Routing.HERE), CALL.toOtherGroup(), CALL.toOtherGroup().with(Routing.HERE))) {
      for (Target target : List.of(anchor, Target.of(a.id()))) {
        Removal removal = new Removal(target, true, Precondition.NONE);
        assertRefused(owner.service.remove(call, RemoveRequest.of(removal)));
        EntryChange rename = EntryChange.rename(target, EntryName.of("other"));
        assertRefused(owner.service.update(call, UpdateRequest.of(rename)));
        EntryChange metadata = EntryChange.metadata(target, Metadata.of(Map.of("k", "v")));
        assertRefused(owner.service.update(call, UpdateRequest.of(metadata)));
      }
      EntryChange move = EntryChange.move(new Target(a.id(), Target.of("/x").path()), Target.ROOT, EntryName.of("z"));
      assertRefused(owner.service.update(call.with(Routing.HERE), UpdateRequest.of(move)));
      for (String path : List.of("/new", "/new/deep", "/" + a.id())) {
        AddRequest add = AddRequest.of(NewEntry.directory(Target.of(path))).withParents();
        assertRefused(owner.service.add(call.with(Routing.HERE), add));
      }
    }
    servers().forEach(at -> assertThat(names(at, "/a")).contains("x"));
    assertThat(owner.client.list(CALL.with(Routing.HERE), ListRequest.of(Target.ROOT)).value().orThrow().entries())
        .extracting(Entry::displayName).doesNotContain("new", "z", "other");
  }

  private static void assertRefused(Answer<List<Outcome<Entry>>> answer) {
    assertThat(answer.value().getFirst()).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void everyServerAnswersForEveryPath() {
    for (int at = 0; at < 3; at++) {
      for (String path : List.of("/x" + at, "/a/x" + at, "/a/b/x" + at, "/a/b/c/x" + at, "/a/b/c/d/e" + at)) {
        add(at, root + path);
        Entry first = entry(0, root + path);
        servers().forEach(other -> assertThat(entry(other, root + path)).isEqualTo(first));
      }
    }
    assertThat(entry(0, root + "/a/x0").id().group()).isEqualTo(1);
    assertThat(entry(0, root + "/a/b/c/x0").id().group()).isEqualTo(inner);
    servers().forEach(
        at -> {
          assertThat(names(at, "")).contains("a", "x0", "x1", "x2").doesNotContain("b");
          assertThat(names(at, "/a")).containsExactly("b", "x0", "x1", "x2");
          assertThat(names(at, "/a/b/c")).containsExactly("d", "x0", "x1", "x2");
        });
  }

  @Test
  void aWriteThatWaitsForAGroupGoesOnWhenItsServersChange() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch primary = new CountDownLatch(1);
    TestTree.Group group = tree.groups.get(1);
    group.beforeAdding = () -> {
      waits.countDown();
      await(primary);
    };
    try (RnsConnection client = RnsClient.builder().server(tree.groups.getFirst().http.address()).attempts(1).build()) {
      AddRequest request = AddRequest.of(NewEntry.directory(Target.of(root + "/a/late")));
      CompletableFuture<Outcome<Entry>> written =
          CompletableFuture.supplyAsync(() -> client.add(CALL, request).value().getFirst());
      assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
      Announcement another =
          new Announcement(
              "http://127.0.0.1:1/rns", "server-9", ServerRole.REPLICA, Site.NONE, 100, 0, 0, Optional.empty());
      tree.groups.getFirst().hear(1, List.of(group.announcement(), another));
      assertThat(entry(0, root + "/a/b").isRoot()).isFalse();

      assertThatThrownBy(() -> written.get(1_500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
      primary.countDown();

      assertThat(written.get(20, TimeUnit.SECONDS).orThrow().displayName()).isEqualTo("late");
    } finally {
      primary.countDown();
      group.beforeAdding = () -> {};
    }
  }

  /** Its requests fill the places for it at another server, those of further ones are rejected and counted. */
  @Test
  void aGroupThatHangsHoldsUpNoOthers() throws Exception {
    add(0, root + "/z");
    tree.assign(0, Target.of(root + "/z"), 2);
    tree.teach();
    TestTree.Group server = tree.groups.getFirst();
    CountDownLatch goesOn = new CountDownLatch(1);
    tree.groups.get(1).beforeAdding = () -> await(goesOn);
    AtomicInteger made = new AtomicInteger();
    Runnable request = () -> {
      AddRequest hanging = AddRequest.of(NewEntry.directory(Target.of(root + "/a/hangs-" + made.incrementAndGet())));
      Answer<List<Outcome<Entry>>> unused = server.service.add(CALL, hanging);
    };
    long before = rejected(server, 1);
    long beforeOfOthers = rejected(server, 2);
    List<Future<?>> requests = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < OtherGroups.PLACES; i++) {
        requests.add(callers.submit(request));
      }
      Eventually.until("a request is rejected", Duration.ofSeconds(60), () -> {
        requests.add(callers.submit(request));
        return rejected(server, 1) > before;
      });
      AddRequest own = AddRequest.of(NewEntry.directory(Target.of(root + "/own")));
      assertThat(server.service.add(CALL, own).value().getFirst()).isInstanceOf(Outcome.Done.class);
      AddRequest other = AddRequest.of(NewEntry.directory(Target.of(root + "/z/other")));
      assertThat(server.service.add(CALL, other).value().getFirst()).isInstanceOf(Outcome.Done.class);
      assertThat(goesOn.getCount()).as("the group still hangs").isOne();
      assertThat(rejected(server, 2)).isEqualTo(beforeOfOthers);
    } finally {
      goesOn.countDown();
      tree.groups.get(1).beforeAdding = () -> {};
    }
    assertThat(requests).anyMatch(each -> each.state() == Future.State.FAILED
        && each.exceptionNow() instanceof RnsException e && e.error() == RnsError.BUSY);
  }

  /** The same under requests at both servers of what the other groups have. */
  @Test
  @Tag("slow")
  void aGroupWhoseDatabaseHangsHoldsUpNoOthers() throws Exception {
    add(0, root + "/z");
    tree.assign(0, Target.of(root + "/z"), 2);
    tree.teach();
    TestTree.Group server = tree.groups.getFirst();
    AtomicInteger made = new AtomicInteger();
    Runnable request = () -> {
      AddRequest hanging = AddRequest.of(NewEntry.directory(Target.of(root + "/z/hangs-" + made.incrementAndGet())));
      Answer<List<Outcome<Entry>>> unused = server.service.add(CALL, hanging);
    };
    long rejected = rejected(server, 2);
    long rejectedOfOthers = rejected(server, 1);
    List<Future<?>> requests = new ArrayList<>();
    tree.groups.get(2).pauseDatabase();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Eventually.until("a request is rejected", Duration.ofSeconds(60), () -> {
        // Those that have waited for long enough.
        requests.removeIf(Future::isDone);
        while (requests.size() < OtherGroups.PLACES) {
          requests.add(callers.submit(request));
        }
        return rejected(server, 2) > rejected;
      });
      for (int at : List.of(0, 1)) {
        for (int i = 0; i < 50; i++) {
          add(at, root + "/a/of-" + at + "-" + i);
          assertThat(entry(at, root + "/a/of-" + at + "-" + i).displayName()).isEqualTo("of-" + at + "-" + i);
        }
      }
      assertThat(rejected(server, 1)).isEqualTo(rejectedOfOthers);
    } finally {
      tree.groups.get(2).resumeDatabase();
    }
    Eventually.until("the group serves again", Duration.ofSeconds(60), () -> {
      try {
        add(0, root + "/z/again");
        return true;
      } catch (RnsException e) {
        return false;
      }
    });
  }

  private static long rejected(TestTree.Group server, int group) {
    return server.others.statistics().getOrDefault("groups." + group + ".rejected", 0).longValue();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> names(int at, String below) {
    Page page = tree.groups.get(at).client.list(CALL, ListRequest.of(Target.of(root + below))).value().orThrow();
    assertThat(page.directory().id()).isEqualTo(entry(0, root + below).id());
    assertThat(page.directory().displayName()).isEqualTo(entry(0, root + below).displayName());
    return page.entries().stream().map(Entry::displayName).toList();
  }

  @Test
  void theEntryOfACutIsThatOfItsParentWithTheCountOfItsOwner() {
    servers().forEach(
        at -> {
          add(at, root + "/a/b/c/n" + at);
          Target cut = Target.of(root + "/a/b/c");
          for (Target asked : List.of(cut, Target.of(entry(0, cut.path().toString()).id()))) {
            VirtualDirectory found =
                (VirtualDirectory) tree.groups.get(at).client.query(CALL, QueryRequest.of(asked).withCounts()).value()
                    .getFirst().orThrow();
            assertThat(found.displayName()).as("of " + asked).isEqualTo("c");
            assertThat(found.entries()).isEqualTo(at + 1);
          }
        });
  }

  @Test
  void entriesAreFoundByIdentityAtEveryServer() {
    for (String path : List.of("/i", "/a/i", "/a/b/c/i")) {
      add(0, root + path);
      Entry expected = entry(0, root + path);
      servers().forEach(
          at -> assertThat(
              tree.groups.get(at).client.query(CALL, QueryRequest.of(Target.of(expected.id()))).value().getFirst())
              .as(path + " at " + at).isEqualTo(Outcome.done(expected)));
    }
  }

  /** The entries of a subtree, page by page of up to {@code size}, at a server. */
  private List<SubtreePage.Visit> subtree(int at, SubtreeRequest first) {
    List<SubtreePage.Visit> visits = new ArrayList<>();
    SubtreePage page = tree.groups.get(at).client.subtree(CALL, first).value().orThrow();
    visits.addAll(page.entries());
    for (int pages = 1; page.next().isPresent(); pages++) {
      assertThat(pages).isLessThan(100);
      page = tree.groups.get(at).client.subtree(CALL, first.after(page.next().get())).value().orThrow();
      visits.addAll(page.entries());
    }
    return visits;
  }

  private static SubtreeRequest request(String path, SubtreeRequest.Order order, int depth, EntryFilter filter,
      int size) {
    return new SubtreeRequest(Target.of(path), order, depth, filter, size, Optional.empty());
  }

  private List<String> paths(List<SubtreePage.Visit> visits) {
    return visits.stream().map(visit -> visit.path().toString().substring(root.length())).toList();
  }

  @Test
  void aSubtreeGoesOnOverCutsInItsOrder() {
    for (String path : List.of("/0", "/a/b/c/d/e", "/a/b/c/f", "/a/b/z", "/a/y", "/a!", "/b/x")) {
      add(0, root + path);
    }
    List<String> names = List.of("/0", "/a", "/a/b", "/a/b/c", "/a/b/c/d", "/a/b/c/d/e", "/a/b/c/f", "/a/b/z", "/a/y",
        "/a!", "/b", "/b/x");
    List<String> lines = List.of("/0", "/a!", "/a", "/a/b", "/a/b/c", "/a/b/c/d", "/a/b/c/d/e", "/a/b/c/f", "/a/b/z",
        "/a/y", "/b", "/b/x");
    for (int at = 0; at < 3; at++) {
      for (int size : List.of(1, 2, 100)) {
        List<SubtreePage.Visit> visits =
            subtree(at, request(root, SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, size));
        assertThat(paths(visits)).as("at %d, pages of %d", at, size).isEqualTo(names);
        assertThat(visits).allSatisfy(
            visit -> assertThat(visit.depth()).isEqualTo(visit.path().depth() - 1));
        assertThat(paths(visits.stream().filter(SubtreePage.Visit::last).toList()))
            .containsExactly("/a/b/c/d/e", "/a/b/c/f", "/a/b/z", "/a/y", "/b", "/b/x");
        assertThat(paths(
            subtree(at, request(root, SubtreeRequest.Order.LINES, Limits.PATH_DEPTH, EntryFilter.ALL, size))))
            .isEqualTo(lines);
      }
      assertThat(paths(subtree(at, request(root, SubtreeRequest.Order.NAMES, 2, EntryFilter.ALL, 2))))
          .containsExactly("/0", "/a", "/a/b", "/a/y", "/a!", "/b", "/b/x");
      assertThat(paths(subtree(at, request(root, SubtreeRequest.Order.NAMES, 3, EntryFilter.ALL, 2))))
          .containsExactly("/0", "/a", "/a/b", "/a/b/c", "/a/b/z", "/a/y", "/a!", "/b", "/b/x");
      EntryFilter filter =
          new EntryFilter(Optional.of(NamePattern.glob("[cefxz]")), Optional.empty(), Map.of());
      assertThat(paths(subtree(at, request(root, SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, filter, 2))))
          .containsExactly("/a/b/c", "/a/b/c/d/e", "/a/b/c/f", "/a/b/z", "/b/x");
      assertThat(paths(
          subtree(at, request(root + "/a/b/c", SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 1))))
          .as("of a partition").containsExactly("/a/b/c/d", "/a/b/c/d/e", "/a/b/c/f");
    }
  }

  @Test
  void aSubtreeGoesOnBehindAnyOfItsEntriesAtAnyServer() {
    for (String path : List.of("/a/b/c/d/e", "/a/b/z", "/a/y", "/b")) {
      add(0, root + path);
    }
    SubtreeRequest all =
        request(root, SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 100);
    List<SubtreePage.Visit> visits = subtree(0, all);
    for (int i = 0; i < visits.size(); i++) {
      for (int at = 0; at < 3; at++) {
        assertThat(subtree(at, all.after(visits.get(i).position()))).as("behind %s at %d", visits.get(i), at)
            .isEqualTo(visits.subList(i + 1, visits.size()));
      }
    }
  }

  @Test
  void aSubtreeEndsWithAnErrorAtAGroupThatIsDown() {
    add(0, root + "/a/b/c/d");
    add(0, root + "/z");
    SubtreeRequest all = request(root, SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 100);
    TestTree.Group first = tree.groups.getFirst();
    PartitionTable known = first.table;
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>(known.servers());
    servers.put(1, List.of(new Announcement(
        "http://127.0.0.1:1/rns", "gone", ServerRole.PRIMARY, Site.NONE, 1, 0, 0, Optional.empty())));
    first.table = new PartitionTable(
        0, known.map(), known.asOf(), known.changed(), servers);
    SubtreePage page = first.service.subtree(CALL, all).value().orThrow();
    assertThat(paths(page.entries())).as("what comes before it").containsExactly("/a");
    Refused.with(RnsError.UNAVAILABLE, () -> first.service.subtree(CALL, all.after(page.next().orElseThrow())),
        "server group 1 does not answer");
    first.table = known;
    assertThat(paths(subtree(0, all))).containsExactly("/a", "/a/b", "/a/b/c", "/a/b/c/d", "/z");
  }

  @Test
  void refusalsNameThePathsOfTheCaller() {
    servers().forEach(
        at -> {
          Target missing = Target.of(root + "/a/b/c/no/such");
          assertThat(query(at, missing.path().toString()))
              .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(missing, 5)));
          add(at, root + "/a/b/c/e");
          Target existing = Target.of(root + "/a/b/c/e");
          assertThat(
              tree.groups.get(at).client.add(CALL, AddRequest.of(NewEntry.directory(existing))).value().getFirst())
              .isEqualTo(Outcome.refused(new Refusal.EntryExists(existing, existing)));
          remove(at, "/a/b/c/e");
        });
  }

  private Entry remove(int at, String path) {
    return tree.groups.get(at).client.remove(CALL, RemoveRequest.of(Removal.of(Target.of(root + path)))).value()
        .getFirst().orThrow();
  }

  @Test
  void batchesAreDividedAndAllOrNothingOnesRefused() {
    servers().forEach(
        at -> {
          List<NewEntry> entries =
              Stream.of("/p", "/a/p", "/a/b/c/p", "/a/q", "/q")
                  .map(path -> NewEntry.directory(Target.of(root + path + at))).toList();
          List<Outcome<Entry>> refused =
              tree.groups.get(at).client.add(CALL, new AddRequest(entries, false, true)).value();
          assertThat(refused).filteredOn(
              outcome -> outcome instanceof Outcome.Refused<Entry>(Refusal why) && why.error() == RnsError.DELEGATED)
              .hasSize(1);
          assertThat(refused).noneMatch(Outcome.Done.class::isInstance);
          List<Outcome<Entry>> done =
              tree.groups.get(at).client.add(CALL, new AddRequest(entries, false, false)).value();
          assertThat(done).allMatch(Outcome.Done.class::isInstance);
          QueryRequest all = new QueryRequest(entries.stream().map(NewEntry::target).toList(), false);
          servers()
              .forEach(other -> assertThat(tree.groups.get(other).client.query(CALL, all).value()).isEqualTo(done));
          List<NewEntry> inOne =
              Stream.of("/a/r", "/a/b/r").map(path -> NewEntry.directory(Target.of(root + path + at))).toList();
          assertThat(tree.groups.get(at).client.add(CALL, new AddRequest(inOne, false, true)).value())
              .allMatch(Outcome.Done.class::isInstance);
        });
  }

  @Test
  void aWriteIsAppliedOnceWhicheverServerRepeatsIt() {
    RequestId id = RequestId.random();
    AddRequest request =
        new AddRequest(
            Stream.of("/o", "/a/o", "/a/b/c/o", "/a/b/c/o2", "/o2")
                .map(path -> NewEntry.directory(Target.of(root + path))).toList(),
            false, false);
    List<Outcome<Entry>> first = tree.groups.get(1).client.add(CALL.with(id), request).value();
    assertThat(first).allMatch(Outcome.Done.class::isInstance);
    servers().forEach(
        at -> assertThat(tree.groups.get(at).client.add(CALL.with(id), request).value()).as("at " + at)
            .isEqualTo(first));
  }

  private AddRequest batch(boolean allOrNothing, String... paths) {
    return new AddRequest(
        Stream.of(paths).map(path -> NewEntry.directory(Target.of(root + path))).toList(), false, allOrNothing);
  }

  private void assertRepeated(RequestId id, AddRequest request, List<Outcome<Entry>> first) {
    assertThat(first).allMatch(Outcome.Done.class::isInstance);
    servers().forEach(at -> assertThat(tree.groups.get(at).client.add(CALL.with(id), request).value()).as("at " + at)
        .isEqualTo(first));
  }

  /** The server finds the cut only as its group refuses what lies behind it. */
  @Test
  void aBatchIsAppliedOnceAlthoughItWasNotDividedAtFirst() {
    add(0, root + "/m");
    add(0, root + "/n");
    TestTree.Group group = tree.groups.getFirst();
    PartitionTable known = group.table;
    group.table =
        new PartitionTable(0, PartitionMap.whole(0), known.asOf(), known.changed(), known.servers());
    tree.assign(0, Target.of(root + "/m"), 1);
    RequestId id = RequestId.random();
    AddRequest request = batch(false, "/m/x", "/n/x", "/m/y", "/n/y");
    List<Outcome<Entry>> first = group.service.add(CALL.with(id), request).value();
    tree.teach();
    assertRepeated(id, request, first);
  }

  @Test
  void aBatchIsAppliedOnceAlthoughItsDirectoriesHavePartedSince() throws Exception {
    add(0, root + "/m");
    add(0, root + "/n");
    RequestId id = RequestId.random();
    AddRequest request = batch(false, "/m/x", "/n/x", "/m/y", "/n/y");
    List<Outcome<Entry>> first = tree.groups.getFirst().client.add(CALL.with(id), request).value();
    EntryId m = entry(0, root + "/m").id();
    long unused = tree.groups.getFirst().departing(m, 1, () -> tree.groups.get(1).arriving(m)).move();
    tree.teach();
    assertRepeated(id, request, first);
    RemoveRequest removal = new RemoveRequest(
        request.entries().stream().map(each -> Removal.of(each.target())).toList(), false);
    RequestId removes = RequestId.random();
    List<Outcome<Entry>> removed = tree.groups.get(1).client.remove(CALL.with(removes), removal).value();
    EntryId n = entry(0, root + "/n").id();
    ContentTarget target = tree.groups.get(1).arriving(n);
    Eventually.until("what was removed is deleted", Duration.ofSeconds(20), target::isCleared);
    unused = tree.groups.getFirst().departing(n, 1, () -> target).move();
    tree.teach();
    servers().forEach(
        at -> assertThat(tree.groups.get(at).client.remove(CALL.with(removes), removal).value()).isEqualTo(removed));
    assertRepeated(id, request, first);
  }

  /** By the map of the server one part goes to group 1 at once, the other one by way of group 0. */
  @Test
  void aBatchThatComesToAGroupInTwoPartsIsAppliedOnceTheMapIsKnown() {
    add(0, root + "/m");
    tree.assign(0, Target.of(root + "/m"), 1);
    RequestId id = RequestId.random();
    AddRequest request = batch(false, "/a/x", "/m/x");
    Refused.with(
        RnsError.UNAVAILABLE, () -> tree.groups.get(2).service.add(CALL.with(id), request), "do not agree", "retry");
    tree.teach();
    List<Outcome<Entry>> first = tree.groups.get(2).client.add(CALL.with(id), request).value();
    assertRepeated(id, request, first);
  }

  @Test
  void anIdIsNotUsedForAnotherBatch() {
    RequestId id = RequestId.random();
    assertThat(tree.groups.getFirst().client.add(CALL.with(id), batch(false, "/a/x", "/a/y")).value())
        .allMatch(Outcome.Done.class::isInstance);
    servers().forEach(
        at -> {
          Refused.with(
              RnsError.REQUEST_ID_REUSED,
              () -> tree.groups.get(at).client.add(CALL.with(id), batch(false, "/a/v", "/a/w")), "used before");
          Refused.with(
              RnsError.REQUEST_ID_REUSED, () -> tree.groups.get(at).client.add(CALL.with(id), batch(false, "/a/v")),
              "used before");
        });
  }

  @Test
  void aBatchThatIsAllOrNothingMayNameItsDirectoryByIdentity() {
    List<Target> directories = Stream.of("", "/a", "/a/b", "/a/b/c").map(path -> Target.of(entry(0, root + path).id()))
        .toList();
    servers().forEach(at -> directories.forEach(directory -> {
      List<NewEntry> entries = Stream.of("i", "j")
          .map(name -> NewEntry.directory(directory.child(EntryName.of(name + at)))).toList();
      assertThat(tree.groups.get(at).client.add(CALL, new AddRequest(entries, false, true)).value())
          .as(directory + " at " + at).allMatch(Outcome.Done.class::isInstance);
    }));
  }

  /** Who always wants the latest state is not led by the map. */
  @Test
  void aBatchIsOneRequestOfEachGroupWhereverItsPathsLead() {
    add(0, root + "/a/b/c/back");
    EntryId c = entry(0, root + "/a/b/c").id();
    tree.assign(inner, new Target(c, Target.of("/back").path()), 1);
    tree.teach();
    List<CallContext> calls = List.of(CALL, CALL.with(Consistency.PRIMARY));
    for (CallContext call : calls) {
      servers().forEach(at -> {
        String name = "p" + at + calls.indexOf(call);
        AddRequest request =
            new AddRequest(
                Stream.of("/", "/a/", "/a/b/", "/a/b/c/", "/a/b/c/back/")
                    .map(path -> NewEntry.directory(Target.of(root + path + name))).toList(),
                false, false);
        assertThat(tree.groups.get(at).client.add(call, request).value()).as("at " + at)
            .allMatch(Outcome.Done.class::isInstance);
      });
    }
  }

  @Test
  void directoriesWithContentStayInTheirGroup() {
    servers().forEach(
        at -> {
          add(at, root + "/a/m" + at);
          add(at, root + "/a/to" + at);
          Target from = Target.of(root + "/a/m" + at);
          EntryChange within = EntryChange.move(from, Target.of(root + "/a/to" + at), EntryName.of("n"));
          Entry moved = update(at, within).orThrow();
          Target there = Target.of(root + "/a/to" + at + "/n");
          add(at, there + "/content");
          assertThat(entry(0, there.path().toString())).isEqualTo(moved);
          for (String other : List.of(root, root + "/a/b/c")) {
            Outcome<Entry> refused = update(at, EntryChange.move(there, Target.of(other), EntryName.of("n")));
            assertThat(refused).isInstanceOfSatisfying(
                Outcome.Refused.class,
                why -> {
                  assertThat(why.refusal().target()).isEqualTo(there);
                  assertThat(why.refusal().error()).isEqualTo(RnsError.DELEGATED);
                  assertThat(why.refusal().message()).contains("cannot move " + there, "to server group");
                });
          }
        });
  }

  /** Its group does not know what is below it there. */
  @Test
  void aDirectoryAboveACutDoesNotMoveIntoContentBelowThatCut() {
    add(0, root + "/a/b/c/d");
    EntryId c = entry(0, root + "/a/b/c").id();
    tree.assign(inner, new Target(c, Target.of("/d").path()), 1);
    tree.teach();
    add(0, root + "/a/b/c/d/e");
    Target d = Target.of(entry(0, root + "/a/b/c/d").id());
    for (String moving : List.of("/a/b/c", "/a/b")) {
      Target directory = Target.of(entry(0, root + moving).id());
      EntryChange change = EntryChange.move(directory, d, EntryName.of("in-itself"));
      servers().forEach(at -> Refused.with(RnsError.DELEGATED, () -> update(at, change).orThrow(), "cannot move"));
      UpdateRequest request = UpdateRequest.of(change);
      Refused.with(
          RnsError.DELEGATED, () -> tree.groups.get(1).names.update(CALL, request).value().getFirst().orThrow(),
          "in another partition");
    }
    assertThat(entry(0, root + "/a/b/c/d/e").displayName()).isEqualTo("e");
    EntryChange within = EntryChange.move(Target.of(root + "/a/b/c"), Target.of(root + "/a"), EntryName.of("c"));
    update(1, within).orThrow();
    assertThat(entry(0, root + "/a/c/d/e").displayName()).isEqualTo("e");
  }

  private static Outcome<Entry> update(int at, EntryChange change) {
    return tree.groups.get(at).client.update(CALL, UpdateRequest.of(change)).value().getFirst();
  }

  @Test
  void aCutIsRenamedAndChangedButNotRemoved() {
    servers().forEach(
        at -> {
          Refused.with(RnsError.DELEGATED, () -> remove(at, "/a"), root + "/a", "server group 1");
          String to = "a" + at;
          update(at, EntryChange.rename(Target.of(root + "/a"), EntryName.of(to))).orThrow();
          // The map of the servers is old now: a session finds its way all the same.
          add(at, root + "/" + to + "/after");
          assertThat(query(at, root + "/a/after")).isInstanceOf(Outcome.Refused.class);
          assertThat(entry(at, root + "/" + to + "/after").displayName()).isEqualTo("after");
          remove(at, "/" + to + "/after");
          update(at, EntryChange.rename(Target.of(root + "/" + to), EntryName.of("a"))).orThrow();
          assertThat(query(at, root + "/" + to + "/b")).isInstanceOf(Outcome.Refused.class);
          assertThat(entry(at, root + "/a/b").displayName()).isEqualTo("b");
        });
  }

  @Test
  void anOldMapIsNotUsedWhereTheLatestStateIsWanted() {
    update(0, EntryChange.rename(Target.of(root + "/a"), EntryName.of("renamed"))).orThrow();
    Stream.of(Consistency.PRIMARY, Consistency.parse("bounded(1ms)")).map(CALL::with)
        .forEach(latest -> servers().forEach(
            at -> {
              QueryRequest old = QueryRequest.of(Target.of(root + "/a/b"));
              assertThat(tree.groups.get(at).client.query(latest, old).value().getFirst())
                  .isInstanceOf(Outcome.Refused.class);
              QueryRequest now = QueryRequest.of(Target.of(root + "/renamed/b"));
              assertThat(tree.groups.get(at).client.query(latest, now).value().getFirst())
                  .isInstanceOf(Outcome.Done.class);
            }));
  }

  /** Who always wants the latest state tells no position, so that a server cannot know whether its map is too old. */
  @Test
  void aWriteOfSomebodyWithoutPositionsDoesNotFollowAnOldMap() {
    CallContext latest = CALL.with(Consistency.PRIMARY);
    update(0, EntryChange.rename(Target.of(root + "/a"), EntryName.of("renamed"))).orThrow();
    add(0, root + "/a");
    servers().forEach(at -> {
      AddRequest request = AddRequest.of(NewEntry.directory(Target.of(root + "/a/new" + at)));
      tree.groups.get(at).client.add(latest, request).value().getFirst().orThrow();
      assertThat(tree.groups.get(0).client.query(latest, QueryRequest.of(Target.of(root + "/a/new" + at))).value()
          .getFirst()).isInstanceOf(Outcome.Done.class);
    });
    assertThat(names(0, "/renamed")).doesNotContain("new0", "new1", "new2");
  }

  /** Group 1 has /root-n/a and /root-n/a/b/c/z; between them is what {@link #inner} has. */
  @Test
  void whoRenamesACutOnTheWayBackToAGroupFindsNothingByTheOldName() {
    add(inner, root + "/a/b/c/z");
    tree.assign(inner, new Target(entry(0, root + "/a/b/c").id(), Target.of("/z").path()), 1);
    tree.teach();
    add(inner, root + "/a/b/c/z/f");
    servers().forEach(at -> {
      assertThat(entry(at, root + "/a/b/c/z/f").displayName()).isEqualTo("f");
      update(at, EntryChange.rename(Target.of(root + "/a/b/c"), EntryName.of("d"))).orThrow();
      assertThat(query(at, root + "/a/b/c/z/f")).as("at " + at).isInstanceOf(Outcome.Refused.class);
      assertThat(entry(at, root + "/a/b/d/z/f").displayName()).isEqualTo("f");
      add(at, root + "/a/b/c/z/g" + at);
      assertThat(names(at, "/a/b/d/z")).containsExactly("f");
      assertThat(names(at, "/a/b/c/z")).containsExactly("g" + at);
      tree.groups.get(at).client.remove(
          CALL, RemoveRequest.of(new Removal(Target.of(root + "/a/b/c"), true, Precondition.NONE))).value().getFirst()
          .orThrow();
      update(at, EntryChange.rename(Target.of(root + "/a/b/d"), EntryName.of("c"))).orThrow();
      assertThat(entry(at, root + "/a/b/c/z/f").displayName()).isEqualTo("f");
    });
  }

  @Test
  void anAnswerTellsThePositionsOfTheCutAndOfItsOwner() {
    servers().forEach(
        at -> {
          try (RnsConnection session =
              RnsClient.builder().server(tree.groups.get(at).http.address()).closeWait(Duration.ZERO).build()) {
            session.query(CALL, QueryRequest.of(Target.of(root + "/a/b"))).value().getFirst().orThrow();
            Position cut = new Position(0, 1, entry(0, root + "/a").version());
            assertThat(session.positions().covers(cut)).as("at " + at + ": " + session.positions()).isTrue();
            assertThat(session.positions().of(1)).isPresent();
          }
        });
  }

  @Test
  void aSubtreeInAnotherGroupIsReferredToIt() {
    add(0, root + "/a/s/t");
    SubtreeRequest request =
        new SubtreeRequest(
            Target.of(root + "/a/s"), SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 100,
            Optional.empty());
    CallContext refer = CALL.with(Routing.REFER);
    Answer<Outcome<SubtreePage>> referred = tree.groups.get(0).service.subtree(refer, request);
    assertThat(referred).isEqualTo(
        new Answer.Referred<>(tree.groups.get(1).http.address().toString(), "the directory belongs to server group 1"));
    SubtreePage page = tree.groups.get(1).service.subtree(refer, request).value().orThrow();
    assertThat(page.entries()).extracting(visit -> visit.path().toString()).containsExactly(root + "/a/s/t");
  }

  @Test
  void aServerThatHasJustStartedWaitsForReportsOfOtherGroups() throws Exception {
    add(0, root + "/a/x");
    TestTree.Group group = tree.groups.getFirst();
    PartitionTable known = group.table;
    PartitionTable unreported =
        new PartitionTable(0, known.map(), known.asOf(), known.changed(), new TreeMap<>());
    AtomicReference<PartitionTable> table = new AtomicReference<>(unreported);
    AtomicInteger looks = new AtomicInteger();
    Supplier<PartitionTable> partitions = () -> {
      looks.incrementAndGet();
      return table.get();
    };
    try (OtherGroups others =
        new OtherGroups(partitions, MessageAuthentication.NONE, Duration.ofSeconds(60), TlsTrust.SYSTEM, bytes -> {})) {
      NameService restarted = new PartitionedNameService(group.names, partitions, others, group.moves);
      Supplier<Outcome<Entry>> query =
          () -> restarted.query(CALL, QueryRequest.of(Target.of(root + "/a/x"))).value().getFirst();
      CompletableFuture<Outcome<Entry>> first = CompletableFuture.supplyAsync(query);
      Eventually.until("it waits, or fails", Duration.ofSeconds(20), () -> looks.get() > 5 || first.isDone());
      table.set(known);
      assertThat(first.get(20, TimeUnit.SECONDS).orThrow().displayName()).isEqualTo("x");

      // What a server of another group learns from it.
      table.set(unreported);
      assertThat(query.get().orThrow().displayName()).isEqualTo("x");
      SubtreeRequest below = request(root + "/a", SubtreeRequest.Order.NAMES, 1, EntryFilter.ALL, 100);
      SubtreePage page = restarted.subtree(CALL.with(Routing.REFER), below).value().orThrow();
      assertThat(paths(page.entries())).contains("/a/x");
    }
  }

  @Test
  void groupsThatDoNotAgreeEndTheRequest() {
    PartitionTable wrong = tree.groups.get(2).table;
    // Group 2 takes group 1 for that of the root, and group 1 takes 2 for it.
    for (int one : List.of(1, 2)) {
      TreeMap<Integer, List<Announcement>> servers = new TreeMap<>(wrong.servers());
      servers.put(0, servers.get(3 - one));
      tree.groups.get(one).table =
          new PartitionTable(one, PartitionMap.whole(0), Positions.NONE, Positions.NONE, servers);
    }
    try (NameService client =
        RnsClient.builder().server(tree.groups.get(1).http.address()).attempts(1).closeWait(Duration.ZERO).build()) {
      Refused.with(
          RnsError.UNAVAILABLE, () -> client.query(CALL, QueryRequest.of(Target.of("/loop"))),
          Limits.HOPS + " server groups");
    } finally {
      tree.teach();
    }
  }

  @Test
  void aGroupThatIsAwayFailsItsOwnRequestsOnly() {
    EndpointReference reference = EndpointReference.ofAddress("http://example.org/");
    add(0, root + "/a/away");
    PartitionTable table = tree.groups.get(0).table;
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>(table.servers());
    servers.put(1, List.of(Announcement.unreachable(servers.get(1).getFirst().url(), "server-1")));
    tree.groups.get(0).table =
        new PartitionTable(0, table.map(), table.asOf(), table.changed(), servers);
    try (NameService client =
        RnsClient.builder().server(tree.groups.get(0).http.address()).attempts(1).closeWait(Duration.ZERO).build()) {
      Refused.with(
          RnsError.UNAVAILABLE,
          () -> client.query(CALL, QueryRequest.of(Target.of(root + "/a/away"))), "server group 1");
      AddRequest here = AddRequest.of(NewEntry.junction(Target.of(root + "/here"), reference));
      assertThat(client.add(CALL, here).value().getFirst()).isInstanceOf(Outcome.Done.class);
    } finally {
      tree.teach();
    }
  }
}
