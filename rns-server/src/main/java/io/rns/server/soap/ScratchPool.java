package io.rns.server.soap;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A few {@link SoapScratch}es for reuse. When none is left a new one is made, and when there is no room one is dropped:
 * the pool bounds what is kept, not what is used. Safe for use by many threads.
 */
final class ScratchPool {
  private final AtomicReferenceArray<SoapScratch> slots;

  ScratchPool(int size) {
    slots = new AtomicReferenceArray<>(size);
  }

  SoapScratch take() {
    int size = slots.length();
    int start = Math.floorMod(Thread.currentThread().threadId(), size);
    for (int i = 0; i < size; i++) {
      int slot = (start + i) % size;
      if (slots.getPlain(slot) != null) {
        SoapScratch scratch = slots.getAndSet(slot, null);
        if (scratch != null) {
          return scratch;
        }
      }
    }
    return new SoapScratch();
  }

  void give(SoapScratch scratch) {
    scratch.reset();
    int size = slots.length();
    int start = Math.floorMod(Thread.currentThread().threadId(), size);
    for (int i = 0; i < size; i++) {
      if (slots.compareAndSet((start + i) % size, null, scratch)) {
        return;
      }
    }
  }
}
