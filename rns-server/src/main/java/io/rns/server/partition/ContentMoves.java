package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import io.rns.server.namespace.DepartingContent;
import io.rns.server.partition.AssignedJson.ProgressJson;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The moves of content from a server's group to others, one at a time for each directory. Thread-safe. */
final class ContentMoves {
  private static final Logger LOG = LoggerFactory.getLogger(ContentMoves.class);
  /** How long an answer about a move waits for its end. */
  private static final Duration MOVED_WITHIN = Duration.ofSeconds(1);
  /** How long a move waits until former content of the directory is deleted where it goes. */
  private static final Duration CLEARED_WITHIN = Duration.ofMinutes(10);
  /** Each has a connection to the database, and a snapshot there. */
  private static final int AT_ONCE = 4;
  /** What each keeps in memory of entries that change meanwhile. */
  static final long KEPT_BYTES = 16 << 20;
  /** How often a move is tried. */
  private static final int TRIES = 3;
  /** Before the next try: longer than a group takes to notice and to report that its primary is gone. */
  private static final Duration TRY_AGAIN = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(50);
  /** How long the end of a move is told to all who wait for it; they ask again at once. */
  private static final Duration END_TOLD = Duration.ofSeconds(3);

  private final int group;
  private final Timing timing;
  private final Executor movers;
  private final Giver others;
  private final Map<EntryId, Move> moves = new ConcurrentHashMap<>();

  /**
   * No moves.
   *
   * @param group which has the content
   * @param movers runs each on a thread of its own
   * @param others gives content back
   */
  ContentMoves(int group, Timing timing, Executor movers, Giver others) {
    this.group = group;
    this.timing = timing;
    this.movers = movers;
    this.others = others;
  }

  /** Other groups. */
  interface Giver {
    /** Has a group move the content of a directory to this one, or go on with that; tells whether it has. */
    boolean give(int from, EntryId directory);
  }

  /**
   * A move under way.
   *
   * @param ended when, by {@link Timing#nanoTime}, if it has
   */
  private record Move(int to, DepartingContent content, CompletableFuture<Long> waitedNanos, AtomicLong ended) {
    boolean isRunning() {
      return !waitedNanos.isDone();
    }

    /** Whether the content has moved. */
    boolean isOver() {
      return waitedNanos.isDone() && !waitedNanos.isCompletedExceptionally();
    }

    /** Whether it was ended before it was over. */
    boolean isCancelled() {
      return waitedNanos.isCompletedExceptionally() && content.isCancelled();
    }

    ProgressJson progress(String phase, @Nullable Long waitedMillis) {
      return new ProgressJson(phase, content.copied(), waitedMillis);
    }
  }

  /**
   * Moves the content of a directory, or tells how far that is.
   *
   * @param owner of the content, as the database of this group has it; empty if it is this one
   * @param begin prepares a move to a group
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is moving to another group; what made the move fail,
   *         which can be tried again
   */
  ProgressJson give(EntryId directory, int to, Supplier<OptionalInt> owner, Function<Integer, DepartingContent> begin) {
    Move known = known(directory);
    OptionalInt now = owner.get();
    if (known == null && now.isPresent() && now.getAsInt() == to) {
      return new ProgressJson("moved", 0, 0L);
    }
    if (known != null && now.isEmpty() && known.isOver()) {
      // Nobody asked for its end, and the content has come back since.
      moves.remove(directory, known);
    }
    if (!moves.containsKey(directory) && moves.values().stream().filter(Move::isRunning).count() >= AT_ONCE) {
      throw new RnsException(
          RnsError.BUSY, AT_ONCE + " directories are moving from this group already, which is the limit; retry later");
    }
    Move move = moves.computeIfAbsent(directory, id -> begin(begin.apply(to), to, () -> owner.get().isPresent()));
    if (move.to() != to) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          directory + " is moving to server group " + move.to()
              + " at this moment; to cancel that, assign it to server "
              + "group " + group);
    }
    if (!timing.await(MOVED_WITHIN, move.waitedNanos()::isDone)) {
      return move.progress(move.content().phase(), null);
    }
    if (!move.isCancelled()) {
      // Who has cancelled it may ask again.
      moves.remove(directory, move);
    }
    try {
      long nanos = move.waitedNanos().join();
      return move.progress(move.content().phase(), TimeUnit.NANOSECONDS.toMillis(nanos));
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  private static RnsException failure(CompletionException e) {
    return e.getCause() instanceof RnsException failed
        ? new RnsException(failed.error(), "the content did not move: " + failed.getMessage(), failed)
        : new RnsException(RnsError.INTERNAL, "the content did not move: " + e.getCause(), e);
  }

  /** The move of a directory that is under way, or has ended just now. */
  private @Nullable Move known(EntryId directory) {
    Move known = moves.get(directory);
    if (known != null && !known.isRunning() && timing.passed(END_TOLD, known.ended().get())) {
      moves.remove(directory, known);
      return null;
    }
    return known;
  }

  /**
   * Ends the move of a directory's content, so that it stays, or tells that this takes longer.
   *
   * @param owner as of {@link #give}
   * @return empty if no move was under way, or it was too late: then another group owns the content
   * @throws RnsException {@link RnsError#TIMEOUT} if it is not known whether the content has moved
   */
  Optional<ProgressJson> cancel(EntryId directory, Supplier<OptionalInt> owner) {
    Move move = known(directory);
    if (move == null || !(move.isRunning() || move.isCancelled())) {
      return Optional.empty();
    }
    move.content().cancel();
    if (!timing.await(MOVED_WITHIN, move.waitedNanos()::isDone)) {
      return Optional.of(move.progress("cancelling", null));
    }
    try {
      long unused = move.waitedNanos().join();
      return Optional.empty();
    } catch (CompletionException e) {
      RnsException failed = failure(e);
      if (failed.error() == RnsError.TIMEOUT) {
        throw failed;
      }
      // What made it fail may have come after the commit.
      return owner.get().isPresent() ? Optional.empty() : Optional.of(move.progress(ProgressJson.CANCELLED, 0L));
    }
  }

  private Move begin(DepartingContent content, int to, BooleanSupplier isGiven) {
    AtomicLong ended = new AtomicLong();
    return new Move(to, content, CompletableFuture.supplyAsync(() -> {
      try {
        return run(content, to, isGiven);
      } finally {
        ended.set(timing.nanoTime());
      }
    }, movers), ended);
  }

  /** A disk or a server that stands still for some seconds, or another primary, ends a try, not the move. */
  private long run(DepartingContent content, int to, BooleanSupplier isGiven) {
    long since = timing.nanoTime();
    for (int tries = 1;;) {
      try {
        since = content.takeBack(inside -> others.give(to, inside)) ? timing.nanoTime() : since;
        return content.move();
      } catch (RnsException e) {
        boolean busy = e.error() == RnsError.BUSY && !timing.passed(CLEARED_WITHIN, since);
        if (!busy && (e.error() != RnsError.UNAVAILABLE || tries++ == TRIES || isGiven.getAsBoolean())) {
          throw e;
        }
        LOG.atLevel(busy ? Level.DEBUG : Level.WARN).log("the content does not move yet: {}", e.getMessage());
        timing.pause(busy ? PAUSE : TRY_AGAIN);
      }
    }
  }
}
