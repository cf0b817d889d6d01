package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.replication.Handover;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.server.group.TestGroup.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers, each with a database process, that replace a primary by themselves. */
@Tag("slow")
class AutomaticFailoverIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private TestGroup group;

  @BeforeEach
  void start() throws Exception {
    group = new TestGroup(directory, 3, Topology.SOURCE_REPLICA, true);
    until("all databases are there", SOON,
        () -> group.servers.stream().allMatch(s -> s.member.report().database().isPresent()));
    Server first = group.servers.get(0);
    Handover.Result unused = group.handover().failover(Optional.of(first.member.url()), false);
    awaitWhole();
  }

  @AfterEach
  void stop() {
    group.close();
  }

  private Optional<Server> primary() {
    return group.servers.stream().filter(server -> server.standings.now().role() == Role.PRIMARY).findFirst();
  }

  /** One leads, all others follow it and vouch for what they have. */
  private void awaitWhole() throws Exception {
    until("one leads and all others follow", SOON, () -> {
      Optional<String> leading = primary().map(server -> server.member.url());
      return leading.isPresent() && group.servers.stream().allMatch(server -> {
        var standing = server.standings.now();
        return standing.primary().equals(leading) && standing.copy().isPresent()
            && (standing.role() == Role.PRIMARY
                || (standing.role() == Role.REPLICA && server.member.report().allegiance().vouches()));
      });
    });
  }

  /** Also what it alone had, since no member had acknowledged it, does not keep it outside. */
  @Test
  void aKilledDatabaseIsReplacedAndComesBackAsAReplica() throws Exception {
    Writers writers = new Writers(true, group.servers);
    try (writers) {
      for (int round = 0; round < 2; round++) {
        writers.awaitMore(100);
        Server former = primary().orElseThrow();
        former.process.kill();
        until("another one leads", SOON, () -> primary().filter(server -> server != former).isPresent());
        writers.awaitMore(100);
        former.process.restart();
        awaitWhole();
      }
    }
    Server last = primary().orElseThrow();
    writers.assertAllThere(last);
    assertThat(last.copy().position().epoch()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aPausedDatabaseIsReplacedAndFollowsWhenItGoesOn() throws Exception {
    Writers writers = new Writers(true, group.servers);
    try (writers) {
      writers.awaitMore(100);
      Server former = primary().orElseThrow();
      former.process.pause();
      try {
        until("another one leads", SOON,
            () -> group.servers.stream().anyMatch(s -> s != former && s.standings.now().role() == Role.PRIMARY));
        writers.awaitMore(20);
      } finally {
        former.process.resume();
      }
      awaitWhole();
    }
    writers.assertAllThere(primary().orElseThrow());
  }

  @Test
  void anEndedServerIsReplacedThoughItsDatabaseGoesOn() throws Exception {
    Server former = primary().orElseThrow();
    add(former, "/before");
    former.silence();
    List<Server> others = group.servers.stream().filter(server -> server != former).toList();
    until("another one leads", SOON,
        () -> others.stream().anyMatch(server -> server.standings.now().role() == Role.PRIMARY));
    for (Server other : others) {
      assertThat(has(other, CallContext.ANONYMOUS.with(Consistency.PRIMARY), "/before")).isTrue();
    }
    add(others.get(0), "/after");
  }

  /** The second to be lost may be the only one that acknowledged a write. */
  @Test
  void withoutTwoOfThreeNobodyLeads() throws Exception {
    Server former = primary().orElseThrow();
    Server other = group.servers.stream().filter(server -> server != former).findFirst().orElseThrow();
    Server last = group.servers.stream().filter(s -> s != former && s != other).findFirst().orElseThrow();
    add(former, "/before");
    other.silence();
    other.process.kill();
    former.silence();
    former.process.kill();
    until("it has noticed", SOON, () -> last.member.report().allegiance().silentMillis() > 5_000);
    assertThat(last.standings.now().role()).isEqualTo(Role.REPLICA);
    assertThat(last.member.report().database().orElseThrow().writable()).isFalse();
  }
}
