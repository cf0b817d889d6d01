package io.rns.replication.membership;

import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The databases elect the writable one, and its server is the primary, as soon as the former one answers no reads. If
 * that server fails to take over, another server has its own database elected: this is safe at any time, since the
 * databases agree on it.
 */
final class DatabaseGroupRules implements TopologyRules {
  /** How long the server of the elected database may be silent, for example while its JVM is paused. */
  static final Duration SILENT = Duration.ofSeconds(3);

  /** How long a server that answers may take to become primary: longer than a planned change. */
  static final Duration IDLE = Duration.ofSeconds(20);

  @Override
  public MembershipStep next(
      MembershipView view, BooleanSupplier primaryHasAll, BooleanSupplier primaryHasReceived) {
    return switch (view.role()) {
      case PRIMARY -> asPrimary(view);
      case STARTING, REPLICA, OUTSIDE -> view.state().receiving() ? asMember(view) : notMember(view, primaryHasAll);
    };
  }

  private static MembershipStep asPrimary(MembershipView view) {
    MemberState state = view.state();
    if (view.isSuperseded()) {
      return new MembershipStep.StepDown("another server is the primary");
    }
    if (view.rival().isPresent()) {
      // One group has one primary in an epoch: two were bootstrapped, and each has transactions of its own.
      return new MembershipStep.StayOutside(view.rival().get());
    }
    if (!view.writing()) {
      return new MembershipStep.StepDown("the tree has another primary");
    }
    return state.writable()
        ? new MembershipStep.StayPrimary(true)
        : new MembershipStep.StepDown(state.trouble().orElse("the databases have not elected the one of this server"));
  }

  private static MembershipStep asMember(MembershipView view) {
    MemberState state = view.state();
    Optional<MemberReport> primary = primary(view);
    if (state.chosen() && view.role() == Role.OUTSIDE) {
      // Elected in a group of its own, by a second bootstrap; also if the primary is away.
      return primary.isPresent() ? new MembershipStep.StayOutside(primary.get())
          : new MembershipStep.KnowNoPrimary(false);
    }
    if (state.chosen()) {
      // A read-only elected database is either being elected right now or was made read-only by a change of primary.
      boolean due = state.writable() || isOverdue(view, IDLE);
      return due && !view.formerMayServe()
          ? new MembershipStep.Lead("the databases have elected the one of this server")
          : new MembershipStep.KnowNoPrimary(!hasOwnGroup(primary));
    }
    if (primary.isPresent()) {
      return new MembershipStep.Follow(primary.get(), Optional.empty());
    }
    boolean silent = view.others().stream().noneMatch(other -> isBeside(other, state.source()));
    return isOverdue(view, silent ? SILENT : IDLE) && isFirst(view)
        ? new MembershipStep.Lead("the server of the elected database does not become primary")
        : new MembershipStep.KnowNoPrimary(true);
  }

  /** Whether the primary's database reports that it is the elected one, so that its group must be another one. */
  private static boolean hasOwnGroup(Optional<MemberReport> primary) {
    return primary.flatMap(MemberReport::database)
        .filter(database -> database.receiving() && database.source().isEmpty()).isPresent();
  }

  /** A server that lost its database claims to be primary until it learns of the next one. */
  private static Optional<MemberReport> primary(MembershipView view) {
    return view.primary().filter(report -> report.database().isPresent());
  }

  private static boolean isOverdue(MembershipView view, Duration patience) {
    return view.leaderless().compareTo(patience) >= 0;
  }

  private static boolean isBeside(MemberReport server, Optional<String> database) {
    return server.database().map(DatabaseReport::address).equals(database);
  }

  /** Picks one of the eligible servers, so that they do not compete. */
  private static boolean isFirst(MembershipView view) {
    return view.others().stream()
        .filter(other -> other.database().filter(database -> database.receiving() && database.source().isPresent())
            .isPresent())
        .noneMatch(other -> other.url().compareTo(view.url()) < 0);
  }

  private static MembershipStep notMember(MembershipView view, BooleanSupplier primaryHasAll) {
    Optional<MemberReport> primary = primary(view);
    if (primary.isEmpty()) {
      return new MembershipStep.KnowNoPrimary(view.following());
    }
    if (view.cutOff() && !view.isSuperseded()) {
      return new MembershipStep.Wait();
    }
    if (view.state().transactions().isEmpty()) {
      return new MembershipStep.Copy(primary.get());
    }
    return primaryHasAll.getAsBoolean()
        ? new MembershipStep.Follow(primary.get(), primary.get().database().map(DatabaseReport::address))
        : new MembershipStep.StayOutside(primary.get());
  }
}
