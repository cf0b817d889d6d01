package io.rns.server.namespace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Entries, names known to be missing, and first pages of directories, bounded by bytes.
 *
 * <p>What it holds is the state of the last publication. A commit is published in two steps: {@link #announce} before
 * the commit is sent to the database, {@link Announced#publish} afterwards. In between, the database may already show
 * the new state, so nothing of an announced key is kept, and neither is what was loaded before a publication that
 * changes it and arrives after it. A page is changed by what changes the key of any entry of its directory.
 *
 * <p>Nobody waits for the database, or for anything else, while publications are excluded: each of them would wait as
 * long.
 */
final class EntryCache {
  /** What one entry costs besides its text: objects, map node, key. */
  private static final int OVERHEAD_BYTES = 240;

  /** Publications that a load may outlast and still be kept, as far as they did not change it. */
  private static final int REMEMBERED_PUBLICATIONS = 64;

  /** Keys of a remembered publication; nothing is kept that was loaded during a larger one. Bounds memory. */
  private static final int REMEMBERED_KEYS = 256;

  /** Keys of a publication whose bookkeeping costs less than to wake another thread for it. */
  private static final int FEW_KEYS = 4;

  private final Bookkeeping bookkeeping = new Bookkeeping();
  private final Cache<EntryKey, CachedBinding> entries;
  /** Where the entry of an identity is. */
  private final Cache<EntryId, EntryKey> places;

  /** The first entries of directories, by their numbers. */
  private final Cache<Long, CachedPage> pages;

  private final StampedLock publications = new StampedLock();
  private final AtomicReference<@Nullable Announced> announced = new AtomicReference<>();

  // Changed by publications only, under their lock.
  private final AtomicLong published = new AtomicLong();
  /** A ring of the last publications; null is one that may have changed anything. */
  private final @Nullable Announced[] recent = new Announced[REMEMBERED_PUBLICATIONS];

  EntryCache(long maximumBytes) {
    long placeShare = maximumBytes / 8;
    long pageShare = maximumBytes / 8;
    entries =
        Caffeine.newBuilder()
            .maximumWeight(maximumBytes - placeShare - pageShare)
            .weigher((EntryKey key, CachedBinding known) -> bytes(key, known))
            .recordStats()
            .executor(bookkeeping)
            .build();
    places =
        Caffeine.newBuilder()
            .maximumSize(Math.max(1, placeShare / OVERHEAD_BYTES))
            .executor(bookkeeping)
            .build();
    pages =
        Caffeine.newBuilder()
            .executor(bookkeeping)
            .maximumWeight(pageShare)
            .weigher((Long directory, CachedPage page) -> bytes(page))
            .build();
  }

  private static int bytes(EntryKey key, CachedBinding value) {
    int bytes = OVERHEAD_BYTES + (key.name() == null ? 0 : key.name().toString().length());
    Entry entry = value.entry();
    return entry == null ? bytes : bytes + bytes(entry, value.contentBytes());
  }

  private static int bytes(Entry entry, long contentBytes) {
    int references = entry instanceof Entry.Junction junction ? junction.references().size() : 0;
    return (2 + references) * OVERHEAD_BYTES + (int) contentBytes;
  }

  private static int bytes(CachedPage page) {
    int bytes = OVERHEAD_BYTES;
    for (Entry entry : page.entries()) {
      bytes += entry.displayName().length() + bytes(entry, EntryTable.contentBytes(entry));
    }
    return bytes;
  }

  /** What is cached of a key, or null. */
  @Nullable
  CachedBinding peek(EntryKey key) {
    return entries.getIfPresent(key);
  }

  /** What is cached of the beginning of a directory, or null. */
  @Nullable
  CachedPage peekPage(EntryId directory) {
    return pages.getIfPresent(directory.value());
  }

  /** Where the entry of an identity is, as far as it is cached. */
  @Nullable
  EntryKey peekPlace(EntryId id) {
    return places.getIfPresent(id);
  }

  /**
   * Keeps what was loaded from the database, but for what a publication has changed since the load began, or an
   * announced commit changes. Does not wait: nothing is kept if a publication is going on.
   *
   * @param since {@link #published} before the load began
   */
  void keep(Map<EntryKey, CachedBinding> loaded, long since) {
    long stamp = publications.tryReadLock();
    if (stamp == 0) {
      return;
    }
    try {
      long now = published.get();
      if (now - since <= REMEMBERED_PUBLICATIONS) {
        loaded.forEach(
            (key, known) -> {
              if (!changedAfter(since, now, former -> former.changes(key))) {
                keep(key, known);
              }
            });
      }
    } finally {
      publications.unlockRead(stamp);
    }
  }

  /** The same for the beginning of a directory. */
  void keepPage(EntryId directory, CachedPage page, long since) {
    long stamp = publications.tryReadLock();
    if (stamp == 0) {
      return;
    }
    try {
      long now = published.get();
      Announced coming = announced.get();
      if (now - since <= REMEMBERED_PUBLICATIONS && !changedAfter(since, now, former -> former.changesIn(directory))
          && (coming == null || !coming.changesIn(directory))) {
        pages.put(directory.value(), page);
      }
    } finally {
      publications.unlockRead(stamp);
    }
  }

  private boolean changedAfter(long since, long now, Predicate<Announced> changes) {
    for (long number = since + 1; number <= now; number++) {
      Announced former = recent[slot(number)];
      if (former == null || changes.test(former)) {
        return true;
      }
    }
    return false;
  }

  private static int slot(long number) {
    return (int) (number % REMEMBERED_PUBLICATIONS);
  }

  private void keep(EntryKey key, CachedBinding known) {
    Announced coming = announced.get();
    if (coming != null && coming.keys.contains(key)) {
      return;
    }
    entries.put(key, known);
    Entry entry = known.entry();
    if (entry != null && (coming == null || !coming.ids.contains(entry.id()))) {
      keepPlace(entry, key);
    }
  }

  private void keepPlace(Entry entry, EntryKey key) {
    if (entry instanceof Entry.VirtualDirectory && !entry.isRoot()) {
      places.put(entry.id(), key);
    }
  }

  /** Says which keys and identities the coming commit changes, and of which directories the number of entries. */
  Announced announce(Set<EntryKey> keys, Set<EntryId> ids, Set<EntryId> counted) {
    Announced coming = new Announced(keys, ids, counted);
    announced.set(coming);
    return coming;
  }

  /** The commit on its way, or null. */
  @Nullable
  Announced announced() {
    return announced.get();
  }

  /** The number of publications so far. */
  long published() {
    return published.get();
  }

  /**
   * A stamp for {@link #isUnchangedSince}. Waits for the end of a publication that is going on, which is work in memory
   * only, so not to be called as part of one.
   */
  long stamp() {
    long stamp = publications.tryOptimisticRead();
    return stamp != 0 ? stamp : publications.tryConvertToOptimisticRead(publications.readLock());
  }

  /** Whether there has been no publication since the stamp was taken. */
  boolean isUnchangedSince(long stamp) {
    return publications.validate(stamp);
  }

  /** Forgets everything, also what is being loaded now. */
  void clear() {
    clearAnd(() -> {});
  }

  /** Publishes that anything may have changed: forgets everything and runs {@code advance} as part of the same step. */
  void clearAnd(Runnable advance) {
    long stamp = publications.writeLock();
    try {
      remember(null);
      entries.invalidateAll();
      places.invalidateAll();
      pages.invalidateAll();
      advance.run();
    } finally {
      publications.unlockWrite(stamp);
    }
  }

  private void remember(@Nullable Announced publication) {
    recent[slot(published.incrementAndGet())] = publication;
  }

  /** The same, and forgets a commit that is on its way. */
  void reset(Runnable advance) {
    Announced coming = announced.get();
    clearAnd(
        () -> {
          advance.run();
          announced.set(null);
        });
    if (coming != null) {
      coming.over.countDown();
    }
  }

  /**
   * Runs what the caches do about their bounds, in the common pool; or leaves it to the thread that publishes until the
   * publication is over.
   */
  private static final class Bookkeeping implements Executor {
    private volatile @Nullable Thread publisher;
    /** Of the publisher. */
    private List<Runnable> postponed = List.of();

    @Override
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public void execute(Runnable task) {
      if (Thread.currentThread() == publisher) {
        postponed.add(task);
      } else {
        ForkJoinPool.commonPool().execute(task);
      }
    }

    /** Begins to postpone what this thread causes; under the lock of publications, as {@link #postponed}. */
    void postpone() {
      postponed = new ArrayList<>();
      publisher = Thread.currentThread();
    }

    /** Ends that; what was postponed is to be run. */
    List<Runnable> postponed() {
      List<Runnable> all = postponed;
      publisher = null;
      postponed = List.of();
      return all;
    }
  }

  /** Numbers about the cache. */
  Map<String, Number> statistics() {
    var stats = entries.stats();
    return Map.of("hits", stats.hitCount(), "misses", stats.missCount(), "evictions", stats.evictionCount());
  }

  /** A commit on its way. */
  final class Announced {
    private final Set<EntryKey> keys;
    /** The numbers of the directories that the keys are in. */
    private final Set<Long> directories;
    private final Set<EntryId> ids;
    private final Set<EntryId> counted;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean inDoubt;

    private Announced(Set<EntryKey> keys, Set<EntryId> ids, Set<EntryId> counted) {
      this.keys = keys;
      this.directories = keys.stream().map(EntryKey::parent).collect(Collectors.toUnmodifiableSet());
      this.ids = ids;
      this.counted = counted;
    }

    /** Whether the commit changes the entry of a key. */
    boolean changes(EntryKey key) {
      return keys.contains(key);
    }

    /** Whether the commit changes, makes or moves the entry of an identity. */
    boolean changes(EntryId id) {
      return ids.contains(id);
    }

    /** Whether the commit changes what a listing of a directory shows. */
    boolean changesIn(EntryId directory) {
      return directories.contains(directory.value());
    }

    /** Whether the commit changes how many entries a directory has. */
    boolean counts(EntryId directory) {
      return counted.contains(directory);
    }

    /**
     * Ends the announcement: drops the announced keys, keeps what is already known of the new state, and runs {@code
     * advance} as part of the same step.
     *
     * @param known announced keys or others
     */
    void publish(Map<EntryKey, CachedBinding> known, Runnable advance) {
      long stamp = publications.writeLock();
      if (keys.size() <= FEW_KEYS) {
        bookkeeping.postpone();
      }
      try {
        remember(keys.size() <= REMEMBERED_KEYS ? this : null);
        entries.invalidateAll(keys);
        places.invalidateAll(ids);
        pages.invalidateAll(directories);
        known.forEach(this::keep);
        advance.run();
        end();
      } finally {
        List<Runnable> postponed = bookkeeping.postponed();
        publications.unlockWrite(stamp);
        over.countDown();
        postponed.forEach(Runnable::run);
      }
    }

    private void keep(EntryKey key, CachedBinding binding) {
      entries.put(key, binding);
      if (binding.entry() != null) {
        keepPlace(binding.entry(), key);
      }
    }

    /** Ends the announcement of a commit that did not happen, or that is no longer for this cache to tell. */
    void withdraw() {
      end();
      over.countDown();
    }

    /** Not that of another writer, which may have followed one that is still at its last commit. */
    private void end() {
      var unused = announced.compareAndSet(this, null);
    }

    /** Nobody knows whether the commit was made, and whether it will last. */
    void doubt() {
      inDoubt = true;
    }

    boolean isInDoubt() {
      return inDoubt;
    }

    /** Opened when the announcement has ended. */
    CountDownLatch over() {
      return over;
    }
  }
}
