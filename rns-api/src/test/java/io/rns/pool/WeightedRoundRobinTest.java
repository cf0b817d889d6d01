package io.rns.pool;

import static io.rns.pool.Parameters.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import org.junit.jupiter.api.Test;

class WeightedRoundRobinTest {
  private static Circle circle(long... weights) {
    Circle circle = new Circle(PolicyType.WEIGHTED_ROUND_ROBIN);
    for (int i = 0; i < weights.length; i++) {
      circle.with(String.valueOf((char) ('A' + i)), PLAIN.withWeight(weights[i]));
    }
    return circle;
  }

  @Test
  void turnsAreSpreadOverTheRound() {
    assertThat(circle(3, 3, 1).turns(14)).isEqualTo("ABCABAB" + "ABCABAB");
    assertThat(circle(5, 1, 1).turns(14)).isEqualTo("AACAABA" + "AACAABA");
    assertThat(circle(1, 1, 1).turns(6)).isEqualTo("ACB" + "ACB");
  }

  @Test
  void weightZeroHasNoTurn() {
    Circle circle = circle(1, 0);
    assertThat(circle.turns(3)).isEqualTo("AAA");
    circle.report("A", PLAIN.withWeight(0));
    assertThat(circle.turns(1)).isEqualTo(".");
  }

  @Test
  void theLargestWeightsAreExact() {
    Circle circle = circle(Parameters.FULL, Parameters.FULL);
    assertThat(circle.turns(6)).isEqualTo("ABABAB");
    long last = Parameters.FULL - 1;
    SelectionState end = circle.standing("A").at(7, last);
    WeightedRoundRobin policy = new WeightedRoundRobin();
    assertThat(policy.rank(end)).isLessThan(1L << 32).isGreaterThan(policy.rank(end.at(7, last - (1 << 16))));
    assertThat(policy.charge(end)).isEqualTo(end.at(8, 0));
    assertThat(policy.report(end, PLAIN.withWeight(2)).charged()).isEqualTo(1);
  }

  @Test
  void anElementJoiningMidRoundGetsItsShareOfTheRest() {
    Circle circle = circle(8);
    assertThat(circle.turns(4)).isEqualTo("AAAA");
    circle.with("B", PLAIN.withWeight(8));
    assertThat(circle.turns(8)).hasSize(8).satisfies(turns -> assertThat(count(turns, 'B')).isEqualTo(4));
    assertThat(circle.turns(16)).satisfies(turns -> assertThat(count(turns, 'B')).isEqualTo(8));
  }

  @Test
  void aNewWeightKeepsThePlaceInTheRound() {
    Circle circle = circle(4, 4);
    assertThat(circle.turns(4)).isEqualTo("ABAB");
    circle.report("A", PLAIN.withWeight(8));
    assertThat(count(circle.turns(6), 'A')).isEqualTo(4);
    assertThat(count(circle.turns(12), 'A')).isEqualTo(8);
  }

  /** Exactly the weight in each round, and close to the share at all times. */
  @Test
  void sharesAreKeptAtAllTimes() {
    RandomCases.check(
        random -> {
          long[] weights = random.longs(2 + random.nextInt(4), 1, 12).toArray();
          long sum = 0;
          for (long weight : weights) {
            sum += weight;
          }
          Circle circle = circle(weights);
          String turns = circle.turns((int) (3 * sum));
          for (int end = 1; end <= turns.length(); end++) {
            for (int i = 0; i < weights.length; i++) {
              double share = (double) end * weights[i] / sum;
              double off = Math.abs(count(turns.substring(0, end), (char) ('A' + i)) - share);
              double allowed = end % sum == 0 ? 1e-9 : 1 + (double) weights.length * weights[i] / sum;
              assertThat(off).as("%s after %d turns of %s", (char) ('A' + i), end, turns).isLessThanOrEqualTo(allowed);
            }
          }
        });
  }

  private static long count(String turns, char name) {
    return turns.chars().filter(c -> c == name).count();
  }
}
