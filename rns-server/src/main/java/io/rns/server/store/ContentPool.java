package io.rns.server.store;

import io.rns.error.Limits;
import io.rns.error.RnsException;
import java.util.concurrent.atomic.AtomicLong;

/** Memory for the references and metadata that all requests of a server are reading at a time. Safe for use by many threads. */
public final class ContentPool {
  /** Part of the heap; an answer needs several times its content until it is sent. */
  private static final int PART_OF_HEAP = 8;

  private static final long RETRY_MILLIS = 200;

  private final long bytes;
  private final AtomicLong taken = new AtomicLong();

  /** A pool of so many bytes. */
  public ContentPool(long bytes) {
    this.bytes = bytes;
  }

  /** A pool that suits the heap of this process: an eighth of it, and at least what one answer may need. */
  public static ContentPool ofHeap() {
    return new ContentPool(Math.max(Limits.ANSWER_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  }

  /** What one request may read; to be closed when it has been answered. */
  public ContentBudget open(String what) {
    return new ContentBudget(what, Limits.ANSWER_BYTES, this);
  }

  void take(long more) {
    long now = taken.addAndGet(more);
    if (now > bytes) {
      taken.addAndGet(-more);
      throw RnsException.busy(
          "the requests being answered hold " + (now - more) + " bytes of references and metadata, and this one needs " + more
              + " more; the limit of the server is " + bytes + " bytes; come back in " + RETRY_MILLIS + " ms",
          RETRY_MILLIS);
    }
  }

  void giveBack(long some) {
    taken.addAndGet(-some);
  }

  /** How many bytes are taken now. */
  public long taken() {
    return taken.get();
  }
}
