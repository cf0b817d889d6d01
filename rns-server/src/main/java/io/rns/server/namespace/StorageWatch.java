package io.rns.server.namespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.Database;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the database has space to write: said once in the log, and to callers and operators as long as it is so.
 * Thread-safe.
 */
final class StorageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StorageWatch.class);

  /** How long a write that found no space is reported if there is no other. */
  private static final Duration TOLD = Duration.ofSeconds(5);

  /** How long callers rely on the last look that found space; the writer looks before each commit. */
  private static final Duration RECENT = Duration.ofMillis(100);

  private final Database database;

  /** When space was found last, by {@link System#nanoTime}. */
  private volatile long foundNanos = System.nanoTime() - RECENT.toNanos();

  private volatile @Nullable Full full;

  /** That a write found no space, and when, by {@link System#nanoTime}. */
  private record Full(String message, long atNanos) {}

  StorageWatch(Database database) {
    this.database = database;
  }

  /**
   * Checks that there is space, as far as that can be seen without a write.
   *
   * @throws RnsException {@link RnsError#STORAGE_FULL}
   */
  void check() {
    try {
      database.checkSpace();
      foundNanos = System.nanoTime();
    } catch (RnsException e) {
      noteFailure(e);
      throw e;
    }
  }

  /** The same, unless space was found within the last 100 ms: a look takes system calls, and there are many callers. */
  void checkUnlessRecent() {
    if (System.nanoTime() - foundNanos >= RECENT.toNanos()) {
      check();
    }
  }

  /** A write has failed, for lack of space perhaps. */
  void noteFailure(RnsException e) {
    if (e.error() == RnsError.STORAGE_FULL) {
      if (full == null) {
        LOG.error("writes are refused: {}", e.getMessage());
      }
      full = new Full(String.valueOf(e.getMessage()), System.nanoTime());
    }
  }

  /** A write was committed. */
  void noteCommit() {
    if (full != null) {
      full = null;
      LOG.info("the database has space again; writes resume");
    }
  }

  /** Why writes are refused now; empty if they are not. */
  Optional<String> trouble() {
    try {
      check();
    } catch (RnsException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    Full last = full;
    return last != null && System.nanoTime() - last.atNanos() < TOLD.toNanos() ? Optional.of(last.message())
        : Optional.empty();
  }
}
