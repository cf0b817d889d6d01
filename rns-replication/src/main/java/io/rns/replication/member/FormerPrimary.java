package io.rns.replication.member;

import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.Timing;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What this member knows of the primary of the last epoch: whether it may still answer reads, by the lease that its
 * last commit has given it. A database group elects another database at once if that of the primary leaves in good
 * order, and the server beside that may not have noticed yet.
 *
 * <p>It changes under the lock of its member.
 */
final class FormerPrimary {
  private final Duration lease;
  private final LongSupplier nanoTime;

  private LastCommit commit = LastCommit.NONE;
  private LastCommit inCopy = LastCommit.NONE;
  private long commitNanos;

  private int epoch;
  private String url = "";
  private boolean stopped;

  /**
   * Knows nothing yet.
   *
   * @param lease how long after a commit a primary answers reads as the primary
   * @param nanoTime as {@link Timing#nanoTime}
   */
  FormerPrimary(Duration lease, LongSupplier nanoTime) {
    this.lease = Timing.onOtherClocks(lease);
    this.nanoTime = nanoTime;
  }

  /** Hears from this server and the others that answer. Whoever led in an epoch and does not lead now has stopped. */
  void hear(String self, Role role, int ownEpoch, List<MemberReport> others) {
    if (role == Role.PRIMARY) {
      leads(self, ownEpoch);
    }
    for (MemberReport other : others) {
      if (other.role() == Role.PRIMARY) {
        leads(other.url(), other.epoch());
      }
    }
    stopped = url.equals(self) && role != Role.PRIMARY;
    for (MemberReport other : others) {
      stopped = stopped || (other.url().equals(url) && other.role() != Role.PRIMARY);
    }
  }

  private void leads(String primary, int its) {
    if (its > epoch) {
      epoch = its;
      url = primary;
    } else if (its == epoch && !primary.equals(url)) {
      // Two groups were begun: whose commit it is cannot be known.
      url = "";
    }
  }

  /** Sees the last commit in the copy of this server. One that does not follow the database may stay at an old one. */
  void sawInCopy(LastCommit last) {
    if (!last.equals(inCopy)) {
      inCopy = last;
      saw(last);
    }
  }

  private void saw(LastCommit last) {
    if (!last.equals(commit)) {
      commit = last;
      commitNanos = nanoTime.getAsLong();
    }
  }

  /** Whether whoever made the last commit that was seen may still answer reads. */
  boolean mayServe() {
    return mayServe(commit, 0);
  }

  /**
   * Whether whoever made this commit, and can make no other after it, may still answer reads.
   *
   * @param ended an epoch whose primary has stopped, as all before it have; 0 if none is known
   */
  boolean mayServe(LastCommit last, int ended) {
    saw(last);
    return last.epoch() > ended && !(stopped && last.epoch() == epoch)
        && nanoTime.getAsLong() - commitNanos < lease.toNanos();
  }
}
