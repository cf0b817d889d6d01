package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.RequestSample.Sample;
import io.rns.server.namespace.RequestSamples;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For which directories requests have come to this server in the last {@value #KEPT} intervals of 10 s.
 *
 * <p>Of each interval it has the number of requests and up to 512 reads and 512 writes, so it has a bound, and a
 * directory with all below it that gets a tenth of the requests is known to within a few percent. Directories are kept
 * as the group had them at that time: what moves to another group takes its history along. Thread-safe.
 */
final class HeatHistory {
  static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int KEPT = 150;
  /** The longest time of which all is kept. */
  static final Duration MOST = INTERVAL.multipliedBy(KEPT);
  /** What is deeper counts for the directory there: planning needs no more, and long paths are large. */
  private static final int DEPTH = 16;
  private static final double NANOS = 1e9;

  private final Anchors anchors;
  private final LongSupplier nanoTime;
  private final Deque<Interval> intervals = new ArrayDeque<>();
  private volatile long since;

  /**
   * A directory in the tree of this group.
   *
   * @param partition the root of a partition
   * @param path from there
   */
  private record Spot(EntryId partition, RnsPath path) {}

  /** Times by {@link #nanoTime}. */
  private record Interval(long from, long to, Map<Spot, Heat> heats) {
    double seconds() {
      return (to - from) / NANOS;
    }
  }

  /** How much an interval counts, in seconds; times by {@link #nanoTime}. */
  @FunctionalInterface
  interface Weight {
    /** Of an interval. */
    double of(long from, long to, long now);

    /** Half as much after a half-life. */
    static Weight halved(Duration halfLife) {
      return (from, to, now) -> {
        double age = (now - from) / 2.0 + (now - to) / 2.0;
        return (to - from) / NANOS * Math.pow(0.5, age / halfLife.toNanos());
      };
    }

    /** What is in the last time, all the same. */
    static Weight within(Duration time) {
      return (from, to, now) -> Math.max(0, Math.min(to, now) - Math.max(from, now - time.toNanos())) / NANOS;
    }
  }

  /** An empty history of a server of a group with these anchors. */
  HeatHistory(Anchors anchors, LongSupplier nanoTime) {
    this.anchors = anchors;
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
  }

  /** Ends an interval if it is time. Called by one thread, more often than an interval is long. */
  void advance(@Nullable LocalNameService copy) {
    long now = nanoTime.getAsLong();
    long from = since;
    if (copy == null || now - from < INTERVAL.toNanos()) {
      return;
    }
    RequestSamples samples = copy.samples();
    since = now;
    Interval interval = interval(copy, from, now, samples.reads().take(), samples.writes().take());
    synchronized (this) {
      intervals.addLast(interval);
      if (intervals.size() > KEPT) {
        intervals.removeFirst();
      }
    }
  }

  private Interval interval(LocalNameService copy, long from, long to, Sample reads, Sample writes) {
    Set<EntryId> directories = new HashSet<>(reads.directories());
    directories.addAll(writes.directories());
    Map<EntryId, RnsPath> paths = directories.isEmpty() ? Map.of() : copy.paths(directories);
    Map<Spot, Heat> heats = new HashMap<>();
    double seconds = (to - from) / NANOS;
    add(heats, reads, paths, each -> new Heat(each / seconds, 0));
    add(heats, writes, paths, each -> new Heat(0, each / seconds));
    return new Interval(from, to, Map.copyOf(heats));
  }

  private interface PerSecond {
    Heat of(double requests);
  }

  private void add(Map<Spot, Heat> heats, Sample sample, Map<EntryId, RnsPath> paths, PerSecond rate) {
    for (EntryId directory : sample.directories()) {
      Optional.ofNullable(paths.get(directory)).flatMap(anchors::place).ifPresent(
          place -> heats.merge(
              spot(place), rate.of((double) sample.requests() / sample.directories().size()), Heat::plus));
    }
  }

  private static Spot spot(Anchors.Place place) {
    List<EntryName> names = place.names();
    return new Spot(place.partition(), RnsPath.of(names.subList(0, Math.min(names.size(), DEPTH))));
  }

  /**
   * The heat of the directories now.
   *
   * @param seconds for how long it has been measured
   */
  record Measured(DirectoryHeat heat, double seconds) {}

  /**
   * The mean of what has been measured.
   *
   * @param map where the partitions are
   */
  Measured measured(@Nullable LocalNameService copy, Weight weight, PartitionMap map) {
    long now = nanoTime.getAsLong();
    List<Interval> all = new ArrayList<>();
    if (copy != null && now > since) {
      all.add(interval(copy, since, now, copy.samples().reads().peek(), copy.samples().writes().peek()));
    }
    synchronized (this) {
      all.addAll(intervals);
    }
    Map<EntryId, RnsPath> places = new HashMap<>();
    for (Partition partition : map.partitions()) {
      places.put(partition.root(), partition.path());
    }
    all.removeIf(interval -> weight.of(interval.from(), interval.to(), now) == 0);
    double seconds = all.stream().mapToDouble(Interval::seconds).sum();
    double weights = all.stream().mapToDouble(interval -> weight.of(interval.from(), interval.to(), now)).sum();
    TreeMap<RnsPath, Heat> heats = new TreeMap<>();
    for (Interval interval : all) {
      double part = weight.of(interval.from(), interval.to(), now) / weights;
      interval.heats().forEach((spot, heat) -> {
        RnsPath base = places.get(spot.partition());
        RnsPath path = base == null ? null : RnsPath.belowOrNull(base, spot.path().names());
        if (path != null) {
          heats.merge(path, new Heat(heat.reads() * part, heat.writes() * part), Heat::plus);
        }
      });
    }
    return new Measured(new DirectoryHeat(heats), seconds);
  }
}
