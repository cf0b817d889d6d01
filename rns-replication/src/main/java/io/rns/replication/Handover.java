package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Changes the primary of a group: planned, while the old one helps, or unplanned, without it.
 *
 * <p>What keeps writes from being lost: a write is acknowledged when one replica has it, so it is on every set of members
 * that leaves out the primary only. An unplanned change therefore asks all others, cuts them off from the old primary first
 * (from then on it gets no acknowledgement, whatever it does), and takes one that has all that any of them has. What only the
 * old primary has was acknowledged to nobody, if its commits wait for a replica: it stays outside with that.
 */
public final class Handover {
  private static final Duration CATCH_UP = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Topology topology;
  private final List<Member> members;
  private final Duration lease;
  private final Duration catchUp;

  /**
   * A group.
   *
   * @param topology how its databases are kept alike
   * @param members all of its servers that are known, reachable or not; of those that have most, an unplanned change takes
   *     the first
   * @param lease how long a primary that cannot commit still answers as one
   */
  public Handover(Topology topology, List<Member> members, Duration lease) {
    this(topology, members, lease, CATCH_UP);
  }

  /** With another bound for a member to have what the primary has. */
  Handover(Topology topology, List<Member> members, Duration lease, Duration catchUp) {
    this.topology = topology;
    this.members = List.copyOf(members);
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
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the target is not a replica that follows the primary, {@link
   *     RnsError#UNAVAILABLE} if it does not catch up, or the group cannot be reached; the old primary goes on then
   */
  public Result switchover(String target) {
    Map<Member, MemberReport> reports = Answers.of(members, Member::report).reports();
    Member to = member(target);
    Member from = primary(reports).orElseThrow(
        () -> new RnsException(RnsError.UNAVAILABLE, "no member of the group is the primary; use failover"));
    if (from.equals(to)) {
      return new Result(target, Optional.of(target), position(reports.get(to)), 0);
    }
    // As long as the old one writes: what is left to wait for when it has ended is little.
    awaitFollowing(reports.get(from), to);
    long began = System.nanoTime();
    try {
      awaitTransactions(to, transactions(from.stepDown()));
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        leadAgain(from, e);
      }
      throw e;
    }
    return lead(to, Member::lead, reports, Optional.of(from.url()), began);
  }

  /** After another change of the primary it may take a moment, and so it may after a start. */
  private void awaitFollowing(MemberReport primary, Member to) {
    String address = primary.database().map(DatabaseReport::address).orElseThrow(() -> unreachable(primary));
    long until = System.nanoTime() + catchUp.toNanos();
    while (true) {
      MemberReport report = to.report();
      Optional<String> source = report.database().flatMap(DatabaseReport::source);
      boolean follows = source.equals(Optional.of(address)) && report.database().filter(DatabaseReport::receiving).isPresent();
      if (follows && hasServed(report, primary)) {
        return;
      }
      if (System.nanoTime() - until > 0) {
        throw follows ? behind(report, primary) : notFollowing(report, primary, address);
      }
      pause();
    }
  }

  private static boolean hasServed(MemberReport report, MemberReport primary) {
    long wanted = primary.position().map(Position::sequence).orElse(0L);
    return report.position().map(Position::sequence).orElse(0L) >= wanted;
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
            + report.database().flatMap(DatabaseReport::source).map(other -> "replicates from " + other).orElse("has no source"));
  }

