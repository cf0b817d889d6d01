package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Members of which one is to become the primary without the old one.
 *
 * @param reports their reports since they were cut off: what they have, applied or only received
 * @param latest those of these reports that suffice if no member has everything: what the others have beside was
 *        acknowledged to nobody
 */
record Candidates(
    Map<GroupMember, MemberReport> reports, Map<GroupMember, MemberReport> latest, Timing timing) {
  /** How long the next primary may take to apply what it has received. A retry continues where this ended. */
  private static final Duration APPLY = Duration.ofSeconds(10);

  /**
   * The first member that has applied everything that any of them has; only if there is none, everything that the
   * latest ones have: members with other transactions cannot follow, and acknowledge nothing to the next primary.
   *
   * @param target the member that is wanted; empty for any
   * @param force choose the target also if others have transactions that it lacks
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the target lacks transactions that another member has, or
   *         each member does; {@link RnsError#UNAVAILABLE} if what was received is not applied in time
   */
  GroupMember choose(Optional<GroupMember> target, boolean force) {
    Optional<GroupMember> wanted = target.filter(reports::containsKey);
    List<GroupMember> best = complete(wanted.map(List::of).orElse(List.copyOf(reports.keySet())));
    if (best.isEmpty() && force && wanted.isPresent()) {
      return wanted.get();
    }
    if (best.isEmpty()) {
      best = having(latest);
    }
    if (best.isEmpty()) {
      throw noneHasAll();
    }
    if (target.isPresent() && !best.contains(target.get())) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          target.get().url() + " lacks transactions that " + best.get(0).url() + " has; fail over to that member");
    }
    return target.orElse(best.get(0));
  }

  /**
   * The members that have applied everything, once one of these is among them or none of them applies any more. The
   * slowest member is not awaited.
   */
  private List<GroupMember> complete(List<GroupMember> awaited) {
    AtomicReference<List<GroupMember>> complete = new AtomicReference<>(List.of());
    boolean decided = timing.await(APPLY, () -> {
      // Checked first: a member that ends between the two checks is complete by the second.
      boolean ended = awaited.stream().noneMatch(this::isApplying);
      complete.set(having(reports));
      return ended || awaited.stream().anyMatch(complete.get()::contains);
    });
    if (!decided) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "not applied within " + APPLY.toSeconds() + " s what was received: "
              + awaited.stream().filter(this::isApplying).map(GroupMember::url).collect(Collectors.joining(", ")));
    }
    return complete.get();
  }

  /** Those of these members that have applied everything that any of them has. */
  private static List<GroupMember> having(Map<GroupMember, MemberReport> all) {
    return all.keySet().stream()
        .filter(
            member -> all.values().stream().allMatch(other -> member.contains(Succession.transactions(other))))
        .toList();
  }

  private boolean isApplying(GroupMember member) {
    return !member.contains(Succession.transactions(reports.get(member)));
  }

  private RnsException noneHasAll() {
    String each =
        reports.values().stream()
            .map(report -> report.url() + " (" + Succession.transactions(report) + ")")
            .collect(Collectors.joining(", "));
    return new RnsException(
        RnsError.INVALID_REQUEST,
        "each of these has transactions that others lack: " + each
            + "; force promotes the named target, and the others stay outside with their own transactions");
  }
}
