package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.server.SharedService;
import io.rns.server.foreign.Programs;
import io.rns.server.http.RawHttp.Answer;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What browsers, scanners and careless clients send to a server in GlassFish. */
class WebIT {
  private static final String XML = "Content-Type: text/xml";
  private static final String APP = SharedService.ORIGIN;

  @TempDir private static Path temporary;
  private static final String EXAMPLES = System.getProperty("rns.test.examples", "3");
  private static SharedService service;
  private static RawHttp http;

  @BeforeAll
  static void start() {
    service = SharedService.empty();
    http = new RawHttp(service.url());
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
    List<String> own =
        List.of("localhost" + port(), "LOCALHOST", "rns.example.org", "192.0.2.7", "[::1]" + port(), "127.0.0.1:1");
    for (String host : own) {
      Answer answer = http.sendTo(host, "POST", "/services/rns", soap("<r:query/>"), XML);
      assertThat(answer.status()).as("%s: %s", host, answer.body()).isEqualTo(200);
      assertThat(http.sendTo(host, "GET", "/status", "").json().path("soap").asText())
          .isEqualToIgnoringCase("http://" + host + "/rns/services/rns");
      assertThat(http.sendTo(host, "GET", "/services/rns?wsdl", "").body())
          .containsIgnoringCase("location=\"http://" + host + "/rns/");
    }
  }

