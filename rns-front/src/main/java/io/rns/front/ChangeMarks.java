package io.rns.front;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which changes of the log may have changed the answer for a path, without a list of paths: for each of a fixed number
 * of hashes the last change. A collision has an answer asked for once more. Thread-safe; changes are noted by one
 * thread, in order.
 */
final class ChangeMarks {
  private static final int SLOTS = 1 << 16;

  /** Changes at a path, for it and all below. */
  private final AtomicLongArray below = new AtomicLongArray(SLOTS);
  /** Changes in a directory, for it alone. */
  private final AtomicLongArray inside = new AtomicLongArray(SLOTS);

  /**
   * The places of a path.
   *
   * @param above of the path and all directories above it
   * @param own of the path alone
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  record Slots(int[] above, int own) {
    /** Of a path as text, such as {@code /a/b}. */
    static Slots of(String path) {
      int depth = path.equals("/") ? 0 : (int) path.chars().filter(each -> each == '/').count();
      int[] above = new int[depth + 1];
      above[0] = slot("/");
      int end = 0;
      for (int i = 1; i <= depth; i++) {
        end = path.indexOf('/', end + 1);
        above[i] = slot(end < 0 ? path : path.substring(0, end));
      }
      return new Slots(above, above[depth]);
    }
  }

  private static int slot(String path) {
    int hash = path.hashCode() * 0x9E3779B9;
    return hash >>> 16;
  }

  /** Notes a change at a path. */
  void note(String path, long sequence) {
    below.setRelease(slot(path), sequence);
    if (!path.equals("/")) {
      inside.setRelease(slot(path.substring(0, Math.max(1, path.lastIndexOf('/')))), sequence);
    }
  }

  /** Whether no noted change since a sequence has changed the answer for a path. */
  boolean isCurrent(Slots slots, long since) {
    if (inside.getAcquire(slots.own()) > since) {
      return false;
    }
    for (int slot : slots.above()) {
      if (below.getAcquire(slot) > since) {
        return false;
      }
    }
    return true;
  }
}
