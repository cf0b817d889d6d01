package io.rns.pool;

import java.util.Optional;

/** The policies with their names and numbers. The first element of a pool decides the policy of the pool. */
public enum PolicyType {
  /** In turn. */
  ROUND_ROBIN(0x0000_0001, "rr"),
  /** In turn, as often as the weight says, spread over the round. */
  WEIGHTED_ROUND_ROBIN(0x0000_0002, "wrr"),
  /** At random, all with equal probability. */
  RANDOM(0x0000_0003, "rand"),
  /** At random, with a probability proportional to the weight. */
  WEIGHTED_RANDOM(0x0000_0004, "wrand"),
  /** The highest priority. */
  PRIORITY(0x0000_0005, "prio"),
  /** The lowest load. */
  LEAST_USED(0x4000_0001, "lu"),
  /** The lowest load, including selections since the last report. */
  LEAST_USED_DEGRADATION(0x4000_0002, "lud"),
  /** The element with the lowest load after one more request. */
  PRIORITY_LEAST_USED(0x4000_0003, "plu"),
  /** At random, with a probability proportional to the unused capacity. */
  RANDOMISED_LEAST_USED(0x4000_0004, "rlu"),
  /** Weighted random, where distance reduces the weight. */
  WEIGHTED_RANDOM_DISTANCE(0xb000_2001, "wrand-dpf"),
  /** Least used, where distance counts as load. */
  LEAST_USED_DISTANCE(0xb000_2002, "lu-dpf"),
  /** Least used with degradation, where distance counts as load. */
  LEAST_USED_DEGRADATION_DISTANCE(0xb000_2003, "lud-dpf"),
  /** Priority least used, where distance counts as load. */
  PRIORITY_LEAST_USED_DISTANCE(0xb000_2004, "plu-dpf"),
  /** Priority least used with degradation, where distance counts as load. */
  PRIORITY_LEAST_USED_DEGRADATION_DISTANCE(0xb000_2005, "plud-dpf"),
  /** The largest free share after the request; never an element without a free place. */
  CREDITS(0xc052_0001, "credits"),
  /** The lowest occupancy, including selections in transit. The default of RNS. */
  ADAPTIVE(0xc052_0002, "adaptive");

  private final int code;
  private final String text;

  PolicyType(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The number of the policy on the wire (RFC 5356, section 3). */
  public int code() {
    return code;
  }

  /** The policy with a number. */
  public static Optional<PolicyType> ofCode(int code) {
    for (PolicyType type : values()) {
      if (type.code == code) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The policy with a name, such as {@code wrr}. */
  public static Optional<PolicyType> ofName(String name) {
    for (PolicyType type : values()) {
      if (type.text.equals(name)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The name, as {@link #ofName} accepts it. */
  @Override
  public String toString() {
    return text;
  }

  /** The stateless rule. */
  public Policy policy() {
    return switch (this) {
      case ROUND_ROBIN -> new RoundRobin();
      case WEIGHTED_ROUND_ROBIN -> new WeightedRoundRobin();
      case RANDOM -> new Uniform();
      case WEIGHTED_RANDOM -> new WeightedRandom();
      case PRIORITY -> new Priority();
      case LEAST_USED -> new LeastUsed();
      case LEAST_USED_DEGRADATION -> new LeastUsedDegradation();
      case PRIORITY_LEAST_USED -> new PriorityLeastUsed();
      case RANDOMISED_LEAST_USED -> new RandomisedLeastUsed();
      case WEIGHTED_RANDOM_DISTANCE -> new WeightedRandomDistance();
      case LEAST_USED_DISTANCE -> new LeastUsedDistance();
      case LEAST_USED_DEGRADATION_DISTANCE -> new LeastUsedDegradationDistance();
      case PRIORITY_LEAST_USED_DISTANCE -> new PriorityLeastUsedDistance();
      case PRIORITY_LEAST_USED_DEGRADATION_DISTANCE -> new PriorityLeastUsedDegradationDistance();
      case CREDITS -> new Credits();
      case ADAPTIVE -> new Adaptive();
    };
  }
}
