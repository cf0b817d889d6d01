package io.rns.loadtest;

import io.rns.api.RnsPath;
import io.rns.loadtest.measure.Schedule;
import java.time.Duration;
import java.util.Optional;

/**
 * What the benchmark of size runs.
 *
 * @param serviceUrl where SOAP messages are posted
 * @param entries how many junctions the big directory and the large tree have each
 * @param clients how many look up paths at a time
 * @param rounds how often what is compared takes turns
 * @param measured how long each of it is measured, all rounds together
 * @param warmUp how long it runs before that in each round
 * @param reuse the directory that a former run has kept; empty to make a new one
 * @param keep whether the directory stays for a later run
 * @param timeout after which a request has failed
 */
public record SizeSettings(
    String serviceUrl,
    long entries,
    int clients,
    int rounds,
    Duration measured,
    Duration warmUp,
    Optional<RnsPath> reuse,
    boolean keep,
    Duration timeout) {

  Schedule schedule() {
    return new Schedule(warmUp, measured.dividedBy(rounds));
  }
}
