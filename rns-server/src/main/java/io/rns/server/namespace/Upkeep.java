package io.rns.server.namespace;

import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.RemovedDirectoryTable;
import io.rns.server.store.RequestLogTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What the writer does between batches, in small transactions: deletes the content of removed directories, forgets old
 * request ids and changes. Belongs to the writer's thread.
 */
final class Upkeep {
  /** What one transaction takes, about, and so what a write may have to wait for. */
  private static final Duration STEP = Duration.ofMillis(10);

  private static final int STEP_REQUESTS = 1_000;
  private static final int STEP_CHANGE_ROWS = 50;

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  /** Until a beat tells replicas that a change is confirmed, unless another commit does. */
  private static final Duration CONFIRMS_AFTER = Duration.ofMillis(10);

  private final WriterSettings settings;
  private final InstantSource clock;
  private final UpkeepPace pace = new UpkeepPace(System::nanoTime);
  private boolean removals = true;
  private boolean moreToSweep;
  private Instant nextSweep = Instant.MIN;
  private Instant nextBeat = Instant.MIN;
  private boolean unconfirmed;
  private Instant pausedUntil = Instant.MIN;

  Upkeep(WriterSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** A commit has removed directories. */
  void noteRemovals(boolean some) {
    removals |= some;
  }

  /** How long the writer may wait for requests before the next step. */
  long pauseMillis() {
    boolean busy = (removals || moreToSweep) && !clock.instant().isBefore(pausedUntil);
    long pause = settings.inGroup() ? settings.beat().toMillis() : SWEEP_EVERY.toMillis();
    return busy ? pace.pauseMillis() : unconfirmed ? CONFIRMS_AFTER.toMillis() : pause;
  }

  /** Something was committed at this time, which says as much as a beat. */
  void noteCommit(Instant time) {
    nextBeat = time.plus(settings.beat());
    unconfirmed = false;
  }

  /** Something was committed that replicas show once they know that enough of them have it. */
  void noteUnconfirmed() {
    nextBeat = clock.instant().plus(CONFIRMS_AFTER);
    unconfirmed = true;
  }

  /** Pauses maintenance. */
  void pauseFor(Duration pause) {
    pausedUntil = clock.instant().plus(pause);
  }

  /**
   * One step, if one is due.
   *
   * @param answered how many requests were answered since the last call
   * @param confirmed what is known to be confirmed
   * @return whether it has committed what replicas get
   */
  boolean step(Database database, int epoch, int answered, long confirmed) {
    pace.noteRequests(answered);
    Instant now = clock.instant();
    if (now.isBefore(pausedUntil)) {
      return false;
    }
    boolean beatDue = settings.inGroup() && !now.isBefore(nextBeat);
    if (beatDue) {
      beat(database, epoch, now, confirmed);
    }
    boolean due = pace.allowsStep();
    if (removals && due) {
      removals = database.write(connection -> inStep(connection, epoch, RemovedDirectoryTable::deleteSome));
      pace.noteStep();
    }
    if (!now.isBefore(nextSweep) || (moreToSweep && due)) {
      // Also how a server that has been deposed while idle learns of it.
      moreToSweep = database.write(connection -> inStep(connection, epoch, (same, until) -> sweep(same, now, until)));
      pace.noteStep();
      nextSweep = now.plus(SWEEP_EVERY);
    }
    return beatDue;
  }

  /** Some work that ends soon after a time of {@link System#nanoTime}, and returns whether there is more. */
  private interface Work {
    boolean until(Connection connection, long nanos) throws SQLException;
  }

  private static boolean inStep(Connection connection, int epoch, Work work) throws SQLException {
    WriteTransaction.lock(connection, epoch);
    boolean more = work.until(connection, System.nanoTime() + STEP.toNanos());
    connection.commit();
    return more;
  }

  private boolean sweep(Connection connection, Instant now, long until) throws SQLException {
    boolean more;
    do {
      boolean requests = RequestLogTable.sweep(connection, now.minus(settings.requestIdsKept()), STEP_REQUESTS);
      boolean changes = ChangeLogTable.sweep(connection, now.minus(settings.changesKept()), STEP_CHANGE_ROWS);
      more = requests || changes;
    } while (more && System.nanoTime() - until < 0);
    return more;
  }

  private void beat(Database database, int epoch, Instant now, long confirmed) {
    database.write(
        connection -> {
          int group = WriteTransaction.lock(connection, epoch).position().group();
          GroupTable.beat(connection, group, now, confirmed);
          connection.commit();
          return group;
        });
    noteCommit(now);
  }
}
