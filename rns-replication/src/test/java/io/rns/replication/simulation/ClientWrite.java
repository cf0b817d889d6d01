package io.rns.replication.simulation;

import io.rns.replication.MemberList;
import io.rns.replication.member.CommitWait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on the row of the group, which is locked for it.
 *
 * @param epoch the epoch that the row must have; negative for any, to begin the next one
 * @param after the epoch to begin is later than this
 * @param write the write; {@link SimulatedTransaction#NO_WRITE} for none
 * @param beatMicros the time of the server
 * @param members the members from now on; empty for the same as before
 * @param most of how many replicas the database can wait
 * @param confirmed as {@link SimulatedTransaction#confirmed}; {@link #SAME} for what the row has
 */
record ClientWrite(int epoch, int after, int write, long beatMicros, List<String> members, int most, long confirmed) {
  private static final int ANY = -1;
  private static final long SAME = -1;

  static ClientWrite nextEpoch(int after, long beatMicros, List<String> members, CommitWait wait) {
    return new ClientWrite(ANY, after, SimulatedTransaction.NO_WRITE, beatMicros, members, wait.most(),
        wait.first() > 1 ? SAME : SimulatedTransaction.ALL);
  }

  static ClientWrite in(int epoch, int write, long beatMicros, long confirmed) {
    return new ClientWrite(epoch, 0, write, beatMicros, List.of(), 1, confirmed);
  }

  static ClientWrite membersIn(int epoch, List<String> members, long beatMicros, int most) {
    return new ClientWrite(epoch, 0, SimulatedTransaction.NO_WRITE, beatMicros, members, most, SAME);
  }

  boolean fits(@Nullable SimulatedTransaction row) {
    return epoch == ANY || (row != null && row.epoch() == epoch);
  }

  /** The transaction it makes of the row. */
  SimulatedTransaction on(@Nullable SimulatedTransaction row, int origin, int number) {
    int present = row == null ? 0 : row.epoch();
    long sequence = row == null ? 0 : row.sequence();
    int now = epoch == ANY ? Math.max(present, after) + 1 : epoch;
    return new SimulatedTransaction(
        origin, number, now, write == SimulatedTransaction.NO_WRITE ? sequence : sequence + 1, write, beatMicros,
        membersAfter(row == null ? MemberList.NONE : row.members(), now),
        confirmed == SAME && row != null ? Math.min(row.confirmed(), row.sequence()) : confirmed);
  }

  private MemberList membersAfter(MemberList before, int now) {
    if (members.isEmpty() && (epoch != ANY || !before.exists())) {
      return before;
    }
    return before.next(now, members.isEmpty() ? before.urls() : members, beatMicros / 1000, most);
  }
}
