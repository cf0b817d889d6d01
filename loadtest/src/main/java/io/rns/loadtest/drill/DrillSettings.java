package io.rns.loadtest.drill;

import io.rns.loadtest.group.GroupLayout;
import io.rns.loadtest.link.Delay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a drill is to do: the options of {@code ./rns drill failover}.
 *
 * @param warmUp the most time under load before the first fault; zero for none
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
    Duration warmUp,
    long seed,
    Optional<Path> history) {
  /** The group that is broken; it can be cut if that is among the faults. */
  GroupLayout layout() {
    boolean cuts = faults.stream().anyMatch(DrillFault::cuts);
    return new GroupLayout(
        replicas, engine, topology, cuts ? Collections.nCopies(replicas + 1, Delay.NONE) : List.of(),
        faults.stream().anyMatch(DrillFault::breaksDisks));
  }
}
