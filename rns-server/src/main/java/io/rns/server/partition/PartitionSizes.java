package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.error.Limits;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.DirectoryCountTable.Placed;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many entries the partitions of this group have. They are counted in the background when somebody asks, once a
 * minute at most, from what the database keeps of each directory: entries themselves are not read. Thread-safe.
 */
final class PartitionSizes {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionSizes.class);
  private static final Duration RECOUNT = Duration.ofMinutes(1);
  private static final Duration SHOWN = Duration.ofHours(1);
  /** For a count that is new; who asks then gets the one before. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Supplier<Map<EntryId, Long>> count;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private Future<?> counting = CompletableFuture.completedFuture(null);
  private long begun;
  private volatile Counted last;

  private record Counted(long nanos, Map<EntryId, Long> entries) {}

  PartitionSizes(Supplier<Map<EntryId, Long>> count, Executor executor, LongSupplier nanoTime) {
    this.count = count;
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong() - RECOUNT.toNanos();
    this.last = new Counted(begun, Map.of());
  }

  /** The entries of each partition, by its directory, as they were within the last hour; empty if nothing is known. */
  Map<EntryId, Long> entries() {
    try {
      Object unused = counting().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.debug("counting the entries of partitions takes longer than {} ms", PATIENCE.toMillis());
    } catch (ExecutionException e) {
      LOG.info("the entries of partitions cannot be counted: {}", String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Counted known = last;
    return nanoTime.getAsLong() - known.nanos() < SHOWN.toNanos() ? known.entries() : Map.of();
  }

  private synchronized Future<?> counting() {
    long now = nanoTime.getAsLong();
    if (counting.isDone() && now - begun >= RECOUNT.toNanos()) {
      begun = now;
      counting = CompletableFuture.runAsync(() -> last = new Counted(now, count.get()), executor);
    }
    return counting;
  }

  /** Reads directories that have entries, in the order of identities. */
  @FunctionalInterface
  interface Directories {
    /** Some of them after an identity. */
    List<Placed> after(long identity, int most);
  }

  /**
   * Counts; says nothing of a group with more than {@code most} directories that have entries.
   *
   * @param partitions of this group
   * @param others directories whose content belongs to other groups, as the database has it: what is below them is a
   *        copy of a move that has not ended, or is being deleted
   */
  static Map<EntryId, Long> count(
      Directories directories, Collection<EntryId> partitions, Collection<EntryId> others, int most) {
    long[] ids = new long[0];
    long[] parents = new long[0];
    long[] entries = new long[0];
    int size = 0;
    for (List<Placed> page = directories.after(Long.MIN_VALUE, DirectoryCountTable.PAGE); !page.isEmpty(); page =
        directories.after(ids[size - 1], DirectoryCountTable.PAGE)) {
      if (size + page.size() > most) {
        return Map.of();
      }
      if (size + page.size() > ids.length) {
        int length = Math.min(most, 2 * (size + page.size()));
        ids = Arrays.copyOf(ids, length);
        parents = Arrays.copyOf(parents, length);
        entries = Arrays.copyOf(entries, length);
      }
      for (Placed directory : page) {
        ids[size] = directory.id();
        parents[size] = directory.parent();
        entries[size++] = directory.entries();
      }
    }
    // Not by EntryId: the root of the group's own tree is in 0, which is none.
    Map<Long, Long> sums = new HashMap<>();
    partitions.forEach(partition -> sums.put(partition.value(), 0L));
    others.forEach(other -> sums.put(other.value(), 0L));
    for (int i = 0; i < size; i++) {
      long entriesHere = entries[i];
      long at = ids[i];
      // Pages are read one after the other, so what moves meanwhile may seem to be below itself.
      for (int level = 0; level <= Limits.TREE_DEPTH; level++) {
        if (sums.computeIfPresent(at, (id, sum) -> sum + entriesHere) != null) {
          break;
        }
        int index = Arrays.binarySearch(ids, 0, size, at);
        if (index < 0) {
          break;
        }
        at = parents[index];
      }
    }
    Map<EntryId, Long> named = new HashMap<>();
    partitions.forEach(partition -> named.put(partition, sums.getOrDefault(partition.value(), 0L)));
    others.forEach(named::remove);
    return named;
  }
}
