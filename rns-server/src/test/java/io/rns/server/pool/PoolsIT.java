package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.server.local.LocalService;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools of one server in GlassFish, over plain HTTP. */
class PoolsIT {
  @TempDir private static Path temporary;
  private static LocalService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary.resolve("data")), line -> {});
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
    service.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.url() + path)).timeout(Duration.ofSeconds(60));
  }

  private static JsonNode ask(int status, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/json");
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
    assertThat(ask(200, request("/pools/svc?below")).path("pools").path(0).path("handle").asText()).isEqualTo("/svc/a b");
    ask(200, request("/pools/svc/a%20b?unreachable=2").POST(BodyPublishers.noBody()));
    assertThat(ask(200, request("/pools/svc/a%20b")).path("elements").path(0).path("unreachableReports").asInt()).isEqualTo(1);
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

  @Test
  void refusalsHaveTheirStatus() throws Exception {
    put(200, "/pools/refusing?element=1", element(1, 1));
    assertThat(put(409, "/pools/refusing?element=1", element(2, 1)).path("code").asText()).isEqualTo("ELEMENT_ID_TAKEN");
    String other = element(2, 1).replace("wrr", "rr");
    assertThat(put(409, "/pools/refusing?element=2", other).path("message").asText()).contains("/refusing is wrr, not rr");
    assertThat(ask(404, request("/pools/none?resolve")).path("code").asText()).isEqualTo("NO_SUCH_POOL");
    put(413, "/pools/refusing?element=2", "x".repeat(PoolServlet.BODY_BYTES + 1));
    for (String body : new String[] {"", "[]", "{}", "{\"policy\": \"wrr\"", element(2, -1), element(2, 1).replace("policy", "polity")}) {
      assertThat(put(400, "/pools/refusing?element=2", body).path("code").asText()).as(body).isEqualTo("INVALID_REQUEST");
    }
    for (String id : new String[] {"", "?element=0", "?element=-1", "?element=4294967296"}) {
      assertThat(put(400, "/pools/refusing" + id, element(2, 1)).path("message").asText()).contains("1 to 4294967295");
    }
    ask(400, request("/pools/refusing?resolve=0"));
    ask(413, request("/pools/refusing?resolve=129"));
  }
}
