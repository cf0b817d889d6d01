package io.rns.registrar;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/** Policy parameters on the wire, as 32-bit numbers (RFC 5356; draft-dreibholz-rserpool-delay). */
final class PolicyData {
  private static final Field WEIGHT = new Field(Parameters::weight, Parameters::withWeight);
  private static final Field PRIORITY = new Field(Parameters::priority, Parameters::withPriority);
  private static final Field LOAD = new Field(Parameters::load, Parameters::withLoad);
  private static final Field DEGRADATION = new Field(Parameters::loadDegradation, Parameters::withLoadDegradation);
  private static final Field FACTOR = new Field(Parameters::distanceFactor, Parameters::withDistanceFactor);

  /** The distance is ignored: each registrar measures its own. */
  private static final Field DISTANCE = new Field(parameters -> 0, (parameters, value) -> parameters);

  private PolicyData() {}

  /** Getter and setter of a parameter. */
  private record Field(ToLongFunction<Parameters> get, BiFunction<Parameters, Long, Parameters> with) {}

  private static List<Field> fields(PolicyType type) {
    return switch (type) {
      case ROUND_ROBIN, RANDOM, CREDITS -> List.of();
      case WEIGHTED_ROUND_ROBIN, WEIGHTED_RANDOM, ADAPTIVE -> List.of(WEIGHT);
      case PRIORITY -> List.of(PRIORITY);
      case LEAST_USED, RANDOMISED_LEAST_USED -> List.of(LOAD);
      case LEAST_USED_DEGRADATION, PRIORITY_LEAST_USED -> List.of(LOAD, DEGRADATION);
      case WEIGHTED_RANDOM_DISTANCE -> List.of(WEIGHT, FACTOR, DISTANCE);
      case LEAST_USED_DISTANCE -> List.of(LOAD, FACTOR, DISTANCE);
      case LEAST_USED_DEGRADATION_DISTANCE,
          PRIORITY_LEAST_USED_DISTANCE,
          PRIORITY_LEAST_USED_DEGRADATION_DISTANCE ->
        List.of(LOAD, DEGRADATION, FACTOR, DISTANCE);
    };
  }

  static SelectionPolicy policy(PolicyType type, Parameters parameters) {
    List<Field> fields = fields(type);
    ByteBuffer data = ByteBuffer.allocate(4 * fields.size());
    fields.forEach(field -> data.putInt((int) field.get().applyAsLong(parameters)));
    return new SelectionPolicy(type.code(), Octets.of(data.array()));
  }

  /**
   * The type of a policy.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the policy is unknown
   */
  static PolicyType type(SelectionPolicy policy) {
    return PolicyType.ofCode(policy.type())
        .orElseThrow(
            () -> new RnsException(
                RnsError.INVALID_REQUEST, "policy 0x" + Integer.toHexString(policy.type()) + " is unknown"));
  }

  /**
   * Decodes the parameters of an element.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the policy is unknown or its data have the wrong length
   */
  static Parameters parameters(SelectionPolicy policy) {
    List<Field> fields = fields(type(policy));
    ByteBuffer data = ByteBuffer.wrap(policy.data().toBytes());
    if (data.remaining() != 4 * fields.size()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "policy " + type(policy) + " has " + data.remaining() + " bytes of data, not " + 4 * fields.size());
    }
    Parameters parameters = Parameters.PLAIN;
    for (Field field : fields) {
      parameters = field.with().apply(parameters, data.getInt() & 0xffff_ffffL);
    }
    return parameters;
  }
}
