package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.http.RawHttp.Answer;
import io.rns.server.local.LocalService;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What browsers, scanners and careless clients send to a server in GlassFish. */
class WebIT {
  private static final String XML = "Content-Type: text/xml";
  private static final String APP = "https://app.example.org";

  @TempDir private static Path temporary;
  private static LocalService service;
  private static RawHttp http;

  @BeforeAll
  static void start() {
    LocalService.Settings settings =
        LocalService.Settings.in(temporary.resolve("data"))
            .withEnvironment(Map.of("RNS_HOSTS", "rns.example.org", "RNS_CORS_ORIGINS", APP));
    service = LocalService.start(settings, line -> {});
    http = new RawHttp(service.url());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String port() {
    return http.authority().replaceFirst(".*:", ":");
  }

  private static String soap(String body) {
    return HostileMessages.message("", body);
  }

  @Test
  void underAForeignHostNothingIsChanged() throws IOException {
    for (String host : List.of("evil.example" + port(), "localhost.evil.example", "127.0.0.1.evil.example")) {
      for (String target : List.of("/names/foreign", "/pools/foreign?element=1", "/group/step-down")) {
        for (String method : List.of("PUT", "PATCH", "POST", "DELETE")) {
          Answer answer = http.sendTo(host, method, target, method.equals("DELETE") ? "" : "{}");
          assertThat(answer.problem(403).path("detail").asText()).contains("'" + host + "'", "RNS_HOSTS");
        }
      }
      http.sendTo(host, "GET", "/group/member", "").problem(403);
      Answer fault = http.sendTo(host, "POST", "/services/rns", soap("<r:query/>"), XML);
      assertThat(fault.status()).isEqualTo(403);
      assertThat(fault.header("Content-Type")).startsWith("text/xml");
      assertThat(fault.body()).contains("<faultstring", host, "RNS_HOSTS").doesNotContain("EntryResponse");
    }
    http.send("GET", "/names/foreign", "").problem(404);
  }

  @Test
  void underItsOwnHostsTheServerIsThereForAll() throws IOException {
    List<String> own = List.of("localhost" + port(), "LOCALHOST", "rns.example.org", "192.0.2.7", "[::1]" + port(), "127.0.0.1:1");
    for (String host : own) {
      Answer answer = http.sendTo(host, "POST", "/services/rns", soap("<r:query/>"), XML);
      assertThat(answer.status()).as("%s: %s", host, answer.body()).isEqualTo(200);
      assertThat(http.sendTo(host, "GET", "/status", "").json().path("soap").asText())
          .isEqualToIgnoringCase("http://" + host + "/rns/services/rns");
      assertThat(http.sendTo(host, "GET", "/services/rns?wsdl", "").body()).containsIgnoringCase("location=\"http://" + host + "/rns/");
    }
  }

  @Test
  void aForeignHostIsInNoAnswer() throws IOException {
    Answer status = http.sendTo("evil.example", "GET", "/status", "", "X-Forwarded-Host: proxy.example", "Forwarded: host=proxy.example");
    assertThat(status.json().path("rest").asText()).isEqualTo(service.url() + "/names");
    Answer description = http.sendTo("evil.example", "GET", "/services/rns?wsdl", "", "X-Forwarded-Host: proxy.example");
    assertThat(description.status()).isEqualTo(200);
    assertThat(description.body()).contains("location=\"" + service.soapUrl() + "\"").doesNotContain("evil", "proxy");
  }

  @Test
  void aHostThatIsNoneIsRefused() throws IOException {
    for (String host : List.of("h/../x", "a\"b<c>", "a b", "a@b", "a:b", "a:99999", "[::1", "ü")) {
      assertThat(http.sendTo(host, "GET", "/status", "").problem(400).path("detail").asText()).contains("Host");
      Answer fault = http.sendTo(host, "POST", "/services/rns", soap("<r:query/>"), XML);
      assertThat(fault.status()).isEqualTo(400);
      assertThat(fault.body()).contains("<faultstring");
    }
  }

  @Test
  void pagesOfOtherSitesChangeNothingUnlessTheOperatorSaysSo() throws IOException {
    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "https://app.example.org.evil.example", "x")) {
      assertThat(http.send("PUT", "/names/page", "{}", "Origin: " + origin).problem(403).path("detail").asText())
          .contains(origin, "RNS_CORS_ORIGINS");
      assertThat(http.send("POST", "/services/rns", soap("<r:query/>"), XML, "Origin: " + origin).status()).isEqualTo(403);
      Answer read = http.send("GET", "/names", "", "Origin: " + origin);
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.headers()).doesNotContainKey("access-control-allow-origin");
      Answer asked = http.send("OPTIONS", "/names/page", "", "Origin: " + origin, "Access-Control-Request-Method: PUT");
      assertThat(asked.headers()).doesNotContainKey("access-control-allow-origin");
    }
    http.send("GET", "/names/page", "").problem(404);
    for (String origin : List.of("http://" + http.authority(), "http://rns.example.org:81", APP)) {
      Answer put = http.send("PUT", "/names/page", "{}", "Origin: " + origin);
      assertThat(put.status()).as(put.body()).isIn(200, 201);
    }
  }

  @Test
  void pagesOfSitesThatTheOperatorNamesMayUseEverything() throws IOException {
    Answer asked =
        http.send(
            "OPTIONS", "/names/cors", "", "Origin: " + APP, "Access-Control-Request-Method: PUT",
            "Access-Control-Request-Headers: content-type, rns-request-id");
    assertThat(asked.status()).isEqualTo(204);
    assertThat(asked.header("Access-Control-Allow-Origin")).isEqualTo(APP);
    assertThat(asked.header("Access-Control-Allow-Methods")).contains("PUT", "PATCH", "DELETE");
    assertThat(asked.header("Access-Control-Allow-Headers")).contains("Content-Type", "RNS-Request-Id");
    assertThat(asked.header("Vary")).contains("Origin");
    Answer read = http.send("GET", "/names", "", "Origin: " + APP);
    assertThat(read.header("Access-Control-Allow-Origin")).isEqualTo(APP);
    assertThat(read.header("Access-Control-Expose-Headers")).contains("ETag", "RNS-Position");
    assertThat(http.send("GET", "/names/none", "", "Origin: " + APP).header("Access-Control-Allow-Origin")).isEqualTo(APP);
  }
}
