package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Common to planned and unplanned changes of primary.
 *
 * @param topology how the databases of the group replicate
 * @param proposer address of the server that runs the change
 * @param members all known servers of the group
 * @param replicated whether commits wait for replicas; else the primary alone may have an acknowledged write
 * @param proposed whether members have been asked to promise a term: before, the change has changed nothing
 * @param timing its time and threads
 */
record Succession(
    Topology topology, String proposer, List<GroupMember> members, boolean replicated, AtomicBoolean proposed,
    Timing timing) {
  /**
   * Until the target counts acknowledgements: also on a machine that has just started, and well before it gives up to
   * wait for them.
   */
  private static final Duration READY = Duration.ofSeconds(5);

  MemberAnswers ask(List<GroupMember> asked, Function<GroupMember, MemberReport> question) {
    return MemberAnswers.of(asked, question, timing);
  }

  /** The term after all that these members know. */
  Term next(Map<GroupMember, MemberReport> reports) {
    int latest = reports.values().stream().mapToInt(report -> report.allegiance().latest()).max().orElse(0);
    return new Term(latest + 1, proposer);
  }

  /**
   * Has members promise a term, so that at each of them an earlier change ends. A member whose database cannot be
   * reached is not asked: it could keep no promise, and may take long to say so.
   *
   * @param reports of the members that answer
   * @return their reports afterwards, and who did not answer
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if one has promised a later term: another change is under way,
   *         and nothing was changed
   */
  MemberAnswers promise(Map<GroupMember, MemberReport> reports, Term term) {
    proposed.set(true);
    MemberAnswers answers = ask(List.copyOf(reports.keySet()), member -> {
      var unused = transactions(reports.get(member));
      return member.promise(term);
    });
    for (RnsException reason : answers.silent().values()) {
      if (reason.error() == RnsError.NOT_PRIMARY) {
        throw reason;
      }
    }
    return answers;
  }

  /**
   * Checks that the members are those of the latest list that one of them knows. A list that was committed is known to
   * enough members that a change of primary has stopped one of them.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if the list has changed: repeat the change
   */
  void checkMembers(Map<GroupMember, MemberReport> reports) {
    MemberList latest = list(reports);
    if (latest.differsFrom(members.stream().map(GroupMember::url).toList())) {
      throw new RnsException(
          RnsError.NOT_PRIMARY,
          "the members of the group have changed, they are " + latest.urls() + " now; repeat this");
    }
  }

  /**
   * The latest list that one of these knows; none if no server of it answers: all may have got other addresses since it
   * was written.
   */
  private static MemberList list(Map<GroupMember, MemberReport> reports) {
    MemberList latest = MemberList.latest(reports.values());
    return reports.keySet().stream().anyMatch(member -> latest.has(member.url())) ? latest : MemberList.NONE;
  }

  /**
   * How many replicas acknowledge a write of the primary, as far as these members know. If more do by a list that none
   * of them knows, that was not acknowledged.
   */
  static int acknowledgements(Map<GroupMember, MemberReport> reports) {
    return list(reports).acknowledgements();
  }

  /**
   * Whether a primary is the last one as far as these members know: if one of them has taken part in a later term,
   * another may lead in that, and have acknowledged writes since.
   */
  boolean isLast(Map<GroupMember, MemberReport> reports, GroupMember primary) {
    int accepted = reports.get(primary).allegiance().accepted();
    return topology == Topology.GROUP || reports.values().stream().allMatch(report -> !knowsLater(report, accepted));
  }

  /** Whether a member has taken part in a later term than that in which a primary leads. */
  boolean isOvertaken(MemberReport primary, MemberReport member) {
    return topology == Topology.SOURCE_REPLICA && knowsLater(member, primary.allegiance().accepted());
  }

  static RnsException overtaken(String primary) {
    return new RnsException(
        RnsError.NOT_PRIMARY, "another change of the primary has begun to replace " + primary + "; repeat this");
  }

  /** Whether a change has cut a member off, and nobody whom it could follow leads yet. */
  boolean isChanging(Map<GroupMember, MemberReport> reports) {
    return topology == Topology.SOURCE_REPLICA
        && belonging(reports).stream().anyMatch(member -> reports.get(member).allegiance().cutOff() > 0);
  }

  private static boolean knowsLater(MemberReport report, int term) {
    return report.allegiance().least() > term;
  }

  /**
   * The members that share a term with the primary that a change stops: enough of them keep all others from leading in
   * it. Those without a copy acknowledge nothing.
   *
   * @param promised the reports of the members that have promised it
   */
  static List<GroupMember> sharing(Map<GroupMember, MemberReport> promised, GroupMember from) {
    int accepted = promised.get(from).allegiance().accepted();
    return belonging(promised).stream()
        .filter(member -> !member.equals(from) && !isJoining(promised.get(member)))
        .filter(member -> !knowsLater(promised.get(member), accepted))
        .toList();
  }

  /** Excludes members left outside by an earlier change: they have no acknowledged write that the others lack. */
  static List<GroupMember> belonging(Map<GroupMember, MemberReport> reports) {
    List<GroupMember> belonging =
        reports.keySet().stream().filter(member -> reports.get(member).role() != Role.OUTSIDE).toList();
    return belonging.isEmpty() ? List.copyOf(reports.keySet()) : belonging;
  }

  /**
   * Whether a member is still receiving its first copy, and so has acknowledged nothing. A member whose server has just
   * started may have, and so may one whose copy is being rebuilt.
   */
  static boolean isJoining(MemberReport report) {
    return report.allegiance().accepted() == 0
        && report.database().filter(database -> database.transactions().isEmpty()).isPresent();
  }

  static Optional<GroupMember> primary(Map<GroupMember, MemberReport> reports) {
    Optional<MemberReport> primary = MemberReport.primary(reports.values());
    return reports.keySet().stream().filter(member -> primary.equals(Optional.of(reports.get(member)))).findFirst();
  }

  static int latestEpoch(Map<GroupMember, MemberReport> reports) {
    return reports.values().stream().mapToInt(MemberReport::epoch).max().orElse(0);
  }

  static String transactions(MemberReport report) {
    return report.database().map(DatabaseReport::transactions).orElseThrow(() -> unreachable(report));
  }

  static Position position(MemberReport report) {
    return report.position().orElseThrow(
        () -> new RnsException(RnsError.UNAVAILABLE, report.url() + " reports no position: " + report.reason()));
  }

  static RnsException unreachable(MemberReport report) {
    return new RnsException(
        RnsError.UNAVAILABLE, "the database of " + report.url() + " cannot be reached: " + report.reason());
  }

  GroupMember member(String url) {
    return members.stream()
        .filter(member -> member.url().equals(url))
        .findFirst()
        .orElseThrow(
            () -> new RnsException(
                RnsError.INVALID_REQUEST,
                "'" + url + "' is not a member of the group; its members are "
                    + members.stream().map(GroupMember::url).toList()));
  }

  /**
   * Promotes a member and makes the others follow it, concurrently: its first commit needs one of them. A member with
   * transactions that it lacks cannot follow.
   *
   * <p>A member need not have applied what it has received. Where one acknowledgement suffices, its database may fetch
   * that again: who sent it and who leads next have it on disk, and one of two is not lost. Where more are needed, it
   * is one of the copies that may not be lost meanwhile, and the databases that can count them keep it.
   *
   * @param reports of the members that may follow, since they promised the term; in an unplanned change, since they
   *        were cut off
   * @param began since when no write could be committed, by {@link Timing#nanoTime}
   */
  Handover.Result lead(
      GroupMember to, Term term, PromotionTerms terms, Map<GroupMember, MemberReport> reports, Optional<String> former,
      long began) {
    String source =
        reports.get(to).database().map(DatabaseReport::address).orElseThrow(() -> unreachable(reports.get(to)));
    boolean listed = list(reports).exists();
    List<Runnable> steps = new ArrayList<>();
    AtomicReference<MemberReport> leading = new AtomicReference<>();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    steps.add(() -> {
      try {
        leading.set(to.lead(term, terms));
      } catch (RuntimeException e) {
        failure.set(e);
      }
    });
    for (GroupMember other : reports.keySet()) {
      // A database group can be joined only after its first member has formed it; members then join automatically.
      if (!other.equals(to) && topology == Topology.SOURCE_REPLICA && !mayCommit(other, reports.get(other), former)) {
        // A member that fails here follows by its own rules once it sees the new primary.
        steps.add(() -> {
          var unused = succeeds(() -> {
            if (mayFollow(other, reports.get(other), listed, to)) {
              awaitCounting(to, () -> leading.get() != null || failure.get() != null);
              other.follow(source, to.url(), term.number(), term);
            }
          });
        });
      }
    }
    timing.runAll(steps);
    if (failure.get() != null) {
      throw failure.get();
    }
    return new Handover.Result(to.url(), former, position(leading.get()), millisSince(began));
  }

  /**
   * Whether a member's database took writes when it reported, beside that of the primary that has stepped down since.
   * When it ends that, it may commit a write that no member acknowledged. Only then it can be known whether it may
   * follow, so it does by its own rules.
   */
  private static boolean mayCommit(GroupMember member, MemberReport report, Optional<String> former) {
    boolean writes =
        report.role() == Role.PRIMARY || report.database().filter(DatabaseReport::writable).isPresent();
    return writes && !former.equals(Optional.of(member.url()));
  }

  /**
   * Waits until a member's database counts acknowledgements. It disconnects replicas that were there before, which
   * would not acknowledge, and these connect again after a second only.
   *
   * @param ended whether it leads, which without durability it does without counting, or has failed to
   */
  private void awaitCounting(GroupMember to, BooleanSupplier ended) {
    var unused = timing.await(READY, () -> ended.getAsBoolean() || counts(to));
  }

  private static boolean counts(GroupMember to) {
    try {
      return to.report().database().filter(database -> database.acknowledging().isPresent()).isPresent();
    } catch (RnsException e) {
      return false;
    }
  }

  long millisSince(long began) {
    return (timing.nanoTime() - began) / 1_000_000;
  }

  /**
   * Whether a member may follow one that is to lead and has all that it will have then, and its acknowledgement counts.
   * That of a member without a copy does not: the commit that added it may have reached one database only. It follows
   * when it sees the list of the new primary.
   *
   * @param listed whether there is a list of members; before that, all servers that take part are members
   */
  private static boolean mayFollow(GroupMember other, MemberReport report, boolean listed, GroupMember to) {
    String transactions = transactions(report);
    boolean counts = !listed || (!transactions.isEmpty() && !report.list().excludes(other.url()));
    return counts && to.contains(transactions);
  }

  /**
   * Has a former primary lead again after another member was to lead and failed.
   *
   * @param step makes it lead
   * @return the error to throw, which says who is the primary now
   */
  static RnsException afterLeadingAgain(GroupMember from, RnsException why, Runnable step) {
    try {
      step.run();
      return new RnsException(why.error(), why.getMessage() + "; " + from.url() + " is the primary again", why);
    } catch (RnsException e) {
      RnsException error = new RnsException(
          why.error(),
          why.getMessage() + "; " + from.url() + " has not become the primary again: " + e.getMessage(), why);
      error.addSuppressed(e);
      return error;
    }
  }

  /** A member's report if it says that it is the primary. */
  static Optional<MemberReport> ifPrimary(GroupMember member) {
    try {
      return Optional.of(member.report()).filter(report -> report.role() == Role.PRIMARY);
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  /** Whether a member confirms that its database has these transactions. */
  static boolean has(GroupMember member, String transactions) {
    try {
      return member.contains(transactions);
    } catch (RnsException e) {
      return false;
    }
  }

  static boolean succeeds(Runnable step) {
    try {
      step.run();
      return true;
    } catch (RnsException e) {
      return false;
    }
  }
}
