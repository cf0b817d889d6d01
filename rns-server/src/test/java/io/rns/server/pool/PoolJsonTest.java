package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Distance;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.Registered;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import io.rns.server.http.ServerJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolJsonTest {
  private static final RnsPath HANDLE = RnsPath.parse("/svc/a");
  private static final EndpointReference WITH_PARAMETERS =
      EndpointReference.parse(
          "<EndpointReference xmlns=\"http://www.w3.org/2005/08/addressing\"><Address>urn:b</Address>"
              + "<ReferenceParameters><k xmlns=\"urn:k\"/></ReferenceParameters></EndpointReference>");
  private static final List<EndpointReference> ENDPOINTS =
      List.of(EndpointReference.ofAddress("urn:a"), WITH_PARAMETERS);
  private static final Parameters ALL = new Parameters(0, 2, 3, 4, Parameters.FULL, new Occupancy(6, 1L << 40, 8, 9));
  private static final String ALL_JSON =
      "{\"weight\":0,\"priority\":2,\"load\":3,\"loadDegradation\":4,\"distanceFactor\":4294967295,\"epoch\":6,"
          + "\"accepted\":1099511627776,\"occupied\":8,\"limit\":9}";

  private static String json(Object document) throws IOException {
    return ServerJson.MAPPER.writeValueAsString(document);
  }

  private static PoolJson.Given read(String body) {
    return PoolJson.read(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8), 5);
  }

  private static String endpoints() throws IOException {
    return "\"endpoints\":[\"urn:a\"," + json(WITH_PARAMETERS.xml()) + "]";
  }

  @Test
  void answersAreWritten() throws IOException {
    assertThat(json(new Registered(-2, 7))).isEqualTo("{\"home\":4294967294,\"version\":7}");
    assertThat(
        json(
            new PoolResolution(
                HANDLE, PolicyType.ROUND_ROBIN,
                List.of(new PoolResolution.Selected(-1, ENDPOINTS, SelectionState.fresh(ALL, Distance.NONE, 0), 12,
                    SharedExperience.NONE)),
                5_000)))
        .isEqualTo(
            "{\"handle\":\"/svc/a\",\"policy\":\"rr\",\"ttlMillis\":5000,\"elements\":[{\"id\":4294967295,"
                + endpoints() + ",\"parameters\":" + ALL_JSON + ",\"reportedMillis\":12}]}");
    PoolPage.ListedPool pool = new PoolPage.ListedPool(HANDLE, PolicyType.ADAPTIVE, 3, 2);
    assertThat(json(new PoolPage(List.of(pool), Optional.of(HANDLE))))
        .isEqualTo(
            "{\"pools\":[{\"handle\":\"/svc/a\",\"policy\":\"adaptive\",\"elements\":3,\"eligible\":2}],"
                + "\"next\":\"/svc/a\"}");
    assertThat(json(new PoolPage(List.of(), Optional.empty()))).isEqualTo("{\"pools\":[]}");
  }

  @Test
  void elementsAreWritten() throws IOException {
    ListedElement silent =
        new ListedElement(1, ENDPOINTS, Parameters.PLAIN, -1, -2, 3, OptionalLong.of(4), OptionalLong.of(5));
    ListedElement other =
        new ListedElement(2, ENDPOINTS, ALL, 600, 8, 0, OptionalLong.empty(), OptionalLong.empty());
    LostElement lost = new LostElement(-1, ENDPOINTS, ElementPage.Loss.EXPIRED, 77);
    ElementPage page =
        new ElementPage(
            HANDLE, Optional.of(PolicyType.ADAPTIVE), 2, List.of(silent, other), List.of(lost), OptionalInt.of(-3));
    assertThat(json(page))
        .isEqualTo(
            "{\"handle\":\"/svc/a\",\"policy\":\"adaptive\",\"total\":2,\"elements\":[{\"id\":1," + endpoints()
                + ",\"parameters\":{},\"remainingMillis\":-1,\"home\":4294967294,\"unreachableReports\":3,"
                + "\"silentMillis\":4,\"keepAliveMillis\":5},{\"id\":2," + endpoints() + ",\"parameters\":" + ALL_JSON
                + ",\"remainingMillis\":600,\"home\":8,\"unreachableReports\":0}],\"lost\":[{\"id\":4294967295,"
                + endpoints() + ",\"loss\":\"expired\",\"lostMillis\":77}],\"next\":4294967293}");
    assertThat(json(ElementPage.none(HANDLE)))
        .isEqualTo("{\"handle\":\"/svc/a\",\"policy\":null,\"total\":0,\"elements\":[],\"lost\":[]}");
  }

  @Test
  void registrationsAreRead() {
    PoolJson.Given given =
        read(
            "{'policy': 'wrr', 'endpoints': ['urn:a', '" + WITH_PARAMETERS.xml().replace("\"", "\\\"")
                + "'], 'lifetimeMillis': 1e3, 'parameters': " + ALL_JSON + "}");
    assertThat(given.policy()).isEqualTo(PolicyType.WEIGHTED_ROUND_ROBIN);
    assertThat(given.registration().id()).isEqualTo(5);
    assertThat(given.registration().endpoints()).isEqualTo(ENDPOINTS);
    assertThat(given.registration().lifetimeMillis()).isEqualTo(1_000);
    assertThat(given.registration().parameters()).isEqualTo(ALL);
    PoolJson.Given plain =
        read("{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1000.0, 'parameters': {'load': 2}}");
    assertThat(plain.registration().parameters()).isEqualTo(Parameters.PLAIN.withLoad(2));
    assertThat(read("{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1}").registration().parameters())
        .isEqualTo(Parameters.PLAIN);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "[] | the body is not a JSON object",
      "{'policy': 'rr', 'lifetime': 1} | there is no member 'lifetime'",
      "{'policy': 'best', 'endpoints': ['urn:a'], 'lifetimeMillis': 1} | 'policy' is 'best', none of [",
      "{'endpoints': ['urn:a'], 'lifetimeMillis': 1} | 'policy' is '', none of [",
      "{'policy': 'rr', 'endpoints': ['urn:a']} | 'lifetimeMillis' is missing, not a whole number",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': null} | 'lifetimeMillis' is null",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1.5} | 'lifetimeMillis' is 1.5, not a whole number",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': '9'} | 'lifetimeMillis' is \"9\", not a whole number",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 9223372036854775808} | 'lifetimeMillis' is 9223372036854775808, not",
      "{'policy': 'rr', 'lifetimeMillis': 1} | 'endpoints' is not an array",
      "{'policy': 'rr', 'endpoints': 'urn:a', 'lifetimeMillis': 1} | 'endpoints' is not an array",
      "{'policy': 'rr', 'endpoints': [{}], 'lifetimeMillis': 1} | 'endpoints' holds something else than texts",
      "{'policy': 'rr', 'endpoints': [null], 'lifetimeMillis': 1} | 'endpoints' holds something else than texts",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1, 'parameters': []} | 'parameters' is not an object",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1, 'parameters': null} | 'parameters' is null",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1, 'parameters': {'w': 1}} | there is no member 'w' in 'parameters'",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1, 'parameters': {'weight': true}} | the value of 'weight' in 'parameters' is true, not a whole number",
      "{'policy': 'rr', 'endpoints': ['urn:a'], 'lifetimeMillis': 1, 'parameters': {'limit': null}} | the value of 'limit' in 'parameters' is null, not a whole number"})
  void aRegistrationIsRefusedWithTheReason(String body, String reason) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageStartingWith(reason);
  }
}
