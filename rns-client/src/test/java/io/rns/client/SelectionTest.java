package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.referral.Announcement;
import io.rns.referral.Choice;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that chooses among the servers of a group, over sockets. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SelectionTest {
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private final NameService tree = new ModelNameService();
  private final TestMember primary = new TestMember(tree).asPrimary();
  private final TestMember replica = new TestMember(tree);
  private final TestServer atPrimary = TestServer.start(primary);
  private final TestServer atReplica = TestServer.start(replica);

  SelectionTest() {
    replica.asReplicaOf(atPrimary.address());
    Referral told =
        new Referral(
            RnsPath.ROOT,
            1,
            30_000,
            List.of(server(atPrimary, ServerRole.PRIMARY, "us"), server(atReplica, ServerRole.REPLICA, "eu")));
    atPrimary.tells(told);
    atReplica.tells(told);
  }

  private static Announcement server(TestServer server, ServerRole role, String site) {
    Optional<Position> position = Optional.of(new Position(0, 1, 0));
    return new Announcement(server.address().toString(), "s", role, new Site(site), 1, 0, 0, position);
  }

  @AfterEach
  void stop() {
    atPrimary.close();
    atReplica.close();
  }

  private RnsClient.Builder at(TestServer server) {
    return RnsClient.builder().server(server.address()).firstPause(Duration.ofMillis(1)).closeWait(Duration.ZERO);
  }

  @Test
  void whatOneServerTellsInAnAnswerLeadsReadsToTheNearestAndWritesToThePrimary() {
    for (Dialect dialect : List.of(Dialect.RNS_1_1, Dialect.RNS_1_0)) {
      int before = atReplica.calls().size();
      int writes = atPrimary.calls().size();
      try (RnsConnection client = at(atPrimary).dialect(dialect).selection(Selection.NEAREST).site("eu").build()) {
        for (int i = 0; i < 6; i++) {
          client.query(CallContext.ANONYMOUS, ROOT);
        }
        assertThat(atReplica.calls()).as("all reads but the first").hasSize(before + 5);
        AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/" + dialect)));
        assertThat(client.add(CallContext.ANONYMOUS, request).value().get(0).orThrow()).isNotNull();
        assertThat(atPrimary.calls()).hasSize(writes + 2);
        assertThat(client.servers(true).get(0).server().role()).isEqualTo(ServerRole.PRIMARY);
        assertThat(client.servers(false)).hasSize(2);
        client.refreshServers();
        assertThat(client.servers(false)).hasSize(2).extracting(Choice::reason)
            .allMatch(reason -> reason.contains("round trip"));
      }
    }
  }

  @Test
  void theOthersAreThereWhenTheNamedOneIsNot() {
    try (RnsConnection client = at(atReplica).selection(Selection.NEAREST).site("eu").build()) {
      client.query(CallContext.ANONYMOUS, ROOT);
      atReplica.close();
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(atPrimary.calls()).hasSize(1);
    }
  }

  @Test
  void whoDoesNotChooseIsToldNothingAndStays() {
    try (RnsConnection client = at(atPrimary).site("eu").build()) {
      for (int i = 0; i < 3; i++) {
        client.query(CallContext.ANONYMOUS, ROOT);
      }
      assertThat(atReplica.calls()).isEmpty();
      assertThat(atPrimary.asked()).as("for the servers").isZero();
      assertThat(client.servers(false)).isEmpty();
    }
  }
}
