package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.permission.AboveDirectory;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
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
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.local.DatabaseProcess;
import io.rns.permission.AccessControl;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directories whose content another server group owns, as the group of their entry sees them. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DelegationTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final int OTHER = 3;

  @TempDir private static Path directory;

  private static DatabaseProcess process;

  private final String root = "/delegation-" + System.nanoTime();
  private final String cut = root + "/a/cut";
  private Database database;
  private LocalNameService service;

  @BeforeAll
  static void startDatabase() {
    process = TestDatabase.own(directory);
  }

  @AfterAll
  static void stopDatabase() {
    process.close();
  }

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.withAccount(process)));
    service = TestServices.start(database);
    mkdir(root + "/a/b", cut);
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private void mkdir(String... paths) {
    for (String path : paths) {
      service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(path))).withParents()).value().getFirst().orThrow();
    }
  }

  private void rules(String path, String... rules) {
    AccessRules access =
        new AccessRules(Optional.empty(), Optional.of(Stream.of(rules).map(AccessRule::parse).toList()));
    metadata(path, Metadata.NONE.with(access));
  }

  private void metadata(String path, Metadata metadata) {
    service.update(CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata))).value()
        .getFirst().orThrow();
  }

  /** Answers that this group does not keep leave no row that would show that the request id is a new one. */
  @Test
  void requestsAboutWhatAnotherGroupHasDoNotMakeOthersLookUpWhatTheyAdd() {
    assertThat(assign(cut, OTHER).value()).isInstanceOf(Outcome.Done.class);
    int requests = 100;
    long selects = 0;
    for (int i = 0; i < requests; i++) {
      AddRequest elsewhere = AddRequest.of(NewEntry.directory(Target.of(cut + "/n" + i)));
      assertThat(service.add(CALL.with(RequestId.random()), elsewhere).value().getFirst())
          .isInstanceOf(Outcome.Refused.class);
      long before = selects();
      mkdir(root + "/m" + i);
      selects += selects() - before;
    }
    assertThat(selects).isLessThan(requests / 2);
  }

  private long selects() {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery("SHOW GLOBAL STATUS LIKE 'Com_select'")) {
            row.next();
            return row.getLong(2);
          }
        });
  }

  /** What is in the way of a removal may lie where the caller sees nothing. */
  @Test
  void aRefusalNamesNoDirectoryThatTheCallerMayNotSee() {
    mkdir(root + "/top/closed/hidden");
    assertThat(assign(root + "/top/closed/hidden", OTHER).value()).isInstanceOf(Outcome.Done.class);
    rules("/", "anyone=read");
    rules(root, "anyone=list,read,add,change,remove");
    rules(root + "/top/closed");
    service.close();
    service = LocalNameService.start(
        database, 1 << 20, TestServices.WRITER, InstantSource.system(),
        new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false));
    RemoveRequest request = RemoveRequest.of(Removal.recursive(Target.of(root + "/top")));
    try {
      assertThat(refusal(request)).endsWith("the content of a directory below it belongs to another server group");
      rules(root + "/top/closed", "anyone=read");
      assertThat(refusal(request)).contains("the content of the directory 'hidden'");
    } finally {
      metadata("/", Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>"));
    }
  }

  private String refusal(RemoveRequest request) {
    Outcome<Entry> outcome = service.remove(CallContext.ANONYMOUS, request).value().getFirst();
    return ((Outcome.Refused<Entry>) outcome).refusal().message();
  }

  private Answer<Outcome<Entry>> assign(String path, int group) {
    return service.assign(CALL, new AssignRequest(Target.of(path), group));
  }

  private VirtualDirectory delegate(String path) {
    return (VirtualDirectory) assign(path, OTHER).value().orThrow();
  }

  private static Outcome<Entry> query(LocalNameService at, String path) {
    return at.query(CALL, QueryRequest.of(Target.of(path))).value().getFirst();
  }

  private Outcome<Entry> update(EntryChange change) {
    return service.update(CALL, UpdateRequest.of(change)).value().getFirst();
  }

  private Outcome<Entry> remove(Removal removal) {
    return service.remove(CALL, RemoveRequest.of(removal)).value().getFirst();
  }

  private Outcome<Entry> refused(Target target, int depth) {
    return Outcome.refused(delegated(target, depth, OTHER));
  }

  private Refusal delegated(Target target, int depth, int group) {
    EntryId directory =
        depth == 0 ? target.start() : query(service, target.path().prefix(depth).toString()).orThrow().id();
    return new Refusal.Delegated(target, depth, group, directory);
  }

  private static SubtreeRequest subtree(String path, int pageSize) {
    return new SubtreeRequest(
        Target.of(path), SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, pageSize, Optional.empty());
  }

  @Test
  void theEntryStaysAndItsContentIsAnotherGroups() {
    VirtualDirectory before = (VirtualDirectory) query(service, cut).orThrow();
    assertThat(before.owner()).isEmpty();
    Answer<Outcome<Entry>> assigned = assign(cut, OTHER);
    VirtualDirectory after = (VirtualDirectory) assigned.value().orThrow();
    assertThat(after.owner()).hasValue(OTHER);
    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.version()).isEqualTo(assigned.position().sequence());
    checkReads(service, after);
    // Nothing of it is cached there.
    try (LocalNameService other =
        LocalNameService.open(database, 0, TestServices.WRITER, InstantSource.system())) {
      checkReads(other, after);
    }
  }

  private void checkReads(LocalNameService at, VirtualDirectory expected) {
    assertThat(query(at, cut)).isEqualTo(Outcome.done(expected));
    Target target = Target.of(cut);
    Target below = Target.of(cut + "/x/y");
    assertThat(query(at, cut + "/x/y")).isEqualTo(refused(below, 3));
    Target byId = new Target(expected.id(), RnsPath.parse("/x"));
    assertThat(at.query(CALL, QueryRequest.of(byId)).value().getFirst()).isEqualTo(refused(byId, 0));
    assertThat(at.query(CALL, QueryRequest.of(target).withCounts()).value().getFirst()).isEqualTo(refused(target, 3));
    assertThat(at.list(CALL, ListRequest.of(target)).value())
        .isEqualTo(Outcome.refused(delegated(target, 3, OTHER)));
    assertThat(at.list(CALL, ListRequest.of(Target.of(root + "/a"))).value().orThrow().entries())
        .hasSize(2).contains(expected);
    assertThat(at.subtree(CALL, subtree(cut, 100)).value())
        .isEqualTo(Outcome.refused(delegated(target, 3, OTHER)));
    SubtreePage page = at.subtree(CALL, subtree(root, 100)).value().orThrow();
    assertThat(page.entries()).extracting(visit -> visit.path().toString())
        .as("up to its entry").containsExactly(root + "/a", root + "/a/b", cut);
    SubtreePosition atCut = new SubtreePosition(RnsPath.parse(cut), true);
    assertThat(page.next()).contains(atCut);
    for (SubtreePosition inside : List.of(atCut, new SubtreePosition(RnsPath.parse(cut + "/x"), false))) {
      assertThat(at.subtree(CALL, subtree(root, 100).after(inside)).value())
          .isEqualTo(refused(Target.of(inside.path()), 3));
    }
    SubtreePage behind =
        at.subtree(CALL, subtree(root, 100).after(SubtreePosition.past(atCut.path()))).value().orThrow();
    assertThat(behind).isEqualTo(new SubtreePage(List.of(), Optional.empty(), 0));
    SubtreeRequest shallow = new SubtreeRequest(
        Target.of(root), SubtreeRequest.Order.NAMES, 2, EntryFilter.ALL, 100, Optional.of(atCut));
    assertThat(at.subtree(CALL, shallow).value()).as("nothing below it is wanted").isEqualTo(Outcome.done(behind));
    List<Outcome<Entry>> batch =
        at.query(CALL, new QueryRequest(List.of(below, Target.of(root + "/a/b")), false)).value();
    assertThat(batch.getFirst()).isEqualTo(refused(below, 3));
    assertThat(batch.getLast()).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aReplicaSeesItAsSoonAsItHasThePosition() {
    try (LocalNameService replica =
        LocalNameService.open(database, 1 << 20, TestServices.WRITER, InstantSource.system())) {
      replica.follow();
      assertThat(replica.list(CALL, ListRequest.of(Target.of(cut))).value().orThrow().entries()).isEmpty();
      Answer<Outcome<Entry>> assigned = assign(cut, OTHER);
      assertThat(replica.awaitServed(Positions.of(assigned.position()), Duration.ofSeconds(60))).isTrue();
      checkReads(replica, (VirtualDirectory) assigned.value().orThrow());
    }
  }

  @Test
  void theMapHasAllPartitionsWhereTheyAreNow() {
    assertThat(service.partitions().value().ofContent(RnsPath.parse(cut)).root()).isEqualTo(EntryId.ROOT);
    VirtualDirectory first = delegate(cut);
    mkdir(root + "/second");
    Answer<Outcome<Entry>> assigned = assign(root + "/second", 4);
    update(EntryChange.rename(Target.of(root + "/a"), EntryName.of("c")));
    Answer<PartitionMap> answer = service.partitions();
    assertThat(answer.position().covers(assigned.position())).isTrue();
    RnsPath moved = RnsPath.parse(root + "/c/cut");
    assertThat(answer.value().ofContent(moved)).isEqualTo(new Partition(moved, first.id(), OTHER, first.version()));
    Partition second = answer.value().ofContent(RnsPath.parse(root + "/second/x"));
    assertThat(second.group()).isEqualTo(4);
    assertThat(second.epoch()).isEqualTo(assigned.position().sequence());
    assertThat(answer.value().epoch()).isEqualTo(second.epoch());
    assertThat(answer.value().ofContent(RnsPath.parse(cut)).group()).isZero();
  }

  @Test
  void nothingIsWrittenIntoIt() {
    VirtualDirectory delegated = delegate(cut);
    Target below = Target.of(cut + "/x");
    NewEntry junction = NewEntry.junction(below, EndpointReference.ofAddress("urn:x"));
    assertThat(service.add(CALL, AddRequest.of(junction)).value().getFirst()).isEqualTo(refused(below, 3));
    Target deep = Target.of(cut + "/x/y");
    assertThat(service.add(CALL, AddRequest.of(NewEntry.directory(deep)).withParents()).value().getFirst())
        .isEqualTo(refused(deep, 3));
    Target byId = new Target(delegated.id(), RnsPath.parse("/x"));
    assertThat(service.add(CALL, AddRequest.of(NewEntry.directory(byId))).value().getFirst())
        .isEqualTo(refused(byId, 0));
    assertThat(update(EntryChange.metadata(below, Metadata.NONE))).isEqualTo(refused(below, 3));
    assertThat(remove(Removal.recursive(below))).isEqualTo(refused(below, 3));
    Target from = Target.of(root + "/a/b");
    assertThat(update(EntryChange.move(from, Target.of(cut), EntryName.of("b")))).isEqualTo(refused(Target.of(cut), 3));
    assertThat(update(EntryChange.move(from, below, EntryName.of("b")))).isEqualTo(refused(below, 3));
    List<Outcome<Entry>> batch =
        service.add(CALL, new AddRequest(List.of(NewEntry.directory(Target.of(root + "/n")), junction), false, true))
            .value();
    assertThat(batch)
        .containsExactly(
            Outcome.refused(new Refusal.NotApplied(Target.of(root + "/n"))), refused(below, 3));
    assertThat(query(service, root + "/n")).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void changesOfItsEntryKeepTheOwner() {
    VirtualDirectory delegated = delegate(cut);
    VirtualDirectory renamed =
        (VirtualDirectory) update(EntryChange.rename(Target.of(cut), EntryName.of("other"))).orThrow();
    assertThat(renamed.owner()).hasValue(OTHER);
    assertThat(renamed.id()).isEqualTo(delegated.id());
    assertThat(query(service, root + "/a/other")).isEqualTo(Outcome.done(renamed));
    Target deeper = Target.of(root + "/a/b");
    assertThat(update(EntryChange.move(Target.of(root + "/a/other"), deeper, EntryName.of("other"))))
        .as("how deep its content is, is not known here")
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.refusal().error()).isEqualTo(RnsError.LIMIT_EXCEEDED));
    assertThat(update(EntryChange.move(Target.of(root + "/a/other"), Target.of(root), EntryName.of("other"))).orThrow())
        .isInstanceOfSatisfying(VirtualDirectory.class, moved -> assertThat(moved.owner()).hasValue(OTHER));
    assertThat(query(service, root + "/other/x")).isEqualTo(refused(Target.of(root + "/other/x"), 2));
    VirtualDirectory replaced =
        (VirtualDirectory) service.add(
            CALL, AddRequest.of(NewEntry.directory(Target.of(root + "/other"))
                .with(Metadata.parse("<m xmlns='urn:m'/>")).with(Precondition.NONE)))
            .value().getFirst().orThrow();
    assertThat(replaced.owner()).hasValue(OTHER);
  }

  @Test
  void neitherItNorADirectoryAboveItIsRemoved() {
    delegate(cut);
    Target target = Target.of(cut);
    assertThat(remove(Removal.of(target))).isEqualTo(refused(target, 3));
    assertThat(remove(Removal.recursive(target))).isEqualTo(refused(target, 3));
    checkAboveIsKept();
    assertThat(remove(Removal.recursive(Target.of(root + "/a/b")))).isInstanceOf(Outcome.Done.class);
    // Another writer, which has to learn of it from the database.
    service.close();
    service = TestServices.start(database);
    checkAboveIsKept();
  }

  private void checkAboveIsKept() {
    for (String above : List.of(root, root + "/a")) {
      Refused.with(
          RnsError.DELEGATED, () -> remove(Removal.recursive(Target.of(above))).orThrow(), "cannot remove " + above,
          "'cut'");
    }
    assertThat(query(service, cut)).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void anAssignmentAndARemovalOfOneBatchSeeEachOther() {
    for (int round = 0; round < 20; round++) {
      String above = root + "/round-" + round;
      mkdir(above + "/cut");
      List<Outcome<Entry>> both =
          atOnce(
              () -> assign(above + "/cut", OTHER).value(),
              () -> remove(Removal.recursive(Target.of(above))));
      assertThat(both.stream().filter(outcome -> outcome instanceof Outcome.Done<Entry>)).hasSize(1);
      assertThat(query(service, above + "/cut") instanceof Outcome.Done<Entry>)
          .isEqualTo(both.getFirst() instanceof Outcome.Done<Entry>);
    }
  }

  @Test
  void oneOfTwoAssignmentsWins() {
    for (int round = 0; round < 20; round++) {
      String path = root + "/round-" + round;
      mkdir(path);
      List<Outcome<Entry>> both = atOnce(() -> assign(path, 3).value(), () -> assign(path, 4).value());
      int winner = both.getFirst() instanceof Outcome.Done<Entry> ? 3 : 4;
      assertThat(both.get(4 - winner))
          .isEqualTo(Outcome.refused(delegated(Target.of(path), 2, winner)));
      assertThat(((VirtualDirectory) query(service, path).orThrow()).owner()).isEqualTo(OptionalInt.of(winner));
    }
  }

  private interface Write {
    Outcome<Entry> run();
  }

  private static List<Outcome<Entry>> atOnce(Write one, Write other) {
    CyclicBarrier start = new CyclicBarrier(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Outcome<Entry>> first = threads.submit(() -> {
        start.await();
        return one.run();
      });
      Future<Outcome<Entry>> second = threads.submit(() -> {
        start.await();
        return other.run();
      });
      return List.of(first.get(), second.get());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatCannotBeAssignedIsRefusedWithTheFacts() {
    assertThat(assign(root + "/a", OTHER).value())
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(Target.of(root + "/a"), 2)));
    assertThat(assign(root + "/x/y", OTHER).value())
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(root + "/x/y"), 2)));
    assertThat(assign("/", OTHER).value()).isEqualTo(Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    Target junction = Target.of(root + "/j");
    service.add(CALL, AddRequest.of(NewEntry.junction(junction, EndpointReference.ofAddress("urn:x"))));
    assertThat(assign(root + "/j", OTHER).value()).isEqualTo(Outcome.refused(new Refusal.NotDirectory(junction, 2)));
    Refused.with(RnsError.INVALID_REQUEST, () -> assign(cut, 0).value().orThrow(), cut, "server group 0");
    Refused.with(RnsError.INVALID_REQUEST, () -> new AssignRequest(Target.of(cut), -1), "-1", "32767");
    Refused.with(RnsError.INVALID_REQUEST, () -> new AssignRequest(Target.of(cut), 32_768), "32768", "32767");
    delegate(cut);
    assertThat(assign(cut, OTHER).value()).isEqualTo(refused(Target.of(cut), 3));
    assertThat(assign(cut + "/x", OTHER).value()).isEqualTo(refused(Target.of(cut + "/x"), 3));
  }

  @Test
  void theMapHasWhatDirectoriesAboveACutSayOfAccess() {
    delegate(cut);
    AccessRules above =
        new AccessRules(Optional.of("local:alice"), Optional.of(List.of(AccessRule.parse("anyone=read"))));
    AccessRules own = new AccessRules(Optional.empty(), Optional.of(List.of(AccessRule.parse("anyone=list"))));
    update(EntryChange.metadata(Target.of(root + "/a"), Metadata.NONE.with(above))).orThrow();
    update(EntryChange.metadata(Target.of(cut), Metadata.NONE.with(own))).orThrow();
    List<AboveDirectory> told =
        service.partitions().value().partitions().stream().filter(each -> each.path().toString().equals(cut))
            .findFirst().orElseThrow().above();
    assertThat(told).containsExactly(
        new AboveDirectory(query(service, root + "/a").orThrow().id(), 2, above),
        new AboveDirectory(query(service, cut).orThrow().id(), 3, own));
  }

  /** The group has the root: what it keeps of other groups' directories is no entry of it. */
  @Test
  void contentOfAnotherGroupsDirectoryIsNotBelowTheRoot() throws Exception {
    EntryId content = new EntryId((1L << 48) | System.nanoTime());
    Set<String> names = names(Target.ROOT);
    long counted = counted(Target.ROOT);
    Position before = service.position();

    service.assign(CALL, new AssignRequest(Target.of(content), 0, 7)).value().orThrow();
    Target inside = new Target(content, RnsPath.parse("/in/side"));
    service.add(CALL, AddRequest.of(NewEntry.directory(inside)).withParents()).value().getFirst().orThrow();

    assertThat(names(Target.of(content))).containsExactly("in");
    assertThat(names(Target.ROOT)).isEqualTo(names);
    assertThat(counted(Target.ROOT)).isEqualTo(counted);
    assertThat(counted(Target.of(content))).isEqualTo(1);
    SubtreeRequest all = new SubtreeRequest(
        Target.ROOT, SubtreeRequest.Order.NAMES, 1, EntryFilter.ALL, Limits.PAGE_ENTRIES, Optional.empty());
    assertThat(service.subtree(CALL, all).value().orThrow().entries()).hasSize(names.size());
    // A server that comes later has the changes from the database.
    try (LocalNameService later = LocalNameService.open(database, 0, TestServices.WRITER, InstantSource.system())) {
      for (LocalNameService at : List.of(service, later)) {
        assertThat(at.changes().after(before, RnsPath.ROOT, Duration.ZERO).changes())
            .extracting(change -> change.change().path().toString())
            .containsExactly("/../" + content, "/../" + content + "/in", "/../" + content + "/in/side");
        assertThat(at.place(content).orElseThrow().toString()).isEqualTo("/../" + content);
      }
    }

    EntryId outside = Anchors.OUTSIDE_ROOT.parent();
    assertThat(service.query(CALL, QueryRequest.of(Target.of(outside))).value().getFirst())
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(outside), 0)));
    Refused.with(RnsError.NO_SUCH_ENTRY, () -> service.list(CALL, ListRequest.of(Target.of(outside))).value().orThrow(),
        outside.toString());
    Refused.with(
        RnsError.DELEGATED, () -> update(EntryChange.rename(Target.of(content), EntryName.of("x"))).orThrow(),
        "does not belong to server group 0");
    Refused.with(RnsError.DELEGATED, () -> remove(Removal.recursive(Target.of(content))).orThrow(), content.toString());
    EntryChange move = EntryChange.move(Target.of(cut), Target.of(outside), EntryName.of("x"));
    Refused.with(RnsError.NO_SUCH_ENTRY, () -> update(move).orThrow(), outside.toString());
    EntryChange within = EntryChange.move(inside, Target.of(root), EntryName.of("out"));
    assertThat(update(within).orThrow().id()).isEqualTo(query(service, root + "/out").orThrow().id());
  }

  private Set<String> names(Target of) {
    return service.list(CALL, ListRequest.of(of)).value().orThrow().entries().stream().map(Entry::displayName)
        .collect(Collectors.toSet());
  }

  private long counted(Target of) {
    return ((VirtualDirectory) service.query(CALL, QueryRequest.of(of).withCounts()).value().getFirst().orThrow())
        .entries();
  }

  @Test
  void anAssignmentWithARequestIdIsAppliedOnce() {
    CallContext call = CALL.with(RequestId.random());
    AssignRequest request = new AssignRequest(Target.of(cut), OTHER);
    Answer<Outcome<Entry>> first = service.assign(call, request);
    assertThat(service.assign(call, request)).isEqualTo(first);
    CallContext late = CALL.with(RequestId.random());
    AddRequest add = AddRequest.of(NewEntry.directory(Target.of(cut + "/x")));
    Answer<List<Outcome<Entry>>> refused = service.add(late, add);
    service.close();
    service = TestServices.start(database);
    Answer<Outcome<Entry>> again = service.assign(call, request);
    assertThat(again.value()).isEqualTo(first.value());
    assertThat(again.position()).isEqualTo(first.position());
    assertThat(again.positions().cutsOf(0)).as("the next epoch begins").isNotEqualTo(first.positions().cutsOf(0));
    // What is not here is answered where it is.
    assertThat(service.add(late, add).value()).isEqualTo(refused.value());
    assertThat(((VirtualDirectory) first.value().orThrow()).owner()).hasValue(OTHER);
  }
}
