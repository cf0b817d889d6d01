package io.rns.replication.membership;

import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Replicas follow a source; only operators change the source.
 *
 * @param durability what prevents a returning server from writing alongside another primary: missing acknowledgements,
 *        or only the reports of the other members
 */
record SourceReplicaRules(Durability durability) implements TopologyRules {
  @Override
  public MembershipStep next(MembershipView sight, BooleanSupplier primaryHasAll) {
    return switch (sight.role()) {
      case PRIMARY -> asPrimary(sight);
      case STARTING, REPLICA, OUTSIDE ->
        sight.primary().isPresent() ? asReplica(sight, sight.primary().get(), primaryHasAll) : alone(sight);
    };
  }

  private static MembershipStep asPrimary(MembershipView sight) {
    if (sight.isSuperseded()) {
      return new MembershipStep.StepDown("another server is the primary");
    }
    if (isRivalled(sight)) {
      return new MembershipStep.StepDown(
          "another server is the primary of the same epoch and has the lower address");
    }
    return sight.writing() ? new MembershipStep.StayPrimary(sight.state().writable())
        : new MembershipStep.StepDown("the tree has another primary");
  }

  /** Whether another server became primary of the same epoch, unaware of this one. */
  private static boolean isRivalled(MembershipView sight) {
    return sight.others().stream()
        .filter(other -> other.role() == Role.PRIMARY && other.epoch() == sight.epoch())
        .anyMatch(other -> other.url().compareTo(sight.url()) < 0);
  }

  private static MembershipStep asReplica(MembershipView sight, MemberReport primary, BooleanSupplier primaryHasAll) {
    if (primary.database().isEmpty() || (sight.cutOff() && !sight.isSuperseded())) {
      return new MembershipStep.Wait();
    }
    MemberState state = sight.state();
    if (state.transactions().isEmpty()) {
      // A new database: the primary's log may no longer reach back to its start.
      return new MembershipStep.Copy(primary);
    }
    String source = primary.database().map(DatabaseReport::address).orElseThrow();
    boolean itsSource = state.source().equals(Optional.of(source));
    if ((!itsSource || !sight.following()) && !primaryHasAll.getAsBoolean()) {
      return new MembershipStep.StayOutside(primary);
    }
    // Includes a restarted database, which does not resume replication automatically.
    boolean replicates = itsSource && state.receiving() && state.applying();
    return new MembershipStep.Follow(primary, replicates ? Optional.empty() : Optional.of(source));
  }

  private MembershipStep alone(MembershipView sight) {
    boolean heard = durability == Durability.REPLICATED || sight.hearsMajority();
    boolean latest = sight.others().stream().allMatch(other -> other.epoch() <= sight.epoch());
    return sight.state().writable() && heard && latest && sight.epoch() > 0
        ? new MembershipStep.Lead("the database is writable and no other member is the primary")
        : new MembershipStep.KnowNoPrimary(sight.following());
  }
}
