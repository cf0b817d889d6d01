package io.rns.loadtest.work;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which of many entries are asked for, and how often. */
public sealed interface Keys {
  /** How they are written. */
  Pattern FORM = Pattern.compile("uniform|(zipf|hot)(?::([0-9]{1,3}(?:\\.[0-9]{1,9})?))?");

  /** All of them alike. */
  record Uniform() implements Keys {
    @Override
    public String toString() {
      return "uniform";
    }
  }

  /**
   * Some much more than others: the one of rank k in proportion to 1 / k^exponent. Which those are is spread over the
   * tree.
   */
  record Zipf(double exponent) implements Keys {
    private static final double USUAL = 0.99;

    public Zipf {
      if (!(exponent > 0 && exponent <= 5)) {
        throw new IllegalArgumentException("'zipf:" + exponent + "': the exponent must be above 0 and up to 5");
      }
    }

    @Override
    public String toString() {
      return "zipf:" + exponent;
    }
  }

  /** A part of all that is asked is about one directory. */
  record Hot(double share) implements Keys {
    private static final double USUAL = 0.9;

    public Hot {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("'hot:" + share + "': the share must be above 0 and up to 1");
      }
    }

    @Override
    public String toString() {
      return "hot:" + share;
    }
  }

  /** Reads {@code uniform}, {@code zipf}, {@code zipf:0.99}, {@code hot} or {@code hot:0.9}. */
  static Keys parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is none of uniform, zipf, zipf:EXPONENT, hot, hot:SHARE");
    }
    if (text.equals("uniform")) {
      return new Uniform();
    }
    String number = matcher.group(2);
    return "zipf".equals(matcher.group(1))
        ? new Zipf(number == null ? Zipf.USUAL : Double.parseDouble(number))
        : new Hot(number == null ? Hot.USUAL : Double.parseDouble(number));
  }

  @FunctionalInterface
  interface Choice {
    /** A number from 0 on. */
    int draw(SplittableRandom random);
  }

  /** Prepares to draw; what it gives may be used by many threads. */
  default Choice among(int count, int perDirectory) {
    return switch (this) {
      case Uniform uniform -> random -> random.nextInt(count);
      case Zipf zipf -> zipf(zipf.exponent(), count);
      case Hot hot -> {
        int few = Math.min(perDirectory, count);
        yield random -> random.nextInt(random.nextDouble() < hot.share() ? few : count);
      }
    };
  }

  private static Choice zipf(double exponent, int count) {
    double[] upTo = new double[count];
    double sum = 0;
    for (int rank = 0; rank < count; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
      upTo[rank] = sum;
    }
    Permutation spread = Permutation.of(count, 0);
    double whole = sum;
    return random -> {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * whole);
      return (int) spread.at(Math.min(count - 1, found < 0 ? -found - 1 : found + 1));
    };
  }
}