  private void awaitTransactions(Member to, String transactions) {
    long until = System.nanoTime() + catchUp.toNanos();
    while (!to.contains(transactions)) {
      if (System.nanoTime() - until > 0) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            to.url() + " has not caught up with the primary within " + catchUp.toSeconds() + " s; nothing was changed");
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while the primary was being changed", e);
    }
  }

  private static void leadAgain(Member from, RnsException why) {
    try {
      // The others have not been told anything: they still follow it.
      from.lead();
    } catch (RnsException e) {
      why.addSuppressed(e);
    }
  }

  /**
   * Makes a server the primary without the old one, or the first one of a new group. With {@link Topology#GROUP} the
   * databases do the former by themselves; here they are made a group when they are none: at first, or when too many were
   * lost at a time for the rest to choose.
   *
   * @param target which; empty for the one that has most
   * @param force go on although a member that may have acknowledged a write cannot be asked: writes may be lost
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if another member has what the target has not, or the databases
   *     can choose by themselves, {@link RnsError#UNAVAILABLE} if a member cannot be asked
   */
  public Result failover(Optional<String> target, boolean force) {
    long began = System.nanoTime();
    Answers asked = Answers.of(members, Member::report);
    Map<Member, MemberReport> reports = asked.reports();
    checkNobodyChooses(reports);
    Optional<Member> from = primary(reports);
    // The old one may still be there: it is asked to end, and what it commits without that nobody acknowledges any more. Who
    // did not answer a moment ago is not waited for: one such member, whichever it is, cannot get or give an acknowledgement.
    Answers ends =
        Answers.of(belonging(reports), member -> from.equals(Optional.of(member)) ? ended(member) : cutOff(member));
    Map<Member, MemberReport> cutOff = ends.reports();
    boolean steppedDown = from.isPresent() && cutOff.containsKey(from.get());
    long cutOffAt = System.nanoTime();
    Member to;
    try {
      Map<Member, RnsException> silent = new LinkedHashMap<>(asked.silent());
      silent.putAll(ends.silent());
      checkEnough(reports, silent, from, steppedDown || force);
      if (cutOff.isEmpty()) {
        throw cannotBeAsked(silent);
      }
      to = choose(target, eligible(target, from.map(reports::get), cutOff, silent.isEmpty()));
    } catch (RnsException e) {
      takeBack(reports, cutOff, from, steppedDown);
      throw e;
    }
    if (!steppedDown && !reports.values().stream().allMatch(report -> report.epoch() == 0)) {
      awaitLease(cutOffAt);
    }
    return lead(to, Member::leadFirst, cutOff, from.map(Member::url), began);
  }

  private void checkNobodyChooses(Map<Member, MemberReport> reports) {
    boolean chooses =
        reports.values().stream().anyMatch(report -> report.database().filter(DatabaseReport::receiving).isPresent());
    if (topology == Topology.GROUP && chooses) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the databases of this group choose the primary by themselves when it is lost; a planned change is a switchover");
    }
  }

  /** Leaves the group as it was found; databases that could not choose any more have nothing to go back to. */
  private void takeBack(
      Map<Member, MemberReport> reports, Map<Member, MemberReport> cutOff, Optional<Member> from, boolean steppedDown) {
    if (from.isEmpty() || topology == Topology.GROUP) {
      return;
    }
    for (Member member : cutOff.keySet()) {
      MemberReport before = reports.get(member);
      Optional<String> source = before == null ? Optional.empty() : before.database().flatMap(DatabaseReport::source);
      if (source.isPresent() && !member.equals(from.get())) {
        var unused = succeeds(() -> member.follow(source.get(), from.get().url()));
      }
    }
    if (steppedDown) {
      var unused = succeeds(() -> from.get().lead());
    }
  }

  private static boolean succeeds(Runnable step) {
    try {
      step.run();
      return true;
    } catch (RnsException e) {
      return false;
    }
  }

  /** A primary that nobody acknowledges answers reads as the primary until its lease ends. */
  private void awaitLease(long since) {
    while (System.nanoTime() - since < lease.toNanos()) {
      pause();
    }
  }

  private void checkEnough(
      Map<Member, MemberReport> reports, Map<Member, RnsException> silent, Optional<Member> from, boolean anyIsEnough) {
    Map<Member, RnsException> missing = new LinkedHashMap<>();
    silent.forEach(
        (member, reason) -> {
          MemberReport report = reports.get(member);
          // A member that is only just getting its copy has acknowledged nothing. One whose server was started a moment ago may have.
          boolean joining =
              report != null && report.database().filter(database -> database.transactions().isEmpty()).isPresent();
          // What the old source has, one of its replicas has. In a database group it may be the only one to have it on its disk.
          boolean dispensable = topology == Topology.SOURCE_REPLICA && from.equals(Optional.of(member));
          if (!joining && !dispensable) {
            missing.put(member, reason);
          }
        });
    // Of a primary that cannot be reached it is not known that it was the primary: one that is missing may be it. In a
    // database group a member that left it earlier may be the one that is there.
    int allowed = from.isPresent() || topology == Topology.GROUP ? 0 : 1;
    if (missing.size() > allowed && !anyIsEnough) {
      throw cannotBeAsked(missing);
    }
  }

  private static RnsException cannotBeAsked(Map<Member, RnsException> missing) {
    List<String> each = new ArrayList<>();
    missing.forEach((member, reason) -> each.add(member.url() + " (" + reason.getMessage() + ")"));
    return new RnsException(
        RnsError.UNAVAILABLE,
        "these members cannot be asked what they have: " + String.join(", ", each)
            + "; a write that was acknowledged may be on them only (force goes on without them)");
  }

  /** One that an earlier change left outside has nothing that was acknowledged and others lack. */
  private static List<Member> belonging(Map<Member, MemberReport> reports) {
    List<Member> belonging = reports.keySet().stream().filter(member -> reports.get(member).role() != Role.OUTSIDE).toList();
    return belonging.isEmpty() ? List.copyOf(reports.keySet()) : belonging;
  }

  /**
   * Who is chosen among: not the primary that is to be replaced, if the others have all that was acknowledged. It may be cut
   * off from them, with writes that wait for them and so are on no other one.
   *
   * @param complete whether all members that belong to the group are among those that are cut off
   */
  private Map<Member, MemberReport> eligible(
      Optional<String> target, Optional<MemberReport> former, Map<Member, MemberReport> cutOff, boolean complete) {
    Map<Member, MemberReport> others = new LinkedHashMap<>(cutOff);
    others.keySet().removeIf(member -> former.filter(report -> report.url().equals(member.url())).isPresent());
    // One whose copy is just being made, perhaps anew, may not have any more what it acknowledged.
    boolean copied = others.values().stream().noneMatch(other -> transactions(other).isEmpty());
    boolean wanted = former.isPresent() && target.equals(former.map(MemberReport::url));
    boolean waits = former.filter(this::waitsForOthers).isPresent();
    return complete && copied && waits && !wanted && !others.isEmpty() ? others : cutOff;
  }

  /** A database group commits by majority, and this is done when it has none: any member may be the only one with a write. */
  private boolean waitsForOthers(MemberReport primary) {
    return topology == Topology.SOURCE_REPLICA
        && primary.database().filter(database -> database.acknowledging().isPresent()).isPresent();
  }

  private Member choose(Optional<String> target, Map<Member, MemberReport> reports) {
    List<Member> best = new ArrayList<>();
    for (Member candidate : reports.keySet()) {
      if (reports.values().stream().allMatch(other -> candidate.contains(transactions(other)))) {
        best.add(candidate);
      }
    }
    if (best.isEmpty()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "no member has all transactions of the others: " + List.copyOf(reports.values()));
    }
    if (target.isEmpty()) {
      return best.get(0);
    }
    Member wanted = member(target.get());
    if (!best.contains(wanted)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          wanted.url() + " lacks transactions that " + best.get(0).url() + " has; fail over to that one");
    }
    return wanted;
  }

  /**
   * Makes a member the primary and the others follow it, both at the same time: its first commit needs one of them. Who has
   * transactions that it lacks cannot follow.
   */
  private Result lead(
      Member to, Function<Member, MemberReport> way, Map<Member, MemberReport> reports, Optional<String> former, long began) {
    String source =
        reports.get(to).database().map(DatabaseReport::address)
            .orElseThrow(() -> unreachable(reports.get(to)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Member other : reports.keySet()) {
        // A database group is there to be joined only when its first one has begun it: they do so by themselves.
        if (!other.equals(to) && topology == Topology.SOURCE_REPLICA) {
          // One that fails here takes its side by itself, when it sees the new primary.
          var unused = threads.submit(() -> succeeds(() -> follow(other, reports.get(other), source, to)));
        }
      }
      MemberReport leading = way.apply(to);
      return new Result(to.url(), former, position(leading), (System.nanoTime() - began) / 1_000_000);
    }
  }

  private static void follow(Member other, MemberReport report, String source, Member to) {
    if (to.contains(transactions(report))) {
      other.follow(source, to.url());
    }
  }

  private static Position position(MemberReport report) {
    return report.position().orElseThrow(
        () -> new RnsException(RnsError.UNAVAILABLE, report.url() + " tells no position: " + report.reason()));
  }

  private static String transactions(MemberReport report) {
    return report.database().map(DatabaseReport::transactions).orElseThrow(() -> unreachable(report));
  }

  private static RnsException unreachable(MemberReport report) {
    return new RnsException(
        RnsError.UNAVAILABLE, "the database of " + report.url() + " cannot be reached: " + report.reason());
  }

  /** Of a database group the old primary is a member like the others, who may not be able to commit any more. */
  private MemberReport ended(Member primary) {
    MemberReport report = primary.stepDown();
    var unused = transactions(report);
    return topology == Topology.GROUP ? cutOff(primary) : report;
  }

  /** A member counts as cut off only if it tells what its database has by then. */
  private static MemberReport cutOff(Member member) {
    MemberReport report = member.stopReceiving();
    var unused = transactions(report);
    return report;
  }

  private static Optional<Member> primary(Map<Member, MemberReport> reports) {
    return reports.entrySet().stream()
        .filter(known -> known.getValue().role() == Role.PRIMARY)
        .max((a, b) -> Integer.compare(a.getValue().epoch(), b.getValue().epoch()))
        .map(Map.Entry::getKey);
  }

  private Member member(String url) {
    return members.stream()
        .filter(member -> member.url().equals(url))
        .findFirst()
        .orElseThrow(
            () -> new RnsException(
                RnsError.INVALID_REQUEST,
                "'" + url + "' is no member of the group; those are " + members.stream().map(Member::url).toList()));
  }
}
