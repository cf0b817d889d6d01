package io.rns.server.partition;

import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import io.rns.replication.partition.PartitionBalancer;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.Decision;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.PastMove;
import io.rns.replication.partition.Situation;
import io.rns.server.partition.PartitioningSettings.Mode;
import io.rns.server.partition.RecordedMove.Cause;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.RecordedMove.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At the primary of the root's group: measures each window, decides, records both, and in mode {@link Mode#AUTO} moves
 * what was decided. Windows end at multiples of their length, whichever server is the primary. Thread-safe.
 */
final class Balancing {
  private static final Logger LOG = LoggerFactory.getLogger(Balancing.class);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final PartitioningSettings settings;
  private final Function<Instant, HeatWindow> measurement;
  private final Assignment assignment;
  private final Records records;
  private final InstantSource clock;
  /** When the current window ends, in milliseconds. */
  private final AtomicLong end = new AtomicLong();

  /** Gives directories to groups. */
  @FunctionalInterface
  interface Assignment {
    /** As {@link Assignments#assign}; an answer may come before the group serves the directory. */
    AssignedJson assign(Target directory, int to, Reason reason);
  }

  /**
   * Begins with the current window.
   *
   * @param measurement of the window that ends at a moment
   * @param assignment records what it moves
   */
  Balancing(
      PartitioningSettings settings, Function<Instant, HeatWindow> measurement, Assignment assignment, Records records,
      InstantSource clock) {
    this.settings = settings;
    this.measurement = measurement;
    this.assignment = assignment;
    this.records = records;
    this.clock = clock;
    end.set(nextEnd());
  }

  private long nextEnd() {
    long length = settings.balancer().window().toMillis();
    return (clock.millis() / length + 1) * length;
  }

  /** Whether a window has ended; each is answered so once. */
  boolean isDue() {
    long due = end.get();
    return settings.mode() != Mode.OFF && clock.millis() >= due && end.compareAndSet(due, nextEnd());
  }

  /** Decides after a window. */
  void decide() {
    resume();
    BalancerSettings balancer = settings.balancer();
    Instant now = Instant.ofEpochMilli(clock.millis() / balancer.window().toMillis() * balancer.window().toMillis());
    List<RecordedMove> moves = records.moves();
    HeatWindow window = WindowJson.kept(withoutFailed(measurement.apply(now), moves));
    List<HeatWindow> history = new ArrayList<>(history(now));
    history.add(window);
    Decision decision = PartitionBalancer.decide(history, past(moves), balancer, now);
    DecisionJson recorded = records.write(DecisionJson.of(decision, window, balancer.window(), settings.mode()));
    if (decision instanceof Decision.Proposed proposed) {
      LOG.info("decision {}: {} {}", recorded.number(), settings.mode(), recorded.moves());
      if (settings.mode() == Mode.AUTO) {
        proposed.moves().forEach(move -> assign(move.path(), move.to()));
      }
    }
  }

  /** What could not be moved is not tried again soon. */
  private HeatWindow withoutFailed(HeatWindow window, List<RecordedMove> moves) {
    Situation found = window.situation();
    Map<RnsPath, String> fixed = new HashMap<>(found.fixed());
    Instant since = window.end().minus(settings.balancer().rest());
    moves.stream().filter(move -> move.state() == State.FAILED && move.at().isAfter(since))
        .forEach(move -> fixed.put(move.path(), "its move to group " + move.to() + " failed: " + move.failure()));
    return new HeatWindow(
        window.end(), new Situation(found.map(), found.groups(), found.heat(), fixed), window.missing());
  }

  /** The windows before, the oldest first; those of another length say nothing. */
  private List<HeatWindow> history(Instant now) {
    long seconds = settings.balancer().window().toSeconds();
    return records.decisions(PartitionBalancer.MOST_WINDOWS).stream()
        .filter(each -> each.seconds() == seconds && each.at().isBefore(now))
        .sorted(Comparator.comparing(DecisionJson::at))
        .flatMap(each -> Stream.ofNullable(each.window()).map(window -> window.window(each.at())))
        .toList();
  }

  private static List<PastMove> past(List<RecordedMove> moves) {
    return moves.stream().filter(RecordedMove::counts).map(RecordedMove::past)
        .sorted(Comparator.comparing(PastMove::at)).toList();
  }

  /** Goes on with a move that a former primary began. */
  private void resume() {
    if (settings.mode() == Mode.AUTO) {
      records.moves().stream()
          .filter(move -> move.by() == Cause.AUTO && move.state() == State.BEGUN)
          .forEach(move -> assign(move.path(), move.to()));
    }
  }

  private void assign(RnsPath path, int to) {
    try {
      while (!assignment.assign(Target.of(path), to, Reason.AUTO).served()) {
        Timing.system().pause(PAUSE);
      }
      LOG.info("{} moved to group {}", path, to);
    } catch (RnsException e) {
      LOG.warn("{} does not move to group {}: {}", path, to, e.getMessage());
    }
  }
}
