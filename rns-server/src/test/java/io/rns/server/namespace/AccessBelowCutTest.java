package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
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
import io.rns.api.RequestId;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AboveDirectory;
import io.rns.permission.AccessControl;
import io.rns.permission.InheritedAccess.AboveContent;
import io.rns.replication.partition.Anchors;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.local.DatabaseProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group that owns content, and not the directories above it, holds to the rules of these. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessBelowCutTest {
  private static final int GROUP = 3;
  private static final EntryId CUT = new EntryId(77);
  private static final EntryId UNKNOWN = new EntryId(78);
  private static final RnsPath PATH = RnsPath.parse("/exp/cut");
  private static final Caller ALICE = new Caller("local:alice", Set.of());
  private static final Caller BOB = new Caller("local:bob", Set.of());
  private static final Target INNER = Target.of(CUT);

  @TempDir private static Path directory;

  private static DatabaseProcess process;
  private static Database database;
  private static AccessControl control;
  private static LocalNameService service;

  @BeforeAll
  static void start() {
    process = TestDatabase.own(directory);
    database = new Database(TestDatabase.settings(process, GROUP));
    database.migrate();
    control = new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false);
    service = LocalNameService.start(
        database, 1 << 20, TestServices.PART, InstantSource.system(), control);
    for (EntryId id : List.of(CUT, UNKNOWN)) {
      Entry unused =
          service.assign(CallContext.SERVICE, new AssignRequest(Target.of(id), GROUP, 1)).value().orThrow();
    }
    add(NewEntry.directory(inner("d")));
    add(NewEntry.directory(Target.of(UNKNOWN).child(EntryName.of("d"))));
    add(new NewEntry(inner("own"), List.of(), Metadata.NONE.with(rules("local:bob=read,list")), Precondition.NONE));
  }

  @AfterAll
  static void stop() {
    service.close();
    database.close();
    process.close();
  }

  @BeforeEach
  void open() {
    above(rules("anyone=read"), AccessRules.NONE, rules("local:alice=read,list,add"));
  }

  private static AccessRules rules(String... texts) {
    return new AccessRules(Optional.empty(), Optional.of(Stream.of(texts).map(AccessRule::parse).toList()));
  }

  private static Target inner(String name) {
    return INNER.child(EntryName.of(name));
  }

  private static void above(AccessRules root, AccessRules exp, AccessRules cut) {
    List<AboveDirectory> all =
        List.of(
            new AboveDirectory(EntryId.ROOT, 0, root), new AboveDirectory(new EntryId(5), 1, exp),
            new AboveDirectory(CUT, 2, cut));
    control.inherited().replace(
        Map.of(CUT, new AboveContent(PATH, all.stream().filter(each -> !each.access().isNone()).toList())));
  }

  private static void add(NewEntry entry) {
    Entry unused = service.add(CallContext.SERVICE, AddRequest.of(entry)).value().getFirst().orThrow();
  }

  private static boolean reads(Caller caller, Target target) {
    return permitted(service.query(by(caller), QueryRequest.of(target)).value().getFirst());
  }

  private static boolean lists(Caller caller, Target target) {
    return permitted(service.list(by(caller), ListRequest.of(target)).value());
  }

  private static boolean adds(Caller caller, Target directory) {
    EntryName name = EntryName.of("n" + System.nanoTime());
    return permitted(
        service.add(by(caller), AddRequest.of(NewEntry.directory(directory.child(name)))).value().getFirst());
  }

  private static CallContext by(Caller caller) {
    return new CallContext(caller, Optional.empty());
  }

  private static boolean permitted(Outcome<?> outcome) {
    if (outcome instanceof Outcome.Refused<?>(Refusal refusal)) {
      assertThat(refusal.error().name()).isIn("NOT_PERMITTED", "NOT_AUTHENTICATED");
      return false;
    }
    return true;
  }

  @Test
  void theRulesAboveHoldBelow() {
    assertThat(reads(ALICE, inner("d"))).isTrue();
    assertThat(lists(ALICE, inner("d"))).isTrue();
    assertThat(adds(ALICE, inner("d"))).isTrue();
    assertThat(lists(ALICE, INNER)).isTrue();
    assertThat(reads(BOB, inner("d"))).isFalse();
    assertThat(lists(BOB, inner("d"))).isFalse();
    assertThat(adds(BOB, inner("d"))).isFalse();
    assertThat(lists(BOB, INNER)).isFalse();
    // Rules of its own, below a directory that does not let him pass.
    assertThat(lists(BOB, inner("own"))).isFalse();
    assertThat(lists(ALICE, inner("own"))).isFalse();
    above(rules("anyone=read"), AccessRules.NONE, rules("anyone=read"));
    assertThat(lists(BOB, inner("own"))).isTrue();
    // The entry of the directory itself is one of the directory above.
    above(rules("anyone=read"), rules("local:alice=read"), rules("anyone=read,list"));
    assertThat(reads(ALICE, INNER)).isTrue();
    assertThat(reads(BOB, INNER)).isFalse();
    assertThat(lists(BOB, INNER)).isFalse();
  }

  @Test
  void aClosedRootClosesAll() {
    above(AccessRules.NONE, AccessRules.NONE, rules("anyone=read,list,add,admin"));
    assertThat(reads(ALICE, inner("d"))).isFalse();
    assertThat(lists(ALICE, INNER)).isFalse();
    assertThat(adds(ALICE, INNER)).isFalse();
  }

  /** A server has content before it has the next map: whether a caller may use it then is not known, only soon. */
  @Test
  void contentOfWhichNothingIsKnownYetIsUnavailable() {
    Target within = Target.of(UNKNOWN).child(EntryName.of("d"));
    assertUnavailable(() -> reads(ALICE, within));
    assertUnavailable(() -> lists(ALICE, Target.of(UNKNOWN)));
    assertUnavailable(() -> adds(ALICE, Target.of(UNKNOWN)));
    assertUnavailable(() -> reads(Caller.ANONYMOUS, Target.of(UNKNOWN)));
    SubtreeRequest below =
        new SubtreeRequest(
            Target.of(UNKNOWN), SubtreeRequest.Order.NAMES, 5, EntryFilter.ALL, 10, Optional.empty());
    assertUnavailable(() -> service.subtree(by(ALICE), below).value().orThrow());
    assertThat(reads(Caller.SERVICE, within)).isTrue();
    control.inherited().replace(
        Map.of(UNKNOWN, new AboveContent(PATH, List.of(new AboveDirectory(EntryId.ROOT, 0, rules("anyone=read"))))));
    assertThat(reads(ALICE, within)).isTrue();
    assertThat(adds(ALICE, Target.of(UNKNOWN))).isFalse();
  }

  @Test
  void contentOfWhichNothingIsKnownYetIsServedWhereRulesAreOnlyLogged() {
    AccessControl logging = new AccessControl(new AccessPolicy(AccessMode.LOG, Set.of()), false);
    TreeAccess access = TreeAccess.of(logging, ALICE, Anchors.IN_ROOT);
    assertThat(access.permitsPassingAbove(UNKNOWN)).isTrue();
    assertThat(access.lacks(Right.ADD, access.within(List.of(), anchor()), Target.of(UNKNOWN), 0, Optional::empty))
        .isNull();
    assertThat(logging.statistics()).containsEntry("access.wouldRefuse", 0L);
  }

  @Test
  void limitsOfCredentialsWaitForThePathOfContent() {
    AccessControl open = new AccessControl(new AccessPolicy(AccessMode.OPEN, Set.of()), false);
    Caller limited = new Caller(
        ALICE.name(), Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/exp"), Set.of(Right.values())))));
    TreeAccess access = TreeAccess.of(open, limited, Anchors.IN_ROOT);
    assertUnavailable(() -> access.outer(RnsPath.parse("/" + UNKNOWN + "/d")));
    open.inherited().replace(Map.of(UNKNOWN, new AboveContent(PATH, List.of())));
    assertThat(access.outer(RnsPath.parse("/" + UNKNOWN + "/d"))).contains(PATH.child(EntryName.of("d")));
  }

  /** Content that has gone to another group: that one knows what its callers may do. */
  @Test
  void contentThatHasLeftIsElsewhereAndNotForbidden() {
    EntryId gone = new EntryId(79);
    for (AssignRequest given : List.of(
        new AssignRequest(Target.of(gone), GROUP, 1), new AssignRequest(Target.of(gone), GROUP + 1))) {
      Entry unused = service.assign(CallContext.SERVICE, given).value().orThrow();
    }
    assertThat(refusal(service.list(by(ALICE), ListRequest.of(Target.of(gone))).value()))
        .isEqualTo(new Refusal.Delegated(Target.of(gone), 0, GROUP + 1, gone));
    Target within = Target.of(gone).child(EntryName.of("d"));
    assertThat(refusal(service.query(by(ALICE), QueryRequest.of(within)).value().getFirst()))
        .isEqualTo(new Refusal.Delegated(within, 0, GROUP + 1, gone));
    assertThat(
        refusal(service.add(by(ALICE), AddRequest.of(NewEntry.directory(within))).value().getFirst()))
        .isEqualTo(new Refusal.Delegated(within, 0, GROUP + 1, gone));
    // Where its own entry is, this group does not know.
    assertThat(
        refusal(service.query(by(ALICE), new QueryRequest(List.of(Target.of(gone)), false)).value().getFirst()))
        .isEqualTo(new Refusal.NoSuchEntry(Target.of(gone), 0));
  }

  private static Refusal refusal(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused<?>) outcome).refusal();
  }

  private static Entry anchor() {
    return service.query(CallContext.SERVICE, QueryRequest.of(Target.of(UNKNOWN))).value().getFirst().orThrow();
  }

  private static void assertUnavailable(ThrowingCallable request) {
    assertThatThrownBy(request).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }

  @Test
  void theRootOfTheGroupIsNoWayIn() {
    assertThat(reads(ALICE, Target.of("/" + CUT + "/d"))).isFalse();
    assertThat(lists(ALICE, Target.ROOT)).isFalse();
    assertThat(lists(ALICE, Target.of("/" + CUT))).isFalse();
  }

  @Test
  void limitsOfCredentialsHavePathsOfTheWholeTree() {
    Caller limited = new Caller(
        ALICE.name(), Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/exp/cut/d"), Set.of(Right.values())))));
    assertThat(reads(limited, inner("d"))).isTrue();
    assertThat(adds(limited, inner("d"))).isTrue();
    assertThat(adds(limited, INNER)).isFalse();
    assertThat(reads(limited, inner("own"))).isFalse();
    Caller inside = new Caller(
        ALICE.name(), Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/" + CUT), Set.of(Right.values())))));
    assertThat(reads(inside, inner("d"))).isFalse();
  }

  @Test
  void anEntryArrivesIfItsMoverMayAddIt() {
    assertThat(arrives(BOB, 1)).isFalse();
    assertThat(arrives(Caller.ANONYMOUS, 2)).isFalse();
    assertThat(arrives(ALICE, 3)).isTrue();
  }

  private static boolean arrives(Caller mover, int number) {
    Junction entry =
        new Junction(
            new Entry.Binding(EntryId.ROOT, EntryName.of("arrived" + number)), new EntryId(100 + number), 5,
            Instant.EPOCH, Instant.EPOCH, Metadata.NONE, List.of(EndpointReference.ofAddress("urn:x")));
    Position departed = new Position(0, 1, number);
    ArriveRequest request = new ArriveRequest(entry, INNER, departed, Positions.NONE, mover);
    CallContext call = new CallContext(Caller.SERVICE, Optional.of(new RequestId("move-" + departed)));
    Outcome<Entry> outcome = service.arrive(call, request).value();
    RnsError expected = mover.name().isEmpty() ? RnsError.NOT_AUTHENTICATED : RnsError.NOT_PERMITTED;
    assertThat(outcome instanceof Outcome.Refused<Entry>(Refusal refusal) ? refusal.error() : expected)
        .isEqualTo(expected);
    return permitted(outcome);
  }
}
