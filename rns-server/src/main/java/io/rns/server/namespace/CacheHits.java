package io.rns.server.namespace;

import io.rns.server.store.ContentBudget;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The large entries that a read found in the cache: it holds them even when the cache has let them go. Belongs to one
 * thread.
 */
final class CacheHits {
  /** What is smaller is not counted: a read has no more of it than a few times its own size. */
  private static final int LARGE_BYTES = 4_096;

  private final ContentBudget budget;
  private @Nullable Set<CachedBinding> counted;

  CacheHits(ContentBudget budget) {
    this.budget = budget;
  }

  /** Takes what is known from the budget, once. */
  void take(CachedBinding known) {
    if (known.contentBytes() > LARGE_BYTES && isNew(known)) {
      budget.take(known.contentBytes());
    }
  }

  /** What is known was taken when it was loaded. */
  void skip(CachedBinding known) {
    if (known.contentBytes() > LARGE_BYTES) {
      boolean unused = isNew(known);
    }
  }

  private boolean isNew(CachedBinding known) {
    if (counted == null) {
      counted = Collections.newSetFromMap(new IdentityHashMap<>());
    }
    return counted.add(known);
  }
}
