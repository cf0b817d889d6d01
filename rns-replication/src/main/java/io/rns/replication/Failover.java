package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One unplanned change of the primary of a group. */
final class Failover {
  /** So long others have to receive what a primary that is still there has, after it has ended. */
  private static final Duration LAST_WRITES = Duration.ofMillis(500);

  private static final Duration POLL = Duration.ofMillis(20);

  /** Epochs that may have begun where nobody can be asked, so that none is used twice. */
  private static final int MISSED_EPOCHS = 16;

  private final Succession succession;
  private final Duration lease;
  private final Optional<String> target;
  private final boolean force;

  /**
   * A change.
   *
   * @param lease how long a primary that cannot commit still answers as one
   * @param target the address of who is to be the primary; empty for the one that has most
   * @param force go on although a member that may have acknowledged a write cannot be asked, or each has what others
   *        lack
   */
  Failover(Succession succession, Duration lease, Optional<String> target, boolean force) {
    this.succession = succession;
    this.lease = lease;
    this.target = target;
    this.force = force;
  }

  /**
   * The group when it has been stopped.
   *
   * @param reports how members stood before
   * @param cutOff those that neither write nor receive any more, and what they have by then
   * @param silent those that could not be asked, or not be stopped, with the reason
   * @param from the primary, if it answered
   * @param atNanos since when, by {@link System#nanoTime}
   */
  private record Stopped(
      Map<GroupMember, MemberReport> reports,
      Map<GroupMember, MemberReport> cutOff,
      Map<GroupMember, RnsException> silent,
      @Nullable GroupMember from,
      long atNanos) {
    boolean steppedDown() {
      return from != null && cutOff.containsKey(from);
    }

    Optional<MemberReport> former() {
      return Optional.ofNullable(from).map(reports::get);
    }
  }

  Handover.Result run() {
    long began = System.nanoTime();
    target.ifPresent(succession::member);
    MemberAnswers asked = MemberAnswers.of(succession.members(), GroupMember::report);
    checkNobodyChooses(asked.reports());
    GroupMember from = Succession.primary(asked.reports()).orElse(null);
    if (from == null) {
      // As long as nothing has been stopped.
      checkEnough(asked.reports(), asked.silent(), null, force);
    }
    Stopped group = stop(asked, from);
    GroupMember to;
    try {
      to = chosen(group);
    } catch (RnsException e) {
      takeBack(group);
      throw e;
    }
    if (!group.steppedDown() && Succession.latestEpoch(group.reports()) > 0) {
      awaitLease(group.atNanos());
    }
    int missed = force && !group.silent().isEmpty() ? MISSED_EPOCHS : 0;
    PromotionTerms beginning = new PromotionTerms(Succession.latestEpoch(group.reports()) + missed, true, force);
    try {
      return succession.lead(to, beginning, group.cutOff(), group.former().map(MemberReport::url), began);
    } catch (RnsException e) {
      if (e.error() == RnsError.INVALID_REQUEST) {
        takeBack(group);
      }
      throw e;
    }
  }

