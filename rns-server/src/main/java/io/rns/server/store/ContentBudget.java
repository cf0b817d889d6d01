package io.rns.server.store;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.memory.RequestMemory;

/** How many bytes of references and metadata may be read for one purpose. Belongs to one thread. */
public final class ContentBudget {
  private final String what;
  private final RequestMemory memory;
  private long taken;

  /** A budget of {@link Limits#ANSWER_BYTES}, within what the request may hold that this thread works at. */
  public ContentBudget(String what) {
    this.what = what;
    this.memory = RequestMemory.current();
  }

  /**
   * A read has become a large one, and has to wait for its turn without a connection: it begins again. Control flow,
   * without a trace.
   */
  public static final class NotItsTurn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotItsTurn() {
      super("it is the turn of other large requests", null, false, false);
    }
  }

  /**
   * Takes a part of it.
   *
   * @throws NotItsTurn if the request has to wait for its turn, to be had by {@link RequestMemory#awaitTurn}
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if there is not so much, {@link RnsError#BUSY} if other
   *         requests have what there is
   */
  public void take(long bytes) {
    // To the caller it is one number, whichever entry was the one too many.
    Limits.check(what, taken + bytes, Limits.ANSWER_BYTES, "bytes of references and metadata");
    if (memory.needsTurn(bytes)) {
      throw new NotItsTurn();
    }
    memory.takeNow(bytes);
    taken += bytes;
  }

  /**
   * Checks before a large statement that the request has its turn, so that the statement is not run in vain.
   *
   * @throws NotItsTurn as {@link #take}
   */
  public static void expect(long bytes) {
    if (RequestMemory.current().needsTurn(bytes)) {
      throw new NotItsTurn();
    }
  }

  /** Releases what was taken: it is read again, or not at all. */
  public void reset() {
    memory.giveBack(taken);
    taken = 0;
  }

  /** What was read is held until the request has been answered, or reads again. */
  public void keep() {
    memory.keepRead(taken);
    taken = 0;
  }
}
