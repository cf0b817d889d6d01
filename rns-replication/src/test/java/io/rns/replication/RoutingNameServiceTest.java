package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rns.client.http.MessageAuthentication;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.EntryFilter;
import io.rns.api.Explanation;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.HopStep;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RoutingNameServiceTest {
  private static final int MORE = 50;
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);
  private static final AddRequest ADD = AddRequest.of(NewEntry.directory(Target.of("/a")));

  @Test
  @Timeout(60)
  void onlySoManyRequestsWaitForAPrimary() throws InterruptedException, ExecutionException {
    CurrentRole role = new CurrentRole(RoleState.starting("new"));
    Duration most = Duration.ofDays(1);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (RoutingNameService service =
        new RoutingNameService(role, new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}),
            most)) {
      var calls = new ExecutorCompletionService<RnsError>(threads);
      for (int i = 0; i < RoutingNameService.MOST_WAITING + MORE; i++) {
        CallContext call = CallContext.ANONYMOUS.with(RequestId.random()).from("client " + i);
        calls.submit(() -> catchThrowableOfType(RnsException.class, () -> service.add(call, ADD)).error());
      }
      for (int i = 0; i < MORE; i++) {
        assertThat(calls.take().get()).isEqualTo(RnsError.BUSY);
      }
      assertThat(calls.poll()).as("the others wait").isNull();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Timeout(60)
  void oneCallerLeavesAQuarterOfThePlacesToOthers() throws InterruptedException, ExecutionException {
    CurrentRole role = new CurrentRole(RoleState.starting("new"));
    Duration most = Duration.ofDays(1);
    int own = RoutingNameService.MOST_WAITING * 3 / 4;
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (RoutingNameService service =
        new RoutingNameService(role, new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}),
            most)) {
      var calls = new ExecutorCompletionService<RnsException>(threads);
      for (int i = 0; i < own + 1; i++) {
        calls.submit(() -> catchThrowableOfType(RnsException.class, () -> service.add(CallContext.ANONYMOUS, ADD)));
      }
      assertThat(calls.take().get())
          .hasMessage(own + " requests of this caller wait for the primary already, its own limit");
      calls.submit(
          () -> catchThrowableOfType(
              RnsException.class, () -> service.add(CallContext.ANONYMOUS.from("192.0.2.1"), ADD)));
      assertThat(calls.poll()).as("the other caller waits").isNull();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Timeout(60)
  void aReadThatFindsNeitherACopyNorAPrimaryIsRefusedWhileOthersWaitForThePrimary() {
    RoleState outside = new RoleState(Role.OUTSIDE, Optional.empty(), Optional.empty(), "it has what others lack");
    CurrentRole changing = new CurrentRole(new RoleState(Role.PRIMARY, Optional.empty(), Optional.empty(), ""));
    changing.set(RoleState.starting("the primary is changing"));
    Duration most = Duration.ofDays(1);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (
        RoutingNameService service =
            new RoutingNameService(new CurrentRole(outside),
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most);
        RoutingNameService former =
            new RoutingNameService(changing,
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most)) {
      CallContext latest = CallContext.ANONYMOUS.with(Consistency.PRIMARY);
      List<Future<?>> waiting =
          List.of(
              threads.submit(() -> service.query(latest, ROOT)),
              threads.submit(() -> former.query(CallContext.ANONYMOUS, ROOT)),
              threads.submit(() -> service.add(CallContext.ANONYMOUS.with(RequestId.random()), ADD)));
      List<Consistency> others =
          List.of(Consistency.SESSION, Consistency.ANY, Consistency.bounded(Duration.ofSeconds(5)));
      for (Consistency consistency : others) {
        assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS.with(consistency), ROOT))
            .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
            .hasMessageContaining("nothing to read: it has what others lack");
      }
      assertThat(waiting).noneMatch(Future::isDone);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Timeout(60)
  void aRequestForwardedToAPrimaryThatHangsGoesToTheNextOne() throws IOException {
    Duration most = Duration.ofDays(1);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (ServerSocket hanging = new ServerSocket(0, MORE, InetAddress.getLoopbackAddress());
        ServerSocket next = new ServerSocket(0, MORE, InetAddress.getLoopbackAddress())) {
      CurrentRole standings = new CurrentRole(replicaOf(hanging));
      try (RoutingNameService service =
          new RoutingNameService(standings,
              new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most)) {
        Future<?> first = threads.submit(() -> service.add(CallContext.ANONYMOUS, ADD));
        try (Socket waiting = hanging.accept()) {
          assertThat(waiting.getInputStream().read()).as("the request has come").isNotNegative();
          standings.set(replicaOf(next));
          Future<?> second = threads.submit(() -> service.add(CallContext.ANONYMOUS, ADD));
          try (Socket one = next.accept(); Socket other = next.accept()) {
            assertThat(List.of(one, other)).as("both have come").allMatch(Socket::isConnected);
            assertThat(List.of(first, second)).as("both wait").noneMatch(Future::isDone);
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static RoleState replicaOf(ServerSocket primary) {
    return new RoleState(
        Role.STARTING, Optional.empty(), Optional.of("http://127.0.0.1:" + primary.getLocalPort() + "/rns"), "");
  }

  @Test
  @Timeout(60)
  void aReadThatBeganBeforeThePrimaryWasKnownIsSentThere() throws InterruptedException, ExecutionException {
    CurrentRole standings = new CurrentRole(RoleState.starting("new"));
    Duration most = Duration.ofDays(1);
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER);
    try (
        RoutingNameService service =
            new RoutingNameService(standings,
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer<List<Outcome<Entry>>>> read = threads.submit(() -> service.query(call, ROOT));
      standings.set(new RoleState(Role.STARTING, Optional.empty(), Optional.of("http://a/rns"), ""));
      assertThat(read.get()).isEqualTo(new Answer.Referred<>("http://a/rns", "the primary is http://a/rns"));
      SubtreeRequest subtree =
          new SubtreeRequest(Target.ROOT, SubtreeRequest.Order.NAMES, 1, EntryFilter.ALL, 1, Optional.empty());
      assertThat(service.subtree(call, subtree)).isEqualTo(read.get());
      assertThatThrownBy(read.get()::value)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.referral()).contains("http://a/rns"));
    }
  }

  /** Otherwise whoever forwarded it would come back again and again, and each time a little late. */
  @Test
  @Timeout(60)
  void aForwardedRequestWaitsAtTheServerThatIsBecomingThePrimary() throws InterruptedException {
    CurrentRole standings = new CurrentRole(RoleState.starting("it is becoming the primary"));
    standings.beginPromotion();
    Duration most = Duration.ofDays(1);
    AtomicReference<Answer<List<Outcome<Entry>>>> answer = new AtomicReference<>();
    try (
        RoutingNameService service =
            new RoutingNameService(standings,
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most)) {
      Thread forwarded =
          Thread.ofPlatform().start(() -> answer.set(service.add(CallContext.ANONYMOUS.with(Routing.HERE), ADD)));
      while (forwarded.isAlive() && forwarded.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      standings.set(new RoleState(Role.REPLICA, Optional.empty(), Optional.of("http://a/rns"), ""));
      forwarded.join();
      assertThat(answer.get()).isInstanceOf(Answer.Referred.class);
      assertThatThrownBy(() -> service.add(CallContext.ANONYMOUS.with(Routing.HERE), ADD).value())
          .as("no longer").isInstanceOf(RnsException.class);
    }
  }

  @Test
  @Timeout(60)
  void theCopyOfADeposedPrimaryAnswersNoReadOfConsistencyPrimary() throws InterruptedException, ExecutionException {
    Duration most = Duration.ofDays(1);
    RoleState deposed =
        new RoleState(Role.PRIMARY, Optional.of(new DeposedCopy()), Optional.of("http://self/rns"), "");
    CurrentRole standings = new CurrentRole(deposed);
    try (
        RoutingNameService service =
            new RoutingNameService(standings,
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Consistency consistency : List.of(Consistency.PRIMARY, Consistency.bounded(most))) {
        standings.set(deposed);
        CallContext call = CallContext.ANONYMOUS.with(consistency);
        assertThat(service.mayWait(true, consistency, Positions.NONE)).as("may wait for the next primary").isTrue();
        assertThatThrownBy(() -> service.query(call.with(Routing.HERE), ROOT))
            .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
        Future<Answer<List<Outcome<Entry>>>> read = threads.submit(() -> service.query(call.with(Routing.REFER), ROOT));
        standings.set(new RoleState(Role.REPLICA, Optional.empty(), Optional.of("http://next/rns"), ""));
        assertThat(read.get()).isEqualTo(new Answer.Referred<>("http://next/rns", "the primary is http://next/rns"));
      }
    }
  }

  /** A primary that was busy refused them at once, also in a planned change that is to fail no request. */
  @Test
  @Timeout(60)
  void aReadThatNeedsAllWritesWaitsForAPrimaryThatCommitsAgainAMomentLater() {
    Duration most = Duration.ofDays(1);
    for (Consistency consistency : List.of(Consistency.PRIMARY, Consistency.bounded(most))) {
      CallContext call = CallContext.ANONYMOUS.with(consistency);
      try (RoutingNameService busy = primary(new BusyCopy(3)); RoutingNameService cutOff = primary(new BusyCopy(-1))) {
        assertThat(busy.query(call, ROOT).value()).isEmpty();
        assertThatThrownBy(() -> cutOff.query(call, ROOT))
            .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
      }
    }
  }

  private static RoutingNameService primary(LocalCopy copy) {
    Duration most = Duration.ofDays(1);
    CurrentRole role =
        new CurrentRole(new RoleState(Role.PRIMARY, Optional.of(copy), Optional.of("http://self/rns"), ""));
    return new RoutingNameService(
        role, new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most);
  }

  /** It waited for half a second until it had what the next primary had written. */
  @Test
  void aReadOfLaterWritesDoesNotWaitForADatabaseThatIsBeingReconnected() {
    CurrentRole standings =
        new CurrentRole(
            new RoleState(Role.REPLICA, Optional.of(new DeposedCopy()), Optional.of("http://next/rns"), ""));
    standings.setReconnecting(true);
    Duration most = Duration.ofDays(1);
    try (
        RoutingNameService service =
            new RoutingNameService(standings,
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most)) {
      assertThat(service.query(CallContext.ANONYMOUS.with(Routing.REFER), ROOT))
          .isEqualTo(new Answer.Referred<>("http://next/rns", "the primary is http://next/rns"));
    }
  }

  @Test
  void whyTheCopyOfAReplicaDoesNotSufficeIsExplained() {
    Duration most = Duration.ofSeconds(1);
    Position seen = new Position(0, 1, 9);
    Optional<String> primary = Optional.of("http://primary/rns");
    RoleState lagging = new RoleState(Role.REPLICA, Optional.of(new LaggingCopy()), primary, "");
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER);
    assertThat(steps(lagging, call.with(Consistency.PRIMARY), most))
        .containsExactly(new HopStep.Primary(HopStep.Reason.CONSISTENCY));
    assertThat(steps(lagging, call.with(Consistency.bounded(most)), most))
        .containsExactly(new HopStep.Primary(HopStep.Reason.AGE));
    List<HopStep> session = steps(lagging, call.withSeen(seen), most);
    assertThat(session).hasSize(2).last().isEqualTo(new HopStep.Primary(HopStep.Reason.POSITION));
    assertThat(session.getFirst()).isInstanceOfSatisfying(
        HopStep.Waited.class,
        waited -> {
          assertThat(waited.position()).isEqualTo(seen);
          assertThat(waited.reached()).isFalse();
        });
    RoleState without = new RoleState(Role.REPLICA, Optional.empty(), primary, "");
    assertThat(steps(without, call, most)).containsExactly(new HopStep.Primary(HopStep.Reason.NO_COPY));
    RoleState deposed = new RoleState(Role.PRIMARY, Optional.of(new DeposedCopy()), primary, "");
    Explanation explanation = new Explanation();
    try (
        RoutingNameService service =
            new RoutingNameService(new CurrentRole(deposed),
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}), most)) {
      assertThatThrownBy(
          () -> service.query(
              call.with(Routing.HERE).with(Consistency.PRIMARY).with(explanation), ROOT))
          .isInstanceOf(RnsException.class);
    }
    assertThat(explanation.steps()).containsExactly(new HopStep.Primary(HopStep.Reason.CONSISTENCY));
  }

  private static List<HopStep> steps(RoleState role, CallContext call, Duration most) {
    Explanation explanation = new Explanation();
    try (
        RoutingNameService service =
            new RoutingNameService(new CurrentRole(role),
                new Forwarding(MessageAuthentication.NONE, most, TlsTrust.SYSTEM, bytes -> {}),
                most)) {
      assertThat(service.query(call.with(explanation), ROOT)).isInstanceOf(Answer.Referred.class);
      Explanation written = new Explanation();
      assertThat(service.add(call.with(written), ADD)).isInstanceOf(Answer.Referred.class);
      assertThat(written.steps()).containsExactly(new HopStep.Primary(HopStep.Reason.WRITE));
    }
    return explanation.steps();
  }

  /** The copy of a replica that has missed the last changes. */
  private static final class LaggingCopy extends DeposedCopy {
    @Override
    public long ageMillis() {
      return Duration.ofDays(1).toMillis();
    }

    @Override
    public Position position() {
      return new Position(0, 1, 5);
    }

    @Override
    public boolean hasServed(Positions seen) {
      return seen.isEmpty();
    }

    @Override
    public boolean awaitServed(Positions seen, Duration most) {
      return seen.isEmpty();
    }
  }

  /** The copy of a primary that has not been able to commit for long, and can once it was asked so often. */
  private static final class BusyCopy extends DeposedCopy {
    private int questions;

    BusyCopy(int questions) {
      this.questions = questions;
    }

    @Override
    public void checkLatest() {
      if (questions != 0) {
        questions--;
        throw new RnsException(RnsError.UNAVAILABLE, "this server has not been able to commit for 1500 ms");
      }
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      return Answer.of(List.of(), new Position(0, 1, 9));
    }
  }

  /** The copy of a server whose writer is deposed, and which has nothing that was written since. */
  private static class DeposedCopy implements LocalCopy {
    @Override
    public void checkLatest() {
      throw new RnsException(RnsError.NOT_PRIMARY, "another server is the primary");
    }

    @Override
    public long ageMillis() {
      return 0;
    }

    @Override
    public Position position() {
      throw unused();
    }

    @Override
    public boolean hasServed(Positions seen) {
      return false;
    }

    @Override
    public boolean awaitServed(Positions seen, Duration most) {
      throw unused();
    }

    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      throw unused();
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      throw unused();
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      throw unused();
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      throw unused();
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      throw unused();
    }

    private static AssertionError unused() {
      return new AssertionError("the copy was used");
    }

    @Override
    public void close() {}
  }
}
