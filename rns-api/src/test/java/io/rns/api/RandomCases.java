package io.rns.api;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs a check on many cases, each made from its own seed.
 *
 * <p>A failure names the seed of its case; {@code -Drns.test.seed=SEED} begins with it.
 */
public final class RandomCases {
  private static final int CASES = 1_000;
  private static final String SEED = "rns.test.seed";
  private static final int ONE_IN_SO_MANY_IS_AN_EDGE = 6;

  private RandomCases() {}

  /** Runs a check, which throws what a test throws, on 1,000 generators. */
  public static void check(Consumer<RandomGenerator> check) {
    Long given = Long.getLong(SEED);
    long first = given == null ? System.nanoTime() : given;
    for (long seed = first; seed != first + CASES; seed++) {
      try {
        check.accept(new SplittableRandom(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with -D" + SEED + "=" + seed + ": " + e, e);
      }
    }
  }

  /** A number within bounds, often at their edge. */
  public static long between(RandomGenerator random, long min, long max) {
    if (random.nextInt(ONE_IN_SO_MANY_IS_AN_EDGE) == 0) {
      long near = Math.min(random.nextInt(3), max - min < 0 ? Long.MAX_VALUE : max - min);
      return random.nextBoolean() ? min + near : max - near;
    }
    return max == Long.MAX_VALUE ? random.nextLong(min, max) : random.nextLong(min, max + 1);
  }

  /** One of several. */
  public static <T> T one(RandomGenerator random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Some of several, in any order and any number of times, one after the other. */
  public static String joined(RandomGenerator random, int min, int max, List<String> parts) {
    StringBuilder text = new StringBuilder();
    for (long left = between(random, min, max); left > 0; left--) {
      text.append(one(random, parts));
    }
    return text.toString();
  }
}
