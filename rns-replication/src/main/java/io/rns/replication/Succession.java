package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What planned and unplanned changes of the primary have in common.
 *
 * @param topology how the databases of the group are kept alike
 * @param members all servers of the group that are known
 */
record Succession(Topology topology, List<GroupMember> members) {
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
        () -> new RnsException(RnsError.UNAVAILABLE, report.url() + " tells no position: " + report.reason()));
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
                "'" + url + "' is no member of the group; those are "
                    + members.stream().map(GroupMember::url).toList()));
  }

  /**
   * Makes a member the primary and the others follow it, both at the same time: its first commit needs one of them. Who
   * has transactions that it lacks cannot follow.
   *
   * @param began since when no write could be committed, by {@link System#nanoTime}
   */
  Handover.Result lead(
      GroupMember to, PromotionTerms beginning, Map<GroupMember, MemberReport> reports, Optional<String> former,
      long began) {
    String source =
        reports.get(to).database().map(DatabaseReport::address).orElseThrow(() -> unreachable(reports.get(to)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (GroupMember other : reports.keySet()) {
        // A database group is there to be joined only when its first one has begun it: they do so by themselves.
        if (!other.equals(to) && topology == Topology.SOURCE_REPLICA) {
          // One that fails here takes its side by itself, when it sees the new primary.
          var unused = threads.submit(() -> succeeds(() -> follow(other, reports.get(other), source, to)));
        }
      }
      MemberReport leading = to.lead(beginning);
      return new Handover.Result(to.url(), former, position(leading), (System.nanoTime() - began) / 1_000_000);
    }
  }

  private static void follow(GroupMember other, MemberReport report, String source, GroupMember to) {
    if (to.contains(transactions(report))) {
      other.follow(source, to.url());
    }
  }

  /** Whether a member answers that its database has transactions. */
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
