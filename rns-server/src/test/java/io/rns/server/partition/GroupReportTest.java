package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.replication.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GroupReportTest {
  private static final EntryId DIRECTORY = new EntryId(7);

  /** What a group says of the directory: {group, other group, epoch}. The first one has its entry. */
  private static int owner(long[]... rows) {
    Map<Integer, GroupReport> reports = new TreeMap<>();
    for (long[] row : List.of(rows).subList(1, rows.length)) {
      GroupReport.Cut cut =
          new GroupReport.Cut(DIRECTORY, RnsPath.ROOT, DIRECTORY, (int) row[1], row[2], null);
      reports.put((int) row[0],
          new GroupReport((int) row[0], new Position((int) row[0], 1, 9), List.of(), List.of(cut)));
    }
    List<Partition> own = new ArrayList<>();
    own.add(new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0));
    own.add(new Partition(RnsPath.parse("/d"), DIRECTORY, (int) rows[0][1], rows[0][2]));
    List<Partition> all = Partitions.addReported(own, reports);
    assertThat(all).hasSize(2);
    return all.getLast().group();
  }

  private static long[] row(long group, long other, long epoch) {
    return new long[]{group, other, epoch};
  }

  @Test
  void theOwnerIsTheOneToWhomTheContentWasGivenLast() {
    assertThat(owner(row(0, 1, 5))).isEqualTo(1);
    assertThat(owner(row(0, 1, 5), row(1, 2, 3))).isEqualTo(2);
  }

  @Test
  void aReplicaThatLagsDoesNotTakeBackWhatItsPrimaryReported() {
    GroupReport.Cut cut = new GroupReport.Cut(DIRECTORY, RnsPath.parse("/d"), new EntryId(8), 2, 5, List.of());
    GroupReport primary = new GroupReport(1, new Position(1, 2, 5), List.of(), List.of(cut));
    List<Announcement> servers = List.of(Announcement.unreachable("http://127.0.0.1:1/rns", "server-4"));
    GroupReport replica = new GroupReport(1, new Position(1, 1, 7), servers, List.of());

    assertThat(replica.after(primary)).isEqualTo(new GroupReport(1, primary.position(), servers, List.of(cut)));
    assertThat(primary.after(replica)).isEqualTo(primary);
  }

  @Test
  void aGroupOwnsWhatItWasGivenBeforeItServesThat() {
    assertThat(owner(row(0, 1, 5), row(1, 0, 4))).as("given by the group with the entry").isEqualTo(1);
    assertThat(owner(row(0, 1, 5), row(1, 0, 6))).as("given back to that").isZero();
    assertThat(owner(row(0, 1, 5), row(1, 2, 9), row(2, 1, 8))).as("given to a third").isEqualTo(2);
    assertThat(owner(row(0, 1, 5), row(1, 2, 8), row(2, 1, 9))).as("given back by a third").isEqualTo(1);
    assertThat(owner(row(0, 2, 5), row(1, 2, 8), row(2, 1, 9))).as("the same, if its entry names the third")
        .isEqualTo(1);
  }
}