  private void checkNobodyChooses(Map<GroupMember, MemberReport> reports) {
    boolean chooses =
        reports.values().stream().anyMatch(report -> report.database().filter(DatabaseReport::receiving).isPresent());
    if (succession.topology() == Topology.GROUP && chooses) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the databases of this group choose the primary by themselves when it is lost; a planned change is a switchover");
    }
  }

  // ---- nobody writes any more

  /**
   * The primary ends first, if it is still there, and others get what it has; what it commits without that nobody
   * acknowledges any more. Who did not answer a moment ago is not waited for: one such member, whichever it is, cannot
   * get or give an acknowledgement.
   */
  private Stopped stop(MemberAnswers asked, @Nullable GroupMember from) {
    List<GroupMember> belonging = belonging(asked.reports());
    List<GroupMember> others = belonging.stream().filter(member -> !member.equals(from)).toList();
    MemberAnswers former = MemberAnswers.of(from == null ? List.of() : List.of(from), this::ended);
    if (succession.topology() == Topology.SOURCE_REPLICA) {
      former.reports().values()
          .forEach(report -> awaitLastWrites(others, asked.reports(), Succession.transactions(report)));
    }
    MemberAnswers rest = MemberAnswers.of(others, Failover::cutOff);
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
    return new Stopped(asked.reports(), cutOff, silent, from, System.nanoTime());
  }

  /** One that an earlier change left outside has nothing that was acknowledged and others lack. */
  private static List<GroupMember> belonging(Map<GroupMember, MemberReport> reports) {
    List<GroupMember> belonging =
        reports.keySet().stream().filter(member -> reports.get(member).role() != Role.OUTSIDE).toList();
    return belonging.isEmpty() ? List.copyOf(reports.keySet()) : belonging;
  }

  private static void awaitLastWrites(List<GroupMember> others, Map<GroupMember, MemberReport> reports,
      String transactions) {
    long until = System.nanoTime() + LAST_WRITES.toNanos();
    for (GroupMember other : others) {
      if (reports.get(other).database().filter(DatabaseReport::receiving).isPresent()) {
        while (!Succession.has(other, transactions) && System.nanoTime() < until) {
          Pause.of(POLL);
        }
      }
    }
  }

  /** Of a database group the old primary is a member like the others, who may not be able to commit any more. */
  private MemberReport ended(GroupMember primary) {
    MemberReport report = primary.stepDown();
    var unused = Succession.transactions(report);
    return succession.topology() == Topology.GROUP ? cutOff(primary) : report;
  }

  /** A member counts as cut off only if it tells what its database has by then. */
  private static MemberReport cutOff(GroupMember member) {
    MemberReport report = member.stopReceiving();
    var unused = Succession.transactions(report);
    return report;
  }

  /** Leaves the group as it was found; databases that could not choose any more have nothing to go back to. */
  private void takeBack(Stopped group) {
    if (succession.topology() == Topology.GROUP) {
      return;
    }
    String primary = group.former().map(MemberReport::url).orElse("");
    for (GroupMember member : group.cutOff().keySet()) {
      Optional<String> source = group.reports().get(member).database().flatMap(DatabaseReport::source);
      if (source.isPresent() && !member.equals(group.from())) {
        var unused = Succession.succeeds(() -> member.follow(source.get(), primary));
      }
    }
    if (group.from() != null && group.steppedDown()) {
      GroupMember from = group.from();
      var unused = Succession.succeeds(() -> from.lead(PromotionTerms.after(Succession.latestEpoch(group.reports()))));
    }
  }

  /** A primary that nobody acknowledges answers reads as the primary until its lease ends. */
  private void awaitLease(long since) {
    while (System.nanoTime() - since < lease.toNanos()) {
      Pause.of(POLL);
    }
  }

  // ---- who is next

  private GroupMember chosen(Stopped group) {
    checkEnough(group.reports(), group.silent(), group.from(), group.steppedDown() || force);
    if (group.cutOff().isEmpty()) {
      throw cannotBeAsked(group.silent());
    }
    return choose(eligible(group));
  }

  private void checkEnough(
      Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent, @Nullable GroupMember from,
      boolean anyIsEnough) {
    Map<GroupMember, RnsException> missing = new LinkedHashMap<>();
    silent.forEach(
        (member, reason) -> {
          MemberReport report = reports.get(member);
          // A member that is only just getting its copy has acknowledged nothing. One whose server was started a moment
          // ago may have.
          boolean joining =
              report != null && report.database().filter(database -> database.transactions().isEmpty()).isPresent();
          // What the old source has, one of its replicas has. In a database group it may be the only one to have it on
          // its disk.
          boolean dispensable = succession.topology() == Topology.SOURCE_REPLICA && member.equals(from);
          if (!joining && !dispensable) {
            missing.put(member, reason);
          }
        });
    // Of a primary that cannot be reached it is not known that it was the primary: one that is missing may be it. In a
    // database group a member that left it earlier may be the one that is there.
    int allowed = from != null || succession.topology() == Topology.GROUP ? 0 : 1;
    if (missing.size() > allowed && !anyIsEnough) {
      throw cannotBeAsked(missing);
    }
  }

  private static RnsException cannotBeAsked(Map<GroupMember, RnsException> missing) {
    List<String> each = new ArrayList<>();
    missing.forEach((member, reason) -> each.add(member.url() + " (" + reason.getMessage() + ")"));
    return new RnsException(
        RnsError.UNAVAILABLE,
        "these members cannot be asked what they have: " + String.join(", ", each)
            + "; a write that was acknowledged may be on them only (force goes on without them)");
  }

  /**
   * Who is chosen among: not the primary that is to be replaced, if the others have all that was acknowledged. It may
   * be cut off from them, with writes that wait for them and so are on no other one.
   */
  private Map<GroupMember, MemberReport> eligible(Stopped group) {
    Map<GroupMember, MemberReport> others = new LinkedHashMap<>(group.cutOff());
    others.keySet().removeIf(member -> member.equals(group.from()));
    // One whose copy is just being made, perhaps anew, may not have any more what it acknowledged.
    boolean copied = others.values().stream().noneMatch(other -> Succession.transactions(other).isEmpty());
    boolean wanted = target.equals(group.former().map(MemberReport::url));
    boolean waits = group.former().filter(this::waitsForOthers).isPresent();
    return group.silent().isEmpty() && copied && waits && !wanted && !others.isEmpty() ? others : group.cutOff();
  }

  /**
   * A database group commits by majority, and this is done when it has none: any member may be the only one with a
   * write.
   */
  private boolean waitsForOthers(MemberReport primary) {
    return succession.topology() == Topology.SOURCE_REPLICA
        && primary.database().filter(database -> database.acknowledging().isPresent()).isPresent();
  }

  private GroupMember choose(Map<GroupMember, MemberReport> among) {
    Optional<GroupMember> wanted = target.map(succession::member);
    List<GroupMember> best =
        among.keySet().stream()
            .filter(candidate -> among.values().stream()
                .allMatch(other -> candidate.contains(Succession.transactions(other))))
            .toList();
    if (best.isEmpty()) {
      return wanted.filter(member -> force && among.containsKey(member)).orElseThrow(() -> nobodyHasAll(among));
    }
    if (wanted.isPresent() && !best.contains(wanted.get())) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          wanted.get().url() + " lacks transactions that " + best.get(0).url() + " has; fail over to that one");
    }
    return wanted.orElse(best.get(0));
  }

  private static RnsException nobodyHasAll(Map<GroupMember, MemberReport> among) {
    String each =
        among.values().stream()
            .map(report -> report.url() + " (" + Succession.transactions(report) + ")")
            .collect(Collectors.joining(", "));
    return new RnsException(
        RnsError.INVALID_REQUEST,
        "each of these has transactions that others lack: " + each
            + "; force takes the one that is named, and the others stay outside with what only they have");
  }
}
