package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
  @Test
  void anAssignmentToAGroupOutOfReachCanBeRepeated() {
    List<Announcement> lost = List.of(Announcement.unreachable("http://127.0.0.1:1/rns", "server-2"));
    PartitionTable table =
        new PartitionTable(
            0, PartitionMap.whole(0), Positions.NONE, Positions.NONE, new TreeMap<>(Map.of(0, List.of(), 1, lost)));

    assertThatThrownBy(() -> Assignments.checkReports(table, 1)).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThatThrownBy(() -> Assignments.checkReports(table, 2)).isInstanceOfSatisfying(
        RnsException.class,
        e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
  }
}
