package io.rns.server.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.EndpointReference;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.server.http.JsonBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/** Pools as JSON. A reference that is only an address is that address, any other one its XML. */
final class PoolJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The longest value that an error shows, in characters. */
  private static final int SHOWN = 100;

  private static final Set<String> MEMBERS = Set.of("policy", "endpoints", "lifetimeMillis", "parameters");

  private static final List<Parameter> PARAMETERS =
      List.of(
          new Parameter("weight", Parameters::weight, Parameters::withWeight),
          new Parameter("priority", Parameters::priority, Parameters::withPriority),
          new Parameter("load", Parameters::load, Parameters::withLoad),
          new Parameter("loadDegradation", Parameters::loadDegradation, Parameters::withLoadDegradation),
          new Parameter("distanceFactor", Parameters::distanceFactor, Parameters::withDistanceFactor),
          new Parameter("epoch", p -> p.occupancy().epoch(), (p, v) -> with(p, Part.EPOCH, v)),
          new Parameter("accepted", p -> p.occupancy().accepted(), (p, v) -> with(p, Part.ACCEPTED, v)),
          new Parameter("occupied", p -> p.occupancy().occupied(), (p, v) -> with(p, Part.OCCUPIED, v)),
          new Parameter("limit", p -> p.occupancy().limit(), (p, v) -> with(p, Part.LIMIT, v)));

  private PoolJson() {}

  /** What an element tells for its selection: a number by its name. */
  private record Parameter(
      String name, ToLongFunction<Parameters> get, BiFunction<Parameters, Long, Parameters> with) {}

  private enum Part {
    EPOCH, ACCEPTED, OCCUPIED, LIMIT
  }

  private static Parameters with(Parameters parameters, Part part, long value) {
    Occupancy known = parameters.occupancy();
    return parameters.withOccupancy(
        new Occupancy(
            part == Part.EPOCH ? value : known.epoch(),
            part == Part.ACCEPTED ? value : known.accepted(),
            part == Part.OCCUPIED ? value : known.occupied(),
            part == Part.LIMIT ? value : known.limit()));
  }

  /** What a registration says beside its element's id. */
  record Given(PolicyType policy, Registration registration) {}

  /**
   * Reads a registration.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} naming what is missing or makes no sense
   */
  static Given read(byte[] body, int id) {
    JsonNode document = JsonBody.object(body, MEMBERS);
    String name = document.path("policy").asText();
    PolicyType policy =
        PolicyType.ofName(name)
            .orElseThrow(() -> invalid("'policy' is '" + name + "', none of " + Arrays.toString(PolicyType.values())));
    JsonNode lifetime = document.path("lifetimeMillis");
    JsonBody.check(isWhole(lifetime), "'lifetimeMillis' is " + shown(lifetime) + ", not a whole number");
    Parameters parameters = parameters(document.path("parameters"));
    return new Given(policy,
        new Registration(id, endpoints(document.path("endpoints")), parameters, lifetime.asLong()));
  }

  private static List<EndpointReference> endpoints(JsonNode array) {
    JsonBody.check(array.isArray(), "'endpoints' is not an array");
    List<EndpointReference> endpoints = new ArrayList<>();
    for (JsonNode each : array) {
      JsonBody.check(each.isTextual(), "'endpoints' holds something else than texts");
      endpoints.add(JsonBody.reference(each.asText()));
    }
    return endpoints;
  }

  private static Parameters parameters(JsonNode given) {
    JsonBody.check(given.isObject() || given.isMissingNode(), "'parameters' is not an object");
    List<String> known = PARAMETERS.stream().map(Parameter::name).toList();
    given.fieldNames()
        .forEachRemaining(name -> JsonBody.check(known.contains(name), "there is no parameter '" + name + "'"));
    Parameters parameters = Parameters.PLAIN;
    for (Parameter each : PARAMETERS) {
      JsonNode value = given.path(each.name());
      if (!value.isMissingNode()) {
        JsonBody.check(isWhole(value), "parameter '" + each.name() + "' is " + shown(value) + ", not a whole number");
        parameters = each.with().apply(parameters, value.asLong());
      }
    }
    return parameters;
  }

  private static boolean isWhole(JsonNode value) {
    // 1000.0 is an integer of JSON, too.
    return value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToLong();
  }

  /** A value as it was given; what is missing, or too long to be shown, by what it is. */
  private static String shown(JsonNode value) {
    String text = value.toString();
    boolean isShort = !text.isEmpty() && text.length() <= SHOWN;
    return isShort ? text : value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private static RnsException invalid(String what) {
    return new RnsException(RnsError.INVALID_REQUEST, what);
  }

  static ObjectNode write(Registered registered) {
    ObjectNode node = JSON.createObjectNode();
    node.put("home", Integer.toUnsignedLong(registered.home()));
    return node.put("version", registered.version());
  }

  static ObjectNode write(PoolResolution resolution) {
    ObjectNode node = JSON.createObjectNode();
    node.put("handle", resolution.handle().toString());
    node.put("policy", resolution.policy().toString());
    node.put("ttlMillis", resolution.ttlMillis());
    ArrayNode elements = node.putArray("elements");
    for (Selected selected : resolution.elements()) {
      ObjectNode element = element(elements, selected.id(), selected.endpoints());
      write(element, selected.standing().parameters());
      element.put("reportedMillis", selected.reportedMillis());
    }
    return node;
  }

  static ObjectNode write(PoolPage page) {
    ObjectNode node = JSON.createObjectNode();
    ArrayNode pools = node.putArray("pools");
    for (ListedPool pool : page.pools()) {
      ObjectNode each = pools.addObject();
      each.put("handle", pool.handle().toString());
      each.put("policy", pool.policy().toString());
      each.put("elements", pool.elements());
      each.put("eligible", pool.eligible());
    }
    page.next().ifPresent(next -> node.put("next", next.toString()));
    return node;
  }

  static ObjectNode write(ElementPage page) {
    ObjectNode node = JSON.createObjectNode();
    node.put("handle", page.handle().toString());
    node.put("policy", page.policy().map(PolicyType::toString).orElse(null));
    node.put("total", page.total());
    ArrayNode elements = node.putArray("elements");
    page.elements().forEach(listed -> write(elements, listed));
    ArrayNode losses = node.putArray("lost");
    for (LostElement lost : page.lost()) {
      ObjectNode element = element(losses, lost.id(), lost.endpoints());
      element.put("loss", lost.loss().name().toLowerCase(Locale.ROOT));
      element.put("lostMillis", lost.lostMillis());
    }
    page.next().ifPresent(next -> node.put("next", Integer.toUnsignedLong(next)));
    return node;
  }

  private static void write(ArrayNode elements, ListedElement listed) {
    ObjectNode element = element(elements, listed.id(), listed.endpoints());
    write(element, listed.parameters());
    element.put("remainingMillis", listed.remainingMillis());
    element.put("home", Integer.toUnsignedLong(listed.home()));
    element.put("unreachableReports", listed.unreachableReports());
    listed.silentMillis().ifPresent(silent -> element.put("silentMillis", silent));
    listed.keepAliveMillis().ifPresent(next -> element.put("keepAliveMillis", next));
  }

  private static ObjectNode element(ArrayNode elements, int id, List<EndpointReference> endpoints) {
    ObjectNode element = elements.addObject();
    element.put("id", Integer.toUnsignedLong(id));
    ArrayNode array = element.putArray("endpoints");
    for (EndpointReference endpoint : endpoints) {
      boolean plain = endpoint.equals(EndpointReference.ofAddress(endpoint.address()));
      array.add(plain ? endpoint.address() : endpoint.xml());
    }
    return element;
  }

  private static void write(ObjectNode element, Parameters parameters) {
    ObjectNode node = element.putObject("parameters");
    for (Parameter each : PARAMETERS) {
      long value = each.get().applyAsLong(parameters);
      if (value != each.get().applyAsLong(Parameters.PLAIN)) {
        node.put(each.name(), value);
      }
    }
  }
}
