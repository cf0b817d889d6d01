package io.rns.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings registrars to the same view of the elements: tables in blocks, checksums, audits, takeovers. Part of a
 * {@link Handlespace} and subject to its threading rules.
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
   * Lists elements by handle and id, for another registrar to copy. O(log n), plus O(1) for each entry.
   *
   * @param after the last element of the previous block, which need not exist any more; empty for the first
   * @param max block size, at least 1
   */
  public TablePage table(Optional<ElementKey> after, int max) {
    return roster.table(after.orElse(null), max);
  }

  /** As {@link #table}, restricted to the elements of one home registrar. */
  public TablePage tableOf(int home, Optional<ElementKey> after, int max) {
    return Roster.page(roster.owners().behind(home, after.orElse(null), Roster.oneMore(max)), max);
  }

  /** The checksum of the elements of a home registrar. O(1). */
  public Checksum checksum(int home) {
    return roster.owners().checksum(home);
  }

  /** The registrars that own elements, by unsigned id. */
  public List<Integer> homes() {
    return roster.owners().homes();
  }

  /**
   * Starts an audit of a registrar whose checksum differs: {@link Handlespace#apply} its table, then {@link #purge}.
   * O(1).
   *
   * @return identifies the audit
   */
  public long beginAudit() {
    return roster.nextAudit();
  }

  /**
   * Ends an audit in steps: removes the elements of the audited registrar that it has not announced since the start.
   *
   * @param resume where the previous step ended; empty for the first
   * @param max elements examined per step, at least 1
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
   * Moves elements of a failed registrar to another one. If that is this registrar, their keep-alives are due at once.
   * Every registrar does so when it learns of a takeover; versions stay unchanged, so that checksums agree afterwards.
   * An element that answers gets a new one, see {@link Handlespace#confirmHome}.
   *
   * @param max upper bound for the number of elements, at least 1; repeat while there are more
   * @return the moved elements, in their new state
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
      // An audit of the new home that has begun before does not know them from it.
      roster.confirm(member);
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
