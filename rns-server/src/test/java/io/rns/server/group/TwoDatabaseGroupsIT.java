package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.server.group.TestGroup.Server;
import io.rns.server.store.TestMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers that have both bootstrapped their MySQL database, as on two sides of a broken network. */
@Tag("slow")
class TwoDatabaseGroupsIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final PromotionTerms BOOTSTRAP = new PromotionTerms(0, true, true, false, 0, List.of(), "");

  @Test
  void ofTwoPrimariesOfOneEpochThatOfTheHigherAddressStaysOutside(@TempDir Path directory) throws Exception {
    TestMember.assumeGroups();
    try (TestGroup group = new TestGroup(directory, 2, Topology.GROUP)) {
      for (Server each : group.servers) {
        TestGroup.freeze(each);
        each.member.lead(TestGroup.nextTerm(each), BOOTSTRAP);
        add(each, "/written-at-one");
      }
      group.servers.forEach(TestGroup::thaw);
      List<Server> byAddress =
          group.servers.stream().sorted(Comparator.comparing((Server each) -> each.member.url())).toList();
      Server higher = byAddress.get(1);
      until("one gives way", SOON, () -> higher.standings.now().role() == Role.OUTSIDE);
      assertThat(byAddress.get(0).standings.now().role()).isEqualTo(Role.PRIMARY);
    }
  }
}
