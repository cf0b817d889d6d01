package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes find the primary, wherever it goes. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReferralsTest {
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private final NameService tree = new ModelNameService();
  private final TestMember a = new TestMember(tree);
  private final TestMember b = new TestMember(tree);
  private final TestMember c = new TestMember(tree);
  private final TestServer atA = TestServer.start(a);
  private final TestServer atB = TestServer.start(b);
  private final TestServer atC = TestServer.start(c);
  private int added;

  @AfterEach
  void stop() {
    List.of(atA, atB, atC).forEach(TestServer::close);
  }

  private static RnsClient.Builder of(TestServer... servers) {
    return RnsClient.builder()
        .servers(List.of(servers).stream().map(TestServer::address).toList())
        .firstPause(Duration.ofMillis(1))
        .closeWait(Duration.ZERO);
  }

  private void write(NameService client) {
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/" + added++)));
    assertThat(client.add(CallContext.ANONYMOUS, request).value().get(0).orThrow()).isNotNull();
  }

  private void primaryIsB() {
    a.asReplicaOf(atB.address());
    b.asPrimary();
    c.asReplicaOf(atB.address());
  }

  @Test
  void aReferralIsFollowedAndRememberedForWritesOnly() {
    primaryIsB();
    try (NameService client = of(atA).build()) {
      for (int i = 0; i < 5; i++) {
        write(client);
        client.query(CallContext.ANONYMOUS, ROOT);
      }
      assertThat(atA.calls()).as("the first write, and the reads").hasSize(6);
      assertThat(atB.calls()).hasSize(5).allMatch(call -> call.routing() == Routing.REFER);
      assertThat(atB.requestIds()).as("one id at both").contains(atA.requestIds().get(0));
      client.query(CallContext.ANONYMOUS.with(Consistency.PRIMARY), ROOT);
      assertThat(atA.calls()).as("nor reads of what only the primary knows").hasSize(6);
    }
  }

  @Test
  void thePrimaryIsForgottenWhenItMoves() {
    primaryIsB();
    try (NameService client = of(atA).build()) {
      write(client);
      b.asReplicaOf(atC.address());
      c.asPrimary();
      write(client);
      write(client);
      assertThat(atC.calls()).hasSize(2);
      assertThat(atA.calls()).as("the old primary knew the new one").hasSize(1);

      c.withoutPrimary();
      a.asReplicaOf(atB.address());
      b.asPrimary();
      write(client);
      assertThat(atC.calls()).hasSize(3);
      assertThat(atA.calls()).as("and where it does not, the own server does").hasSize(2);
    }
  }

  @Test
  void aPrimaryThatIsGoneIsForgotten() {
    primaryIsB();
    try (NameService client = of(atA).build()) {
      write(client);
      atB.close();
      a.asReplicaOf(atC.address());
      c.asPrimary();
      write(client);
      assertThat(atC.calls()).hasSize(1);
      atC.close();
      write(client);
      assertThat(atA.calls().get(atA.calls().size() - 1).routing()).isEqualTo(Routing.FORWARD);
    }
  }

  @Test
  void aReferralThatLeadsNowhereEndsInForwarding() throws IOException {
    for (String address : List.of(ServerGroupTest.nobody().toString(), "urn:nowhere", "no address")) {
      TestMember member = new TestMember(tree).asReplicaOf(URI.create(address.replace(' ', '-')));
      try (TestServer server = TestServer.start(member);
          NameService client = of(server).build()) {
        write(client);
        write(client);
        assertThat(server.calls().stream().map(CallContext::routing))
            .as(address).containsExactly(Routing.REFER, Routing.FORWARD, Routing.FORWARD);
      }
    }
  }

  @Test
  void aLoopOfReferralsIsBounded() {
    a.asReplicaOf(atB.address());
    b.asReplicaOf(atC.address());
    c.asReplicaOf(atA.address());
    try (NameService client = of(atA).attempts(1).build()) {
      assertThatThrownBy(() -> write(client))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY))
          .hasMessageContaining("after 3 other referrals");
      assertThat(List.of(atA.calls().size(), atB.calls().size(), atC.calls().size())).containsExactly(2, 1, 1);
    }
  }

  @Test
  void aWriteWaitsForAPrimaryUpToTheDeadline() throws InterruptedException, ExecutionException {
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try (NameService client = of(atA, atB, atC).build()) {
      Future<?> write = caller.submit(() -> write(client));
      while (atA.calls().size() < 8) {
        assertThat(write.isDone()).isFalse();
        Thread.onSpinWait();
      }
      primaryIsB();
      write.get();
      assertThat(atB.requestIds()).containsOnly(atA.requestIds().get(0));
    } finally {
      caller.shutdownNow();
    }
    try (NameService client = of(atA).deadline(Duration.ofMillis(200)).build()) {
      a.withoutPrimary();
      assertThatThrownBy(() -> write(client)).hasMessageContaining("no primary is known here (attempt ");
    }
  }

  @Test
  void oneOfTheOwnServersThatIsThePrimaryIsFound() {
    b.asPrimary();
    try (NameService client = of(atA, atB, atC).build()) {
      write(client);
      write(client);
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(atA.calls()).as("asked for the first write and for the read").hasSize(2);
      assertThat(atB.calls()).hasSize(2);
      assertThat(atC.calls()).isEmpty();
    }
  }

  @Test
  void aServerThatFindsNoPrimaryKeepsTheReads() {
    b.asPrimary();
    NameService lost =
        new Interposed(
            new TestMember(tree),
            request -> {
              if (request instanceof AddRequest) {
                throw new RnsException(RnsError.UNAVAILABLE, "no primary is known after 1 ms");
              }
            });
    try (TestServer atLost = TestServer.start(lost);
        NameService client = of(atLost, atB).build()) {
      write(client);
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(atLost.calls()).hasSize(2);
      assertThat(atB.calls()).hasSize(1);
    }
  }

  @Test
  void referralsAreNotFollowedWhereTheCallOrTheClientSaysSo() {
    primaryIsB();
    try (NameService client = of(atA).followReferrals(false).build()) {
      write(client);
      assertThat(atA.calls()).singleElement().matches(call -> call.routing() == Routing.FORWARD);
      AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/here")));
      assertThatThrownBy(() -> client.add(CallContext.ANONYMOUS.with(Routing.HERE), request))
          .isInstanceOfSatisfying(
              RnsException.class, e -> assertThat(e.referral()).contains(atB.address().toString()));
      assertThat(atA.calls()).as("nor is it repeated").hasSize(2);
      assertThat(atB.calls()).isEmpty();
    }
  }
}
