package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import io.rns.server.namespace.DepartingContent;
import io.rns.server.partition.AssignedJson.ProgressJson;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
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
  /** How often a move is tried. */
  private static final int TRIES = 3;
  /** Before the next try: longer than a group takes to notice and to report that its primary is gone. */
  private static final Duration TRY_AGAIN = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Timing timing;
  private final Executor movers;
  private final Map<EntryId, Move> moves = new ConcurrentHashMap<>();

  /**
   * No moves.
   *
   * @param movers runs each on a thread of its own
   */
  ContentMoves(Timing timing, Executor movers) {
    this.timing = timing;
    this.movers = movers;
  }

  /** A move under way. */
  private record Move(int to, DepartingContent content, CompletableFuture<Long> waitedNanos) {
    boolean isRunning() {
      return !waitedNanos.isDone();
    }

    /** Whether the content has moved. */
    boolean isOver() {
      return waitedNanos.isDone() && !waitedNanos.isCompletedExceptionally();
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
    Move known = moves.get(directory);
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
          RnsError.INVALID_REQUEST, directory + " is moving to server group " + move.to() + " at this moment");
    }
    if (!timing.await(MOVED_WITHIN, move.waitedNanos()::isDone)) {
      return new ProgressJson(move.content().phase(), move.content().copied(), null);
    }
    moves.remove(directory, move);
    try {
      long nanos = move.waitedNanos().join();
      return new ProgressJson(move.content().phase(), move.content().copied(), TimeUnit.NANOSECONDS.toMillis(nanos));
    } catch (CompletionException e) {
      throw e.getCause() instanceof RnsException failed
          ? new RnsException(failed.error(), "the content did not move: " + failed.getMessage(), failed)
          : new RnsException(RnsError.INTERNAL, "the content did not move: " + e.getCause(), e);
    }
  }

  private Move begin(DepartingContent content, int to, BooleanSupplier isGiven) {
    return new Move(to, content, CompletableFuture.supplyAsync(() -> run(content, isGiven), movers));
  }

  /** A disk or a server that stands still for some seconds, or another primary, ends a try, not the move. */
  private long run(DepartingContent content, BooleanSupplier isGiven) {
    long since = timing.nanoTime();
    for (int tries = 1;;) {
      try {
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
