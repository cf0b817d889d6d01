package io.rns.loadtest.sim;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.pool.PolicyType;
import java.util.Map;

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
  private static final JsonMapper MAPPER = new JsonMapper();
  /** Of the pool, calculations per second. */
  static final double CAPACITY = 1e7;
  /** A rejected request waits at most so long for its next try, half of it on average (ReqRetryDelay). */
  static final double RETRY_SECONDS = 0.2;
  /** Section 4 of the paper, with one fast server, q = 10,000 and least used. */
  public static final Scenario BASE =
      new Scenario(
          10, 0, Distribution.ONE_FAST, 3, 3, 5, 0.8, 1e4, false, 0, 0, 0, PolicyType.LEAST_USED, 1, 60, 15);

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

  /** The same with other values of some settings. */
  public Scenario with(Map<String, ?> settings) {
    ObjectNode all = MAPPER.valueToTree(this);
    all.setAll(MAPPER.<ObjectNode>valueToTree(settings));
    return MAPPER.convertValue(all, Scenario.class);
  }
}
