package io.rns.loadtest.work;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.rng.sampling.DiscreteProbabilityCollectionSampler;

/** Operations in some proportion; the percents of all kinds add up to 100. */
public record Mix(Map<Kind, Double> percents) {
  /** What name nodes of HDFS were seen to be asked for: mostly listings and lookups. */
  public static final String HDFS = "hdfs";

  private static final String HDFS_PARTS = "list=47,query=42,add=3,mkdir=3,move=2,remove=1,watch=rest";
  private static final String KINDS =
      Arrays.stream(Kind.values()).map(Kind::toString).collect(Collectors.joining(", "));
  private static final double WHOLE = 100;

  public Mix {
    percents = Map.copyOf(percents);
    double sum = sum(percents);
    if (Math.abs(sum - WHOLE) > 1e-6) {
      throw new IllegalArgumentException("the parts of a mix add up to " + shown(sum) + " instead of 100");
    }
  }

  /** Reads {@code hdfs}, or parts of 100 like {@code list=47,query=42,watch=rest}. */
  public static Mix parse(String text) {
    if (text.equals(HDFS)) {
      return parse(HDFS_PARTS);
    }
    Map<Kind, Double> percents = new EnumMap<>(Kind.class);
    Kind rest = null;
    for (String part : text.split(",", -1)) {
      String[] both = part.split("=", -1);
      Kind kind = Kind.of(both[0]).orElse(null);
      if (both.length != 2 || kind == null || percents.containsKey(kind) || kind == rest) {
        throw new IllegalArgumentException(
            "'" + part + "' is no new part like query=42 of one of " + KINDS + "; and '" + text + "' is not '" + HDFS
                + "'");
      }
      if (both[1].equals("rest") && rest == null) {
        rest = kind;
      } else {
        percents.put(kind, percent(part, both[1]));
      }
    }
    if (rest != null) {
      double sum = sum(percents);
      if (sum > WHOLE) {
        throw new IllegalArgumentException("the parts of a mix add up to " + shown(sum) + ", more than 100");
      }
      percents.put(rest, WHOLE - sum);
    }
    return new Mix(percents);
  }

  private static double sum(Map<Kind, Double> percents) {
    return percents.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static double percent(String part, String number) {
    try {
      double percent = Double.parseDouble(number);
      if (percent >= 0 && percent <= WHOLE) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // refused below, as one that is out of bounds
    }
    throw new IllegalArgumentException("'" + part + "' has no number of 0 to 100");
  }

  /** Draws kinds in their proportion; the same ones from the same seed. */
  Supplier<Kind> kinds(SplittableRandom random) {
    return new DiscreteProbabilityCollectionSampler<>(random::nextLong, new EnumMap<>(percents))::sample;
  }

  private static String shown(double number) {
    return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
  }

  /** The parts, as they can be read again. */
  @Override
  public String toString() {
    return Arrays.stream(Kind.values()).filter(percents::containsKey)
        .map(kind -> kind + "=" + shown(percents.get(kind)))
        .collect(Collectors.joining(","));
  }
}
