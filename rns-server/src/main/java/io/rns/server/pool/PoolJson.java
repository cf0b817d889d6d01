package io.rns.server.pool;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.rns.api.EndpointReference;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.server.http.JsonBody;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registration of an element as JSON. */
final class PoolJson {
  private PoolJson() {}

  /** What a registration says beside its element's id. */
  record Given(PolicyType policy, Registration registration) {}

  /** The body of a registration; what it does not have is null. */
  private record RegistrationBody(
      @Nullable String policy,
      @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<String> endpoints,
      @Nullable Long lifetimeMillis,
      @Nullable ParametersBody parameters) {}

  /** What an element reports for its selection. */
  private record ParametersBody(
      @Nullable Long weight,
      @Nullable Long priority,
      @Nullable Long load,
      @Nullable Long loadDegradation,
      @Nullable Long distanceFactor,
      @Nullable Long epoch,
      @Nullable Long accepted,
      @Nullable Long occupied,
      @Nullable Long limit) {
    Parameters parameters() {
      return new Parameters(
          or(weight, Parameters.PLAIN.weight()),
          or(priority, 0),
          or(load, 0),
          or(loadDegradation, 0),
          or(distanceFactor, 0),
          new Occupancy(or(epoch, 0), or(accepted, 0), or(occupied, 0), or(limit, 0)));
    }

    private static long or(@Nullable Long value, long absent) {
      return value == null ? absent : value;
    }
  }

  /**
   * Reads a registration.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} naming what is missing or makes no sense
   */
  static Given read(byte[] body, int id) {
    RegistrationBody given = JsonBody.object(body, RegistrationBody.class);
    String name = given.policy() == null ? "" : given.policy();
    PolicyType policy =
        PolicyType.ofName(name)
            .orElseThrow(() -> invalid("'policy' is '" + name + "', none of " + Arrays.toString(PolicyType.values())));
    if (given.lifetimeMillis() == null) {
      throw invalid("'lifetimeMillis' is missing, not a whole number");
    }
    if (given.endpoints() == null) {
      throw invalid("'endpoints' is not an array");
    }
    List<EndpointReference> endpoints = given.endpoints().stream().map(JsonBody::reference).toList();
    Parameters parameters = given.parameters() == null ? Parameters.PLAIN : given.parameters().parameters();
    return new Given(policy, new Registration(id, endpoints, parameters, given.lifetimeMillis()));
  }

  private static RnsException invalid(String what) {
    return new RnsException(RnsError.INVALID_REQUEST, what);
  }
}
