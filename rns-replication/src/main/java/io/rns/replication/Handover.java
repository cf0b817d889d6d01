package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Changes the primary of a group: planned, with the old one, or unplanned, without it.
 *
 * <p>Why no acknowledged write is lost: a write is acknowledged once one replica has it, or as many as the list of
 * members says. An unplanned change therefore contacts so many members that one of them has it, first cuts them off
 * from the old primary (which then gets no more acknowledgements), and promotes a member that has every transaction of
 * the others. Transactions that only the old primary has were never acknowledged to a client, if its commits wait for a
 * replica; it stays outside with them.
 */
public final class Handover {
  private static final Duration CATCH_UP = Duration.ofSeconds(10);

  /**
   * How long a switchover asks for the primary while members do not answer, or another change is under way: of a server
   * that has just started, the first answers under load take long.
   */
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(20);

  /** Writes stop if the target needs no longer than this for what the primary has; they wait about as long. */
  private static final Duration SHORT_LAG = Duration.ofMillis(50);

  private final Succession succession;
  private final Duration lease;
  private final Duration catchUp;
  private final Duration answer;

  /**
   * For a group.
   *
   * @param topology how its databases replicate
   * @param proposer names this change, as no other one is named
   * @param members all its known servers, reachable or not; among equally advanced ones, a failover chooses the first
   * @param replicated whether commits wait for replicas; else the primary alone may have an acknowledged write
   * @param lease how long a primary that cannot commit still answers reads as the primary
   * @param timing its time and threads
   */
  public Handover(
      Topology topology, String proposer, List<GroupMember> members, boolean replicated, Duration lease,
      Timing timing) {
    this(topology, proposer, members, replicated, lease, CATCH_UP, ANSWER, timing);
  }

  /** With other limits for the target to catch up with the primary, and for the primary to answer. */
  Handover(
      Topology topology, String proposer, List<GroupMember> members, boolean replicated, Duration lease,
      Duration catchUp, Duration answer, Timing timing) {
    this.succession = new Succession(topology, proposer, List.copyOf(members), replicated, new AtomicBoolean(), timing);
    this.lease = lease;
    this.catchUp = catchUp;
    this.answer = answer;
  }

  /** Names this change. */
  public String proposer() {
    return succession.proposer();
  }

