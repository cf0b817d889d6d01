package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.CallContext;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.server.group.TestGroup.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers, each with a database process, whose list of members changes. */
@Tag("slow")
class MembersIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private TestGroup group;
  private Server first;
  private Server second;
  private Server third;

  @BeforeEach
  void start() throws Exception {
    group = new TestGroup(directory, 3, Topology.SOURCE_REPLICA, true);
    first = group.servers.get(0);
    second = group.servers.get(1);
    third = group.servers.get(2);
    until("all databases are there", SOON,
        () -> group.servers.stream().allMatch(s -> s.member.report().database().isPresent()));
    until("the first one leads", SOON, this::leads);
    awaitMembers(first, second, third);
  }

  /** Whether a first failover succeeds: servers that have just started are busy. */
  private boolean leads() {
    try {
      var unused = group.handover().failover(Optional.of(first.member.url()), false);
      return true;
    } catch (RnsException e) {
      return false;
    }
  }

  @AfterEach
  void stop() {
    group.close();
  }

  private static List<String> urls(Server... servers) {
    return Stream.of(servers).map(server -> server.member.url()).sorted().toList();
  }

  /** All of these follow the first, and their databases have the list. */
  private void awaitMembers(Server... members) throws Exception {
    until("the members are " + urls(members), SOON, () -> Stream.of(members).allMatch(server -> {
      var standing = server.standings.now();
      return standing.role() == (server == members[0] ? Role.PRIMARY : Role.REPLICA) && standing.copy().isPresent()
          && server.member.report().list().urls().equals(urls(members))
          && (server == members[0] || server.member.report().allegiance().vouches());
    }));
  }

  /** As the others reach it: not any more once it has ended. */
  private GroupMember reached(Server server) {
    return group.reach(server.member.url());
  }

  @Test
  void aServerWithAnEmptyDatabaseIsAddedAndCountsFromThenOn() throws Exception {
    add(first, "/before");
    Server fourth = group.addServer();
    awaitMembers(first, second, third, fourth);
    assertThat(has(fourth, CallContext.ANONYMOUS, "/before")).isTrue();
    MemberList same = first.member.add(reached(fourth));
    assertThat(same.urls()).isEqualTo(urls(first, second, third, fourth));
  }

  @Test
  void aForgottenServerStaysOutsideUntilItJoins() throws Exception {
    MemberList left = first.member.forget(reached(third), false);
    assertThat(left.urls()).isEqualTo(urls(first, second));
    until("it stays outside", SOON, () -> third.standings.now().role() == Role.OUTSIDE);
    awaitMembers(first, second);
    assertThat(third.member.report().database().orElseThrow().receiving()).isFalse();
    add(first, "/after");
    assertThatThrownBy(() -> first.member.add(reached(third)))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining("./rns join");
    var unused = group.join(third, first);
    awaitMembers(first, second, third);
    assertThat(has(third, CallContext.ANONYMOUS, "/after")).isTrue();
  }

  @Test
  void aStoppedServerIsForgottenOnCommandSoThatTheOthersSuffice() throws Exception {
    Server fourth = group.addServer();
    awaitMembers(first, second, third, fourth);
    fourth.silence();
    fourth.process.kill();
    until("the primary has noticed", SOON, () -> first.peers.unreachable().containsKey(fourth.member.url()));
    assertThatThrownBy(() -> first.member.forget(reached(fourth), false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("--stopped");
    var unused = first.member.forget(reached(fourth), true);
    awaitMembers(first, second, third);
    first.silence();
    first.process.kill();
    until("another one leads", SOON,
        () -> Stream.of(second, third).anyMatch(server -> server.standings.now().role() == Role.PRIMARY));
  }

  @Test
  void thePrimaryAndTheLastThatAcknowledgesAreNotForgotten() throws Exception {
    assertThatThrownBy(() -> first.member.forget(reached(first), false)).hasMessageContaining("is the primary");
    assertThatThrownBy(() -> second.member.forget(reached(third), false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
    var unused = first.member.forget(reached(third), false);
    awaitMembers(first, second);
    assertThatThrownBy(() -> first.member.forget(reached(third), false)).hasMessageContaining("is not a member");
    assertThatThrownBy(() -> first.member.forget(reached(second), false))
        .hasMessageContaining("no member acknowledges");
    add(first, "/still");
  }
}
