package io.rns.loadtest.drill;

import io.rns.loadtest.group.GroupLayout;
import io.rns.loadtest.link.Delay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a drill is to do.
 *
 * @param launcher the program {@code rns} that starts and stops the group
 * @param replicas how many servers beside the primary
 * @param engine which databases they have: {@code mariadb} or {@code mysql}
 * @param topology how those are kept alike: {@code source-replica} or {@code group}
 * @param rate writes per second
 * @param rounds how often all faults are gone through
 * @param faults in this order
 * @param pause how long what is paused stands still
 * @param calm how long the group runs undisturbed before each fault
 * @param seed of what is left to chance: which member stays away longest, and in which order others return
 * @param history where the history is written to; empty to keep it only if a promise was broken
 */
public record DrillSettings(
    Path launcher,
    int replicas,
    String engine,
    String topology,
    int rate,
    int rounds,
    List<DrillFault> faults,
    Duration pause,
    Duration calm,
    long seed,
    Optional<Path> history) {
  /** Copies what it is given. */
  public DrillSettings {
    faults = List.copyOf(faults);
  }

  /** The group that is broken; it can be cut if that is among the faults. */
  GroupLayout layout() {
    boolean cuts = faults.stream().anyMatch(DrillFault::cuts);
    return new GroupLayout(
        replicas, engine, topology, cuts ? Collections.nCopies(replicas + 1, Delay.NONE) : List.of(),
        faults.stream().anyMatch(DrillFault::breaksDisks));
  }
}
