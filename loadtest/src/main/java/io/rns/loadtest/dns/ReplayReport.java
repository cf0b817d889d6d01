package io.rns.loadtest.dns;

import io.rns.loadtest.figure.Estimate;
import io.rns.loadtest.measure.Measurement;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The results of a replay.
 *
 * @param sent number of questions sent
 * @param codes number of answers by code, such as {@code NOERROR}
 * @param wrong number of answers whose id is that of another question; that question is lost unless answered as well
 * @param responses times from sending a question to its answer, in nanoseconds
 * @param meanNanos mean of these, with its confidence interval by batch means
 * @param lateness how long after its time each question was sent, in nanoseconds
 * @param measured from the first question to the last
 * @param interrupted whether it was stopped early
 */
public record ReplayReport(
    long sent, Map<String, Long> codes, long wrong, Histogram responses, Estimate meanNanos, Histogram lateness,
    Duration measured, boolean interrupted) {
  /** If more than 1 % of the questions are sent later than that, the load is not that of the trace. */
  static final Duration LATE = Duration.ofMillis(10);

  private static final double MOST = 99;

  /** Number of questions without an answer in time. */
  public long lost() {
    return sent - answered();
  }

  /** Number of questions with an answer of any code. */
  public long answered() {
    return codes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Number of questions lost, or answered by a code other than {@code NOERROR} and {@code NXDOMAIN}. */
  public long errors() {
    return sent - codes.getOrDefault("NOERROR", 0L) - codes.getOrDefault("NXDOMAIN", 0L);
  }

  /** Whether the questions were sent on time. */
  public boolean isInTime() {
    return Measurement.micros(lateness, MOST) <= LATE.toNanos() / 1e3;
  }

  /** Questions per second. */
  public double perSecond() {
    return measured.isZero() ? 0 : sent / (measured.toNanos() / 1e9);
  }
}
