package io.rns.server.namespace;

import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.RemovedDirectoryTable;
import io.rns.server.store.RequestLogTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What the writer does between batches, in small transactions: deletes the content of removed directories, forgets old
 * request ids and changes. Belongs to the writer's thread.
 */
final class Upkeep {
  // What one transaction does, and so what a write may have to wait for.
  private static final int STEP_ENTRIES = 500;
  private static final int STEP_REQUESTS = 1_000;
  private static final int STEP_CHANGE_ROWS = 50;

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  /** Under load: as fast as new rows come, but not all at once. */
  private static final Duration SWEEP_AGAIN = Duration.ofMillis(100);

  private static final long BETWEEN_STEPS_MILLIS = 1;

  private final WriterSettings settings;
  private final InstantSource clock;
  private boolean removals = true;
  private boolean moreToSweep;
  private Instant nextSweep = Instant.MIN;
  private Instant nextBeat = Instant.MIN;
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
    return busy ? BETWEEN_STEPS_MILLIS : settings.inGroup() ? settings.beat().toMillis() : SWEEP_EVERY.toMillis();
  }

  /** Something was committed at this time, which says as much as a beat. */
  void noteCommit(Instant time) {
    nextBeat = time.plus(settings.beat());
  }

  /** Leaves things alone for a while. */
  void pauseFor(Duration pause) {
    pausedUntil = clock.instant().plus(pause);
  }

  /**
   * One step, if one is due.
   *
   * @param idle whether no request waits
   * @return whether it has committed what replicas get
   */
  boolean step(Database database, int epoch, boolean idle) {
    Instant now = clock.instant();
    if (now.isBefore(pausedUntil)) {
      return false;
    }
    boolean beatDue = settings.inGroup() && !now.isBefore(nextBeat);
    if (beatDue) {
      beat(database, epoch, now);
    }
    boolean sweepDue = !now.isBefore(nextSweep);
    if (removals && (idle || sweepDue)) {
      removals =
          database.write(
              connection -> {
                WriteTransaction.lock(connection, epoch);
                int done = RemovedDirectoryTable.deleteSome(connection, STEP_ENTRIES);
                connection.commit();
                return done > 0;
              });
    }
    if (sweepDue || (idle && moreToSweep)) {
      moreToSweep =
          database.write(
              connection -> {
                // Also how a server that has been deposed while idle learns of it.
                WriteTransaction.lock(connection, epoch);
                boolean requests = RequestLogTable.sweep(connection, now.minus(settings.requestIdsKept()), STEP_REQUESTS);
                boolean changes = ChangeLogTable.sweep(connection, now.minus(settings.changesKept()), STEP_CHANGE_ROWS);
                connection.commit();
                return requests || changes;
              });
      nextSweep = now.plus(moreToSweep ? SWEEP_AGAIN : SWEEP_EVERY);
    }
    return beatDue;
  }

  private void beat(Database database, int epoch, Instant now) {
    database.write(
        connection -> {
          int group = WriteTransaction.lock(connection, epoch).position().group();
          GroupTable.beat(connection, group, now);
          connection.commit();
          return group;
        });
    noteCommit(now);
  }
}
