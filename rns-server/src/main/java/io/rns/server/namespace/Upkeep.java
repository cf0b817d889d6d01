package io.rns.server.namespace;

import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.RemovedDirectoryTable;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.SweptLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * What the writer does between batches, in small transactions, one at a time: deletes the content of removed
 * directories, forgets old request ids and changes. Belongs to the writer's thread.
 */
final class Upkeep {
  /**
   * What one transaction takes at most, about, and so what a write may have to wait for. While a request waits it ends
   * as soon as upkeep keeps pace.
   */
  private static final Duration STEP = Duration.ofMillis(10);

  /** Request ids and rows of changes that are forgotten before it is looked again whether a request waits. */
  private static final int SWEEP_REQUESTS = 64;
  private static final int SWEEP_CHANGE_ROWS = 50;

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  /** Until a beat tells replicas that a change is confirmed, unless another commit does. */
  private static final Duration CONFIRMS_AFTER = Duration.ofMillis(10);

  private final WriterSettings settings;
  private final InstantSource clock;
  private final BooleanSupplier waits;
  private final UpkeepPace pace = new UpkeepPace(System::nanoTime);
  private boolean removals = true;
  private boolean removedLast;
  private Swept swept = Swept.NOTHING;
  private Instant nextSweep = Instant.MIN;
  private Instant nextBeat = Instant.MIN;
  private boolean unconfirmed;
  private Instant pausedUntil = Instant.MIN;

  /**
   * Upkeep that has everything to do.
   *
   * @param waits whether a request waits for the writer
   */
  Upkeep(WriterSettings settings, InstantSource clock, BooleanSupplier waits) {
    this.settings = settings;
    this.clock = clock;
    this.waits = waits;
  }

  /** A commit has removed directories. */
  void noteRemovals(boolean some) {
    removals |= some;
  }

  /** How long the writer may wait for requests before the next step. */
  long pauseMillis() {
    boolean busy = (removals || swept.more()) && !clock.instant().isBefore(pausedUntil);
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
   * One step, or one beat, if that is due.
   *
   * @param answered the requests that were answered since the last call
   * @param confirmed what is known to be confirmed
   * @return whether it has committed what replicas get
   */
  boolean step(Database database, int epoch, List<PendingWrite> answered, long confirmed) {
    pace.noteRequests(answered.size(), answered.stream().mapToInt(write -> write.request().size()).sum());
    Instant now = clock.instant();
    if (now.isBefore(pausedUntil)) {
      return false;
    }
    if (settings.inGroup() && !now.isBefore(nextBeat)) {
      beat(database, epoch, now, confirmed);
      return true;
    }
    if (pace.allowsStep()) {
      boolean sweepDue = swept.more() || !now.isBefore(nextSweep);
      if (removals && !(sweepDue && removedLast)) {
        removals = inStep(database, epoch, RemovedDirectoryTable::deleteSome);
        removedLast = true;
      } else if (sweepDue) {
        // Also how a server that has been deposed while idle learns of it.
        swept = inStep(database, epoch, (connection, goesOn) -> sweep(connection, now, goesOn));
        nextSweep = now.plus(SWEEP_EVERY);
        removedLast = false;
      }
    }
    return false;
  }

  /** Some work, which goes on as long as it may after so many rows, and returns what comes of it. */
  private interface Work<T> {
    T with(Connection connection, IntPredicate goesOn) throws SQLException;
  }

  private <T> T inStep(Database database, int epoch, Work<T> work) {
    long until = System.nanoTime() + STEP.toNanos();
    long owed = pace.owedRows();
    IntPredicate goesOn = rows -> System.nanoTime() - until < 0 && (rows < owed || !waits.getAsBoolean());
    T done =
        database.write(
            connection -> {
              WriteTransaction.lock(connection, epoch);
              T result = work.with(connection, goesOn);
              connection.commit();
              return result;
            });
    pace.noteStep();
    return done;
  }

  /**
   * What was swept in an epoch, as far as it was committed. Nothing comes back below: numbers of rows grow, only this
   * writer inserts any, and a backup that is restored begins another epoch.
   */
  private record Swept(SweptLog requests, SweptLog changes) {
    static final Swept NOTHING =
        new Swept(new SweptLog(SweptLog.NOTHING, false), new SweptLog(SweptLog.NOTHING, false));

    boolean more() {
      return requests.more() || changes.more();
    }
  }

  private Swept sweep(Connection connection, Instant now, IntPredicate goesOn) throws SQLException {
    Instant requestsUntil = now.minus(settings.requestIdsKept());
    Instant changesUntil = now.minus(settings.changesKept());
    Swept done = swept;
    int rows = 0;
    do {
      done =
          new Swept(
              RequestLogTable.sweep(connection, done.requests().last(), requestsUntil, SWEEP_REQUESTS),
              ChangeLogTable.sweep(connection, done.changes().last(), changesUntil, SWEEP_CHANGE_ROWS));
      rows += SWEEP_CHANGE_ROWS;
    } while (done.more() && goesOn.test(rows));
    return done;
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
