package io.rns.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How registrars come to see the same elements: tables in steps, checksums, audits, takeover. A part of a
 * {@link Handlespace}, for the same one thread at a time.
 */
public final class Synchronisation {
  private final int self;
  private final Roster roster;
  private final Timers timers;

  Synchronisation(int self, Roster roster, Timers timers) {
    this.self = self;
    this.roster = roster;
    this.timers = timers;
  }

  /**
   * Elements by handle and id, for another registrar to copy. O(log n) and O(1) for each entry.
   *
   * @param after the last one that was taken, which need not exist any more; empty for the first step
   * @param max how many at most, at least 1
   */
  public TablePage table(Optional<ElementKey> after, int max) {
    return roster.table(after.orElse(null), max);
  }

  /** As {@link #table}, only the elements of one home registrar. */
  public TablePage tableOf(int home, Optional<ElementKey> after, int max) {
    return Roster.page(roster.owners().behind(home, after.orElse(null), Roster.oneMore(max)), max);
  }

  /** The checksum of the elements of one home registrar. O(1). */
  public Checksum checksum(int home) {
    return roster.owners().checksum(home);
  }

  /** The registrars that own elements, by their unsigned ids. */
  public List<Integer> homes() {
    return roster.owners().homes();
  }

  /**
   * Begins an audit of a registrar whose checksum differs: {@link Handlespace#apply} its table, then {@link #purge}.
   * O(1).
   *
   * @return names the audit
   */
  public long beginAudit() {
    return roster.nextAudit();
  }

  /**
   * Ends an audit, step by step: removes those elements of the audited registrar that it has not told of since the
   * beginning.
   *
   * @param resume where the step before ended; empty for the first step
   * @param max how many elements one step looks at, at least 1
   */
  public PurgeStep purge(int home, long audit, Optional<ElementKey> resume, int max) {
    List<TableEntry> removed = new ArrayList<>();
    List<PoolMember> looked = roster.owners().behind(home, resume.orElse(null), max);
    for (PoolMember member : looked) {
      if (member.confirmed < audit) {
        removed.add(member.entry());
        roster.remove(member);
      }
    }
    boolean more = looked.size() == max;
    return new PurgeStep(removed, more ? Optional.of(looked.get(max - 1).entry().key()) : Optional.empty());
  }

  /**
   * Gives elements of a dead registrar to another; those that become this one's own are asked at once whether they
   * live. Every registrar does so when it hears of the takeover; versions stay as they are, so that checksums agree
   * afterwards.
   *
   * @param max how many at most, at least 1; repeat while there are more
   * @return those that were given, as they are now
   */
  public TablePage takeOver(int from, int to, int max, long nowMillis) {
    if (from == to || to == 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "registrar " + Integer.toUnsignedString(to) + " cannot take over " + Integer.toUnsignedString(from));
    }
    long now = timers.advance(nowMillis);
    List<TableEntry> moved = new ArrayList<>();
    for (PoolMember member : roster.owners().behind(from, null, max)) {
      roster.owners().replace(member,
          new RegisteredElement(member.element.registration(), to, member.element.version()));
      if (to == self) {
        timers.keepAliveNow(member, now);
      } else {
        timers.leaveToLifetime(member);
      }
      moved.add(member.entry());
    }
    return new TablePage(moved, roster.owners().size(from) > 0);
  }
}
