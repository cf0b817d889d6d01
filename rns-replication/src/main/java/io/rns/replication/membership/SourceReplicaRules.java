package io.rns.replication.membership;

import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Replicas follow a source; only operators change the source.
 *
 * @param durability what prevents a returning server from writing alongside another primary: missing acknowledgements,
 *        or only the reports of the other members
 * @param automatic whether a member rebuilds its copy by itself when only unacknowledged writes are lost by that
 */
record SourceReplicaRules(Durability durability, boolean automatic) implements TopologyRules {
  @Override
  public MembershipStep next(
      MembershipView view, BooleanSupplier primaryHasAll, BooleanSupplier primaryHasReceived) {
    return switch (view.role()) {
      case PRIMARY -> asPrimary(view);
      case STARTING, REPLICA, OUTSIDE ->
        view.primary().isPresent() ? asReplica(view, view.primary().get(), primaryHasAll, primaryHasReceived)
            : alone(view);
    };
  }

  private static MembershipStep asPrimary(MembershipView view) {
    if (view.isSuperseded()) {
      return new MembershipStep.StepDown("another server is the primary");
    }
    if (view.rival().isPresent()) {
      return new MembershipStep.StepDown(
          "another server is the primary of the same epoch and has the lower address");
    }
    return view.writing() ? new MembershipStep.StayPrimary(view.state().writable())
        : new MembershipStep.StepDown("the tree has another primary");
  }

  private MembershipStep asReplica(
      MembershipView view, MemberReport primary, BooleanSupplier primaryHasAll, BooleanSupplier primaryHasReceived) {
    if (primary.database().isEmpty() || view.cutOff()) {
      return new MembershipStep.Wait();
    }
    MemberState state = view.state();
    if (state.transactions().isEmpty()) {
      // A new database: the primary's log may no longer reach back to its start.
      return new MembershipStep.Copy(primary);
    }
    String source = primary.database().map(DatabaseReport::address).orElseThrow();
    boolean itsSource = state.source().equals(Optional.of(source));
    // Who has its source from an earlier term has nothing but what came from there. If that database was rebuilt since,
    // it has purged what this one lacks, and refuses to send; an operator has it join again.
    boolean known = itsSource && view.following();
    if (!known && !view.isLast(primary)) {
      // Nothing is dropped, received or applied, that it may have acknowledged to a later primary.
      if (!primaryHasReceived.getAsBoolean()) {
        return new MembershipStep.AwaitMembers(primary);
      }
    } else if (!known && !primaryHasAll.getAsBoolean()) {
      return automatic && hasNothingAcknowledgedBeside(view, primary)
          ? new MembershipStep.Copy(primary)
          : new MembershipStep.StayOutside(primary);
    }
    // Includes a restarted database, which does not resume replication automatically.
    boolean replicates = itsSource && state.receiving() && state.applying();
    return new MembershipStep.Follow(primary, replicates ? Optional.empty() : Optional.of(source));
  }

  /**
   * Whether what it has and the primary lacks was acknowledged to nobody: every change since the term of its own was
   * made by members that have all acknowledged writes. Without terms, nothing is known of that.
   */
  private static boolean hasNothingAcknowledgedBeside(MembershipView view, MemberReport primary) {
    return view.accepted() > 0 && primary.allegiance().accepted() > view.accepted()
        && primary.allegiance().forced() <= view.accepted();
  }

  private MembershipStep alone(MembershipView view) {
    boolean heard = durability == Durability.REPLICATED || view.hearsMajority();
    boolean latest = view.others().stream()
        .allMatch(other -> other.epoch() <= view.epoch() && other.allegiance().least() <= view.accepted());
    // While a failover is in progress, it decides: its choice rests on no other member committing.
    return view.state().writable() && heard && latest && view.epoch() > 0 && !view.cutOff()
        ? new MembershipStep.Lead("the database is writable and no other member is the primary")
        : new MembershipStep.KnowNoPrimary(view.following());
  }
}
