package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.CallContext;
import io.rns.api.Position;
import io.rns.replication.Handover;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.server.group.TestGroup.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code RNS_DURABILITY=local} the database of the primary may be the only one with an acknowledged write. */
@Tag("slow")
class LocalDurabilityIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static boolean receives(Server server) {
    return server.standings.now().role() == Role.REPLICA
        && server.member.report().database().filter(database -> database.receiving()).isPresent();
  }

  private static Handover.Result failover(Server by, Server to) {
    return by.loop.handover().failover(Optional.of(to.member.url()), false);
  }

  @Test
  void aPrimaryIsNotReplacedWithoutForceWhileItsDatabaseIsAway(@TempDir Path directory) throws Exception {
    try (TestGroup group =
        new TestGroup(directory, 3, Topology.SOURCE_REPLICA, Durability.LOCAL, false, TestGroup.WRITER)) {
      Server first = group.servers.get(0);
      Server second = group.servers.get(1);
      Server third = group.servers.get(2);
      until("all databases are there", SOON,
          () -> group.servers.stream().allMatch(server -> server.member.report().database().isPresent()));
      assertThat(failover(second, first).primary()).isEqualTo(first.member.url());
      until("all follow", SOON, () -> receives(second) && receives(third));
      TestGroup.cutOff(second);
      TestGroup.cutOff(third);
      Position alone = add(first, "/alone");
      first.process.kill();
      assertThatThrownBy(() -> failover(second, second))
          .hasMessageContaining(first.member.url())
          .hasMessageContaining("only they may have an acknowledged write");
      first.process.restart();
      TestGroup.thaw(second, third);
      until("it is the primary again, and all follow", SOON,
          () -> first.standings.now().role() == Role.PRIMARY && receives(second) && receives(third));
      third.process.kill();
      assertThat(failover(second, second).former()).contains(first.member.url());
      assertThat(has(second, CallContext.ANONYMOUS.withSeen(alone), "/alone")).isTrue();
    }
  }
}
