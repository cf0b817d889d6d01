package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.require;
import static io.rns.loadtest.cli.LoadtestCommand.ofSeconds;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Schedule;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of every contest. */
final class TurnOptions {
  // Help shows the default of a BigDecimal as 3, that of a double as 3.0.
  @Option(names = "--clients", paramLabel = "N", description = "Concurrent clients (default: ${DEFAULT-VALUE}).") private ClientCounts clients;

  @Option(names = "--seconds", paramLabel = "S", description = "Measured time of each turn (default: ${DEFAULT-VALUE}).") private BigDecimal seconds;

  @Option(names = "--warm-up", paramLabel = "S", description = "Load of each contestant before the first round (default: ${DEFAULT-VALUE}).") private BigDecimal warmUp;

  @Option(names = "--rounds", paramLabel = "R", description = "Turns of each contestant; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  TurnOptions(int clients, int seconds, int warmUp, int rounds) {
    this(List.of(clients), seconds, warmUp, rounds);
  }

  TurnOptions(List<Integer> clients, int seconds, int warmUp, int rounds) {
    this.clients = new ClientCounts(clients);
    this.seconds = BigDecimal.valueOf(seconds);
    this.warmUp = BigDecimal.valueOf(warmUp);
    this.rounds = rounds;
  }

  int clients() {
    List<Integer> counts = clientCounts();
    require("--clients", counts.size() == 1, "one number here");
    return counts.getFirst();
  }

  /** Of a contest that takes several. */
  List<Integer> clientCounts() {
    require("--clients", Collections.max(clients.values()) <= 1_000, "1 to 1000");
    return clients.values();
  }

  /** How contestants take turns; they run for a quarter of a turn, at most a second, before each is measured. */
  Contest contest() {
    double turn = seconds.doubleValue();
    checkTimes(turn, warmUp.doubleValue());
    checkRounds(rounds);
    return new Contest(rounds, warmUp(), new Schedule(ofSeconds(Math.min(1, turn / 4)), ofSeconds(turn)));
  }

  Duration warmUp() {
    return ofSeconds(warmUp.doubleValue());
  }

  static void checkTimes(double seconds, double warmUp) {
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
  }

  static void checkRounds(int rounds) {
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
  }
}
