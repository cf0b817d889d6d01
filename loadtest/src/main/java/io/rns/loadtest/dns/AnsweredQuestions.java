package io.rns.loadtest.dns;

import io.rns.loadtest.figure.Estimate;
import io.rns.loadtest.measure.Measurement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.xbill.DNS.Rcode;

/** Counts answers. For one thread. */
final class AnsweredQuestions {
  /** Batches of a run, for the confidence interval of its mean (batch means). */
  private static final int BATCHES = 20;
  private static final int CODES = 16;

  private final long length;
  private final long[] codes = new long[CODES];
  private final long[] counts = new long[BATCHES];
  private final double[] sums = new double[BATCHES];
  private final Histogram responses = Measurement.newHistogram();
  private long answered;
  private long wrong;

  /**
   * No answers yet.
   *
   * @param length of the run, in nanoseconds
   */
  AnsweredQuestions(long length) {
    this.length = length;
  }

  /**
   * Counts an answer.
   *
   * @param sent when its question was sent, in nanoseconds since the run began
   * @param nanos response time
   * @param code 0 to 15
   */
  void answer(long sent, long nanos, int code) {
    answered++;
    codes[code]++;
    int batch = (int) Math.clamp((double) sent / length * BATCHES, 0, BATCHES - 1);
    counts[batch]++;
    sums[batch] += nanos;
    Measurement.record(responses, nanos);
  }

  /** Counts an answer to another question. */
  void wrong() {
    wrong++;
  }

  long answered() {
    return answered;
  }

  long wrongOnes() {
    return wrong;
  }

  Histogram responses() {
    return responses;
  }

  Map<String, Long> codes() {
    Map<String, Long> named = new TreeMap<>();
    for (int code = 0; code < CODES; code++) {
      if (codes[code] > 0) {
        named.put(Rcode.string(code), codes[code]);
      }
    }
    return named;
  }

  /** Mean response time in nanoseconds, with the interval by the batches that have answers; 0 without answers. */
  Estimate mean() {
    List<Double> means =
        IntStream.range(0, BATCHES).filter(batch -> counts[batch] > 0)
            .mapToObj(batch -> sums[batch] / counts[batch]).toList();
    if (means.isEmpty()) {
      return new Estimate(0, 0);
    }
    return new Estimate(Arrays.stream(sums).sum() / answered, Estimate.of(means, mean -> mean).halfWidth());
  }
}
