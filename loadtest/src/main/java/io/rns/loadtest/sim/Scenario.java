package io.rns.loadtest.sim;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PolicyType;

/**
 * All that is set in one simulation. The letters are those of the paper.
 *
 * @param elements servers of the pool, 4 to 1,000
 * @param sinks how many of them, the first, fail every request at once; fewer than all
 * @param ratio of the fastest element to the slowest, kappa or gamma, at least 1
 * @param usersPerElement r: users of the pool per element, 1 to 1,000
 * @param requestSeconds s: the mean size of a request, in seconds of an element of mean capacity
 * @param utilisation which share of the pool's capacity the users ask for, above 0 and below 1
 * @param minCapacity q, MinCapPerReq: what an element leaves to each request at least, calculations per second; it
 *        rejects more
 * @param raisesCapacity whether an element of less capacity than q gets the capacity q, as in the simulator of the
 *        paper
 * @param cacheShare c: how long a user keeps what a registrar told, as a share of {@code requestSeconds}
 * @param networkSeconds delay between any two parties, one way
 * @param reportSeconds by how much longer a report of an element's load takes
 */
public record Scenario(
    int elements,
    int sinks,
    Distribution distribution,
    double ratio,
    int usersPerElement,
    double requestSeconds,
    double utilisation,
    double minCapacity,
    boolean raisesCapacity,
    double cacheShare,
    double networkSeconds,
    double reportSeconds,
    PolicyType policy,
    int items,
    double minutes,
    double warmUpMinutes) {
  /** Of the pool, calculations per second. */
  static final double CAPACITY = 1e7;
  /** A rejected request waits at most so long for its next try, half of it on average (ReqRetryDelay). */
  static final double RETRY_SECONDS = 0.2;
  /** Section 4 of the paper, with one fast server, q = 10,000 and least used. */
  public static final Scenario BASE =
      new Scenario(
          10, 0, Distribution.ONE_FAST, 3, 3, 5, 0.8, 1e4, false, 0, 0, 0, PolicyType.LEAST_USED, 1, 60, 15);

  public Scenario {
    check("elements", elements, 4, 1_000);
    check("sinks", sinks, 0, elements - 1);
    check("ratio", ratio, 1, 1_000);
    check("users per element", usersPerElement, 1, 1_000);
    check("request seconds", requestSeconds, 1e-3, 1e6);
    check("utilisation", utilisation, 1e-6, 0.999);
    check("minimum capacity", minCapacity, 1, 1e15);
    check("cache share", cacheShare, 0, 1e6);
    check("network seconds", networkSeconds, 0, 1e4);
    check("report seconds", reportSeconds, 0, 1e6);
    check("items", items, 1, 1_000);
    check("minutes", minutes, 1e-3, 1e6);
    check("warm-up minutes", warmUpMinutes, 0, 1e6);
  }

  private static void check(String what, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          what + " of a simulation are " + value + ", not " + least + " to " + most);
    }
  }

  /** What elements have on average, calculations per second. */
  double meanCapacity() {
    return CAPACITY / elements;
  }

  /** The mean size of a request, calculations. */
  double requestSize() {
    return requestSeconds * meanCapacity();
  }

  /** The mean time between two requests of a user, seconds: equation 3 of the paper, solved for it. */
  double intervalSeconds() {
    return usersPerElement * requestSeconds / utilisation;
  }

  public Scenario withElements(int value, int sinkCount) {
    return new Scenario(
        value, sinkCount, distribution, ratio, usersPerElement, requestSeconds, utilisation, minCapacity,
        raisesCapacity, cacheShare, networkSeconds, reportSeconds, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withDistribution(Distribution value, double newRatio) {
    return new Scenario(
        elements, sinks, value, newRatio, usersPerElement, requestSeconds, utilisation, minCapacity, raisesCapacity,
        cacheShare, networkSeconds, reportSeconds, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withLoad(int users, double seconds, double share) {
    return new Scenario(
        elements, sinks, distribution, ratio, users, seconds, share, minCapacity, raisesCapacity, cacheShare,
        networkSeconds, reportSeconds, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withMinCapacity(double value, boolean raises) {
    return new Scenario(
        elements, sinks, distribution, ratio, usersPerElement, requestSeconds, utilisation, value, raises, cacheShare,
        networkSeconds, reportSeconds, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withCacheShare(double value) {
    return new Scenario(
        elements, sinks, distribution, ratio, usersPerElement, requestSeconds, utilisation, minCapacity,
        raisesCapacity, value, networkSeconds, reportSeconds, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withDelays(double network, double reports) {
    return new Scenario(
        elements, sinks, distribution, ratio, usersPerElement, requestSeconds, utilisation, minCapacity,
        raisesCapacity, cacheShare, network, reports, policy, items, minutes, warmUpMinutes);
  }

  public Scenario withPolicy(PolicyType value, int count) {
    return new Scenario(
        elements, sinks, distribution, ratio, usersPerElement, requestSeconds, utilisation, minCapacity,
        raisesCapacity, cacheShare, networkSeconds, reportSeconds, value, count, minutes, warmUpMinutes);
  }

  public Scenario withMinutes(double measured, double warmUp) {
    return new Scenario(
        elements, sinks, distribution, ratio, usersPerElement, requestSeconds, utilisation, minCapacity,
        raisesCapacity, cacheShare, networkSeconds, reportSeconds, policy, items, measured, warmUp);
  }
}
