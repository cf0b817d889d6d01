package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Allegiance;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberList;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a server says of itself. */
class OwnReportTest {
  private static final String HERE = "http://a/rns";
  private static final GroupSettings SETTINGS =
      new GroupSettings(Topology.GROUP, "a", HERE, List.of(), "secret", "a:3306", "control", "control",
          Durability.REPLICATED, false);

  private static String reason(String standing, Optional<String> trouble) {
    CurrentRole standings = new CurrentRole(new RoleState(Role.PRIMARY, Optional.empty(), Optional.of(HERE), standing));
    DatabaseReport database =
        new DatabaseReport("a:3306", true, Optional.empty(), false, true, "uuid:1-9", OptionalInt.of(0), trouble);
    try (TreeCopy<MemberCopy> none = new TreeCopy<>(OwnReportTest::open)) {
      return new OwnReport(SETTINGS, standings, none, List::of, () -> MemberList.NONE, () -> Allegiance.NONE)
          .with(() -> database).reason();
    }
  }

  private static MemberCopy open() {
    throw new RnsException(RnsError.UNAVAILABLE, "there is none");
  }

  @Test
  void aPrimaryWhoseDatabaseHasNoMajoritySaysSo() {
    assertThat(reason("", Optional.empty())).isEmpty();
    assertThat(reason("", Optional.of("no majority"))).isEqualTo("no majority");
    assertThat(reason("the primary is changing", Optional.of("no majority"))).isEqualTo("the primary is changing");
  }
}
