package io.rns.loadtest.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a drill is to do.
 *
 * @param launcher the program {@code rns} that starts and stops the group
 * @param replicas how many servers beside the primary
 * @param rate writes per second
 * @param rounds how often all faults are gone through
 * @param faults in this order
 * @param pause how long what is paused stands still
 * @param calm how long the group runs undisturbed before each fault
 * @param history where the history is written to; empty to keep it only if a promise was broken
 */
public record DrillSettings(
    Path launcher,
    int replicas,
    int rate,
    int rounds,
    List<Fault> faults,
    Duration pause,
    Duration calm,
    Optional<Path> history) {
  /** Copies what it is given. */
  public DrillSettings {
    faults = List.copyOf(faults);
  }
}
