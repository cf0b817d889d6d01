package io.rns.server.namespace;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.replication.MemberList;
import io.rns.replication.Timing;
import io.rns.replication.member.CommitWait;
import io.rns.replication.member.LastCommit;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.MemberTable;
import io.rns.server.store.SqlErrors;
import io.rns.server.store.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The one writer of a server group: takes what waits, applies it in one transaction, publishes the commit to the cache,
 * answers the callers.
 *
 * <p>If the answer to a transaction is lost, the next thing it does is to ask the database, under the lock of the
 * group's row, whether the sequence has advanced, and to make sure that the transaction does not take effect after
 * that; nothing else is written before that is known.
 */
final class Writer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
  private static final int ATTEMPTS = 5;

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  /** How long a writer that stands down may be at its last transaction: others wait for it. */
  private static final Duration STAND_DOWN_WAIT = Duration.ofSeconds(1);

  private static final Duration UPKEEP_PAUSE = Duration.ofSeconds(1);
  private static final Duration PROBE_PAUSE = Duration.ofMillis(200);

  /** How soon writes to frozen content go on after it thaws. */
  private static final long FROZEN_PAUSE_MILLIS = 2;

  private final Database database;
  private final EntryCache cache;
  private final ServedPosition served;
  private final ChangeFeed feed;
  private final WriterSettings settings;
  private final InstantSource clock;
  private final AccessControl control;
  private final int epoch;
  private final CommittedRow row;
  private final Upkeep upkeep;
  private final StorageWatch storage;
  private final WriteQueue queue;
  private final AnswerDelivery delivery = new AnswerDelivery();
  private final Thread thread = Thread.ofPlatform().name("rns-writer").daemon().unstarted(this::run);
  private final CountDownLatch stopping = new CountDownLatch(1);

  private final Assumptions assumptions = new Assumptions();

  /** What the writer is at, while it is not answered; belongs to its thread. */
  private List<PendingWrite> inHand = List.of();

  /** Whether a commit was sent that is not dealt with yet; belongs to the writer's thread. */
  private boolean committing;

  private final FrozenContent frozen = new FrozenContent(Timing.system());
  private final Heights heights = new Heights();
  private final DelegatedDirectories delegated = new DelegatedDirectories();
  private final Departures departures = new Departures();

  private volatile @Nullable RnsException deposed;

  /** Held while readers are shown something. */
  private final Object publishing = new Object();

  /** Whether who ended it has stopped waiting, so that another one may write or follow by now. Under publishing. */
  private boolean abandoned;

  private volatile @Nullable String refusal;

  /** When the last commit began that is known to have been made, by {@link System#nanoTime}. */
  private volatile long confirmedNanos;

  private final LongAdder transactions = new LongAdder();
  private final LongAdder requests = new LongAdder();

  Writer(
      Database database,
      EntryCache cache,
      ServedPosition served,
      ChangeFeed feed,
      WriterSettings settings,
      InstantSource clock,
      AccessControl control,
      Begin begin,
      long beganNanos) {
    this.database = database;
    this.cache = cache;
    this.served = served;
    this.feed = feed;
    this.settings = settings;
    this.clock = clock;
    this.control = control;
    this.epoch = begin.row().position().epoch();
    this.row = new CommittedRow(database, clock, begin.row(), begin.acknowledgements());
    database.writeAs(epoch);
    this.storage = new StorageWatch(database);
    this.queue = new WriteQueue(settings, System::nanoTime);
    this.upkeep = new Upkeep(settings, clock, () -> !queue.isEmpty());
    this.confirmedNanos = beganNanos;
  }

  /**
   * The commit that began an epoch.
   *
   * @param row the state of the group
   * @param acknowledgements of how many replicas the commits after it wait
   */
  record Begin(GroupTable.GroupRow row, int acknowledgements) {}

  /**
   * Makes this server the primary: starts the next epoch, which excludes the former primary; a later one than another
   * given one, too.
   *
   * @param members the addresses of the members from now on; empty to keep those that the database has
   * @param wait of how many replicas this commit waits, and others at most
   * @return empty, and nothing has changed, if it may not follow the last commit
   */
  static Optional<Begin> begin(
      Database database, Instant time, int after, List<String> members, CommitWait wait,
      Predicate<LastCommit> mayFollow) {
    return database.takeOver(
        connection -> {
          GroupTable.GroupRow group = GroupTable.lock(connection);
          Position old = group.position();
          if (!mayFollow.test(new LastCommit(old.epoch(), group.beat()))) {
            connection.rollback();
            return Optional.empty();
          }
          Position now = new Position(old.group(), Math.max(old.epoch(), after) + 1, old.sequence());
          // What was committed before is confirmed when this is, and the next commit says so.
          long confirmed =
              wait.first() > 1 ? Math.min(group.confirmed(), old.sequence()) : GroupTable.ALL;
          GroupTable.GroupRow begin =
              new GroupTable.GroupRow(
                  now, group.lastEntry(), group.lastAnswers(), time, group.reflectedFrom(now), confirmed);
          Statements statements = new Statements(connection);
          GroupTable.update(statements, begin);
          statements.execute();
          MemberList list = MemberTable.write(connection, now.epoch(), members, time, wait.most());
          connection.commit();
          return Optional.of(new Begin(begin, list.acknowledgements()));
        });
  }

  /**
   * Commits another list of members, between two batches.
   *
   * @param prepared the epoch in which the change was prepared
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if it writes in another one
   */
  MemberList replaceMembers(int prepared, List<String> members, int most) {
    checkPrimary();
    if (prepared != epoch) {
      throw new RnsException(RnsError.NOT_PRIMARY, "the primary has changed");
    }
    // Before, since the list may be at another member if this fails.
    row.await(Math.max(row.acknowledgements(), MemberList.acknowledgements(members.size(), most)));
    MemberList list =
        betweenBatches(connection -> MemberTable.write(connection, epoch, members, clock.instant(), most));
    row.await(list.acknowledgements());
    return list;
  }

  /** Commits work, between two batches. */
  <T> T betweenBatches(Database.Work<T> work) {
    checkPrimary();
    return database.write(connection -> {
      if (GroupTable.lock(connection).position().epoch() != epoch) {
        throw new RnsException(RnsError.NOT_PRIMARY, "another server is the primary");
      }
      T done = work.with(connection);
      connection.commit();
      return done;
    });
  }

  /** Of how many replicas commits wait. */
  int acknowledgements() {
    return row.acknowledgements();
  }

  void start() {
    thread.start();
  }

  /**
   * Puts a write into the queue.
   *
   * @throws RnsException {@link RnsError#BUSY} if the queue is full, {@link RnsError#UNAVAILABLE} if the service is
   *         stopping or writes are refused, {@link RnsError#NOT_PRIMARY}
   */
  void submit(PendingWrite write) {
    checkPrimary();
    if (stopping.getCount() == 0) {
      throw stopped();
    }
    String reason = refusal;
    if (reason != null) {
      throw new RnsException(RnsError.UNAVAILABLE, reason);
    }
    storage.checkUnlessRecent();
    queue.add(write);
  }

  /** Why writes are refused for now though the service serves; empty if they are not. */
  Optional<String> trouble() {
    return storage.trouble();
  }

  /**
   * Checks that no other server has taken over.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY}
   */
  void checkPrimary() {
    RnsException reason = deposed;
    if (reason != null) {
      throw new RnsException(reason.error(), reason.getMessage(), reason);
    }
  }

  /** Refuses writes from now on, those that wait included, or no longer. */
  void refuse(@Nullable String reason) {
    refusal = reason;
    if (reason != null) {
      queue.refuse(new RnsException(RnsError.UNAVAILABLE, reason));
    }
  }

  /** Whether another server has taken over, or this one was demoted. */
  boolean isDeposed() {
    return deposed != null;
  }

  /**
   * Checks that no other server can have taken over yet.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if that is not known at this moment
   */
  void checkLease() {
    if (settings.inGroup() && !isConfirmed()) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "this server has not been able to commit for " + settings.lease().toMillis()
              + " ms: another one may be the primary by now");
    }
  }

  /** Whether a commit that began within the lease is known to have been made. */
  boolean isConfirmed() {
    return System.nanoTime() - confirmedNanos <= settings.lease().toNanos();
  }

  private void depose(RnsException reason) {
    deposed = reason;
    if (!settings.inGroup()) {
      cache.clear();
      feed.end(reason);
    }
    LOG.error("{}", reason.getMessage());
  }

  /**
   * Ends it for good: what is being written is finished, all else is refused. Readers see what is written by the time
   * this returns; what ends later they have to see elsewhere.
   *
   * @param reason message to callers, {@link RnsError#NOT_PRIMARY}
   */
  void standDown(RnsException reason) {
    deposed = reason;
    // Not after the last transaction, which a database that hangs may never end.
    queue.end(reason);
    end(STAND_DOWN_WAIT);
    synchronized (publishing) {
      abandoned = true;
    }
  }

  /** Has readers see something; false, and they do not, if it is no longer for this writer to tell. */
  private boolean show(Runnable publication) {
    synchronized (publishing) {
      if (!abandoned) {
        publication.run();
        served.wake();
      }
      return !abandoned;
    }
  }

  private static RnsException stopped() {
    return new RnsException(RnsError.UNAVAILABLE, "the service is stopping");
  }

  private void run() {
    try {
      boolean isSound = true;
      while (deposed == null && (stopping.getCount() > 0 || (isSound && !queue.isEmpty()))) {
        isSound = isSound ? step() : recover();
      }
    } catch (InterruptedException e) {
      LOG.info("the writer was interrupted");
    }
    stopping.countDown();
    RnsException reason = deposed;
    if (reason == null) {
      reason = stopped();
      feed.end(reason);
    }
    // Those that it was interrupted at, if they are not answered; their results are unknown.
    fail(inHand,
        new RnsException(RnsError.TIMEOUT, "the write may or may not have been applied: " + reason.getMessage()));
    fail(frozen.drained(), reason);
    queue.end(reason);
  }

  /** One batch and what is due between batches; false if the writer has to look at the database before it goes on. */
  private boolean step() throws InterruptedException {
    try {
      inHand = frozen.released();
      if (inHand.isEmpty()) {
        inHand = queue.nextBatch(frozen.hasWaiting() ? FROZEN_PAUSE_MILLIS : upkeep.pauseMillis());
      }
      if (!inHand.isEmpty()) {
        commit(inHand);
      }
      // Answered, or on the way to be.
      List<PendingWrite> answered = inHand;
      inHand = List.of();
      keepUp(answered);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.error("the writer has failed and restarts from the state of the database", e);
      fail(inHand,
          new RnsException(RnsError.TIMEOUT, "the write may or may not have been applied: the writer has failed", e));
      return false;
    }
  }

  /** After a failure in the middle of something: what the database has under the lock is what holds. */
  private boolean recover() throws InterruptedException {
    try {
      GroupTable.GroupRow confirmed = row.confirm();
      Position found = confirmed.position();
      boolean unused = show(() -> {
        cache.reset(() -> served.advance(found, confirmed.reflected(), clock.instant()));
        feed.skipTo(found);
      });
      committing = false;
      return true;
    } catch (RuntimeException | Error e) {
      if (e instanceof RnsException known && known.error() == RnsError.NOT_PRIMARY) {
        depose(known);
      } else {
        LOG.warn("the writer cannot continue yet: {}", e.toString());
        boolean unused = stopping.await(PROBE_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      }
      return false;
    }
  }

  // ---- one batch

  private void commit(List<PendingWrite> batch) throws InterruptedException {
    for (int attempt = 1;; attempt++) {
      try {
        if (commitOnce(batch)) {
          return;
        }
        if (attempt == ATTEMPTS) {
          fail(batch, new RnsException(RnsError.UNAVAILABLE, "the database has not answered " + ATTEMPTS + " times"));
          return;
        }
      } catch (RnsException e) {
        if (committing) {
          throw e;
        }
        if (e.error() == RnsError.NOT_PRIMARY) {
          depose(e);
          fail(batch, e);
          return;
        }
        if (attempt == 1 && SqlErrors.passes(e)) {
          // The connection was ended before anything was committed, perhaps by another primary: see who is one now.
          continue;
        }
        boolean lostRace = e.error() == RnsError.BUSY || SqlErrors.isDuplicateKey(e);
        if (lostRace && attempt < ATTEMPTS) {
          if (assumptions.allowed()) {
            // A name or a request id was not new: look them up.
            assumptions.noteFailure();
          } else {
            // The database gave way, or held something the cache did not know: look at everything afresh.
            cache.clear();
          }
          continue;
        }
        if ((e.error() == RnsError.INTERNAL || WriteTransaction.isTooMuch(e)) && batch.size() > 1) {
          // One request that the database cannot take must not spoil the others.
          commitSingly(batch);
          return;
        }
        storage.noteFailure(e);
        fail(batch, e);
        return;
      } catch (RuntimeException | Error e) {
        if (committing) {
          throw e;
        }
        if (batch.size() > 1) {
          commitSingly(batch);
        } else {
          fail(batch, PendingWrite.notApplied(e));
        }
        return;
      }
    }
  }

  private void commitSingly(List<PendingWrite> batch) throws InterruptedException {
    for (PendingWrite write : batch) {
      commit(List.of(write));
    }
  }

  private static void fail(List<PendingWrite> batch, RnsException error) {
    batch.forEach(write -> write.fail(error));
  }

  /** False if nothing came of it because the connection was lost. */
  private boolean commitOnce(List<PendingWrite> batch) throws InterruptedException {
    storage.check();
    try {
      return database.writeToTheEnd(connection -> tryCommit(connection, batch));
    } catch (StateHasChanged e) {
      // What was decided on another state has to be decided again.
      cache.clear();
      GroupTable.GroupRow unused = row.read();
      throw new RnsException(RnsError.BUSY, "something else has written into the tables of the group", e);
    } catch (InDoubt doubt) {
      return resolve(doubt, batch);
    }
  }

  /** Something else has written: another primary, most likely. */
  private static final class StateHasChanged extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Of a transaction it is not known whether it was committed. */
  private static final class InDoubt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient WriteTransaction transaction;
    private final transient EntryCache.Announced announced;
    private final SQLException failure;

    InDoubt(WriteTransaction transaction, EntryCache.Announced announced, SQLException failure) {
      super(failure);
      this.transaction = transaction;
      this.announced = announced;
      this.failure = failure;
    }
  }

  private boolean tryCommit(Connection connection, List<PendingWrite> batch) throws SQLException {
    long began = System.nanoTime();
    Instant time = clock.instant().truncatedTo(ChronoUnit.MICROS);
    WriteTransaction transaction =
        WriteTransaction.prepare(
            new SqlRows(connection), cache, heights, delegated, departures, frozen, row.now(), time, batch,
            assumptions.allowed(), settings, control);
    if (transaction.writesNothing()) {
      if (!row.isStill(connection)) {
        throw new StateHasChanged();
      }
      assumptions.noteSuccess();
      deliver(transaction, batch);
      return true;
    }
    Draft draft = transaction.draft();
    committing = true;
    EntryCache.Announced announced =
        cache.announce(draft.changedKeys(), draft.changedIds(), draft.countedDirectories());
    try {
      transaction.commit(connection);
    } catch (SQLException e) {
      committing = false;
      if (SqlErrors.isRefusal(e)) {
        announced.withdraw();
        if (SqlErrors.isGuard(e)) {
          throw new StateHasChanged();
        }
        throw e;
      }
      announced.doubt();
      throw new InDoubt(transaction, announced, e);
    }
    confirmedNanos = began;
    row.advance(transaction.after());
    succeed(transaction, announced, batch);
    return true;
  }

  private void deliver(WriteTransaction transaction, List<PendingWrite> batch) {
    frozen.keep(transaction.held());
    delivery.deliver(transaction, batch);
  }

  private void succeed(WriteTransaction transaction, EntryCache.Announced announced, List<PendingWrite> batch) {
    committing = true;
    publish(transaction, announced, batch);
    committing = false;
  }

  private void publish(WriteTransaction transaction, EntryCache.Announced announced, List<PendingWrite> batch) {
    Draft draft = transaction.draft();
    if (!show(() -> publish(draft, announced))) {
      // By now another server may have reported the database's content, this change included.
      forget(announced);
      deliver(transaction, batch);
      return;
    }
    assumptions.noteSuccess();
    storage.noteCommit();
    heights.stored(draft.raisedHeights());
    transactions.increment();
    requests.add(transaction.requests());
    upkeep.noteCommit(draft.time());
    if (row.acknowledgements() > 1) {
      upkeep.noteUnconfirmed();
    }
    upkeep.noteRemovals(draft.removesDirectories());
    deliver(transaction, batch);
  }

  private void publish(Draft draft, EntryCache.Announced announced) {
    Runnable advance = () -> served.advance(draft.position(), draft.reflected(), draft.time());
    try {
      if (draft.movesContent()) {
        cache.reset(advance);
      } else {
        announced.publish(draft.toKeep(), advance);
      }
      feed.append(draft.changes(), draft.position());
    } catch (RuntimeException e) {
      LOG.error("a commit could not be published; the cache is cleared", e);
      cache.clearAnd(advance);
      announced.withdraw();
      feed.skipTo(draft.position());
    }
  }

  /** Ends the announcement of a commit that the database may show though it is not published. */
  private void forget(EntryCache.Announced announced) {
    // Before the announcement ends: reads that have met the commit run again, and nothing of it is kept.
    cache.clear();
    announced.withdraw();
  }

  /** False if it was not committed and may be sent again. */
  private boolean resolve(InDoubt doubt, List<PendingWrite> batch) throws InterruptedException {
    boolean unanswered = SqlErrors.isUnanswered(doubt.failure);
    LOG.atLevel(unanswered ? Level.WARN : Level.DEBUG)
        .log("a transaction may have been committed or not; checking the database: {}", doubt.failure.getMessage());
    Position found = confirmed(doubt, batch, unanswered);
    if (found == null) {
      return true;
    }
    if (found.equals(doubt.transaction.before())) {
      // Not committed, or nothing but answers of requests that changed nothing: applying it again is right.
      doubt.announced.withdraw();
      if (!unanswered) {
        throw Database.error(doubt.failure);
      }
      return false;
    }
    if (found.equals(doubt.transaction.draft().position())) {
      succeed(doubt.transaction, doubt.announced, batch);
    } else {
      giveUp(doubt, batch, "the database is at " + found + ", neither before nor after the write");
    }
    return true;
  }

  /** The position of the database, from which it is known what came of a transaction; null if it was given up. */
  private @Nullable Position confirmed(InDoubt doubt, List<PendingWrite> batch, boolean underway)
      throws InterruptedException {
    while (true) {
      try {
        Position before = doubt.transaction.before();
        return !underway && row.read().position().equals(before) ? before : row.confirm().position();
      } catch (RnsException e) {
        if (e.error() == RnsError.NOT_PRIMARY) {
          depose(e);
          if (isInLog(doubt.transaction)) {
            giveUp(doubt, batch, e.getMessage());
          } else {
            forget(doubt.announced);
            fail(batch, e);
          }
          return null;
        }
        if (stopping.await(PROBE_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
          giveUp(doubt, batch, "the service is stopping");
          return null;
        }
      }
    }
  }

  /** Whether a transaction was committed before the epoch passed, or may have been. */
  private boolean isInLog(WriteTransaction transaction) {
    try {
      List<LoggedChange> next =
          database.read(connection -> ChangeLogTable.read(connection, transaction.before(), 1));
      return !next.isEmpty() && next.getFirst().position().epoch() == epoch;
    } catch (RnsException e) {
      LOG.debug("the change log cannot be read: {}", e.getMessage());
      return true;
    }
  }

  private void giveUp(InDoubt doubt, List<PendingWrite> batch, String why) {
    forget(doubt.announced);
    fail(batch, new RnsException(RnsError.TIMEOUT, "the write may or may not have been applied: " + why));
  }

  // ---- between batches

  private void keepUp(List<PendingWrite> answered) {
    try {
      long began = System.nanoTime();
      if (upkeep.step(database, epoch, answered, row.confirmed())) {
        confirmedNanos = began;
      }
    } catch (RnsException e) {
      if (e.error() == RnsError.NOT_PRIMARY) {
        depose(e);
      } else {
        LOG.warn("maintenance failed and will be retried: {}", e.getMessage());
        upkeep.pauseFor(UPKEEP_PAUSE);
      }
    } catch (RuntimeException | Error e) {
      LOG.error("maintenance failed and will be retried", e);
      upkeep.pauseFor(UPKEEP_PAUSE);
    }
  }

  /** Numbers about the writer. */
  Map<String, Number> statistics() {
    return Map.of(
        "writesWaiting", queue.size(), "writersWaiting", queue.callers(), "writesRefusedByShare", queue.refused(),
        "writesCommitted", requests.sum(), "writeTransactions", transactions.sum());
  }

  @Override
  public void close() {
    end(CLOSE_WAIT);
  }

  private void end(Duration most) {
    stopping.countDown();
    try {
      if (thread.isAlive() && !thread.join(most)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
