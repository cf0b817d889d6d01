package io.rns.replication.membership;

import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides when a member begins a failover by itself. Beginning too early is safe, since every change is fenced by its
 * term and drops no acknowledged write, but interrupts writes.
 *
 * @param automatic whether it may replace a primary; if not, it only ends changes that others left unfinished
 */
public record Candidacy(boolean automatic) {
  /** Below this, one member would decide alone. */
  static final int LEAST_MEMBERS = 3;

  /** Several beats and looks of a primary that is there. */
  static final Duration SILENCE = Duration.ofMillis(1250);

  /** How long a server counts as one that was just started. */
  static final Duration BEGINNING = Duration.ofSeconds(10);

  /**
   * At a member whose server was just started: its code is not compiled yet, and that of a primary started with it is
   * not either, so that questions and beats take longer than later.
   */
  static final Duration SILENCE_AT_FIRST = Duration.ofSeconds(3);

  /** If nobody listens at the primary's address. */
  static final Duration SILENCE_OF_DEAD = Duration.ofMillis(500);

  /** From when on another member agrees that the primary is gone. */
  static final Duration AGREED_SILENCE = Duration.ofMillis(500);

  /** How long a primary that answers may be isolated. */
  static final Duration ISOLATION = Duration.ofSeconds(3);

  /** The time of each member before it, so that these do not compete: longer than the first questions of a failover. */
  static final Duration BETWEEN_CANDIDATES = Duration.ofMillis(1500);

  /** How long a change that another server has begun is given until a member leads. */
  static final Duration OTHERS_CHANGE = Duration.ofSeconds(5);

  /** How long a change may leave a member with nobody to follow before it counts as unfinished. */
  static final Duration UNFINISHED = Duration.ofSeconds(15);

  /**
   * What it is decided on.
   *
   * @param view of the group
   * @param servedFor how long ago this server first followed or led since it was started; zero if it has not
   * @param primaryRefuses whether nobody listens at the last primary's address
   * @param isolatedFor for how long the primary has been isolated, as seen at each look
   * @param strandedFor how long a change has left this member with nobody to follow; zero if none has
   * @param changingFor how long a member has promised another server's term in which nobody leads yet; zero if none has
   */
  public record Situation(
      MembershipView view, Duration servedFor, boolean primaryRefuses, Duration isolatedFor, Duration strandedFor,
      Duration changingFor) {}

  /** Why this member begins a failover now; empty if it does not. */
  public Optional<String> reason(Situation now) {
    MembershipView view = now.view();
    if (view.role() == Role.PRIMARY || view.role() == Role.OUTSIDE || view.state().transactions().isEmpty()) {
      return Optional.empty();
    }
    Duration turn = turn(view);
    if (isLeft(now, UNFINISHED.plus(turn))) {
      return Optional.of("a change of the primary was not finished");
    }
    boolean another = !now.changingFor().isZero() && now.changingFor().compareTo(OTHERS_CHANGE.plus(turn)) < 0;
    if (!automatic || view.known() < LEAST_MEMBERS || !view.following() || another) {
      return Optional.empty();
    }
    Optional<MemberReport> primary = view.primary().filter(report -> report.database().isPresent());
    if (primary.isPresent() && view.leaderless().compareTo(SILENCE) < 0) {
      return isIsolated(view) && now.isolatedFor().compareTo(ISOLATION.plus(turn)) >= 0
          ? Optional.of("too few members acknowledge the writes of " + primary.get().url())
          : Optional.empty();
    }
    return view.leaderless().compareTo(patience(now).plus(turn)) >= 0 && allAgree(view)
        ? Optional.of("no primary has been heard for " + view.leaderless().toMillis() + " ms")
        : Optional.empty();
  }

  /** A server that answers and says that its database does not needs no longer time to be believed. */
  private static Duration patience(Situation now) {
    if (now.primaryRefuses()) {
      return SILENCE_OF_DEAD;
    }
    boolean slow = now.view().primary().isEmpty() && now.servedFor().compareTo(BEGINNING) < 0;
    return slow ? SILENCE_AT_FIRST : SILENCE;
  }

  /** Why this member, which hears no primary, does not begin a failover: too few others miss the primary as well. */
  public Optional<String> waits(MembershipView view) {
    boolean candidate = automatic && view.known() >= LEAST_MEMBERS && view.following() && view.role() == Role.REPLICA;
    return candidate && view.leaderless().compareTo(SILENCE) >= 0 && !allAgree(view)
        ? Optional.of(
            "of " + view.known() + " members " + (agreeing(view) + 1) + " answer and miss the primary, and "
                + (view.known() - view.acknowledgements()) + " have to")
        : Optional.empty();
  }

  private static boolean isLeft(Situation now, Duration patience) {
    return now.view().primary().isEmpty() && now.strandedFor().compareTo(patience) >= 0;
  }

  /**
   * The member that would begin a failover first if the primary were lost; empty if none would, or too few would be
   * left that agree and are sure to have what they acknowledged.
   *
   * @param members the reports of those that answer
   * @param known how many members there are
   * @param acknowledgements how many replicas acknowledge a write
   */
  public Optional<MemberReport> first(List<MemberReport> members, int known, int acknowledgements) {
    List<MemberReport> left =
        members.stream().filter(member -> member.role() != Role.PRIMARY && member.database().isPresent())
            .filter(member -> member.allegiance().vouches()).toList();
    return left.stream()
        .filter(member -> automatic && known >= LEAST_MEMBERS && left.size() >= known - acknowledgements)
        .filter(member -> member.role() == Role.REPLICA)
        .min(Comparator.comparing(MemberReport::url));
  }

  /** The time of members with lower addresses that may do it as well. */
  public static Duration turn(MembershipView view) {
    long before = view.others().stream()
        .filter(other -> other.role() == Role.REPLICA && other.database().isPresent())
        .filter(other -> other.url().compareTo(view.url()) < 0)
        .count();
    return BETWEEN_CANDIDATES.multipliedBy(before);
  }

  /** With itself as many members as a failover needs: all but as many as acknowledge a write. */
  private static boolean allAgree(MembershipView view) {
    return agreeing(view) + 1 >= view.known() - view.acknowledgements();
  }

  private static long agreeing(MembershipView view) {
    return view.others().stream()
        .filter(other -> other.allegiance().silentMillis() >= AGREED_SILENCE.toMillis())
        .count();
  }

  /**
   * Whether the primary answers, but too few members acknowledge its writes, and neither this one nor enough others are
   * connected to it. That may be so for a moment: databases connect again.
   */
  public static boolean isIsolated(MembershipView view) {
    Optional<MemberReport> primary = view.primary();
    boolean unheard = primary.flatMap(MemberReport::database)
        .filter(database -> !database.isAcknowledged(view.acknowledgements())).isPresent();
    List<MemberReport> replicas =
        view.others().stream().filter(other -> !primary.equals(Optional.of(other))).toList();
    long receiving =
        replicas.stream().filter(other -> other.database().filter(DatabaseReport::receiving).isPresent()).count();
    return unheard && !view.state().receiving()
        && replicas.size() + 1 >= view.known() - view.acknowledgements()
        && receiving < view.acknowledgements();
  }
}