  @Test
  void aForeignHostIsInNoAnswer() throws IOException {
    Answer status = http.sendTo("evil.example", "GET", "/status", "", "X-Forwarded-Host: proxy.example",
        "Forwarded: host=proxy.example");
    assertThat(status.json().path("rest").asText()).isEqualTo(service.url() + "/names");
    Answer description =
        http.sendTo("evil.example", "GET", "/services/rns?wsdl", "", "X-Forwarded-Host: proxy.example");
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
    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1",
        "https://app.example.org.evil.example", "x")) {
      assertThat(http.send("PUT", "/names/page", "{}", "Origin: " + origin).problem(403).path("detail").asText())
          .contains(origin, "RNS_CORS_ORIGINS");
      assertThat(http.send("POST", "/services/rns", soap("<r:query/>"), XML, "Origin: " + origin).status())
          .isEqualTo(403);
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
  void theRootCannotBeAddedAndWhatIsNoPathHasNoMethods() throws IOException {
    assertThat(http.send("OPTIONS", "/names", "").header("Allow")).contains("PATCH").doesNotContain("PUT");
    assertThat(http.send("PUT", "/names/", "{}").problem(405).path("detail").asText())
        .isEqualTo("there is no PUT of this resource");
    assertThat(http.send("OPTIONS", "/names/a", "").header("Allow")).contains("PUT");
    http.send("OPTIONS", "/names/a%2Fb", "").problem(400);
    http.send("OPTIONS", "/pools/" + "x".repeat(1_025), "").problem(413);
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
    assertThat(http.send("GET", "/names/none", "", "Origin: " + APP).header("Access-Control-Allow-Origin"))
        .isEqualTo(APP);
  }

  @Test
  void everyUrlIsAnsweredInItsOwnForm() throws IOException {
    for (String target : List.of("/unknown", "/health/x", "/WEB-INF/web.xml", "/error", "/names/../x",
        "/names/%2e%2e/x", "/group/x;/y")) {
      for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "FOO")) {
        Answer answer = http.send(method, target, "");
        assertThat(answer.header("Content-Type")).as("%s %s", method, target).startsWith("application/problem+json");
        answer.problem(answer.status());
      }
    }
    http.send("GET", "/unknown", "").problem(404);
    for (String target : List.of("/health", "/status", "/servers", "/watch", "/pools", "/names", "/group/member",
        "/metrics", "/openapi.json", "/")) {
      for (String method : List.of("PROPFIND", "FOO")) {
        Answer answer = http.send(method, target, "");
        assertThat(answer.problem(405).path("code").asText()).isEqualTo("UNKNOWN_OPERATION");
        assertThat(answer.header("Allow")).contains("GET");
      }
      Answer options = http.send("OPTIONS", target, "");
      assertThat(options.status()).as(target).isEqualTo(204);
      assertThat(options.header("Allow")).contains("GET", "OPTIONS");
    }
    for (String target : List.of("/services", "/services/x", "/services/rns-soap12", "/wsdl/x")) {
      Answer fault = http.send("GET", target, "");
      assertThat(fault.header("Content-Type")).as(target).startsWith("text/xml");
      assertThat(fault.body()).contains("<faultstring");
    }
  }

  @Test
  void aListOfPoolsHasOtherMethodsThanAPool() throws IOException {
    for (String target : List.of("/pools", "/pools/")) {
      assertThat(http.send("OPTIONS", target, "").header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
      for (String method : List.of("PUT", "POST", "DELETE")) {
        Answer refused = http.send(method, target + "?element=1", "");
        assertThat(refused.problem(405).path("code").asText()).isEqualTo("UNKNOWN_OPERATION");
        assertThat(refused.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
      }
    }
    assertThat(http.send("OPTIONS", "/pools/p", "").header("Allow")).isEqualTo("GET, HEAD, PUT, DELETE, POST, OPTIONS");
    assertThat(http.send("GET", "/pools?after=", "").json().has("pools")).isTrue();
  }

  @Test
  void everyPublicResourceIsInTheOpenApiDocument() throws IOException {
    JsonNode paths = http.send("GET", "/openapi.json", "").json().path("paths");
    List<String> described = new ArrayList<>();
    paths.fieldNames().forEachRemaining(described::add);
    assertThat(described)
        .containsExactlyInAnyOrder(
            "/", "/openapi.json", "/health", "/status", "/metrics", "/servers", "/watch", "/names", "/names/{path}",
            "/pools", "/pools/{path}");
    assertThat(http.send("GET", "/metrics", "").header("Content-Type")).startsWith("text/plain");
  }

  @Test
  void namesAreReadFromTheUrlAsItWasSent() throws IOException {
    for (String name : List.of("a;b=c", "a+b", "a%3Bb", "a%25b", "%C3%BC", "ö", "a%20b", "~", "a:b@c", "a=b",
        "a%5Cb")) {
      Answer put = http.send("PUT", "/names/url%2d" + name + "/", "{}");
      assertThat(put.status()).as("%s %s", name, put.body()).isEqualTo(201);
      Answer read = http.send("GET", put.header("Location").substring(service.url().length()), "");
      assertThat(read.json().path("path").asText())
          .isEqualTo("/url-" + URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
    for (String refused : List.of("a%2Fb", "a%00b", "a%zz", "a%", "%ff")) {
      http.send("GET", "/names/" + refused, "").problem(400);
    }
    for (String refused : List.of("a%5Cb", "a%2Fb", "a%00b", "a%zz", "a%")) {
      Answer fault = http.send("POST", "/services/rns/" + refused, soap("<r:query/>"), XML);
      assertThat(fault.status()).as(refused).isEqualTo(400);
      assertThat(fault.header("Content-Type")).startsWith("text/xml");
      assertThat(fault.body()).contains("<faultstring>", "RNSFaultType", ">MALFORMED_MESSAGE<");
      Answer newer =
          http.send("POST", "/services/rns/" + refused, soap("<r:query/>"), "Content-Type: application/soap+xml");
      assertThat(newer.status()).as(refused).isEqualTo(400);
      assertThat(newer.header("Content-Type")).startsWith("application/soap+xml");
    }
    for (String query : List.of("list&size=%zz", "list&pattern=%ff", "list&after=%", "%=1")) {
      http.send("GET", "/names?" + query, "").problem(400);
      http.send("GET", "/pools?" + query, "").problem(400);
      http.send("GET", "/watch?path=/x&" + query, "").problem(400);
    }
  }

  @Test
  void thePrintedUrlShowsWhatIsThere() throws IOException {
    Answer page = http.send("GET", "/", "", "Accept: text/html,application/xhtml+xml,*/*;q=0.8");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.body()).contains("Resource Namespace Service", "href=\"names\"", "href=\"openapi.json\"",
        "href=\"services/rns?wsdl\"");
    Answer document = http.send("GET", "/", "", "Accept: application/json");
    assertThat(document.json().path("soap").asText()).isEqualTo(service.soapUrl());
    assertThat(document.json().path("version").asText()).isNotEmpty();
    document.json().properties().forEach(link -> {
      if (link.getValue().asText().startsWith("http") && !link.getKey().equals("soap")) {
        assertThat(found(link.getValue().asText())).as(link.toString()).isEqualTo(200);
      }
    });
    Answer bare = http.send("GET", "", "");
    assertThat(bare.status()).isIn(301, 302);
    assertThat(URI.create(service.url()).resolve(bare.header("Location"))).hasToString(service.url() + "/");
  }

  private static int found(String url) {
    try {
      return http.send("GET", url.substring(service.url().length()), "").status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program in the documentation, word for word but for the address of the service. */
  @Test
  void theExampleInPythonRuns() throws Exception {
    assumeTrue(Programs.runs("python3", "-c", ""), "there is no python3");
    String program = Files.readString(Path.of("..", "docs", "examples", "names.py"));
    assertThat(program).contains("http://127.0.0.1:8080/rns/names");
    String said = Programs.run(temporary, "python3", "-c", program.replace("http://127.0.0.1:8080/rns", service.url()));
    assertThat(said).isEqualTo("/python/home https://www.python.org/\n");
  }

  /** {@code /watch} is left out: its answers do not end. */
  @Tag("slow")
  @Test
  void theServiceDoesWhatItsOpenApiDocumentSays() throws Exception {
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
    String program = cache + "/rns/schemathesis/bin/st";
    assumeTrue(Programs.runs(program, "--version"),
        "there is no schemathesis; src/test/foreign/schemathesis.sh gets it");
    String config = Path.of("src/test/foreign/schemathesis.toml").toAbsolutePath().toString();
    String said =
        Programs.run(
            temporary, program, "--config-file", config, "run", service.url() + "/openapi.json", "--url", service.url(),
            "--exclude-path",
            "/watch", "--phases", "coverage,fuzzing,stateful", "--mode", "all",
            "--max-examples", EXAMPLES, "--generation-deterministic", "--workers", "1", "--request-timeout", "60",
            "--warnings", "off", "--no-color");
    assertThat(said).contains("No issues found");
  }
}
