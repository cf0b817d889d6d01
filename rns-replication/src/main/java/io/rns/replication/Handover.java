package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes the primary of a group: planned, while the old one helps, or unplanned, without it.
 *
 * <p>What keeps writes from being lost: a write is acknowledged when one replica has it, so it is on every set of
 * members that leaves out the primary only. An unplanned change therefore asks all others, cuts them off from the old
 * primary first (from then on it gets no acknowledgement, whatever it does), and takes one that has all that any of
 * them has. What only the old primary has was acknowledged to nobody, if its commits wait for a replica: it stays
 * outside with that.
 */
public final class Handover {
  private static final Duration CATCH_UP = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Succession succession;
  private final Duration lease;
  private final Duration catchUp;

  /**
   * A group.
   *
   * @param topology how its databases are kept alike
   * @param members all of its servers that are known, reachable or not; of those that have most, an unplanned change
   *        takes the first
   * @param lease how long a primary that cannot commit still answers as one
   */
  public Handover(Topology topology, List<GroupMember> members, Duration lease) {
    this(topology, members, lease, CATCH_UP);
  }

  /** With another bound for a member to have what the primary has. */
  Handover(Topology topology, List<GroupMember> members, Duration lease, Duration catchUp) {
    this.succession = new Succession(topology, List.copyOf(members));
    this.lease = lease;
    this.catchUp = catchUp;
  }

  /**
   * What was done.
   *
   * @param primary the address of the primary
   * @param former the address of the one before; empty if there was none or it could not be reached
   * @param position where the new one began
   * @param outageMillis how long no write could be committed because of this; of an unplanned change from its beginning
   */
  public record Result(String primary, Optional<String> former, Position position, long outageMillis) {}

  /**
   * Makes another server the primary, without a failed write.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the target is not a replica that follows the primary,
   *         {@link RnsError#UNAVAILABLE} if it does not catch up, or the group cannot be reached; the old primary goes
   *         on then
   */
  public Result switchover(String target) {
    Map<GroupMember, MemberReport> reports = MemberAnswers.of(succession.members(), GroupMember::report).reports();
    GroupMember to = succession.member(target);
    GroupMember from = Succession.primary(reports).orElseThrow(
        () -> new RnsException(RnsError.UNAVAILABLE, "no member of the group is the primary; use failover"));
    if (from.equals(to)) {
      return new Result(target, Optional.of(target), Succession.position(reports.get(to)), 0);
    }
    // As long as the old one writes: what is left to wait for when it has ended is little.
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
    PromotionTerms beginning = PromotionTerms.after(Succession.latestEpoch(reports));
    return succession.lead(to, beginning, reports, Optional.of(from.url()), began);
  }

  /** After another change of the primary it may take a moment, and so it may after a start. */
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
      // The others have not been told anything: they still follow it.
      from.lead(PromotionTerms.after(Succession.latestEpoch(reports)));
    } catch (RnsException e) {
      why.addSuppressed(e);
    }
  }

  /**
   * Makes a server the primary without the old one, or the first one of a new group. With {@link Topology#GROUP} the
   * databases do the former by themselves; here they are made a group when they are none: at first, or when too many
   * were lost at a time for the rest to choose.
   *
   * @param target which; empty for the one that has most
   * @param force go on although a member that may have acknowledged a write cannot be asked, although each has
   *        transactions that others lack, and although nobody acknowledges: writes may be lost
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if another member has what the target has not, or no other
   *         one is there to acknowledge writes, or the databases can choose by themselves, {@link RnsError#UNAVAILABLE}
   *         if a member cannot be asked
   */
  public Result failover(Optional<String> target, boolean force) {
    return new Failover(succession, lease, target, force).run();
  }
}
