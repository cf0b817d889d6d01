package io.rns.replication.member;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.MemberList;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a server becomes the primary: its database takes writes, then its copy of the tree begins an epoch.
 *
 * @param migrate brings the tables of its database up to date
 * @param beside its database
 * @param former whom it follows as the primary
 */
record Promotion(
    GroupSettings settings, Runnable migrate, ControlledDatabase beside, TreeCopy<?> copy, FormerPrimary former,
    Timing timing) {
  private static final Logger LOG = LoggerFactory.getLogger(Promotion.class);
  private static final Duration POLL = Duration.ofMillis(20);

  /**
   * Nothing is committed before enough other members are there to acknowledge it: what this one alone has would keep it
   * outside.
   *
   * @param list the members as the tables have them now
   * @param inForce the members with which this server led last, as it had committed them
   * @param patience how long they may take to be there, and the former primary to stop
   * @param goOn fails if it is to give up while it waits for that
   * @return the members of the group
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if there is none; the database takes no writes then, unless
   *         it did before
   */
  MemberList begin(
      PromotionTerms beginning, MemberList list, MemberList inForce, Duration patience, Runnable goOn) {
    DatabaseMember member = beside.control();
    boolean wasWritable = member.state().writable();
    boolean alone = beginning.alone() || (beginning.othersEmpty() && !mayFollowEmpty(member, list));
    Durability durability = alone ? Durability.LOCAL : settings.durability();
    int most = settings.mostAcknowledgements(member);
    // No other list can have been in force if it leads with the one that is known to have been acknowledged.
    boolean known =
        beginning.members().isEmpty() && (list.equals(inForce) || list.id().equals(beginning.inForce()));
    int asked =
        known ? list.acknowledgementsAgain(most) : list.acknowledgementsToBegin(beginning.members().size(), most);
    int first = durability.of(asked);
    if (beginning.first()) {
      member.makeFirst(first);
    } else {
      member.makeWritable(first);
    }
    try {
      if (hasSources() && durability == Durability.REPLICATED) {
        // While the databases of the others connect.
        prepareCopy();
        awaitAcknowledging(first, patience, goOn);
      }
      migrate.run();
      LOG.info("the primary from position {} on", lead(beginning, new CommitWait(first, most), patience));
      // The commit that began the epoch was acknowledged, and with it all before.
      MemberList begun = member.members();
      int next = settings.durability().of(begun.acknowledgements());
      if (hasSources() && next != first) {
        member.makeWritable(next);
      }
      return begun;
    } catch (RuntimeException e) {
      // A database group has elected it, so the promotion is retried.
      if (hasSources() && !wasWritable) {
        member.makeReadOnly();
      }
      throw e;
    }
  }

  /** Whether members without a copy acknowledge its first commit: none of a list does. */
  private static boolean mayFollowEmpty(DatabaseMember member, MemberList list) {
    return member.reachesBack() && !list.exists();
  }

  private void prepareCopy() {
    MemberCopy names = copy.now();
    if (names != null) {
      names.prepareToLead();
    }
  }

  private Position lead(PromotionTerms beginning, CommitWait wait, Duration patience) {
    long since = timing.nanoTime();
    while (true) {
      Optional<Position> first =
          copy.opened().lead(
              beginning.after(), beginning.members(), wait,
              last -> hasSources() || !former.mayServe(last, beginning.ended()));
      if (first.isPresent()) {
        return first.get();
      }
      if (timing.passed(patience, since)) {
        throw new RnsException(RnsError.UNAVAILABLE, "the former primary may still answer reads for a moment");
      }
      timing.pause(POLL);
    }
  }

  private boolean hasSources() {
    return settings.topology() == Topology.SOURCE_REPLICA;
  }

  private void awaitAcknowledging(int replicas, Duration patience, Runnable goOn) {
    boolean acknowledged = timing.await(patience, () -> {
      goOn.run();
      return beside.look().acknowledging().orElse(0) >= replicas;
    });
    if (!acknowledged) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          (replicas == 1 ? "no other server acknowledges" : "fewer than " + replicas + " other servers acknowledge")
              + " writes of " + settings.url()
              + ", so it does not become the primary: start a server "
              + "without transactions of its own, or force it, which accepts no writes until a server was rebuilt");
    }
  }
}
