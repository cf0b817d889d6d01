package io.rns.loadtest.drill;

import io.rns.api.Position;
import io.rns.loadtest.history.Claim;
import io.rns.loadtest.history.Ending;
import io.rns.loadtest.history.Event;
import io.rns.loadtest.history.FailedRead;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.Read;
import io.rns.loadtest.history.Window;
import io.rns.loadtest.history.Write;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** Keeps all that clients do and are told, by one clock. Safe for use by many threads. */
final class Recorder {
  private final long start = System.nanoTime();
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final Queue<FailedRead> failedReads = new ConcurrentLinkedQueue<>();
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final Queue<Claim> claims = new ConcurrentLinkedQueue<>();
  private final Queue<Window> calm = new ConcurrentLinkedQueue<>();
  private final AtomicLong watched = new AtomicLong();

  /** Nanoseconds since the recording began. */
  long now() {
    return System.nanoTime() - start;
  }

  void add(Write write) {
    writes.add(write);
  }

  void add(Read read) {
    reads.add(read);
  }

  void add(FailedRead read) {
    failedReads.add(read);
  }

  void add(Event event) {
    events.add(event);
    watched.accumulateAndGet(event.position().sequence(), Math::max);
  }

  void add(Claim claim) {
    claims.add(claim);
  }

  /** In this time nothing may fail. */
  void add(Window window) {
    calm.add(window);
  }

  /** How many writes were acknowledged. */
  long acknowledged() {
    return writes.stream().filter(write -> write.acknowledged().isPresent()).count();
  }

  /** The last change that the watcher was told of. */
  long watched() {
    return watched.get();
  }

  /** The last change that anybody was told of. */
  long lastKnown() {
    long acknowledged =
        writes.stream().flatMap(w -> w.acknowledged().stream()).mapToLong(Position::sequence).max().orElse(0);
    long read = reads.stream().mapToLong(r -> Math.max(r.version().orElse(0), r.position().sequence())).max().orElse(0);
    return Math.max(watched(), Math.max(acknowledged, read));
  }

  History history(Position watchedFrom, Ending ending) {
    return new History(
        List.copyOf(writes),
        List.copyOf(reads),
        List.copyOf(failedReads),
        watchedFrom,
        List.copyOf(events),
        List.copyOf(claims),
        List.copyOf(calm),
        ending);
  }

  /** The longest time between two acknowledgements; writes that one server alone was asked for do not count. */
  Optional<Long> writeOutage(long from, long to) {
    return longestGap(
        writes.stream().filter(w -> w.acknowledged().isPresent() && !w.repetition() && w.directly().isEmpty()).toList(),
        Write::answered,
        from,
        to);
  }

  /** The longest time between two answers of session reads. */
  Optional<Long> readOutage(long from, long to) {
    return longestGap(reads.stream().filter(r -> r.bound().isEmpty()).toList(), Read::answered, from, to);
  }

  private static <T> Optional<Long> longestGap(List<T> answered, ToLongFunction<T> when, long from, long to) {
    long[] times = answered.stream().mapToLong(when).filter(t -> t >= from && t <= to).sorted().toArray();
    if (times.length == 0) {
      return Optional.empty();
    }
    long longest = Math.max(times[0] - from, to - times[times.length - 1]);
    for (int i = 1; i < times.length; i++) {
      longest = Math.max(longest, times[i] - times[i - 1]);
    }
    return Optional.of(longest);
  }
}
