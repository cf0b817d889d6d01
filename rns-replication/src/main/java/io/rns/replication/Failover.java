package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** One unplanned change of primary. */
final class Failover {
  /** How long other members may take to receive the last writes of a primary that has stepped down. */
  private static final Duration LAST_WRITES = Duration.ofMillis(500);

  private static final Duration POLL = Duration.ofMillis(20);

  /** Epochs that may have begun on unreachable members; skipped, so that none is used twice. */
  private static final int MISSED_EPOCHS = 16;

  private final Succession succession;
  private final Duration lease;
  private final Optional<String> target;
  private final boolean force;

  /**
   * A failover.
   *
   * @param lease how long a primary that cannot commit still answers reads as the primary
   * @param target the address of the new primary; empty for the most advanced member
   * @param force continue although a member that may have acknowledged a write is unreachable, or each member has
   *        transactions that others lack
   */
  Failover(Succession succession, Duration lease, Optional<String> target, boolean force) {
    this.succession = succession;
    this.lease = lease;
    this.target = target;
    this.force = force;
  }

  /**
   * The group after it was stopped.
   *
   * @param reports the members' reports before
   * @param cutOff members that neither write nor receive any more, with their reports since: what they have, applied or
   *        only received
   * @param silent members that could not be reached or stopped, with the reason
   * @param from the primary, if it answered
   * @param term in which it was stopped
   * @param atNanos since when, by {@link Timing#nanoTime}
   */
  private record Stopped(
      Map<GroupMember, MemberReport> reports,
      Map<GroupMember, MemberReport> cutOff,
      Map<GroupMember, RnsException> silent,
      @Nullable GroupMember from,
      Term term,
      long atNanos) {
    boolean steppedDown() {
      return from != null && cutOff.containsKey(from);
    }

    Optional<MemberReport> former() {
      return Optional.ofNullable(from).map(reports::get);
    }

    /** With a later report of a member that is cut off; what it has heard is that of when it stopped. */
    Stopped with(GroupMember member, MemberReport report) {
      Map<GroupMember, MemberReport> later = new LinkedHashMap<>(cutOff);
      later.computeIfPresent(member, (same, before) -> report.with(before.allegiance()));
      return new Stopped(reports, later, silent, from, term, atNanos);
    }

    /**
     * The members' reports before, with the terms since: until it was cut off, a member may have followed a primary of
     * a term that it had not accepted before, and acknowledged its writes.
     */
    Map<GroupMember, MemberReport> inTermsSince() {
      Map<GroupMember, MemberReport> since = new LinkedHashMap<>(reports);
      cutOff.forEach((member, later) -> since.computeIfPresent(
          member, (same, before) -> before.with(before.allegiance().inTermsOf(later.allegiance()))));
      return since;
    }

    /** How many replicas acknowledge a write, as far as any of its members knew before or since. */
    int acknowledgements() {
      Map<GroupMember, MemberReport> last = new LinkedHashMap<>(reports);
      last.putAll(cutOff);
      return Succession.acknowledgements(last);
    }

    /** Whether there are other members, all reachable, and only this one's database is not empty. */
    boolean onlyEmptyBeside(GroupMember to) {
      List<GroupMember> empty =
          cutOff.keySet().stream().filter(member -> Succession.transactions(cutOff.get(member)).isEmpty()).toList();
      return silent.isEmpty() && !empty.isEmpty() && !empty.contains(to) && empty.size() == cutOff.size() - 1;
    }
  }

  Handover.Result run() {
    long began = succession.timing().nanoTime();
    target.ifPresent(succession::member);
    return run(succession.ask(succession.members(), GroupMember::report), began);
  }

  /** The same unless the primary answers and enough replicas acknowledge its writes. */
  Handover.Result runIfLost() {
    long began = succession.timing().nanoTime();
    MemberAnswers asked = succession.ask(succession.members(), GroupMember::report);
    int needed = Succession.acknowledgements(asked.reports());
    Succession.primary(asked.reports()).filter(member -> succession.isLast(asked.reports(), member))
        .filter(
            member -> asked.reports().get(member).database().filter(each -> each.isAcknowledged(needed)).isPresent())
        .ifPresent(member -> {
          throw new RnsException(
              RnsError.INVALID_REQUEST, member.url() + " is the primary, and its writes are acknowledged");
        });
    return run(asked, began);
  }

