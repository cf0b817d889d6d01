package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.Plan;
import io.rns.replication.partition.PlanSettings;
import io.rns.replication.partition.Planner;
import io.rns.replication.partition.Situation;
import io.rns.server.Eventually;
import io.rns.server.namespace.RequestSample;
import io.rns.server.partition.HeatHistory.Weight;
import io.rns.server.store.DirectoryCountTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The heat of directories of a {@link TestTree}, by a clock of the test's, and what a planner makes of it. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeatTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Duration HALF_LIFE = Duration.ofMinutes(5);

  @TempDir private static Path directory;

  private static TestTree tree;
  private static int last;

  private final AtomicLong nanos = new AtomicLong();
  private final List<HeatHistory> histories = new ArrayList<>();
  private String root;

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 3);
  }

  @AfterAll
  static void stop() {
    tree.close();
  }

  @BeforeEach
  void make() {
    root = "/t" + ++last;
    for (String path : List.of("/hot/a/x", "/hot/b/y", "/warm/z", "/cold/w")) {
      add(path);
    }
    tree.groups.forEach(HeatTest::forget);
    // From now on all are kept; the next ones count with earlier ones of which none was.
    query(0, "/cold/w", 1);
    add("/cold/new");
    for (TestTree.Group group : tree.groups) {
      forget(group);
      histories.add(new HeatHistory(Anchors.of(group.number == 0), nanos::get));
    }
  }

  private static void forget(TestTree.Group group) {
    for (RequestSample sample : List.of(group.names.samples().reads(), group.names.samples().writes())) {
      sample.take();
    }
  }

  private void add(String path) {
    NewEntry entry = NewEntry.junction(Target.of(root + path), EndpointReference.ofAddress("urn:x"));
    var unused =
        tree.groups.getFirst().names.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
  }

  private void query(int at, String path, int times) {
    for (int i = 0; i < times; i++) {
      var unused =
          tree.groups.get(at).service.query(CALL, QueryRequest.of(Target.of(root + path))).value().getFirst().orThrow();
    }
  }

  private void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(HeatHistory.INTERVAL)) {
      nanos.addAndGet(HeatHistory.INTERVAL.toNanos());
      for (TestTree.Group group : tree.groups) {
        histories.get(group.number).advance(group.names);
      }
    }
  }

  private Map<RnsPath, Heat> heat(int at, Duration halfLife) {
    TestTree.Group group = tree.groups.get(at);
    return histories.get(at).measured(group.names, Weight.halved(halfLife), group.table.map()).heat().heats();
  }

  private Heat heat(int at, String path, Duration halfLife) {
    return heat(at, halfLife).getOrDefault(RnsPath.parse(root + path), Heat.NONE);
  }

  @Test
  void requestsCountForTheDirectoryOfTheEntry() {
    query(0, "/hot/a/x", 30);
    query(0, "/hot/a", 10);
    var unused =
        tree.groups.getFirst().service.list(CALL, ListRequest.of(Target.of(root + "/hot/b"))).value().orThrow();
    add("/hot/b/new");
    query(0, "/hot", 2);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertThat(heat(0, HALF_LIFE)).as("before an interval is over").isEqualTo(
        Map.of(
            RnsPath.parse(root + "/hot/a"), new Heat(15, 0), RnsPath.parse(root + "/hot"), new Heat(5, 0),
            RnsPath.parse(root + "/hot/b"), new Heat(0.5, 0.5), RnsPath.parse(root), new Heat(1, 0)));
  }

  /** The group of the root has content in that of group 1. */
  @Test
  void contentOfOtherGroupsDirectoriesHasItsHeatThere() {
    TestTree.Group first = tree.groups.getFirst();
    NewEntry above = NewEntry.directory(Target.of(root + "/above"));
    Entry unused = first.names.add(CALL, AddRequest.of(above)).value().getFirst().orThrow();
    tree.assign(0, above.target(), 1);
    tree.teach();
    Target inner = Target.of(root + "/above/inner");
    Entry made = first.service.add(CALL, AddRequest.of(NewEntry.directory(inner))).value().getFirst().orThrow();
    tree.assign(1, Target.of(made.id()), 0);
    tree.teach();
    NewEntry deep = NewEntry.directory(Target.of(inner + "/deep/x"));
    unused = first.service.add(CALL, AddRequest.of(deep).withParents()).value().getFirst().orThrow();
    tree.groups.forEach(HeatTest::forget);

    query(1, "/above/inner/deep/x", 40);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertThat(heat(0, HALF_LIFE)).isEqualTo(Map.of(RnsPath.parse(inner + "/deep"), new Heat(20, 0)));
    assertThat(entries(0, made.id())).as("deep and x").isEqualTo(2);
    long below = entries(0, EntryId.ROOT);
    unused = first.service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(inner + "/y")))).value().getFirst()
        .orThrow();
    assertThat(entries(0, EntryId.ROOT)).isEqualTo(below);
  }

  @Test
  void whatIsPastCountsHalfAsMuchWithEveryHalfLife() {
    query(0, "/warm/z", 100);
    pass(Duration.ofSeconds(10));
    assertThat(heat(0, "/warm", HALF_LIFE).reads()).as("over the time that was measured").isCloseTo(10, within(1e-9));
    pass(Duration.ofSeconds(10));
    assertThat(heat(0, "/warm", Duration.ofSeconds(10)).reads()).isCloseTo(10.0 / 3, within(1e-9));
    assertThat(heat(0, "/warm", Duration.ofHours(9)).reads()).isCloseTo(5, within(0.01));
    query(0, "/cold/w", 100);
    pass(Duration.ofSeconds(10));
    double warm = heat(0, "/warm", Duration.ofSeconds(10)).reads();
    assertThat(heat(0, "/cold", Duration.ofSeconds(10)).reads()).isCloseTo(4 * warm, within(1e-9));
    pass(Duration.ofMinutes(25));
    assertThat(heat(0, HALF_LIFE)).as("forgotten").isEmpty();
  }

  @Test
  void theHotSubtreeIsProposedAndNothingAfterItHasMoved() throws Exception {
    for (int round = 0; round < 6; round++) {
      query(1, "/hot/a/x", 500);
      query(2, "/hot/b/y", 300);
      query(0, "/warm/z", 500);
      query(0, "/cold/w", 300);
      pass(Duration.ofSeconds(10));
    }
    PlanSettings settings = PlanSettings.DEFAULT.with(5, 50, 1);
    Plan plan = Planner.plan(situation(), settings);
    assertThat(plan.moves()).as(plan.verdict()).extracting(Plan.Move::path)
        .containsExactly(RnsPath.parse(root + "/hot"));
    Plan.Move move = plan.moves().getFirst();
    assertThat(move.from()).isZero();
    assertThat(move.load()).isCloseTo(80, within(20.0));

    EntryId moving = tree.groups.getFirst().service
        .query(CALL, QueryRequest.of(Target.of(root + "/hot"))).value().getFirst().orThrow().id();
    Eventually.until("the content moves", Duration.ofSeconds(30), () -> {
      long unused = tree.groups.getFirst()
          .departing(moving, move.to(), () -> tree.groups.get(move.to()).arriving(moving)).move();
      return true;
    });
    tree.teach();
    assertThat(entries(move.to(), moving)).as("a, b, x and y").isEqualTo(4);
    Plan next = Planner.plan(situation(), settings);
    assertThat(next.moves()).as("its history moved along: " + next.groups()).isEmpty();
    query(0, "/hot/a/x", 1_000);
    pass(Duration.ofSeconds(10));
    assertThat(heat(move.to(), "/hot/a", Duration.ofSeconds(1)).reads()).isCloseTo(100, within(1.0));
    assertThat(heat(0, "/hot/a", Duration.ofSeconds(1)).reads()).as("it only passes requests on").isLessThan(1);
    Plan last = Planner.plan(situation(), settings);
    assertThat(last.moves()).as(last.verdict()).isEmpty();
  }

  private long entries(int group, EntryId partition) {
    return PartitionSizes.count(
        (after, most) -> tree.groups.get(group).names
            .partitionRecords(connection -> DirectoryCountTable.placed(connection, after, most)),
        List.of(partition), List.of(), 1_000_000).get(partition);
  }

  private Situation situation() {
    List<DirectoryHeat> parts = new ArrayList<>();
    for (TestTree.Group group : tree.groups) {
      parts.add(
          HeatJson.of(histories.get(group.number).measured(group.names, Weight.halved(HALF_LIFE), group.table.map()),
              group.table.map(), Map.of()).heat());
    }
    return new Situation(
        tree.groups.getFirst().table.map(), new TreeSet<>(Set.of(0, 1)), DirectoryHeat.sum(parts), Map.of());
  }
}
