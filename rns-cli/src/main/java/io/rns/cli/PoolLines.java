package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.EndpointReference;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How pools and their elements are shown. */
final class PoolLines {
  private static final double PERCENT = 100;
  private static final long SECOND = 1_000;

  /** The policies that read the load, so that a load of 0 is shown too. */
  private static final Set<PolicyType> BY_LOAD =
      EnumSet.of(
          PolicyType.LEAST_USED,
          PolicyType.LEAST_USED_DEGRADATION,
          PolicyType.PRIORITY_LEAST_USED,
          PolicyType.RANDOMISED_LEAST_USED,
          PolicyType.LEAST_USED_DISTANCE,
          PolicyType.LEAST_USED_DEGRADATION_DISTANCE,
          PolicyType.PRIORITY_LEAST_USED_DISTANCE,
          PolicyType.PRIORITY_LEAST_USED_DEGRADATION_DISTANCE);

  private PoolLines() {}

  /** The address of the preferred endpoint, and the number of others. */
  static String goal(List<EndpointReference> endpoints) {
    String more = endpoints.size() > 1 ? " (+" + (endpoints.size() - 1) + ")" : "";
    return endpoints.isEmpty() ? "" : endpoints.get(0).address() + more;
  }

  static String id(int id) {
    return Integer.toUnsignedString(id);
  }

  /** A time for people: {@code 350ms}, {@code 12s}. */
  static String time(long millis) {
    return millis < SECOND ? millis + "ms" : millis / SECOND + "s";
  }

  /** The parameters that an element reports, or that its pool's policy reads. */
  static String parameters(PolicyType policy, Parameters parameters) {
    StringBuilder text = new StringBuilder();
    if (parameters.weight() != Parameters.PLAIN.weight()) {
      text.append(" weight=").append(parameters.weight());
    }
    if (parameters.priority() != 0) {
      text.append(" priority=").append(parameters.priority());
    }
    if (parameters.load() != 0 || BY_LOAD.contains(policy)) {
      text.append(String.format(Locale.ROOT, " load=%.1f%%", PERCENT * parameters.load() / Parameters.FULL));
    }
    Occupancy occupancy = parameters.occupancy();
    if (occupancy.limit() != 0) {
      text.append(" free=").append(occupancy.credit()).append('/').append(occupancy.limit());
    }
    return text.toString();
  }

  /** The same as fields of the open object. */
  static void parameters(JsonGenerator json, Parameters parameters) throws IOException {
    json.writeNumberField("weight", parameters.weight());
    json.writeNumberField("priority", parameters.priority());
    json.writeNumberField("load", PERCENT * parameters.load() / Parameters.FULL);
    json.writeNumberField("occupied", parameters.occupancy().occupied());
    json.writeNumberField("limit", parameters.occupancy().limit());
    json.writeNumberField("free", parameters.occupancy().credit());
  }

  /** The id and the endpoints of an element, as fields of the open object. */
  static void element(JsonDocument document, int id, List<EndpointReference> endpoints) throws IOException {
    document.generator().writeNumberField("id", Integer.toUnsignedLong(id));
    document.references("endpoints", endpoints);
  }
}