  private Handover.Result run(MemberAnswers asked, long began) {
    succession.checkMembers(asked.reports());
    checkCannotElect(asked.reports());
    GroupMember from =
        Succession.primary(asked.reports()).filter(member -> succession.isLast(asked.reports(), member)).orElse(null);
    if (from == null) {
      // Check before anything is stopped.
      checkEnough(
          asked.reports(), asked.silent(), null, Succession.acknowledgements(asked.reports()), force);
    }
    Term term = succession.next(asked.reports());
    MemberAnswers promised = promised(asked, term);
    checkShared(promised, from);
    Stopped group = stop(promised, from, term);
    GroupMember to;
    try {
      checkNotOvertaken(group);
      succession.checkMembers(group.cutOff());
      to = chosen(group);
      group = checkedAgain(group, to);
    } catch (RnsException e) {
      restoreGroup(group);
      throw e;
    }
    if (!group.steppedDown() && Succession.latestEpoch(group.reports()) > 0) {
      awaitLease(group, to);
    }
    int missed = force && !group.silent().isEmpty() ? MISSED_EPOCHS : 0;
    PromotionTerms terms =
        new PromotionTerms(
            Succession.latestEpoch(group.reports()) + missed, true, force, group.onlyEmptyBeside(to), ended(group),
            members(group), "");
    try {
      return succession.lead(to, term, terms, group.cutOff(), group.former().map(MemberReport::url), began);
    } catch (RnsException e) {
      if (e.error() == RnsError.INVALID_REQUEST && group.from() != null && group.steppedDown()
          && !to.equals(group.from()) && succession.topology() == Topology.SOURCE_REPLICA) {
        throw withFormer(group.from(), e);
      }
      throw e;
    }
  }

  /**
   * Whom the new epoch begins with, if that is not the list that there is: the servers that take part in a first
   * change; by force those that answer, since a list with silent ones could not be changed any more.
   */
  private List<String> members(Stopped group) {
    boolean replaced = Succession.latestEpoch(group.reports()) == 0 || (force && !group.silent().isEmpty());
    return replaced
        ? group.reports().keySet().stream().filter(member -> !group.silent().containsKey(member))
            .map(GroupMember::url).toList()
        : List.of();
  }

  /**
   * Makes the former primary lead again after another member was told to and failed. In a term of its own: that member
   * may still take itself for the last one that led in this one.
   */
  private RnsException withFormer(GroupMember from, RnsException why) {
    return Succession.afterLeadingAgain(from, why, () -> {
      Handover.Result unused = new Failover(succession, lease, Optional.of(from.url()), false).run();
    });
  }

  /** Ends earlier changes at all members that answer; those that do not promise count as silent. */
  private MemberAnswers promised(MemberAnswers asked, Term term) {
    MemberAnswers answers = succession.promise(asked.reports(), term);
    Map<GroupMember, RnsException> silent = new LinkedHashMap<>(asked.silent());
    silent.putAll(answers.silent());
    return new MemberAnswers(answers.reports(), silent);
  }