  /**
   * Whether it has asked members to promise a term, which may have ended another change. One that was rejected before
   * has changed nothing.
   */
  public boolean proposed() {
    return succession.proposed().get();
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
   *         {@link RnsError#UNAVAILABLE} if it does not catch up, others cannot reach its database, or the group is
   *         unreachable; the old primary then continues. {@link RnsError#NOT_PRIMARY} if another change is under way,
   *         which decides on the primary: this can be repeated then
   */
  public Result switchover(String target) {
    GroupMember to = succession.member(target);
    MemberAnswers answers = answersWithPrimary();
    Map<GroupMember, MemberReport> reports = answers.reports();
    GroupMember from = Succession.primary(reports).orElseThrow(() -> withoutPrimary(answers));
    if (from.equals(to)) {
      return new Result(target, Optional.of(target), Succession.position(reports.get(to)), 0);
    }
    if (!reports.containsKey(to)) {
      throw new RnsException(RnsError.UNAVAILABLE, target + " does not answer; nothing was changed");
    }
    // While the old primary still writes, so that little remains to wait for after it steps down.
    String address = awaitFollowing(reports.get(from), to);
    if (succession.topology() == Topology.SOURCE_REPLICA) {
      checkAllReach(to, address, reports);
    }
    Term term = succession.next(reports);
    Map<GroupMember, MemberReport> promised = promised(from, to, reports, term);
    awaitShortLag(from, to, promised.get(from));
    long began = succession.timing().nanoTime();
    PromotionTerms terms;
    String last;
    try {
      MemberReport stepped = from.stepDown(term);
      last = Succession.transactions(stepped);
      terms =
          PromotionTerms.after(Succession.latestEpoch(reports), stepped.epoch())
              .with(inForce(promised.get(from), stepped));
      awaitTransactions(to, last);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        leadAgain(from, term, reports, e);
      }
      throw e;
    }
    try {
      return succession.lead(to, term, terms, followers(promised, from, to), Optional.of(from.url()), began);
    } catch (RnsException e) {
      if (e.error() == RnsError.NOT_PRIMARY) {
        // A later change is under way, and sees to it that one leads.
        throw e;
      }
      Optional<MemberReport> leading = Succession.ifPrimary(to);
      if (leading.isPresent()) {
        // Only its answer was lost.
        return new Handover.Result(to.url(), Optional.of(from.url()), Succession.position(leading.get()),
            succession.millisSince(began));
      }
      throw withOldPrimary(from, term, terms, e);
    }
  }

  /** The answers of the members, once the primary is among them or cannot be, and no other change replaces it. */
  private MemberAnswers answersWithPrimary() {
    long since = succession.timing().nanoTime();
    while (true) {
      MemberAnswers answers = succession.ask(succession.members(), GroupMember::report);
      Optional<GroupMember> primary = Succession.primary(answers.reports());
      boolean settled = primary.isPresent()
          ? succession.isLast(answers.reports(), primary.get())
          : answers.silent().isEmpty() && !succession.isChanging(answers.reports());
      if (settled || succession.timing().passed(answer, since)) {
        return answers;
      }
      succession.timing().pause(POLL);
    }
  }

  private static RnsException withoutPrimary(MemberAnswers answers) {
    return new RnsException(
        RnsError.UNAVAILABLE,
        answers.silent().isEmpty()
            ? "no member of the group is the primary; use failover"
            : "no member that answers is the primary; retry, or use failover. Without an answer: "
                + MemberAnswers.named(answers.silent()));
  }

  /**
   * Ends earlier changes. The old primary, the target and as many more as acknowledge a write suffice: any other change
   * needs one of them.
   *
   * @return the reports afterwards of those that have promised
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if another change is under way
   */
  private Map<GroupMember, MemberReport> promised(GroupMember from, GroupMember to,
      Map<GroupMember, MemberReport> reports, Term term) {
    MemberAnswers answers = succession.promise(reports, term);
    for (GroupMember needed : List.of(from, to)) {
      RnsException silence = answers.silent().get(needed);
      if (silence != null) {
        throw silence;
      }
    }
    if (succession.topology() == Topology.SOURCE_REPLICA) {
      checkShared(from, to, answers);
    }
    return answers.reports();
  }

  /**
   * The old primary, the target, and the members that get nothing after their promise but what the old primary has.
   * Others may still get writes of an earlier primary: they follow by their own rules.
   */
  private static Map<GroupMember, MemberReport> followers(
      Map<GroupMember, MemberReport> promised, GroupMember from, GroupMember to) {
    Optional<String> old = promised.get(from).database().map(DatabaseReport::address);
    Map<GroupMember, MemberReport> followers = new LinkedHashMap<>(promised);
    followers.entrySet().removeIf(each -> {
      Optional<String> source = each.getValue().database().flatMap(DatabaseReport::source);
      return !each.getKey().equals(from) && !each.getKey().equals(to) && source.isPresent() && !source.equals(old);
    });
    return followers;
  }

  /**
   * The list of members that a primary had committed when it stepped down, if it wrote no other one: the target, which
   * has all that it has, then need not wait for the acknowledgements that a later list may ask for.
   */
  private static MemberList inForce(MemberReport leading, MemberReport stepped) {
    boolean known = leading.role() == Role.PRIMARY && leading.list().equals(stepped.list());
    return known ? leading.list() : MemberList.NONE;
  }

  private static void checkShared(GroupMember from, GroupMember to, MemberAnswers promised) {
    List<GroupMember> sharing = Succession.sharing(promised.reports(), from);
    if (!sharing.contains(to)) {
      throw Succession.overtaken(from.url());
    }
    int needed = Succession.acknowledgements(promised.reports());
    if (sharing.size() < needed) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "of the other members, " + sharing.size() + " takes part in this change, and " + needed + " have to"
              + (promised.silent().isEmpty() ? "" : ": " + MemberAnswers.named(promised.silent()))
              + "; nothing was changed");
    }
  }

