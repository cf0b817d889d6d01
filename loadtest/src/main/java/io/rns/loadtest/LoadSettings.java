package io.rns.loadtest;

import io.rns.loadtest.measure.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to run.
 *
 * @param operation what the load does
 * @param via by what its requests are made
 * @param serviceUrl where SOAP messages are posted
 * @param clients how many there are, each with one request at a time
 * @param rounds how often workload and yardsticks take turns
 * @param measured how long each of them is measured, all rounds together
 * @param warmUp how long it runs before that, in the first round; a quarter of it in the later ones
 * @param paths how many different paths are looked up
 * @param yardsticks whether it is compared with other work
 * @param jdbcUrl the database of the service, for the yardsticks that need it
 * @param processes those of the service on this machine, by what they are; their use of the processors is told
 * @param rate requests per second of all clients together, at most; 0 for as many as they can
 * @param timeout after which a request has failed
 */
public record LoadSettings(
    LoadOperation operation,
    Via via,
    String serviceUrl,
    int clients,
    int rounds,
    Duration measured,
    Duration warmUp,
    int paths,
    boolean yardsticks,
    Optional<String> jdbcUrl,
    Map<String, List<Long>> processes,
    double rate,
    Duration timeout) {

  Schedule firstRound() {
    return new Schedule(warmUp, measured.dividedBy(rounds));
  }

  Schedule laterRounds() {
    return new Schedule(warmUp.dividedBy(4), measured.dividedBy(rounds));
  }
}