  /**
   * Checks that enough members have promised with the primary, so that no two changes lead in one term, and that the
   * primary is still the last one. A change without the primary needs as many members that one of these is among them.
   * With fewer, the primary could only lead again, and in a term that the others may have promised to another change
   * meanwhile.
   */
  private void checkShared(MemberAnswers promised, @Nullable GroupMember from) {
    if (force || from == null || succession.topology() == Topology.GROUP || succession.members().size() == 1
        || !promised.reports().containsKey(from)) {
      return;
    }
    if (!succession.isLast(promised.reports(), from)) {
      throw Succession.overtaken(from.url());
    }
    int needed = Succession.acknowledgements(promised.reports());
    int sharing = Succession.sharing(promised.reports(), from).size();
    if (sharing < needed) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          (sharing == 0 ? "no other member with a copy takes part in this change"
              : "of the other members with a copy, " + sharing + " takes part in this change, and " + needed
                  + " have to")
              + (promised.silent().isEmpty() ? "" : ": " + MemberAnswers.named(promised.silent())) + "; " + from.url()
              + " is still the primary");
    }
  }

  /** A member that refused this term obeys another change, or was not the primary any more. */
  private static void checkNotOvertaken(Stopped group) {
    for (RnsException reason : group.silent().values()) {
      if (reason.error() == RnsError.NOT_PRIMARY) {
        throw reason;
      }
    }
  }

  private void checkCannotElect(Map<GroupMember, MemberReport> reports) {
    boolean canElect =
        reports.values().stream().anyMatch(report -> report.database().filter(DatabaseReport::receiving).isPresent());
    if (succession.topology() == Topology.GROUP && canElect) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the databases of this group elect a new primary automatically; use switchover for a planned change");
    }
  }

  // ---- stop all writers

  /**
   * Stops the group. A primary that has promised steps down first, and the others receive its last writes; after that,
   * its commits are no longer acknowledged. Members that did not answer are not awaited: a single such member,
   * whichever it is, can neither give nor receive an acknowledgement.
   */
  private Stopped stop(MemberAnswers asked, @Nullable GroupMember from, Term term) {
    List<GroupMember> belonging = Succession.belonging(asked.reports());
    List<GroupMember> others = belonging.stream().filter(member -> !member.equals(from)).toList();
    List<GroupMember> promised = asked.reports().keySet().stream().filter(member -> member.equals(from)).toList();
    MemberAnswers former = succession.ask(promised, member -> demoted(member, term));
    if (succession.topology() == Topology.SOURCE_REPLICA) {
      former.reports().values()
          .forEach(report -> awaitLastWrites(others, asked.reports(), Succession.transactions(report)));
    }
    MemberAnswers rest = succession.ask(others, member -> cutOff(member, term));
    Map<GroupMember, MemberReport> cutOff = new LinkedHashMap<>();
    Map<GroupMember, RnsException> silent = new LinkedHashMap<>(asked.silent());
    for (GroupMember member : belonging) {
      MemberAnswers answers = member.equals(from) ? former : rest;
      if (answers.reports().containsKey(member)) {
        cutOff.put(member, answers.reports().get(member));
      }
    }
    silent.putAll(former.silent());
    silent.putAll(rest.silent());
    return new Stopped(asked.reports(), cutOff, silent, from, term, succession.timing().nanoTime());
  }

  private void awaitLastWrites(List<GroupMember> others, Map<GroupMember, MemberReport> reports,
      String transactions) {
    long since = succession.timing().nanoTime();
    for (GroupMember other : others) {
      if (reports.get(other).database().filter(DatabaseReport::receiving).isPresent()) {
        Duration left = LAST_WRITES.minusNanos(succession.timing().nanoTime() - since);
        var unused = succession.timing().await(left, () -> Succession.has(other, transactions));
      }
    }
  }

  /**
   * Makes the primary step down. In a database group it is a member like any other, which may no longer be able to
   * commit.
   */
  private MemberReport demoted(GroupMember primary, Term term) {
    MemberReport report = primary.stepDown(term);
    var unused = Succession.transactions(report);
    return succession.topology() == Topology.GROUP ? cutOff(primary, term) : report;
  }

  /** Cuts a member off. It counts as cut off only if it reports its transactions afterwards. */
  private static MemberReport cutOff(GroupMember member, Term term) {
    MemberReport report = member.stopReceiving(term);
    var unused = Succession.transactions(report);
    return report;
  }

  /** Restores the group as it was; databases that could not elect a primary have no earlier state to restore. */
  private void restoreGroup(Stopped group) {
    if (succession.topology() == Topology.GROUP) {
      return;
    }
    String primary = group.former().map(MemberReport::url).orElse("");
    int leading = group.steppedDown()
        ? group.term().number()
        : group.former().map(report -> report.allegiance().accepted()).orElse(0);
    for (GroupMember member : group.cutOff().keySet()) {
      Optional<String> source = group.reports().get(member).database().flatMap(DatabaseReport::source);
      // One that an earlier change had cut off already must not acknowledge a primary of before that, and one that has
      // followed another primary since its report may have what the source lacks.
      boolean followed = group.reports().get(member).allegiance().cutOff() == 0
          && source.equals(group.cutOff().get(member).database().flatMap(DatabaseReport::source));
      if (source.isPresent() && followed && !member.equals(group.from())) {
        var unused = Succession.succeeds(() -> member.follow(source.get(), primary, leading, group.term()));
      }
    }
    if (group.from() != null && group.steppedDown()) {
      GroupMember from = group.from();
      var unused = Succession
          .succeeds(() -> from.lead(group.term(),
              PromotionTerms.after(Succession.latestEpoch(group.reports()), ended(group))));
    }
  }

  /**
   * A primary that has lost its acknowledging replicas serves reads until its lease ends, which it last renewed by a
   * transaction that one of them received. That began before the next primary received it, which has all of them: what
   * arrives at the others later renews nothing. By force it may lack some.
   */
  private void awaitLease(Stopped group, GroupMember to) {
    MemberReport next = group.cutOff().get(to);
    long quiet =
        group.cutOff().values().stream().filter(report -> force || report.equals(next))
            .mapToLong(report -> report.allegiance().quietMillis()).min().orElse(0);
    Duration left = Timing.onOtherClocks(lease).minusMillis(quiet);
    while (!succession.timing().passed(left, group.atNanos())) {
      succession.timing().pause(POLL);
    }
  }

  /** The last epoch whose primary answers no reads any more: it has stepped down, or its lease has been awaited. */
  private static int ended(Stopped group) {
    return group.steppedDown()
        ? group.former().map(MemberReport::epoch).orElse(0)
        : Succession.latestEpoch(group.reports());
  }

  // ---- choose the new primary

  private void checkEnough(Stopped group) {
    checkEnough(
        group.inTermsSince(), group.silent(), group.from(), group.acknowledgements(), group.steppedDown() || force);
  }

  /**
   * Checks again whether all that count take part, by the list of members that the next primary has now: the latest one
   * may have been received by the members and applied by none when they stopped.
   *
   * @return the group with the present report of the next primary
   */
  private Stopped checkedAgain(Stopped group, GroupMember to) {
    if (succession.topology() == Topology.GROUP) {
      return group;
    }
    Stopped now = group.with(to, to.promise(group.term()));
    succession.checkMembers(now.cutOff());
    checkEnough(now);
    return now;
  }

  private GroupMember chosen(Stopped group) {
    checkEnough(group);
    if (group.cutOff().isEmpty()) {
      throw unreachable(group.silent());
    }
    Map<GroupMember, MemberReport> eligible = eligible(group);
    return new Candidates(eligible, since(group, eligible, Allegiance::chosen), succession.timing())
        .choose(target.map(succession::member), force);
  }

  /**
   * Whether a member answers that was chosen to lead in the latest term that any has accepted, or later: it has all
   * acknowledged writes. If all members answer, none was to lead in a later term than these say: members accept one
   * when they are told to follow who then does not learn that it should lead. None is needed in a database group.
   */
  private boolean isComplete(Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent) {
    boolean all = silent.isEmpty() && reports.values().stream().allMatch(report -> report.database().isPresent());
    int chosen = latestChosen(reports.values());
    int latest = all && chosen > 0 ? chosen : Math.max(chosen, latestAccepted(reports));
    return Succession.belonging(reports).stream()
        .filter(member -> !silent.containsKey(member) && reports.get(member).database().isPresent())
        .anyMatch(member -> wasChosenLast(reports.get(member), latest));
  }

  private static boolean wasChosenLast(MemberReport report, int latest) {
    // A group that has never changed its primary has no terms.
    boolean chosen = latest > 0 || report.database().filter(DatabaseReport::writable).isPresent();
    return chosen && report.allegiance().chosen() == latest;
  }

  private static int latestChosen(Collection<MemberReport> reports) {
    return reports.stream().mapToInt(report -> report.allegiance().chosen()).max().orElse(0);
  }

  private static int latestAccepted(Map<GroupMember, MemberReport> reports) {
    return reports.values().stream().mapToInt(report -> report.allegiance().accepted()).max().orElse(0);
  }

  /** Members whose databases may have lost what they acknowledged. A database group sees to that itself. */
  private Map<GroupMember, RnsException> doubtful(
      Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent) {
    Map<GroupMember, RnsException> doubtful = new LinkedHashMap<>();
    if (succession.topology() == Topology.SOURCE_REPLICA && !isComplete(reports, silent)) {
      for (GroupMember member : Succession.belonging(reports)) {
        MemberReport report = reports.get(member);
        if (report.database().isPresent() && !report.allegiance().vouches()) {
          doubtful.put(
              member,
              new RnsException(
                  RnsError.UNAVAILABLE, "its database was restarted and has not caught up with the primary since"));
        }
      }
    }
    return doubtful;
  }

  private void checkEnough(
      Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent, @Nullable GroupMember from,
      int acknowledgements, boolean anyMemberSuffices) {
    Map<GroupMember, RnsException> absent = new LinkedHashMap<>(doubtful(reports, silent));
    absent.putAll(silent);
    Map<GroupMember, RnsException> missing = new LinkedHashMap<>();
    absent.forEach(
        (member, reason) -> {
          MemberReport report = reports.get(member);
          // Where several acknowledge, one that is not cut off must not count: nothing would tell of this change once
          // it has a copy of a former primary, and vouches for that (MembershipView.isLast).
          boolean joining = report != null && Succession.isJoining(report)
              && (acknowledgements == 1 || !silent.containsKey(member));
          // So many replicas have each transaction of the old source that it answered.
          boolean dispensable = !mayHaveAlone() && member.equals(from);
          if (!joining && !dispensable) {
            missing.put(member, reason);
          }
        });
    // One of the primary and of the replicas that have acknowledged a write must not be missing; an unreachable member
    // may be the primary.
    int allowed = mayHaveAlone() ? 0 : from != null ? acknowledgements - 1 : acknowledgements;
    if (missing.size() > allowed && !anyMemberSuffices) {
      throw unreachable(missing);
    }
  }

  /**
   * Whether one member may be the only one with an acknowledged write: without replicas that acknowledge, the primary;
   * in a database group, which other members may have left earlier, any that has it on disk.
   */
  private boolean mayHaveAlone() {
    return succession.topology() == Topology.GROUP || !succession.replicated();
  }

  private static RnsException unreachable(Map<GroupMember, RnsException> missing) {
    return new RnsException(
        RnsError.UNAVAILABLE,
        "these members cannot be asked: " + MemberAnswers.named(missing)
            + "; only they may have an acknowledged write (use force to continue without them)");
  }

  /**
   * The candidates. The replaced primary is excluded if the others have all acknowledged writes: it may be isolated,
   * with writes that wait for an acknowledgement and exist on no other member.
   */
  private Map<GroupMember, MemberReport> eligible(Stopped group) {
    Map<GroupMember, MemberReport> others = new LinkedHashMap<>(group.cutOff());
    others.keySet().removeIf(member -> member.equals(group.from()));
    // A member whose copy is being created or rebuilt may lack writes it once acknowledged.
    boolean copied = others.values().stream().noneMatch(other -> Succession.transactions(other).isEmpty());
    boolean vouched = others.values().stream().allMatch(other -> other.allegiance().vouches());
    boolean wanted = target.equals(group.former().map(MemberReport::url));
    boolean waits = group.former().filter(this::waitsForOthers).isPresent();
    return group.silent().isEmpty() && copied && vouched && waits && !wanted && !others.isEmpty() ? others
        : since(group, group.cutOff(), Allegiance::led);
  }

  /**
   * Those of these members that took part in the last term in which one of them led, or was to lead. That one has what
   * was acknowledged before its term, and what was since is at members that have accepted it; what others have beside
   * that was acknowledged to nobody, though they may not know yet that they are outside. Replicas that may have
   * acknowledged writes since without knowing it are kept.
   */
  private static Map<GroupMember, MemberReport> since(
      Stopped group, Map<GroupMember, MemberReport> members, ToIntFunction<Allegiance> term) {
    Map<GroupMember, MemberReport> since = new LinkedHashMap<>(members);
    int last = members.values().stream().mapToInt(report -> term.applyAsInt(report.allegiance())).max().orElse(0);
    since.values().removeIf(
        report -> report.allegiance().took() < last && !mayReceiveSince(report, group.cutOff().values(), last));
    return since;
  }

  /**
   * Whether a database may have acknowledged writes of a term that its server knows nothing of: while the server is
   * away, it goes on with its source. Not if that has led in earlier terms only.
   */
  private static boolean mayReceiveSince(MemberReport member, Collection<MemberReport> members, int term) {
    Optional<String> source = member.database().flatMap(DatabaseReport::source);
    return source.isPresent() && members.stream()
        .filter(other -> other.database().map(DatabaseReport::address).equals(source))
        .map(MemberReport::allegiance)
        .noneMatch(other -> other.chosen() < term && other.accepted() <= term);
  }

  /**
   * Whether the primary's commits wait for a replica. A database group commits by majority, but a failover happens only
   * without one: any member may be the only one with a write.
   */
  private boolean waitsForOthers(MemberReport primary) {
    return succession.topology() == Topology.SOURCE_REPLICA
        && primary.database().filter(database -> database.acknowledging().isPresent()).isPresent();
  }
}
