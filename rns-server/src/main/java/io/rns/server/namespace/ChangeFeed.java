package io.rns.server.namespace;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.PlacedChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The committed changes for readers in order: the last ones from memory, older ones from the database. Readers keep
 * nothing here but the position they have got to, so slow ones cost nothing.
 *
 * <p>Thread-safe. A reader that waits holds no connection, and no platform thread if it runs on a virtual one.
 */
public final class ChangeFeed {
  /** How many of the last changes are kept in memory, at most. */
  private static final int RECENT_CHANGES = 8_192;

  /** What they take, at most: a kilobyte for each. */
  private static final long RECENT_BYTES = 8 << 20;

  /** The root, which is created with the tree: it is not in the log, and watchers need not know. */
  private static final long FIRST_CHANGE = 1;

  /** How many changes are given at once, about. */
  private static final int STEP_CHANGES = 1_000;

  /** How many rows of the log are read at once: one has up to 64 KiB. */
  private static final int STEP_ROWS = 64;

  private final Database database;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final RecentChanges recent;
  private Position last;
  private @Nullable RnsException ended;

  ChangeFeed(Database database, Position position) {
    this.database = database;
    this.last = position;
    this.recent = new RecentChanges(RECENT_CHANGES, RECENT_BYTES, position.sequence() + 1);
  }

  /** Tells the changes of one commit; to be called in the order of commits, when reads see them. */
  void append(List<LoggedChange> changes, Position position) {
    lock.lock();
    try {
      changes.forEach(recent::add);
      last = position;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** There are changes up to a position, which are in the log if they are kept at all. */
  void skipTo(Position position) {
    lock.lock();
    try {
      recent.restartAt(position.sequence() + 1);
      last = position;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends it: all readers get this error from now on, or the one that ended it before. */
  void end(RnsException reason) {
    lock.lock();
    try {
      ended = ended == null ? reason : ended;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The last change there is. */
  public Position last() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a reader gets to know in one step.
   *
   * @param changes those that concern it, in order
   * @param known the last change it knows by now, of all
   */
  public record Step(List<PlacedChange> changes, Position known) {}

  /**
   * Where a reader goes on that knows all changes up to a position, of this server or of another one of its group.
   *
   * <p>The sequence alone does not tell: after a failover that lost changes, the next primary gave their numbers to
   * others. So the change here has to be of the same epoch. A position names a later epoch than the change it ends with
   * if it was taken after a primary had begun its epoch and before it wrote; the next change, or the epoch of this
   * server, shows that it did.
   *
   * @return the same place, with the epoch of the change there if that is kept, which later epochs do not make doubtful
   * @throws RnsException {@link RnsError#INVALID_CURSOR} if the change was lost, or is no longer kept and cannot be
   *         compared, and as {@link #after}
   */
  public Position resume(Position known) {
    long at = known.sequence();
    Position now;
    List<LoggedChange> kept = null;
    lock.lock();
    try {
      checkLocked(known);
      now = last;
      if (at >= recent.first()) {
        kept = recent.from(at, 2);
      }
    } finally {
      lock.unlock();
    }
    if (at <= FIRST_CHANGE) {
      return known;
    }
    if (kept == null) {
      Position before = new Position(known.group(), known.epoch(), at - 1);
      kept = database.read(connection -> ChangeLogTable.read(connection, before, 2));
    }
    return resumed(known, now, kept);
  }

  /**
   * Compares a position with the log.
   *
   * @param now the last change here
   * @param kept the change at that position and the next one, as far as they are there
   */
  private static Position resumed(Position known, Position now, List<LoggedChange> kept) {
    Position here = null;
    Position next = null;
    for (LoggedChange change : kept) {
      long sequence = change.position().sequence();
      here = sequence == known.sequence() ? change.position() : here;
      next = sequence == known.sequence() + 1 ? change.position() : next;
    }
    if (known.equals(here)) {
      return known;
    }
    boolean mayBe = here == null || here.epoch() < known.epoch();
    boolean isPast = next != null && next.epoch() == known.epoch();
    if (mayBe && (isPast || known.equals(now))) {
      return here == null ? known : here;
    }
    throw lost(known);
  }

  private static RnsException lost(Position known) {
    return new RnsException(
        RnsError.INVALID_CURSOR,
        "position " + known + " is not in the log of changes; a change of primary may have lost it: start over");
  }

  /**
   * The next changes that concern a path.
   *
   * @param known the last change that the reader knows: of {@link #resume}, or of the step before
   * @param most how long to wait if there is none yet
   * @return without a gap behind {@code known}, in order; nothing new if none came in time
   * @throws RnsException {@link RnsError#INVALID_CURSOR} if changes behind {@code known} are no longer kept or lost,
   *         {@link RnsError#INVALID_REQUEST} if it is of another group or has not been reached here,
   *         {@link RnsError#UNAVAILABLE} if the service stops or the database is away
   */
  public Step after(Position known, RnsPath path, Duration most) throws InterruptedException {
    List<LoggedChange> next = logged(known, most);
    List<PlacedChange> changes = new ArrayList<>();
    for (LoggedChange logged : next) {
      logged.told().filter(told -> told.change().concerns(path)).ifPresent(changes::add);
    }
    return new Step(changes, next.isEmpty() ? known : next.getLast().position());
  }

  /**
   * The same with all that the log has of the next changes, whatever they concern; empty if none came in time.
   *
   * @throws RnsException as {@link #after}
   */
  public List<LoggedChange> logged(Position known, Duration most) throws InterruptedException {
    long behind = Math.max(FIRST_CHANGE, known.sequence());
    lock.lock();
    try {
      checkLocked(known);
      long nanos = most.toNanos();
      while (behind >= last.sequence() && nanos > 0) {
        nanos = advanced.awaitNanos(nanos);
        checkLocked(known);
      }
      if (behind >= last.sequence()) {
        return List.of();
      }
      if (behind + 1 >= recent.first()) {
        return recent.from(behind + 1, STEP_CHANGES);
      }
    } finally {
      lock.unlock();
    }
    return readLog(new Position(known.group(), known.epoch(), behind));
  }

  /**
   * Checks what {@link #resume} does, as far as it is known without reading the log.
   *
   * @throws RnsException as {@link #resume}
   */
  public void check(Position known) {
    lock.lock();
    try {
      checkLocked(known);
    } finally {
      lock.unlock();
    }
  }

  private void checkLocked(Position known) {
    if (ended != null) {
      throw new RnsException(ended.error(), ended.getMessage(), ended);
    }
    if (known.group() == last.group() && known.epoch() < last.epoch() && known.sequence() > last.sequence()) {
      // This log has left that epoch, without the change.
      throw lost(known);
    }
    if (!last.covers(known)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "position " + known + " has not been reached here; the last change is " + last);
    }
  }

  private List<LoggedChange> readLog(Position behind) {
    List<LoggedChange> changes = new ArrayList<>();
    Position at = behind;
    int rows = 1;
    while (changes.size() < STEP_CHANGES) {
      Position from = at;
      int step = rows;
      List<LoggedChange> next = database.read(connection -> ChangeLogTable.read(connection, from, step));
      if (next.isEmpty()) {
        break;
      }
      changes.addAll(next);
      at = next.getLast().position();
      rows = STEP_ROWS;
    }
    if (changes.isEmpty() || changes.getFirst().position().sequence() != behind.sequence() + 1) {
      throw new RnsException(
          RnsError.INVALID_CURSOR, "the changes behind position " + behind + " are no longer kept; start over");
    }
    return changes;
  }
}
