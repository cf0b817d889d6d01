package io.rns.api;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs a check on many cases, each generated from its own seed.
 *
 * <p>A failure reports the seed of its case; {@code -Drns.test.seed=SEED} starts with it instead of 1, {@code
 * -Drns.test.cases=N} sets the number of cases.
 */
public final class RandomCases {
  private static final int CASES = Integer.getInteger("rns.test.cases", 1_000);
  private static final String SEED = "rns.test.seed";
  private static final int ONE_IN_SO_MANY_IS_AN_EDGE = 6;

  private RandomCases() {}

  /** Runs a check on 1,000 generators, or as many as the property says. */
  public static void check(Consumer<RandomGenerator> check) {
    long first = Long.getLong(SEED, 1);
    for (long seed = first; seed != first + CASES; seed++) {
      try {
        check.accept(new SplittableRandom(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with -D" + SEED + "=" + seed + ": " + e, e);
      }
    }
  }

  /** A number within limits, often at one of them. */
  public static long between(RandomGenerator random, long min, long max) {
    if (random.nextInt(ONE_IN_SO_MANY_IS_AN_EDGE) == 0) {
      long near = Math.min(random.nextInt(3), max - min < 0 ? Long.MAX_VALUE : max - min);
      return random.nextBoolean() ? min + near : max - near;
    }
    return max == Long.MAX_VALUE ? random.nextLong(min, max) : random.nextLong(min, max + 1);
  }

  /** A random element. */
  public static <T> T one(RandomGenerator random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A concatenation of {@code min} to {@code max} random parts, with repetition. */
  public static String joined(RandomGenerator random, int min, int max, List<String> parts) {
    StringBuilder text = new StringBuilder();
    for (long left = between(random, min, max); left > 0; left--) {
      text.append(one(random, parts));
    }
    return text.toString();
  }
}
