package io.rns.handlespace;

import io.rns.pool.Candidate;
import io.rns.pool.ElementExperience;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pool element with its positions in the sets. Each group of fields is changed only by the set it belongs to. */
final class PoolMember extends Node<PoolMember> implements Candidate {
  final Pool pool;

  /** The element's id, copied for fast searches. */
  final int id;

  RegisteredElement element;

  /** Fields of {@link Pool} and its {@link SelectionRule}, as are those of {@link Node}. */
  SelectionState standing;

  /** Whether it is in the selection. */
  boolean selectable;

  /** The rank of its selection state, copied for fast searches. */
  long rank;

  long sequence;

  /** Its position in the {@link TimerSchedule}. */
  int scheduled = TimerSchedule.NOWHERE;

  /** The sequence number of its addition to the handlespace; orders timers of the same time. */
  final long serial;

  /** Fields of {@link Timers}. */
  TimerKind timerKind = TimerKind.EXPIRY;
  long timerAt;

  /** Its time in the schedule: {@link #timerAt} or earlier. */
  long scheduledAt;

  long expiresAt;

  /** When the last keep-alive was sent; relevant until it is answered. */
  long askedAt;

  /** When it last registered, as far as this registrar knows. */
  long registeredAt;

  /** Field of {@link Owners}. */
  @Nullable Share share;

  /** What {@link ElementMemory} counts for it, and for which host. */
  private long bytes;
  private long host;

  /** Fields of {@link Roster} and {@link Handlespace}. */
  private @Nullable Set<Long> reporters;

  /** What users have met; null for most elements. */
  private @Nullable ExperienceMemory experience;

  /** The latest audit started before it was last confirmed. */
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

  /** Remembers what is counted for it. */
  void counted(long taken, long of) {
    bytes = taken;
    host = of;
  }

  /** Its memory. */
  long bytes() {
    return bytes;
  }

  /** The host that has registered it here; {@link Handlespace#NOBODY} if none has. */
  long host() {
    return host;
  }

  /** Counts a report of an unreachable element, once for each reporter. */
  void reported(long reporter) {
    if (reporters == null) {
      // Most elements are never reported.
      reporters = new HashSet<>(4);
    }
    reporters.add(reporter);
  }

  /** The element was heard of: reports of before do not count any more. */
  void forgetReports() {
    reporters = null;
  }

  /** How many have reported it unreachable. */
  int reports() {
    return reporters == null ? 0 : reporters.size();
  }

  /** Takes in what a user of a host has met. */
  void experienced(ElementExperience met, long host, long now) {
    if (experience == null) {
      experience = new ExperienceMemory();
    }
    experience.add(met, host, now);
  }

  /** What users have lately met, for a user of a host. */
  SharedExperience shared(long asker, long now) {
    return experience == null ? SharedExperience.NONE : experience.shared(asker, now);
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
