package io.rns.pool;

import static io.rns.pool.Parameters.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Frequencies of seeded draws. */
class DrawnPolicyTest {
  private static final int DRAWS = 40_000;

  /** 99.9 % quantile of the chi-square distribution with 3 degrees of freedom. */
  private static final double BOUND = 16.27;

  private record Drawn(int index, SelectionState standing) implements Candidate {
    @Override
    public long sequence() {
      return index;
    }
  }

  private static List<Drawn> candidates(Parameters... parameters) {
    List<Drawn> candidates = new ArrayList<>();
    for (Parameters each : parameters) {
      candidates.add(new Drawn(candidates.size(), SelectionState.fresh(each, new Distance(100), candidates.size())));
    }
    return candidates;
  }

  private static long[] frequencies(PolicyType type, List<Drawn> candidates, int place) {
    RandomGenerator random = new SplittableRandom(20_08);
    long[] seen = new long[candidates.size()];
    for (int i = 0; i < DRAWS; i++) {
      seen[type.policy().order(candidates, random).get(place).index()]++;
    }
    return seen;
  }

  private static double chiSquare(long[] seen, double... shares) {
    double sum = 0;
    for (int i = 0; i < seen.length; i++) {
      double expected = DRAWS * shares[i];
      sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    return sum;
  }

  @Test
  void randomIsUniform() {
    List<Drawn> four = candidates(PLAIN, PLAIN.withWeight(9), PLAIN.withLoad(Parameters.FULL), PLAIN.withWeight(0));
    assertThat(chiSquare(frequencies(PolicyType.RANDOM, four, 0), .25, .25, .25, .25)).isLessThan(BOUND);
  }

  @Test
  void weightedRandomFollowsTheWeights() {
    List<Drawn> four = candidates(PLAIN, PLAIN.withWeight(2), PLAIN.withWeight(3), PLAIN.withWeight(4));
    assertThat(chiSquare(frequencies(PolicyType.WEIGHTED_RANDOM, four, 0), .1, .2, .3, .4)).isLessThan(BOUND);
  }

  /** The second is drawn from the remaining elements. */
  @Test
  void drawsWithoutReplacement() {
    double[] share = {.1, .2, .3, .4};
    double[] second = new double[4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        second[j] += i == j ? 0 : share[i] * share[j] / (1 - share[i]);
      }
    }
    List<Drawn> four = candidates(PLAIN, PLAIN.withWeight(2), PLAIN.withWeight(3), PLAIN.withWeight(4));
    assertThat(chiSquare(frequencies(PolicyType.WEIGHTED_RANDOM, four, 1), second)).isLessThan(BOUND);
    assertThat(PolicyType.WEIGHTED_RANDOM.policy().order(four, new SplittableRandom(1)))
        .containsExactlyInAnyOrderElementsOf(four);
  }

  @Test
  void weightZeroIsNeverDrawn() {
    List<Drawn> two = candidates(PLAIN.withWeight(0), PLAIN);
    for (PolicyType type : List.of(PolicyType.WEIGHTED_RANDOM, PolicyType.WEIGHTED_RANDOM_DISTANCE)) {
      assertThat(type.policy().order(two, new SplittableRandom(1))).containsExactly(two.get(1));
    }
  }

  @Test
  void randomisedLeastUsedFollowsTheFreeCapacity() {
    long tenth = Parameters.FULL / 10;
    List<Drawn> four =
        candidates(PLAIN.withLoad(9 * tenth), PLAIN.withLoad(8 * tenth), PLAIN.withLoad(7 * tenth),
            PLAIN.withLoad(6 * tenth));
    assertThat(chiSquare(frequencies(PolicyType.RANDOMISED_LEAST_USED, four, 0), .1, .2, .3, .4)).isLessThan(BOUND);
    DrawnPolicy policy = new RandomisedLeastUsed();
    assertThat(policy.weight(SelectionState.fresh(PLAIN.withLoad(Parameters.FULL), Distance.NONE, 0))).isEqualTo(1);
  }

  @Test
  void distanceReducesTheWeight() {
    DrawnPolicy policy = new WeightedRandomDistance();
    Parameters thousandthPerMilli = PLAIN.withWeight(500).withDistanceFactor(Parameters.FULL / 1_000);
    assertThat(policy.weight(SelectionState.fresh(thousandthPerMilli, Distance.NONE, 0))).isEqualTo(500);
    assertThat(policy.weight(SelectionState.fresh(thousandthPerMilli, new Distance(200), 0))).isBetween(400L, 401L);
    assertThat(policy.weight(SelectionState.fresh(thousandthPerMilli, new Distance(5_000), 0))).isEqualTo(1);
  }
}
