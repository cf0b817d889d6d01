package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static io.rns.server.group.Writers.junction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.Explanation;
import io.rns.api.HopStep;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.member.DatabaseMember;
import io.rns.server.group.TestGroup.Server;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.store.TestMember;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers over three databases are one service, whoever of them is the primary. */
@Tag("slow")
class GroupIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private TestGroup group;
  private Server first;
  private Server second;
  private Server third;

  @BeforeEach
  void start() throws Exception {
    group = new TestGroup(directory, 3);
    first = group.servers.get(0);
    second = group.servers.get(1);
    third = group.servers.get(2);
    until("all databases are there", SOON,
        () -> group.servers.stream().allMatch(s -> s.member.report().database().isPresent()));
    Handover.Result result = group.handover().failover(Optional.of(first.member.url()), false);
    assertThat(result.primary()).isEqualTo(first.member.url());
    until("all follow", SOON, () -> follows(second, first) && follows(third, first));
  }

  @AfterEach
  void stop() {
    group.close();
  }

  /** It vouches for its copy a turn or two later than it serves it. */
  private static boolean follows(Server replica, Server primary) {
    return replica.standings.now().role() == Role.REPLICA
        && replica.member.report().allegiance().vouches()
        && replica.standings.now().copy().isPresent()
        && replica.standings.now().primary().equals(Optional.of(primary.member.url()))
        && replica.member.report().database().orElseThrow().receiving();
  }

  private static CallContext seen(Position position) {
    return CallContext.ANONYMOUS.withSeen(position);
  }

  @Test
  void whatWasWrittenIsReadAtEveryServerByWhoShowsThePosition() {
    for (int i = 0; i < 200; i++) {
      Position position = add(first, "/n" + i);
      assertThat(has(second, seen(position), "/n" + i)).as("read %d", i).isTrue();
      assertThat(has(third, seen(position), "/n" + i)).as("read %d", i).isTrue();
    }
    assertThat(second.copy().position().epoch()).isEqualTo(first.copy().position().epoch());
  }

  @Test
  void theEpochOfAPositionGoesBeforeItsSequence() {
    Position last = add(first, "/n");
    assertThat(has(second, seen(last), "/n")).isTrue();
    Position lost = new Position(last.group(), last.epoch() - 1, last.sequence() + 1_000);
    assertThat(has(first, seen(lost), "/n")).as("what was lost with an earlier primary").isTrue();
    assertThat(has(second, seen(lost), "/n")).isTrue();
    Position ahead = new Position(last.group(), last.epoch() + 1, 1);
    assertThatThrownBy(() -> has(first, seen(ahead), "/n"))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("has not been reached");
    assertThat(has(second, seen(ahead).with(Consistency.ANY), "/n")).isTrue();
  }

  @Test
  void whoWritesAtReplicaIsServedThereAndReadsWhatHeWrote() {
    for (int i = 0; i < 50; i++) {
      second.service.add(CallContext.ANONYMOUS, junction("/n" + i));
      assertThat(has(second, CallContext.ANONYMOUS, "/n" + i)).as("read %d", i).isTrue();
    }
  }

  @Test
  void theRequestIdOfACallerWithANameIsHisAtEveryServer() {
    RequestId id = new RequestId("one-id");
    CallContext named = new CallContext(new Caller("alice", Set.of()), Optional.of(id));
    Entry added = second.service.add(named, junction("/of-alice")).value().getFirst().orThrow();
    for (Server server : List.of(first, second, third)) {
      assertThat(server.service.add(named, junction("/of-alice")).value().getFirst().orThrow().id())
          .isEqualTo(added.id());
    }
    CallContext nobody = CallContext.ANONYMOUS.with(id);
    CallContext other = new CallContext(new Caller("bob", Set.of()), Optional.of(id));
    assertThat(third.service.add(nobody, junction("/of-nobody")).value().getFirst().orThrow().id())
        .isNotEqualTo(added.id());
    assertThat(first.service.add(other, junction("/of-bob")).value().getFirst().orThrow().id())
        .isNotEqualTo(added.id());
  }

  @Test
  void whatThePrimaryAnswersCountsAsMemoryOfTheRequest() {
    Metadata large = Metadata.of(Map.of("large", "x".repeat(200_000)));
    first.service.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/large")).with(large)));
    CallContext latest = CallContext.ANONYMOUS.with(Consistency.PRIMARY);
    MemoryPool small = new MemoryPool(300_000);
    MemoryPool enough = new MemoryPool(1_000_000);
    try (RequestMemory memory = small.open()) {
      memory.bind();
      assertThatThrownBy(() -> has(second, latest, "/large"))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY))
          .hasMessageContaining("the limit of the server is 294912 bytes");
    }
    assertThat(small.taken()).isZero();
    try (RequestMemory memory = enough.open()) {
      memory.bind();
      assertThat(has(second, latest, "/large")).isTrue();
      assertThat(enough.taken()).isBetween(400_000L, 500_000L);
      memory.dropRead();
      assertThat(enough.taken()).isZero();
    } finally {
      RequestMemory.unbind();
    }
  }

  @Test
  void whoFollowsReferralsIsToldThePrimaryAndWhoWasForwardedIsNotForwardedAgain() {
    for (Routing routing : List.of(Routing.REFER, Routing.HERE)) {
      assertThat(second.service.add(CallContext.ANONYMOUS.with(routing), junction("/n")))
          .isInstanceOfSatisfying(
              Answer.Referred.class, referred -> assertThat(referred.server()).isEqualTo(first.member.url()));
    }
  }

  @Test
  void readOfPrimaryConsistencySeesWhatAnybodyWasToldOnAReplicaThatIsBehind() {
    add(first, "/old");
    second.process.pause();
    try {
      add(first, "/new");
      assertThat(has(third, CallContext.ANONYMOUS.with(Consistency.PRIMARY), "/new")).isTrue();
    } finally {
      second.process.resume();
    }
  }

  @Test
  void boundedReadGoesToThePrimaryWhenTheReplicaIsTooOld() throws Exception {
    add(first, "/old");
    until("fresh again though nobody writes", SOON, () -> second.copy().ageMillis() < 1_000);
    try (Connection locking = DriverManager.getConnection(
        second.process.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD);
        Statement lock = locking.createStatement()) {
      // It goes on receiving, and applies nothing.
      lock.execute("FLUSH TABLES WITH READ LOCK");
      add(first, "/new");
      until("it has got old", SOON, () -> second.copy().ageMillis() > 300);
      assertThat(has(second, CallContext.ANONYMOUS.with(Consistency.bounded(Duration.ofMillis(200))), "/new")).isTrue();
      assertThat(has(second, CallContext.ANONYMOUS.with(Consistency.ANY), "/new")).isFalse();
      assertThat(
          second.service.query(CallContext.ANONYMOUS.with(Consistency.ANY), QueryRequest.of(Target.ROOT)).ageMillis())
          .isGreaterThan(300);
    }
  }

  @Test
  void plannedSwitchoverCostsNoRequest() throws Exception {
    Writers writers = new Writers(false, group.servers);
    try (writers) {
      writers.awaitMore(100);
      for (Server next : List.of(second, third, first)) {
        Handover.Result result = group.handover().switchover(next.member.url());
        assertThat(result.primary()).isEqualTo(next.member.url());
        writers.awaitMore(100);
      }
    }
    writers.assertAllThere(first);
  }

  /** Sessions waited there until its database followed the next primary. */
  @Test
  void thePrimaryThatHasSteppedDownAnswersReadsOfSessions() {
    Position last = add(first, "/n");
    Term term = TestGroup.nextTerm(first);
    TestGroup.freeze(first);
    MemberReport stepped = first.member.stepDown(term);
    assertThat(stepped.role()).isEqualTo(Role.REPLICA);
    assertThat(first.standings.now().copy()).isPresent();
    assertThat(has(first, seen(last), "/n")).isTrue();
    assertThat(first.member.lead(term, PromotionTerms.after(stepped.epoch(), stepped.epoch())).role())
        .isEqualTo(Role.PRIMARY);
    TestGroup.thaw(first);
    assertThat(has(second, seen(add(first, "/after")), "/after")).isTrue();
  }

  /** It waited half a second for them though its database received nothing before it followed the next primary. */
  @Test
  void readsOfLaterWritesDoNotWaitForThePrimaryThatHasSteppedDown() throws Exception {
    Term term = TestGroup.nextTerm(first);
    TestGroup.freeze(first);
    MemberReport stepped = first.member.stepDown(term);
    assertThat(stepsOfLaterRead(first)).containsExactly(new HopStep.Primary(HopStep.Reason.POSITION));
    MemberReport again = first.member.lead(term, PromotionTerms.after(stepped.epoch(), stepped.epoch()));
    assertThat(again.role()).isEqualTo(Role.PRIMARY);
    TestGroup.thaw(first);
    for (Server receiving : List.of(second, third)) {
      until("reads wait for what is on its way", SOON,
          () -> stepsOfLaterRead(receiving).getFirst() instanceof HopStep.Waited);
    }
  }

  /** The way of a read of what nobody has written yet, which this server does not pass on. */
  private static List<HopStep> stepsOfLaterRead(Server server) {
    Position last = server.copy().position();
    Explanation explanation = new Explanation();
    CallContext later =
        seen(new Position(last.group(), last.epoch() + 1, last.sequence() + 1)).with(Routing.HERE).with(explanation);
    try {
      var unused = server.service.query(later, QueryRequest.of(Target.ROOT));
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY);
    }
    return explanation.steps();
  }

  @Test
  void switchoverToADatabaseThatCannotBeReachedChangesNothing() throws Exception {
    for (String address : List.of("127.0.0.1:1", "127.0.0.1:" + first.process.port())) {
      Server wrong = group.addServerWithDatabaseAt(address);
      until("it follows", SOON, () -> follows(wrong, first));
      add(first, "/before" + group.servers.size());
      assertThatThrownBy(() -> group.handover().switchover(wrong.member.url()))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
          .hasMessageContaining("the database of " + wrong.member.url() + ", " + address + ", cannot be reached by")
          .hasMessageContaining(first.member.url())
          .hasMessageEndingWith("nothing was changed");
      assertThat(first.standings.now().role()).isEqualTo(Role.PRIMARY);
      add(first, "/after" + group.servers.size());
    }
  }

  /** As if the way to it had been closed after the others were asked, or their version could not check. */
  @Test
  void primaryGoesOnIfTheTargetOfASwitchoverFailsToLead() throws Exception {
    Server wrong = group.addServerWithDatabaseAt("127.0.0.1:1");
    until("it follows", SOON, () -> follows(wrong, first));
    Writers writers = new Writers(false, List.of(first, second));
    try (writers) {
      writers.awaitMore(100);
      List<GroupMember> unchecked =
          group.servers.stream().map(server -> (GroupMember) new UncheckedMember(server.member)).toList();
      Handover handover =
          new Handover(Topology.SOURCE_REPLICA, "http://operator", unchecked, true, TestGroup.WRITER.lease(),
              Timing.system());
      assertThatThrownBy(() -> handover.switchover(wrong.member.url()))
          .hasMessageContaining("no other server acknowledges writes of " + wrong.member.url())
          .hasMessageEndingWith("; " + first.member.url() + " is the primary again");
      until("all follow again", SOON, () -> follows(second, first) && follows(third, first) && follows(wrong, first));
      writers.awaitMore(100);
    }
    writers.assertAllThere(first);
    assertThat(first.copy().position().epoch()).isEqualTo(2);
  }

  /** A member that leaves out the check. */
  private record UncheckedMember(GroupMember member) implements GroupMember {
    @Override
    public String url() {
      return member.url();
    }

    @Override
    public MemberReport report() {
      return member.report();
    }

    @Override
    public MemberReport promise(Term term) {
      return member.promise(term);
    }

    @Override
    public MemberReport stepDown(Term term) {
      return member.stepDown(term);
    }

    @Override
    public MemberReport stopReceiving(Term term) {
      return member.stopReceiving(term);
    }

    @Override
    public boolean contains(String transactions) {
      return member.contains(transactions);
    }

    @Override
    public void checkReaches(String source) {}

    @Override
    public void follow(String source, String primary, int leading, Term term) {
      member.follow(source, primary, leading, term);
    }

    @Override
    public MemberReport lead(Term term, PromotionTerms terms) {
      return member.lead(term, terms);
    }
  }

  /** Otherwise it would go on behind its position, and never learn what the new primary did under the same numbers. */
  @Test
  void watcherThatKnowsChangesWhichAForcedFailoverLostStartsOver() throws Exception {
    Position kept = add(first, "/kept");
    until("the next primary has it", SOON, () -> second.copy().hasServed(Positions.of(kept)));
    TestGroup.cutOff(second);
    add(first, "/lost-1");
    Position lost = add(first, "/lost-2");
    assertThat(has(third, seen(lost), "/lost-2")).isTrue();
    assertThat(third.copy().changes().resume(lost)).isEqualTo(lost);
    first.process.kill();
    third.process.kill();
    Handover.Result forced = group.handover().failover(Optional.of(second.member.url()), true);
    TestGroup.thaw(second);
    ChangeFeed changes = second.copy().changes();
    assertStartsOver(changes, lost);
    assertThat(changes.resume(kept)).isEqualTo(kept);
    third.process.restart();
    var unused = group.join(third, second);
    until("writes are taken again", SOON, () -> takesWrites(second));
    for (int i = 0; i < 4; i++) {
      add(second, "/new-" + i);
    }
    assertStartsOver(changes, lost);
    ChangeFeed.Step step = changes.after(changes.resume(kept), RnsPath.ROOT, Duration.ZERO);
    assertThat(step.changes().getFirst().change().position().sequence()).isEqualTo(kept.sequence() + 1);
    assertThat(step.changes()).allMatch(placed -> placed.change().position().epoch() == forced.position().epoch());
  }

  private static void assertStartsOver(ChangeFeed changes, Position lost) {
    assertThatThrownBy(() -> changes.resume(lost))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR))
        .hasMessageContaining("position " + lost + " is not in the log of changes");
  }

  @Test
  void failoverAfterTheDeathOfTheDatabaseLosesNothingThatWasAcknowledged() throws Exception {
    Writers writers = new Writers(true, group.servers);
    Server next;
    try (writers) {
      writers.awaitMore(200);
      first.process.kill();
      next = group.server(group.failover().primary());
      assertThat(next).isNotSameAs(first);
      writers.awaitMore(200);
      first.process.restart();
      until(
          "the old one follows or is kept out",
          SOON,
          () -> follows(first, next) || first.standings.now().role() == Role.OUTSIDE);
    }
    writers.assertAllThere(next);
    assertThat(has(first, CallContext.ANONYMOUS.with(Consistency.PRIMARY), "/w0-0")).isTrue();
  }

  @Test
  @Tag("long")
  void primaryWhoseDatabaseWasPausedCannotCommitAnyMore() throws Exception {
    Writers writers = new Writers(true, group.servers);
    Server next;
    try (writers) {
      writers.awaitMore(200);
      first.process.pause();
      try {
        next = group.server(group.failover().primary());
        assertThat(next).isNotSameAs(first);
        writers.awaitMore(200);
      } finally {
        first.process.resume();
      }
      until(
          "the old one follows or is kept out",
          SOON,
          () -> follows(first, next) || first.standings.now().role() == Role.OUTSIDE);
      writers.awaitMore(100);
    }
    writers.assertAllThere(next);
  }

  @Test
  void databaseThatDiesAndComesBackIsStillThePrimarysWhenNobodyTookOver() throws Exception {
    Writers writers = new Writers(true, group.servers);
    try (writers) {
      writers.awaitMore(100);
      first.process.kill();
      first.process.restart();
      writers.awaitMore(100);
    }
    writers.assertAllThere(first);
    assertThat(first.standings.now().role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void writesAreRefusedClearlyWhenNoReplicaAcknowledgesThem() throws Exception {
    add(first, "/before");
    second.process.kill();
    third.process.kill();
    until(
        "refused with the reason",
        SOON,
        () -> {
          try {
            first.service.add(CallContext.ANONYMOUS, junction("/after"));
            return false;
          } catch (RnsException e) {
            return e.error() == RnsError.UNAVAILABLE && e.getMessage().contains("no replica acknowledges");
          }
        });
    assertThat(has(first, CallContext.ANONYMOUS, "/before")).isTrue();
    second.process.restart();
    until("taken again", SOON, () -> takesWrites(first));
  }

  private static boolean takesWrites(Server server) {
    try {
      server.service.add(CallContext.ANONYMOUS.with(RequestId.random()), junction("/again"));
      return true;
    } catch (RnsException e) {
      return false;
    }
  }

  @Test
  void failoverRefusesWhoLacksWhatAnotherOneHasAndLeavesTheGroupAsItWas() throws Exception {
    TestGroup.cutOff(second);
    Position position = add(first, "/only-on-two");
    assertThat(has(third, seen(position), "/only-on-two")).isTrue();
    assertThatThrownBy(() -> group.handover().failover(Optional.of(second.member.url()), false))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("lacks transactions");
    until("the old primary goes on", SOON,
        () -> first.standings.now().role() == Role.PRIMARY && follows(second, first));
    add(first, "/after");
    first.process.kill();
    assertThat(group.server(group.failover().primary())).isIn(second, third);
    TestGroup.thaw(second);
    assertThat(has(second, CallContext.ANONYMOUS.with(Consistency.PRIMARY), "/after")).isTrue();
  }

  /**
   * As the crash of a primary's server leaves it. It followed only a member that led already, and this one needs its
   * acknowledgement to lead.
   */
  @Test
  void databaseThatIsLeftTakingWritesAcknowledgesForTheNextPrimary() throws Exception {
    add(first, "/before");
    TestGroup.freeze(third);
    try (DatabaseMember database = third.process.member()) {
      database.makeWritable(1);
      String left = database.state().transactions();
      until("the other one has all of it", SOON, () -> second.member.contains(left));
    }
    first.process.kill();
    assertThat(group.handover().failover(Optional.of(second.member.url()), false).primary())
        .isEqualTo(second.member.url());
    TestGroup.thaw(third);
    assertThat(has(third, seen(add(second, "/after")), "/before")).isTrue();
  }

  /** It waited for an acknowledgement, which an empty database gives only once it has copied the new primary's. */
  @Test
  void theLastCopyLeadsBesideDatabasesWhoseRebuildFailed() throws Exception {
    Position before = add(first, "/before");
    List<Server> rebuilt = List.of(second, third);
    MemberReport primary = first.member.report();
    rebuilt.forEach(TestGroup::freeze);
    first.process.kill();
    for (Server server : rebuilt) {
      assertThatThrownBy(() -> server.member.join(primary)).isInstanceOf(RnsException.class);
      try (DatabaseMember database = server.process.member()) {
        assertThat(database.state().transactions()).isEmpty();
      }
    }
    first.process.restart();
    try (DatabaseMember database = first.process.member()) {
      until("its server has noticed that it is back", SOON, () -> database.state().writable());
      assertThat(database.reachesBack()).isTrue();
    }
    assertThat(group.failover().primary()).isEqualTo(first.member.url());
    TestGroup.thaw(second, third);
    until("writes are taken again", SOON, () -> takesWrites(first));
    until("all have copied", SOON, () -> follows(second, first) && follows(third, first));
    assertThat(has(second, seen(before), "/before")).isTrue();
  }

  @Test
  void failoverRefusesWhenOnlyThoseMayHaveAWriteWhoCannotBeAsked() {
    add(first, "/n");
    first.process.kill();
    third.process.kill();
    assertThatThrownBy(() -> group.failover())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining(third.member.url());
  }

  @Test
  void writeThatNobodyAcknowledgedIsSeenByNobodyAndAppliedOnceWhenRepeated() throws Exception {
    Position before = add(first, "/before");
    TestGroup.cutOff(second);
    TestGroup.cutOff(third);
    CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer<List<Outcome<Entry>>>> write = threads.submit(() -> first.service.add(call, junction("/doubtful")));
      until("it is on its way", SOON, () -> !second.member.contains(transactions(first)));
      first.process.kill();
      Server next = group.server(group.failover().primary());
      TestGroup.thaw(second, third);
      first.process.restart();
      until("the old one has found its side", SOON,
          () -> follows(first, next) || first.standings.now().role() == Role.OUTSIDE);
      // The caller's server has found the new primary for him.
      Answer<List<Outcome<Entry>>> answer = write.get(30, java.util.concurrent.TimeUnit.SECONDS);
      assertThat(answer.position().epoch()).isGreaterThan(before.epoch());
      assertThat(next.service.add(call, junction("/doubtful")).position()).isEqualTo(answer.position());
      for (Server server : group.servers) {
        assertThat(has(server, seen(answer.position()), "/doubtful")).isTrue();
      }
    }
  }

  /**
   * Whether a server is the primary now; not if the primary has just committed something, perhaps a beat, that it
   * lacks.
   */
  private boolean failsOver(Server to) {
    try {
      return group.handover().failover(Optional.of(to.member.url()), false).primary().equals(to.member.url());
    } catch (RnsException e) {
      if (e.error() == RnsError.INVALID_REQUEST && String.valueOf(e.getMessage()).contains("lacks transactions")) {
        return false;
      }
      throw e;
    }
  }

  /**
   * It was made the primary again, and could not commit; later it followed another one in spite of what it alone had.
   */
  @Test
  @Tag("long")
  void primaryThatNobodyHearsStaysOutsideThroughLaterChangesUntilItIsMadeAnew() throws Exception {
    // In this order, or a beat in between would be the third one's only.
    TestGroup.cutOff(third);
    TestGroup.cutOff(second);
    CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer<List<Outcome<Entry>>>> write = threads.submit(() -> first.service.add(call, junction("/doubtful")));
      until("its database has it", SOON, () -> !second.member.contains(transactions(first)));
      Handover.Result result = group.handover().failover(Optional.of(second.member.url()), false);
      TestGroup.thaw(second, third);
      assertThat(result.former()).contains(first.member.url());
      assertThat(write.get(30, java.util.concurrent.TimeUnit.SECONDS).position().epoch()).isEqualTo(2);
    }
    until("it is outside", SOON, () -> first.standings.now().role() == Role.OUTSIDE && follows(third, second));
    // That of a group that is well: nobody else is left outside.
    until("the third one has all", SOON, () -> failsOver(third));
    until("the others have changed sides", SOON, () -> follows(second, third));
    assertThat(first.standings.now().role()).isEqualTo(Role.OUTSIDE);
    until("it knows the next primary", SOON,
        () -> first.standings.now().primary().equals(Optional.of(third.member.url())));

    Term term = TestGroup.nextTerm(third);
    third.member.stepDown(term);
    until("it knows of no primary", SOON, () -> first.standings.now().primary().isEmpty());
    assertThatThrownBy(() -> has(first, CallContext.ANONYMOUS.with(Consistency.ANY), "/"))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("./rns join");
    third.member.lead(term, PromotionTerms.after(0, 0));
    until("the others follow again", SOON, () -> follows(second, third));

    third.process.kill();
    String why = "no other server acknowledges writes of " + second.member.url();
    // The first one has it apply the last beat that it has received.
    assertThatThrownBy(() -> group.handover().failover(Optional.of(second.member.url()), false))
        .hasMessageContaining(why);
    String had = transactions(second);
    assertThatThrownBy(() -> group.handover().failover(Optional.of(second.member.url()), false))
        .hasMessageContaining(why);
    assertThat(transactions(second)).isEqualTo(had);
    Handover.Result forced = group.handover().failover(Optional.of(second.member.url()), true);
    assertThat(forced.position().epoch()).isGreaterThan(3);
    var unused = group.join(first, second);
    until("writes are taken again", SOON, () -> takesWrites(second));
    Position last = add(second, "/last");
    assertThat(has(first, seen(last), "/doubtful")).isTrue();
  }

  private static String transactions(Server server) {
    return server.member.report().database().orElseThrow().transactions();
  }

  @Test
  @Tag("long")
  void newMemberAndOneThatIsMadeAnewGetTheirCopiesWhileWritesGoOn() throws Exception {
    Writers writers = new Writers(false, List.of(first, second));
    Server fourth;
    try (writers) {
      writers.awaitMore(300);
      fourth = group.addServer();
      until("the new one serves", SOON, () -> follows(fourth, first));
      writers.awaitMore(100);
      var unused = group.join(third, first);
      until("the renewed one serves", SOON, () -> follows(third, first));
      writers.awaitMore(100);
    }
    Position last = add(first, "/last");
    for (Server server : List.of(third, fourth)) {
      // Until then it would let the primary answer who has seen that.
      until("it has got everything", SOON, () -> server.copy().hasServed(Positions.of(last)));
      for (String path : writers.acknowledged.keySet()) {
        assertThat(has(server, CallContext.ANONYMOUS.with(Consistency.ANY), path)).as(path).isTrue();
      }
    }
    assertThat(writers.failures).isEmpty();
    assertThat(group.handover().switchover(fourth.member.url()).primary()).isEqualTo(fourth.member.url());
    add(first, "/written-at-the-new-one");
  }
}
