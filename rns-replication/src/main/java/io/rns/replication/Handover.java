package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes the primary of a group: planned, with the old one, or unplanned, without it.
 *
 * <p>Why no acknowledged write is lost: a write is acknowledged once a replica has it, so the members other than the
 * primary always include one that has it. An unplanned change therefore contacts all of them, first cuts them off from
 * the old primary (which then gets no more acknowledgements), and promotes a member that has every transaction of the
 * others. Transactions that only the old primary has were never acknowledged to a client, if its commits wait for a
 * replica; it stays outside with them.
 */
public final class Handover {
  private static final Duration CATCH_UP = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Succession succession;
  private final Duration lease;
  private final Duration catchUp;

  /**
   * For a group.
   *
   * @param topology how its databases replicate
   * @param members all its known servers, reachable or not; among equally advanced ones, a failover chooses the first
   * @param lease how long a primary that cannot commit still answers reads as the primary
   */
  public Handover(Topology topology, List<GroupMember> members, Duration lease) {
    this(topology, members, lease, CATCH_UP);
  }

  /** With another limit for the target to catch up with the primary. */
  Handover(Topology topology, List<GroupMember> members, Duration lease, Duration catchUp) {
    this.succession = new Succession(topology, List.copyOf(members));
    this.lease = lease;
    this.catchUp = catchUp;
  }

  /**
   * The result of a change.
   *
   * @param primary the address of the new primary
   * @param former the address of the previous one; empty if there was none or it was unreachable
   * @param position the first position of the new primary
   * @param outageMillis how long no write could be committed because of the change; for a failover, since its start
   */
  public record Result(String primary, Optional<String> former, Position position, long outageMillis) {}

  /**
   * Promotes another server without failing a write.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the target is not a replica that follows the primary,
   *         {@link RnsError#UNAVAILABLE} if it does not catch up, or the group is unreachable; the old primary then
   *         continues
   */
  public Result switchover(String target) {
    Map<GroupMember, MemberReport> reports = MemberAnswers.of(succession.members(), GroupMember::report).reports();
    GroupMember to = succession.member(target);
    GroupMember from = Succession.primary(reports).orElseThrow(
        () -> new RnsException(RnsError.UNAVAILABLE, "no member of the group is the primary; use failover"));
    if (from.equals(to)) {
      return new Result(target, Optional.of(target), Succession.position(reports.get(to)), 0);
    }
    // While the old primary still writes, so that little remains to wait for after it steps down.
    awaitFollowing(reports.get(from), to);
    long began = System.nanoTime();
    try {
      awaitTransactions(to, Succession.transactions(from.stepDown()));
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        leadAgain(from, reports, e);
      }
      throw e;
    }
    PromotionTerms terms = PromotionTerms.after(Succession.latestEpoch(reports));
    return succession.lead(to, terms, reports, Optional.of(from.url()), began);
  }

  /** Waits, since following may take a moment after a start or another change of primary. */
  private void awaitFollowing(MemberReport primary, GroupMember to) {
    String address = primary.database().map(DatabaseReport::address).orElseThrow(() -> Succession.unreachable(primary));
    long until = System.nanoTime() + catchUp.toNanos();
    while (true) {
      MemberReport report = to.report();
      Optional<String> source = report.database().flatMap(DatabaseReport::source);
      boolean follows =
          source.equals(Optional.of(address)) && report.database().filter(DatabaseReport::receiving).isPresent();
      if (follows && hasServed(report, primary)) {
        return;
      }
      if (System.nanoTime() - until > 0) {
        throw follows ? behind(report, primary) : notFollowing(report, primary, address);
      }
      Pause.of(POLL);
    }
  }

  private static boolean hasServed(MemberReport report, MemberReport primary) {
    return primary.position().isEmpty()
        || report.position().filter(at -> at.covers(primary.position().get())).isPresent();
  }

  private RnsException behind(MemberReport report, MemberReport primary) {
    return new RnsException(
        RnsError.UNAVAILABLE,
        report.url() + " is behind the primary " + primary.url() + ": after " + catchUp.toSeconds() + " s it serves "
            + report.position().map(Position::toString).orElse("nothing") + ", not yet "
            + primary.position().map(Position::toString).orElse("") + "; nothing was changed");
  }

  private static RnsException notFollowing(MemberReport report, MemberReport primary, String address) {
    return new RnsException(
        RnsError.INVALID_REQUEST,
        report.url() + " does not follow the primary " + primary.url() + " (" + address + "): it "
            + report.database().flatMap(DatabaseReport::source).map(other -> "replicates from " + other)
                .orElse("has no source"));
  }

  private void awaitTransactions(GroupMember to, String transactions) {
    long until = System.nanoTime() + catchUp.toNanos();
    while (!to.contains(transactions)) {
      if (System.nanoTime() - until > 0) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            to.url() + " has not caught up with the primary within " + catchUp.toSeconds() + " s; nothing was changed");
      }
      Pause.of(POLL);
    }
  }

  private static void leadAgain(GroupMember from, Map<GroupMember, MemberReport> reports, RnsException why) {
    try {
      // The other members still follow it: nothing has changed for them.
      from.lead(PromotionTerms.after(Succession.latestEpoch(reports)));
    } catch (RnsException e) {
      why.addSuppressed(e);
    }
  }

  /**
   * Promotes a server without the old primary, or the first primary of a new group. With {@link Topology#GROUP} the
   * databases elect a primary automatically; here they form a new group when there is none: initially, or after too
   * many were lost at once for an election.
   *
   * @param target the server; empty for the most advanced one
   * @param force continue although a member that may have acknowledged a write is unreachable, each member has
   *        transactions that others lack, or no member acknowledges: writes may be lost
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if another member has transactions that the target lacks, no
   *         other member can acknowledge writes or copy its database, or the databases can elect a primary themselves;
   *         {@link RnsError#UNAVAILABLE} if a member is unreachable
   */
  public Result failover(Optional<String> target, boolean force) {
    return new Failover(succession, lease, target, force).run();
  }
}
