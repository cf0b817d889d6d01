package io.rns.handlespace;

import io.rns.pool.Candidate;
import io.rns.pool.SelectionState;
import org.jspecify.annotations.Nullable;

/**
 * A pool element where it lives: its places in the sets. Each group of fields is changed only by the set it belongs to.
 */
final class PoolMember extends Node<PoolMember> implements Candidate {
  final Pool pool;

  /** That of the element, at hand because searches compare hardly anything else. */
  final int id;

  RegisteredElement element;

  /** {@link Pool} and its {@link SelectionRule}, which its place as a node belongs to, too. */
  SelectionState standing;

  /** Whether it is in the selection. */
  boolean selectable;

  /** That of the standing, at hand as the id. */
  long rank;

  long sequence;

  /** {@link TimerSchedule}: its place there. */
  int scheduled = TimerSchedule.NOWHERE;

  /** Orders timers of one time: the how many-th element of the handlespace it is. */
  final long serial;

  /** {@link Timers}. */
  TimerKind timerKind = TimerKind.EXPIRY;
  long timerAt;

  /** Where it is in the schedule: at {@link #timerAt} or before it. */
  long scheduledAt;

  long expiresAt;

  /** When it was last asked; of interest while it has not answered. */
  long askedAt;

  /** When it was last registered, as far as was heard. */
  long registeredAt;

  /** {@link Owners}. */
  @Nullable Share share;

  /** {@link Roster} and {@link Handlespace}. */
  int unreachableReports;

  /** The last audit that began before it was heard of. */
  long confirmed;

  PoolMember(Pool pool, RegisteredElement element, SelectionState standing, long serial) {
    this.pool = pool;
    this.id = element.id();
    this.element = element;
    this.standing = standing;
    this.serial = serial;
  }

  int id() {
    return id;
  }

  TableEntry entry() {
    return new TableEntry(pool.handle(), pool.type(), element);
  }

  @Override
  protected PoolMember element() {
    return this;
  }

  boolean isScheduled() {
    return scheduled != TimerSchedule.NOWHERE;
  }

  @Override
  public SelectionState standing() {
    return standing;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public String toString() {
    return pool.handle() + " " + Integer.toUnsignedString(id());
  }
}
