package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.pool.Admission;
import io.rns.client.pool.PoolElement;
import io.rns.client.pool.PoolSession;
import io.rns.client.pool.PoolUser;
import io.rns.client.pool.Serving;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.server.SharedService;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pools of one server in GlassFish: over plain HTTP, and by elements and users of the client. */
class PoolsIT {
  private static final RnsPath WORK = RnsPath.parse("/svc/work");
  private static final int PLACES = 4;

  private static SharedService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = SharedService.empty();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.url() + path)).timeout(Duration.ofSeconds(60));
  }

  private static JsonNode ask(int status, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith(status < 300 ? "application/json" : "application/problem+json");
    return new ObjectMapper().readTree(response.body());
  }

  private static JsonNode put(int status, String path, String body) throws Exception {
    return ask(status, request(path).PUT(BodyPublishers.ofString(body)));
  }

  private static String element(int number, int weight) {
    String address = "http://e" + number + "/";
    String reference =
        "<EndpointReference xmlns='http://www.w3.org/2005/08/addressing'><Address>" + address
            + "x</Address><Metadata><k xmlns='urn:k'/></Metadata></EndpointReference>";
    return "{\"policy\": \"wrr\", \"endpoints\": [\"" + address + "\", \"" + reference
        + "\"], \"lifetimeMillis\": 600000, \"parameters\": {\"weight\": " + weight + "}}";
  }

  @Test
  void elementsComeAreSelectedAndGo() throws Exception {
    assertThat(put(200, "/pools/svc/a%20b?element=4294967295", element(1, 1)).path("version").asLong()).isPositive();
    put(200, "/pools/svc/a%20b?element=2", element(2, 5));
    JsonNode resolved = ask(200, request("/pools/svc/a%20b?resolve=9"));
    assertThat(resolved.path("handle").asText()).isEqualTo("/svc/a b");
    assertThat(resolved.path("policy").asText()).isEqualTo("wrr");
    assertThat(resolved.path("ttlMillis").asLong()).isEqualTo(5_000);
    assertThat(resolved.path("elements")).hasSize(2);
    JsonNode listed = ask(200, request("/pools/svc/a%20b?size=1"));
    assertThat(listed.path("total").asInt()).isEqualTo(2);
    assertThat(listed.path("next").asLong()).isEqualTo(2);
    assertThat(listed.path("elements").path(0).path("parameters").path("weight").asInt()).isEqualTo(5);
    assertThat(listed.path("elements").path(0).path("endpoints").path(1).asText()).contains("<k xmlns=\"urn:k\"/>");
    JsonNode rest = ask(200, request("/pools/svc/a%20b?after=2"));
    assertThat(rest.path("elements").path(0).path("id").asLong()).isEqualTo(4_294_967_295L);
    assertThat(ask(200, request("/pools/svc?below")).path("pools").path(0).path("handle").asText())
        .isEqualTo("/svc/a b");
    ask(200, request("/pools/svc/a%20b?unreachable=2").POST(BodyPublishers.noBody()));
    ask(200, request("/pools/svc/a%20b?unreachable=2").POST(BodyPublishers.noBody()));
    // A host counts once.
    assertThat(ask(200, request("/pools/svc/a%20b")).path("elements").path(0).path("unreachableReports").asInt())
        .isEqualTo(1);
    assertThat(ask(200, request("/pools/svc/a%20b?element=2").DELETE()).path("removed").asBoolean()).isTrue();
    assertThat(ask(200, request("/pools/svc/a%20b?element=2").DELETE()).path("removed").asBoolean()).isFalse();
    JsonNode server = ask(200, request("/status")).path("servers").path(0);
    assertThat(server.path("statistics").path("poolSelections").asLong()).isPositive();
    assertThat(server.path("statistics").path("pools").asInt()).isPositive();
    String[] asap = server.path("registrar").path("asap").asText().split(":", 2);
    try (Socket socket = new Socket(asap[0], Integer.parseInt(asap[1]))) {
      assertThat(socket.isConnected()).isTrue();
    }
  }

  /** Who serves is in this process; that they register, are selected, reported and full is known in GlassFish. */
  @Test
  void usersTakeTheirStateAlongAndAreTurnedAwayWhereAllIsFull() throws Exception {
    Admission one = new Admission(PLACES);
    Admission two = new Admission(PLACES);
    List<String> echoed = new ArrayList<>();
    try (RnsConnection connection = RnsClient.builder().server(URI.create(service.url())).build();
        PoolElement first = element(connection.pools(), "urn:first", one);
        PoolElement second = element(connection.pools(), "urn:second", two)) {
      PoolSession session =
          PoolUser.of(connection.pools())
              .session(WORK,
                  (cookie, element) -> echoed.add(element.id() + " " + new String(cookie, StandardCharsets.UTF_8)));
      int keeper = session.call(element -> begin(session, element));
      int other = keeper == first.id() ? second.id() : first.id();
      int again = session.call(Serving::id);
      assertThat(again).as("where its state is").isEqualTo(keeper);
      int next = session.call(element -> failing(keeper, element));
      assertThat(next).isEqualTo(other);
      assertThat(echoed).containsExactly(other + " begun");
      until("the report has come", () -> reports(connection.pools(), keeper) == 1);

      List<Admission.Place> held = new ArrayList<>();
      for (int place = 0; place < PLACES; place++) {
        held.add(one.enter().orElseThrow());
        held.add(two.enter().orElseThrow());
      }
      until("both are known to be full", () -> free(connection.pools()) == 0);
      HttpResponse<String> full = http.send(request("/pools/svc/work?resolve=1").build(), BodyHandlers.ofString());
      assertThat(full.statusCode()).isEqualTo(503);
      assertThat(full.headers().firstValue("Retry-After")).isPresent();
      assertThat(full.body()).contains("BUSY", "none of 2 elements of pool /svc/work can be selected now");
      assertThatThrownBy(() -> connection.pools().resolve(WORK, 1))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY));
      held.forEach(Admission.Place::close);
      until("all is free again", () -> free(connection.pools()) == 2 * PLACES);
      assertThat(connection.pools().resolve(WORK, 2).elements()).hasSize(2);
    }
    assertThat(ask(404, request("/pools/svc/work?resolve")).path("code").asText()).isEqualTo("NO_SUCH_POOL");
    JsonNode statistics = ask(200, request("/status")).path("servers").path(0).path("statistics");
    assertThat(statistics.path("poolReports").asLong()).isPositive();
    assertThat(statistics.path("poolRejections").asLong()).isPositive();
  }

  private static PoolElement element(PoolService pools, String address, Admission admission) {
    return PoolElement.builder(pools, WORK, List.of(EndpointReference.ofAddress(address)))
        .policy(PolicyType.CREDITS)
        .lifetime(Duration.ofMinutes(10))
        .admission(admission)
        .register();
  }

  private static int begin(PoolSession session, Serving element) {
    session.cookie("begun".getBytes(StandardCharsets.UTF_8));
    return element.id();
  }

  private static int failing(int dead, Serving element) throws IOException {
    if (element.id() == dead) {
      throw new ConnectException("it died");
    }
    return element.id();
  }

  private static int reports(PoolService pools, int id) {
    return pools.elements(ElementsRequest.of(WORK)).elements().stream()
        .filter(element -> element.id() == id)
        .mapToInt(ListedElement::unreachableReports)
        .sum();
  }

  private static long free(PoolService pools) {
    return pools.elements(ElementsRequest.of(WORK)).elements().stream()
        .mapToLong(element -> element.parameters().occupancy().credit())
        .sum();
  }

  private static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("not within a minute: " + what).isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void refusalsHaveTheirStatus() throws Exception {
    put(200, "/pools/refusing?element=1", element(1, 1));
    assertThat(put(409, "/pools/refusing?element=1", element(2, 1)).path("code").asText())
        .isEqualTo("ELEMENT_ID_TAKEN");
    String other = element(2, 1).replace("wrr", "rr");
    assertThat(put(409, "/pools/refusing?element=2", other).path("message").asText())
        .contains("/refusing is wrr, not rr");
    assertThat(ask(404, request("/pools/none?resolve")).path("code").asText()).isEqualTo("NO_SUCH_POOL");
    put(413, "/pools/refusing?element=2", "x".repeat(PoolServlet.BODY_BYTES + 1));
    for (String body : new String[]{"", "[]", "{}", "{\"policy\": \"wrr\"", element(2, -1),
        element(2, 1).replace("policy", "polity")}) {
      assertThat(put(400, "/pools/refusing?element=2", body).path("code").asText()).as(body)
          .isEqualTo("INVALID_REQUEST");
    }
    String endless = element(2, 1).replace("600000", "-1");
    assertThat(put(400, "/pools/refusing?element=2", endless).path("message").asText())
        .startsWith("element 2 of pool /refusing has the infinite lifetime -1");
    assertThat(
        put(400, "/pools/refusing?element=2", element(2, 1).replace("600000", "\"infinite\"")).path("message").asText())
        .isEqualTo("'lifetimeMillis' is \"infinite\", not a whole number");
    assertThat(put(400, "/pools/refusing?element=2", element(2, 1).replace("\"lifetimeMillis\": 600000, ", ""))
        .path("message").asText())
        .isEqualTo("'lifetimeMillis' is missing, not a whole number");
    for (String id : new String[]{"", "?element=0", "?element=-1", "?element=4294967296"}) {
      assertThat(put(400, "/pools/refusing" + id, element(2, 1)).path("message").asText()).contains("1 to 4294967295");
    }
    ask(400, request("/pools/refusing?resolve=0"));
    ask(413, request("/pools/refusing?resolve=129"));
  }
}
