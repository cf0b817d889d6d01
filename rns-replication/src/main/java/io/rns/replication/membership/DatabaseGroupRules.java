package io.rns.replication.membership;

import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The databases choose which of them takes writes, and the server beside that one is the primary. Where it is not
 * there, another server has its own database chosen: that is safe at any time, since the databases agree on it.
 */
final class DatabaseGroupRules implements TopologyRules {
  /** How long the server beside the chosen database may be silent, which it is while its JVM is paused, say. */
  static final Duration SILENT = Duration.ofSeconds(3);

  /** How long one that answers may take to become the primary: longer than a planned change may last. */
  static final Duration IDLE = Duration.ofSeconds(20);

  @Override
  public MembershipStep next(MembershipView sight, BooleanSupplier primaryHasAll) {
    return switch (sight.role()) {
      case PRIMARY -> asPrimary(sight);
      case STARTING, REPLICA, OUTSIDE -> sight.state().receiving() ? asMember(sight) : notMember(sight, primaryHasAll);
    };
  }

  private static MembershipStep asPrimary(MembershipView sight) {
    MemberState state = sight.state();
    if (sight.isSuperseded()) {
      return new MembershipStep.StepDown("another server is the primary");
    }
    if (!sight.writing()) {
      return new MembershipStep.StepDown("the tree has another primary");
    }
    return state.writable()
        ? new MembershipStep.StayPrimary(true)
        : new MembershipStep.StepDown(state.trouble().orElse("the databases have not chosen the one of this server"));
  }

  private static MembershipStep asMember(MembershipView sight) {
    MemberState state = sight.state();
    if (state.chosen()) {
      // One that is read-only was made so by a change of the primary, or is just being chosen.
      return state.writable() || isOverdue(sight, IDLE)
          ? new MembershipStep.Lead("the databases have chosen the one of this server")
          : new MembershipStep.KnowNoPrimary(true);
    }
    Optional<MemberReport> primary = primary(sight);
    if (primary.isPresent()) {
      return new MembershipStep.Follow(primary.get(), Optional.empty());
    }
    boolean silent = sight.others().stream().noneMatch(other -> isBeside(other, state.source()));
    return isOverdue(sight, silent ? SILENT : IDLE) && isFirst(sight)
        ? new MembershipStep.Lead("the server beside the database that was chosen does not lead")
        : new MembershipStep.KnowNoPrimary(true);
  }

  /** One whose database is gone says that it is the primary until it hears of the next one. */
  private static Optional<MemberReport> primary(MembershipView sight) {
    return sight.primary().filter(report -> report.database().isPresent());
  }

  private static boolean isOverdue(MembershipView sight, Duration patience) {
    return sight.leaderless().compareTo(patience) >= 0;
  }

  private static boolean isBeside(MemberReport server, Optional<String> database) {
    return server.database().map(DatabaseReport::address).equals(database);
  }

  /** One of those that could, so that they do not get in each other's way. */
  private static boolean isFirst(MembershipView sight) {
    return sight.others().stream()
        .filter(other -> other.database().filter(database -> database.receiving() && database.source().isPresent())
            .isPresent())
        .noneMatch(other -> other.url().compareTo(sight.url()) < 0);
  }

  private static MembershipStep notMember(MembershipView sight, BooleanSupplier primaryHasAll) {
    Optional<MemberReport> primary = primary(sight);
    if (primary.isEmpty()) {
      return new MembershipStep.KnowNoPrimary(sight.following());
    }
    if (sight.cutOff() && !sight.isSuperseded()) {
      return new MembershipStep.Wait();
    }
    if (sight.state().transactions().isEmpty()) {
      return new MembershipStep.Copy(primary.get());
    }
    return primaryHasAll.getAsBoolean()
        ? new MembershipStep.Follow(primary.get(), primary.get().database().map(DatabaseReport::address))
        : new MembershipStep.StayOutside(primary.get());
  }
}
