package io.rns.server.store;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import org.jspecify.annotations.Nullable;

/** How many bytes of references and metadata may be read for one purpose. Belongs to one thread. */
public final class ContentBudget implements AutoCloseable {
  private final String what;
  private final long most;
  private final @Nullable ContentPool pool;
  private long taken;

  ContentBudget(String what, long most, @Nullable ContentPool pool) {
    this.what = what;
    this.most = most;
    this.pool = pool;
  }

  /** A budget of its own, {@link Limits#ANSWER_BYTES}. */
  public ContentBudget(String what) {
    this(what, Limits.ANSWER_BYTES, null);
  }

  /**
   * Takes a part of it.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if there is not so much, {@link RnsError#BUSY} if other requests have
   *     what there is
   */
  public void take(long bytes) {
    // To the caller it is one number, whichever entry was the one too many.
    Limits.check(what, taken + bytes, most, "bytes of references and metadata");
    if (pool != null) {
      pool.take(bytes);
    }
    taken += bytes;
  }

  /** Forgets what was taken: it is read anew. */
  public void reset() {
    // Most reads find all in the cache: they leave the shared counter alone.
    if (pool != null && taken != 0) {
      pool.giveBack(taken);
    }
    taken = 0;
  }

  @Override
  public void close() {
    reset();
  }
}
