package io.rns.handlespace;

import io.rns.pool.ElementExperience;
import io.rns.pool.SharedExperience;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What users have met at one element, by their hosts: smoothed, and forgotten after a while, so that an element that
 * has recovered is used again, at the price of a few requests that find out.
 *
 * <p>No host can keep others from an element. Where several hosts report, the lower median counts. What only one host
 * reports counts for others for {@value #KNOWN_MILLIS} ms, a failure for {@value #FAILING_MILLIS} ms, and then not
 * within {@value #ALONE_MILLIS} ms after its first report: others have to meet the element themselves and either
 * confirm it or not. At most {@value #HOSTS} hosts are remembered, those of the latest reports.
 *
 * <p>Not thread-safe.
 */
final class ExperienceMemory {
  /** How long a response time counts after a report. */
  static final long KNOWN_MILLIS = 30_000;

  /** How long an element is to be avoided after a report of a failure, unless it answered since. */
  static final long FAILING_MILLIS = 10_000;

  /** How long after its first report a host that nobody confirms is not believed again. */
  static final long ALONE_MILLIS = 300_000;

  /** The maximum number of hosts. */
  static final int HOSTS = 5;

  private static final double RISE = 0.5;
  private static final double FALL = 0.2;
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final List<Claim> claims = new ArrayList<>(1);

  /** What one host reports. */
  private static final class Claim {
    private final long host;
    private double millis;
    private long answeredAt = NEVER;
    private long failedAt = NEVER;
    private long answeringSince = NEVER;
    private long failingSince = NEVER;

    Claim(long host) {
      this.host = host;
    }

    void add(ElementExperience met, long now) {
      if (!met.answered()) {
        failedAt = now;
        failingSince = since(failingSince, now);
        return;
      }
      // What takes no measurable time is known all the same.
      double taken = Math.max(1, met.millis());
      millis = hasAnswered(now) ? millis + (taken > millis ? RISE : FALL) * (taken - millis) : taken;
      failedAt = NEVER;
      answeredAt = now;
      answeringSince = since(answeringSince, now);
    }

    private static long since(long before, long now) {
      return now - before < ALONE_MILLIS ? before : now;
    }

    long last() {
      return Math.max(answeredAt, failedAt);
    }

    boolean hasAnswered(long now) {
      return now - answeredAt < KNOWN_MILLIS;
    }

    boolean hasFailed(long now) {
      return now - failedAt < FAILING_MILLIS;
    }

    boolean isBelievedAlone(long asker, long since, long most, long now) {
      return host == asker || now - since < most;
    }
  }

  /**
   * Takes in a report.
   *
   * @param host a number of the host of the user
   */
  void add(ElementExperience met, long host, long now) {
    claim(host).add(met, now);
  }

  private Claim claim(long host) {
    for (Claim claim : claims) {
      if (claim.host == host) {
        return claim;
      }
    }
    if (claims.size() == HOSTS) {
      claims.remove(claims.stream().min(Comparator.comparingLong(Claim::last)).orElseThrow());
    }
    Claim claim = new Claim(host);
    claims.add(claim);
    return claim;
  }

  /**
   * What counts now.
   *
   * @param asker a number of the host of the user that is told
   */
  SharedExperience shared(long asker, long now) {
    return new SharedExperience(millis(asker, now), failingMillis(asker, now));
  }

  private long millis(long asker, long now) {
    List<Claim> known = claims.stream().filter(claim -> claim.hasAnswered(now)).toList();
    if (known.isEmpty()) {
      return 0;
    }
    Claim first = known.get(0);
    if (known.size() == 1 && !first.isBelievedAlone(asker, first.answeringSince, KNOWN_MILLIS, now)) {
      return 0;
    }
    double[] sorted = known.stream().mapToDouble(claim -> claim.millis).sorted().toArray();
    return Math.round(sorted[(sorted.length - 1) / 2]);
  }

  /** Of the hosts that reported lately, more than half must have met a failure last. */
  private long failingMillis(long asker, long now) {
    List<Claim> recent = claims.stream().filter(claim -> now - claim.last() < FAILING_MILLIS).toList();
    List<Claim> failed = recent.stream().filter(claim -> claim.hasFailed(now)).toList();
    if (2 * failed.size() <= recent.size()) {
      return 0;
    }
    Claim first = failed.get(0);
    if (recent.size() == 1 && !first.isBelievedAlone(asker, first.failingSince, FAILING_MILLIS, now)) {
      return 0;
    }
    return failed.stream().mapToLong(claim -> claim.failedAt).max().orElseThrow() + FAILING_MILLIS - now;
  }
}
