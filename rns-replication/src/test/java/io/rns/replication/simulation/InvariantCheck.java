package io.rns.replication.simulation;

import static io.rns.replication.simulation.InvariantViolated.Kind.DURABLE_PROGRESS;
import static io.rns.replication.simulation.InvariantViolated.Kind.PROGRESS;
import static io.rns.replication.simulation.InvariantViolated.Kind.SAFETY;

import io.rns.replication.Allegiance;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Watches a history, and ends it by {@link InvariantViolated} when it breaks a promise of the group. */
final class InvariantCheck {
  private final VirtualGroup group;
  private final BitSet acknowledged = new BitSet();
  private final Map<Integer, Integer> primaries = new HashMap<>();
  private int latestEpoch;
  private int acknowledgements;
  private int reads;

  InvariantCheck(VirtualGroup group) {
    this.group = group;
  }

  int acknowledgements() {
    return acknowledgements;
  }

  int reads() {
    return reads;
  }

  int epochs() {
    return primaries.size();
  }

  /** What was acknowledged so far. */
  BitSet acknowledged() {
    return (BitSet) acknowledged.clone();
  }

  /** A source has committed, so its server may go on. */
  void committed(SimulatedDatabase database, SimulatedTransaction transaction) {
    int epoch = transaction.epoch();
    Integer other = primaries.putIfAbsent(epoch, database.number);
    if (other != null && other != database.number) {
      throw new InvariantViolated(
          SAFETY,
          "two primaries in epoch " + epoch + ": " + other + " and " + database.number);
    }
    if (other == null) {
      group.note("database " + database.number + " begins epoch " + epoch + " at " + database.log().text());
      requireAll(acknowledged, database.log().visibleWrites(), "the primary of epoch " + epoch);
      latestEpoch = Math.max(latestEpoch, epoch);
    }
  }

  /** A client has the answer that its write was made. */
  void acknowledge(int write) {
    acknowledged.set(write);
    acknowledgements++;
    Integer primary = primaries.get(latestEpoch);
    if (primary != null) {
      BitSet present = group.database(primary).log().visibleWrites();
      if (!present.get(write)) {
        throw new InvariantViolated(
            SAFETY,
            "write " + write + " was acknowledged, but the primary " + primary + " of epoch " + latestEpoch
                + " lacks it");
      }
    }
  }

  /** A read has been answered. */
  void read(String consistency, BitSet required, BitSet seen) {
    reads++;
    requireAll(required, seen, "a read of consistency " + consistency);
  }

  private static void requireAll(BitSet required, BitSet present, String where) {
    BitSet missing = (BitSet) required.clone();
    missing.andNot(present);
    if (!missing.isEmpty()) {
      throw new InvariantViolated(SAFETY, where + " lacks acknowledged or seen writes " + missing);
    }
  }

  /** After all faults are over and the group had time: one primary, which has everything. */
  void ended() {
    List<VirtualServer> primaries =
        group.servers().stream().filter(server -> server.role() == Role.PRIMARY).toList();
    SimulatedCopy copy = primaries.size() == 1 ? primaries.getFirst().copy() : null;
    if (copy == null || !copy.isPrimary()) {
      throw new InvariantViolated(
          mayLackWrites() ? DURABLE_PROGRESS : PROGRESS,
          "no single primary after all faults are over: "
              + group.servers().stream().map(VirtualServer::describe).toList());
    }
    requireAll(acknowledged, copy.writes(), "the last primary");
  }

  /**
   * Whether so many databases were restarted, and may have forgotten what they acknowledged, that each set of the
   * others may lack a write, and that of the member is not there that was chosen last, which has all.
   */
  private boolean mayLackWrites() {
    List<MemberReport> reports = group.servers().stream().map(server -> server.local().report()).toList();
    MemberList list = MemberList.latest(reports);
    List<Allegiance> members =
        reports.stream().filter(report -> !list.excludes(report.url())).map(MemberReport::allegiance).toList();
    int latest = members.stream().mapToInt(Allegiance::accepted).max().orElse(0);
    long forgetful = members.stream().filter(member -> !member.vouches()).count();
    return forgetful > list.acknowledgements() && members.stream().allMatch(member -> member.chosen() < latest);
  }
}
