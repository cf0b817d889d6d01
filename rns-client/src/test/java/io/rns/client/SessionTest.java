package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.client.call.NoPools;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.http.TlsTrust;
import io.rns.error.Limits;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was seen is remembered, sent, and handed over. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionTest {
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private final NameService tree = new ModelNameService();

  private static RnsClient.Builder of(URI... servers) {
    return RnsClient.builder().servers(servers).firstPause(Duration.ofMillis(1)).closeWait(Duration.ZERO);
  }

  private static Answer<List<Outcome<Entry>>> write(NameService client, String path) {
    return client.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path))));
  }

  /** A server that is never asked. */
  private static Servers servers() {
    HttpEndpoint endpoint =
        new HttpEndpoint(URI.create("http://h/"), Duration.ofSeconds(1), Duration.ZERO, 1, Ticker.SYSTEM, bytes -> {},
            TlsTrust.SYSTEM);
    SoapNameService service = new SoapNameService(endpoint, Duration.ofSeconds(1), ReferralKeeper.silent());
    return new Servers(List.of(endpoint.uri()), uri -> service);
  }

  /** A service that answers nothing but positions, those of a list in turn. */
  private static RnsConnection telling(List<CallContext> asked, Consistency consistency, Position... positions) {
    List<Position> next = new ArrayList<>(List.of(positions));
    NameService model = new ModelNameService();
    NameService telling =
        new AnswersWith(model, (call, answer) -> {
          asked.add(call);
          return next.isEmpty() ? answer : Answer.of(answer.value(), next.remove(0));
        });
    return new SessionNameService(telling, consistency, Routing.REFER, new NoPools("none here"),
        new NamedChoosing(servers()), Optional.empty(), TlsTrust.SYSTEM, CredentialSource.NONE);
  }

  @Test
  void whatWasSeenIsSentWithTheNextCall() {
    try (TestServer server = TestServer.start(tree);
        RnsConnection client = of(server.address()).build()) {
      assertThat(client.positions()).isEqualTo(Positions.NONE);
      Position first = write(client, "/a").position();
      assertThat(client.positions()).isEqualTo(Positions.of(first));
      Position second = write(client, "/b").position();
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(server.calls().stream().map(CallContext::seen))
          .containsExactly(Positions.NONE, Positions.of(first), Positions.of(second));
      assertThat(server.calls()).allMatch(call -> call.consistency().equals(Consistency.SESSION));
    }
  }

  @Test
  void aReplicaThatLagsIsNotBelieved() {
    TestMember primary = new TestMember(tree).asPrimary();
    try (TestServer atPrimary = TestServer.start(primary);
        TestServer atReplica = TestServer.start(new TestMember(tree).asReplicaOf(atPrimary.address()).behind(0));
        RnsConnection client = of(atReplica.address()).build()) {
      Position written = write(client, "/a").position();
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(atPrimary.calls()).as("the write, and the read that the replica referred").hasSize(2);
      client.query(CallContext.ANONYMOUS.with(Consistency.ANY), ROOT);
      assertThat(atPrimary.calls()).hasSize(2);
      assertThat(client.positions()).as("an older answer does not take it back").isEqualTo(Positions.of(written));
    }
  }

  @Test
  void aSessionIsHandedOver() {
    try (TestServer server = TestServer.start(tree);
        RnsConnection one = of(server.address()).build();
        RnsConnection other = of(server.address()).build()) {
      Position written = write(one, "/a").position();
      other.seen(Positions.parse(one.positions().toString()));
      other.query(CallContext.ANONYMOUS, ROOT);
      assertThat(server.calls().get(1).seen()).isEqualTo(Positions.of(written));
    }
  }

  @Test
  void positionsOfGroupsAreKeptApart() {
    List<CallContext> asked = new ArrayList<>();
    Position high = new Position(0, 1, 90);
    Position other = new Position(7, 1, 3);
    Position next = new Position(0, 2, 90);
    RnsConnection session =
        telling(asked, Consistency.SESSION, high, other, new Position(7, 1, 2), new Position(0, 1, 50), next);
    for (int i = 0; i < 6; i++) {
      session.query(CallContext.ANONYMOUS, ROOT);
    }
    Positions both = Positions.of(high).with(other);
    assertThat(asked.stream().map(CallContext::seen))
        .containsExactly(
            Positions.NONE, Positions.of(high), both, both, both, Positions.of(other).with(next));
    assertThat(session.positions()).isEqualTo(Positions.parse("0-2-90,7-1-3"));
  }

  @Test
  void aSessionOfMoreGroupsThanARequestCarriesReadsAtThePrimary() {
    for (int groups : new int[]{Limits.SESSION_GROUPS - 1, Limits.SESSION_GROUPS, Limits.SESSION_GROUPS + 1}) {
      List<CallContext> asked = new ArrayList<>();
      RnsConnection session = telling(asked, Consistency.SESSION);
      for (int group = 0; group < groups; group++) {
        session.seen(Positions.of(new Position(group, 1, 5)));
      }
      session.query(CallContext.ANONYMOUS, ROOT);
      session.query(CallContext.ANONYMOUS.withSeen(new Position(1, 1, 9)), ROOT);
      boolean many = groups > Limits.SESSION_GROUPS;
      assertThat(asked).allSatisfy(
          call -> {
            assertThat(call.consistency()).isEqualTo(many ? Consistency.PRIMARY : Consistency.SESSION);
            assertThat(call.seen().each()).hasSize(many ? 0 : groups);
          });
    }
  }

  @Test
  void aSessionWhoseWritesWereLostGoesOnInTheNextEpoch() {
    List<CallContext> asked = new ArrayList<>();
    Position lost = new Position(0, 1, 99);
    Position next = new Position(0, 2, 13);
    RnsConnection session =
        telling(asked, Consistency.SESSION, lost, next, new Position(0, 1, 100), new Position(0, 2, 12));
    for (int i = 0; i < 5; i++) {
      session.query(CallContext.ANONYMOUS, ROOT);
    }
    session.query(CallContext.ANONYMOUS.withSeen(lost), ROOT);
    assertThat(asked.stream().map(CallContext::seen))
        .containsExactly(
            Positions.NONE, Positions.of(lost), Positions.of(next), Positions.of(next), Positions.of(next),
            Positions.of(next));
  }

  @Test
  void serversThatTellNoPositionDoNotDisturb() {
    List<CallContext> asked = new ArrayList<>();
    RnsConnection session = telling(asked, Consistency.SESSION, new Position(3, 1, 5), new Position(0, 0, 0));
    session.query(CallContext.ANONYMOUS, ROOT);
    session.query(CallContext.ANONYMOUS, ROOT);
    session.seen(Positions.of(new Position(0, 0, 0)));
    assertThat(session.positions()).isEqualTo(Positions.of(new Position(3, 1, 5)));
  }

  @Test
  void whatACallSaysGoesFirst() {
    List<CallContext> asked = new ArrayList<>();
    RnsConnection session = telling(asked, Consistency.ANY, new Position(0, 1, 5));
    session.query(CallContext.ANONYMOUS, ROOT);
    session.seen(Positions.of(new Position(0, 1, 90)));
    Position later = new Position(0, 1, 100);
    List<CallContext> calls =
        List.of(
            CallContext.ANONYMOUS,
            CallContext.ANONYMOUS.with(Consistency.PRIMARY),
            CallContext.ANONYMOUS.withSeen(new Position(0, 1, 2)),
            CallContext.ANONYMOUS.withSeen(later),
            CallContext.ANONYMOUS.with(Routing.HERE));
    calls.forEach(call -> session.query(call, ROOT));
    asked.remove(0);
    assertThat(asked.stream().map(CallContext::consistency))
        .containsExactly(
            Consistency.ANY, Consistency.PRIMARY, Consistency.SESSION, Consistency.SESSION, Consistency.SESSION);
    assertThat(asked.stream().map(CallContext::seen))
        .containsExactly(
            Positions.NONE, Positions.NONE, Positions.of(new Position(0, 1, 90)), Positions.of(later), Positions.NONE);
    assertThat(asked.stream().map(CallContext::routing))
        .containsExactly(Routing.REFER, Routing.REFER, Routing.REFER, Routing.REFER, Routing.HERE);
  }

  @Test
  void manyThreadsAreOneSession() throws InterruptedException, ExecutionException {
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try (TestServer server = TestServer.start(tree);
        RnsConnection client = of(server.address()).build()) {
      List<Future<Position>> calls = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String path = "/" + i;
        calls.add(
            callers.submit(
                () -> {
                  Position written = write(client, path).position();
                  assertThat(client.positions().covers(written)).isTrue();
                  return written;
                }));
      }
      Position last = new Position(0, 0, 0);
      for (Future<Position> call : calls) {
        last = call.get().compareTo(last) > 0 ? call.get() : last;
      }
      assertThat(client.positions()).isEqualTo(Positions.of(last));
    } finally {
      callers.shutdownNow();
    }
  }
}
