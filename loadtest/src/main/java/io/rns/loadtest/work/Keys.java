package io.rns.loadtest.work;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;

/**
 * Which of many entries are requested, and how often.
 *
 * @param parameter the exponent of {@link Skew#ZIPF}, or the share of {@link Skew#HOT}
 */
public record Keys(Skew skew, double parameter) {
  public static final Keys UNIFORM = new Keys(Skew.UNIFORM, 1);

  private static final Pattern FORM = Pattern.compile("uniform|(zipf|hot)(?::([0-9]{1,3}(?:\\.[0-9]{1,9})?))?");

  public enum Skew {
    /** All of them alike. */
    UNIFORM(1, 1),
    /** That of rank k in proportion to 1 / k^exponent. Which those are is spread over the tree. */
    ZIPF(0.99, 5),
    /** A share of all requests is about one directory. */
    HOT(0.9, 1);

    private final double usual;
    private final int most;

    Skew(double usual, int most) {
      this.usual = usual;
      this.most = most;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Keys {
    if (!(parameter > 0 && parameter <= skew.most)) {
      throw new IllegalArgumentException(
          "'" + skew + ":" + parameter + "': the number must be above 0 and up to " + skew.most);
    }
  }

  /** Reads {@code uniform}, {@code zipf}, {@code zipf:0.99}, {@code hot} or {@code hot:0.9}. */
  public static Keys parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is none of uniform, zipf, zipf:EXPONENT, hot, hot:SHARE");
    }
    if (matcher.group(1) == null) {
      return UNIFORM;
    }
    Skew skew = Skew.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
    String number = matcher.group(2);
    return new Keys(skew, number == null ? skew.usual : Double.parseDouble(number));
  }

  @Override
  public String toString() {
    return skew == Skew.UNIFORM ? skew.toString() : skew + ":" + parameter;
  }

  @FunctionalInterface
  public interface Choice {
    /** A number from 0 on. */
    int draw(SplittableRandom random);
  }

  /** Prepares to draw; what it gives may be used by many threads. */
  public Choice among(int count, int perDirectory) {
    return switch (skew) {
      case UNIFORM -> random -> random.nextInt(count);
      case ZIPF -> {
        Permutation spread = Permutation.of(count, 0);
        SharedStateDiscreteSampler ranks = RejectionInversionZipfSampler.of(() -> 0, count, parameter);
        yield random -> (int) spread.at(ranks.withUniformRandomProvider(random::nextLong).sample() - 1);
      }
      case HOT -> {
        int few = Math.min(perDirectory, count);
        yield random -> random.nextInt(random.nextDouble() < parameter ? few : count);
      }
    };
  }
}