  /**
   * Checks that the members that will follow the target reach its database: without them it cannot commit, and only
   * after the old primary has stepped down would that show.
   */
  private void checkAllReach(GroupMember to, String address, Map<GroupMember, MemberReport> reports) {
    List<GroupMember> followers =
        reports.keySet().stream().filter(member -> !member.equals(to) && follows(reports.get(member))).toList();
    MemberAnswers checked = succession.ask(followers, member -> {
      member.checkReaches(address);
      return reports.get(member);
    });
    // A member of an older version cannot check.
    List<String> unable =
        checked.silent().entrySet().stream()
            .filter(each -> each.getValue().error() != RnsError.UNKNOWN_OPERATION)
            .map(each -> each.getKey().url() + " (" + each.getValue().getMessage() + ")")
            .toList();
    if (!unable.isEmpty()) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the database of " + to.url() + ", " + address + ", cannot be reached by " + String.join(", ", unable)
              + "; nothing was changed");
    }
  }

  private static boolean follows(MemberReport report) {
    return report.role() == Role.PRIMARY
        || (report.role() == Role.REPLICA && report.database().filter(DatabaseReport::receiving).isPresent());
  }

  /**
   * Makes the old primary lead again after the target failed to. Others may follow the target already, which may even
   * have become primary unheard: so this is a failover, which first cuts off all members, and refuses if the old
   * primary lacks what one of them has. In a database group the databases exclude a second primary.
   *
   * @return the error to throw, which says who is the primary now
   */
  private RnsException withOldPrimary(
      GroupMember from, Term term, PromotionTerms terms, RnsException why) {
    return Succession.afterLeadingAgain(from, why, () -> {
      if (succession.topology() == Topology.GROUP) {
        var unused = from.lead(term, terms);
      } else {
        var unused = new Failover(succession, lease, Optional.of(from.url()), false).run();
      }
    });
  }

  /**
   * Waits, since following may take a moment after a start or another change of primary.
   *
   * @return the address of the database of {@code to}
   */
  private String awaitFollowing(MemberReport primary, GroupMember to) {
    String address = primary.database().map(DatabaseReport::address).orElseThrow(() -> Succession.unreachable(primary));
    long until = succession.timing().nanoTime() + catchUp.toNanos();
    while (true) {
      MemberReport report = to.report();
      if (succession.isOvertaken(primary, report)) {
        // Before a promise, which would end that change shortly before it has a member lead.
        throw Succession.overtaken(primary.url());
      }
      Optional<String> source = report.database().flatMap(DatabaseReport::source);
      boolean follows =
          source.equals(Optional.of(address)) && report.database().filter(DatabaseReport::receiving).isPresent();
      if (follows && hasServed(report, primary)) {
        return report.database().map(DatabaseReport::address).orElseThrow();
      }
      if (succession.timing().nanoTime() - until > 0) {
        throw follows ? behind(report, primary) : notFollowing(report, primary, address);
      }
      succession.timing().pause(POLL);
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

  /**
   * Waits until the target soon has what the primary has, while that still writes.
   *
   * @param promised the report of the primary after its promise
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not catch up at all
   */
  private void awaitShortLag(GroupMember from, GroupMember to, MemberReport promised) {
    long began = succession.timing().nanoTime();
    MemberReport report = promised;
    while (true) {
      long since = succession.timing().nanoTime();
      awaitTransactions(to, Succession.transactions(report));
      if (!succession.timing().passed(SHORT_LAG, since) || succession.timing().passed(catchUp, began)) {
        return;
      }
      report = from.report();
    }
  }

  private void awaitTransactions(GroupMember to, String transactions) {
    if (!succession.timing().await(catchUp, () -> to.contains(transactions))) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          to.url() + " has not caught up with the primary within " + catchUp.toSeconds() + " s; nothing was changed");
    }
  }

  private static void leadAgain(
      GroupMember from, Term term, Map<GroupMember, MemberReport> reports, RnsException why) {
    try {
      // The other members still follow it: nothing has changed for them.
      from.lead(term, PromotionTerms.after(Succession.latestEpoch(reports), reports.get(from).epoch()));
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

  /**
   * The same for the most advanced server, unless the primary answers and its writes are acknowledged: what a member
   * has seen of it is old when that begins a failover.
   *
   * @throws RnsException also {@link RnsError#INVALID_REQUEST} if they are; nothing was changed
   */
  public Result failoverIfLost() {
    return new Failover(succession, lease, Optional.empty(), false).runIfLost();
  }
}
