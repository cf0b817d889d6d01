package io.rns.loadtest.drill;

import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Keeps everything that clients do and observe, by one clock. Safe for use by many threads. */
final class Recorder {
  private final long start = System.nanoTime();
  private final Queue<DrillEvent> events = new ConcurrentLinkedQueue<>();

  long now() {
    return System.nanoTime() - start;
  }

  void add(DrillEvent event) {
    events.add(event);
  }

  History history(Position watchedFrom, History.Ending ending) {
    return new History(List.copyOf(events), watchedFrom, ending);
  }

  private <E extends DrillEvent> Stream<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }

  private Stream<Write> acknowledgedWrites() {
    return all(Write.class).filter(Write::isAcknowledged);
  }

  long acknowledged() {
    return acknowledgedWrites().count();
  }

  /** The last change that the watcher received; 0 before the first. */
  long watched() {
    return all(WatchedChange.class).mapToLong(change -> change.position().sequence()).max().orElse(0);
  }

  /** The last change that any client knows of. */
  long lastKnown() {
    LongStream written = acknowledgedWrites().mapToLong(write -> write.position().sequence());
    LongStream read =
        all(Read.class).mapToLong(r -> Math.max(r.version().orElse(0), r.position().sequence()));
    return Math.max(watched(), LongStream.concat(written, read).max().orElse(0));
  }

  /** The longest time between two acknowledgements, without those of a server that was asked directly. */
  Optional<Long> writeOutage(long from, long to) {
    return longestGap(
        acknowledgedWrites().filter(w -> !w.repetition() && w.directly().isEmpty()).mapToLong(Write::answered), from,
        to);
  }

  /**
   * The longest time between two answers to one of the sessions whose clients know all servers; all the time if one had
   * no answer.
   */
  Optional<Long> readOutage(long from, long to) {
    Map<String, List<Read>> sessions =
        all(Read.class).filter(read -> read.isOfSession() && read.server().equals(RecordedClient.ANY))
            .collect(Collectors.groupingBy(Read::session));
    return sessions.values().stream()
        .map(reads -> longestGap(reads.stream().mapToLong(Read::answered), from, to).orElse(to - from))
        .max(Comparator.naturalOrder());
  }

  private static Optional<Long> longestGap(LongStream answered, long from, long to) {
    long[] times = answered.filter(t -> t >= from && t <= to).sorted().toArray();
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
