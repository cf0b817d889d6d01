package io.rns.replication.simulation;

import io.rns.replication.Role;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs histories of groups, one after the other. */
final class GroupHistory {
  private static final int CLIENTS = 3;
  private static final int ONE_LAGS_OF = 4;
  private static final long MOST_LAG_NANOS = Duration.ofMillis(500).toNanos();
  private static final long VIGILANCE_NANOS = Duration.ofSeconds(3).toNanos();
  private static final long RESTORED_NANOS = Duration.ofSeconds(20).toNanos();
  private static final long STEP_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long END_NANOS = Duration.ofSeconds(90).toNanos();

  private final VirtualTime time = new VirtualTime();
  private final Set<Defect> defects;
  private final @Nullable Consumer<String> notes;

  GroupHistory(Set<Defect> defects, @Nullable Consumer<String> notes) {
    this.defects = EnumSet.noneOf(Defect.class);
    this.defects.addAll(defects);
    this.notes = notes;
  }

  /**
   * What came of a history.
   *
   * @param violation what it has broken
   * @param acknowledgements writes answered
   * @param reads reads answered
   * @param epochs changes of primary
   */
  record Result(Optional<InvariantViolated> violation, int acknowledgements, int reads, int epochs) {}

  Result run(HistoryPlan plan) {
    time.reset(plan.seed());
    RandomGenerator random = new SplittableRandom(plan.seed());
    VirtualGroup group = new VirtualGroup(time, plan.shape(), defects, random, notes);
    Optional<InvariantViolated> violation = Optional.empty();
    try {
      new Scene(group, random).play(plan);
    } catch (InvariantViolated e) {
      violation = Optional.of(e);
      group.note(String.valueOf(e.getMessage()));
    }
    InvariantCheck check = group.check();
    return new Result(violation, check.acknowledgements(), check.reads(), check.epochs());
  }

  /** A history under way. */
  private final class Scene {
    private final VirtualGroup group;
    private final RandomGenerator random;
    private int writes;

    Scene(VirtualGroup group, RandomGenerator random) {
      this.group = group;
      this.random = random;
    }

    void play(HistoryPlan plan) {
      for (int i = 0; i < group.size(); i++) {
        // Some databases lag as on a busy machine, until a fault of this kind ends.
        if (random.nextInt(ONE_LAGS_OF) == 0) {
          group.database(i).slowDown(random.nextLong(MOST_LAG_NANOS));
        }
      }
      group.server(0).failover(Optional.empty(), false);
      for (int i = 0; i < CLIENTS; i++) {
        new SimulatedClient(group, random, () -> writes++).start();
      }
      for (InjectedFault fault : plan.faults()) {
        time.after(TimeUnit.MILLISECONDS.toNanos(fault.atMillis()), () -> {
          group.note(fault.toString());
          fault.begin(group);
        });
        time.after(TimeUnit.MILLISECONDS.toNanos(fault.atMillis() + fault.millis()), () -> {
          if (time.now() < RESTORED_NANOS) {
            group.note("end of " + fault);
            fault.end(group);
          }
        });
      }
      time.after(VIGILANCE_NANOS, this::watch);
      time.runUntil(RESTORED_NANOS);
      group.restoreAll();
      group.note("all is restored");
      long until = RESTORED_NANOS;
      do {
        until += STEP_NANOS;
        time.runUntil(until);
      } while (!isSettled() && until < END_NANOS);
      group.check().ended();
    }

    /** A former primary that was cut off, and has no lease, still calls itself the primary for a moment. */
    private boolean isSettled() {
      List<VirtualServer> primaries =
          group.servers().stream().filter(server -> server.role() == Role.PRIMARY).toList();
      return primaries.size() == 1 && primaries.getFirst().latestCopy() != null
          && group.servers().stream()
              .allMatch(server -> server.role() == Role.PRIMARY || server.role() == Role.REPLICA);
    }

    /**
     * An operator who looks now and then: without a primary, a failover, whose end is awaited; members outside are
     * rebuilt.
     */
    private void watch() {
      time.after(VIGILANCE_NANOS + random.nextLong(VIGILANCE_NANOS), this::watch);
      VirtualServer asked = group.server(random.nextInt(group.size()));
      if (!asked.process().answers() || group.servers().stream().anyMatch(VirtualServer::isChanging)) {
        return;
      }
      boolean led = group.servers().stream().anyMatch(server -> server.role() == Role.PRIMARY);
      if (!led) {
        group.note(asked.url() + " fails over");
        asked.failover(Optional.empty(), false);
      } else if (asked.role() == Role.OUTSIDE) {
        group.note(asked.url() + " joins");
        asked.join();
      }
    }
  }
}
