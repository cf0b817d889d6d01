package io.rns.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.access.AccessLine;
import io.rns.server.Eventually;
import io.rns.server.SharedService;
import io.rns.wire.HostileMessages;
import io.rns.wire.Namespaces;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The namespace of one server in GlassFish over plain HTTP. */
class NamesIT {
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

  private static Path accessLog() {
    assumeTrue(service.accessLog().isPresent(), "the access log of a service that runs elsewhere is unknown");
    return service.accessLog().orElseThrow();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.url() + "/names" + path)).timeout(Duration.ofSeconds(60));
  }

  private static HttpRequest.Builder put(String path, String body) {
    return request(path).PUT(BodyPublishers.ofString(body));
  }

  private static HttpRequest.Builder patch(String path, String body) {
    return request(path).method("PATCH", BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(int status, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response;
  }

  private static JsonNode ask(int status, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = send(status, request);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith(status < 300 ? "application/json" : "application/problem+json");
    assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    return new ObjectMapper().readTree(response.body());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElseThrow();
  }

  @Test
  void entriesArePutReadChangedMovedAndRemoved() throws Exception {
    JsonNode directory = ask(201, put("/a%20b/inner?parents", "{\"metadata\": {\"lang\": \"en\"}}"));
    assertThat(directory.path("path").asText()).isEqualTo("/a b/inner");
    assertThat(directory.path("kind").asText()).isEqualTo("directory");
    assertThat(directory.path("metadata").path("lang").asText()).isEqualTo("en");
    String xml =
        "<EndpointReference xmlns='http://www.w3.org/2005/08/addressing'><Address>urn:x</Address><Metadata><k xmlns='urn:k'/></Metadata>"
            + "</EndpointReference>";
    String two =
        "{\"references\": [\"http://one.example/\", \"" + xml + "\"], \"metadataXml\": \"<m xmlns='urn:m'/>\"}";
    HttpResponse<String> made = send(201, put("/a%20b/inner/j", two).header("If-None-Match", "*"));
    assertThat(header(made, "Location")).isEqualTo(service.url() + "/names/a%20b/inner/j");
    JsonNode junction = ask(200, request("/a%20b/inner/j"));
    HttpRequest.Builder again = request("/a%20b/inner/j").header("If-None-Match", "\"0\", " + header(made, "ETag"));
    assertThat(send(304, again).body()).isEmpty();
    assertThat(header(send(200, request("/a%20b").header("If-None-Match", "*")), "ETag")).isNotEmpty();
    assertThat(junction).isEqualTo(new ObjectMapper().readTree(made.body()));
    assertThat(junction.path("references").path(0).path("address").asText()).isEqualTo("http://one.example/");
    assertThat(junction.path("references").path(0).has("xml")).isFalse();
    assertThat(junction.path("references").path(1).path("xml").asText()).contains("<k xmlns=\"urn:k\"/>");
    assertThat(junction.path("metadataXml").asText()).contains("urn:m");

    assertThat(ask(412, put("/a%20b/inner/j", two).header("If-None-Match", "*")).path("code").asText())
        .isEqualTo("ENTRY_EXISTS");
    String tag = header(made, "ETag");
    String back = "{\"references\": " + junction.path("references") + "}";
    HttpResponse<String> changed = send(200, patch("/a%20b/inner/j", back).header("If-Match", tag));
    assertThat(header(changed, "ETag")).isNotEqualTo(tag);
    assertThat(new ObjectMapper().readTree(changed.body()).path("references")).isEqualTo(junction.path("references"));
    assertThat(ask(412, patch("/a%20b/inner/j", back).header("If-Match", tag)).path("message").asText())
        .contains("/a b/inner/j", tag.replace("\"", ""));

    assertThat(ask(200, patch("/a%20b/inner/j", "{\"path\": \"/a b/inner/k\"}")).path("path").asText())
        .isEqualTo("/a b/inner/k");
    JsonNode moved = ask(200, patch("/a%20b/inner/k", "{\"path\": \"/moved\", \"metadata\": {}}"));
    assertThat(moved.path("path").asText()).isEqualTo("/moved");
    assertThat(moved.path("id")).isEqualTo(junction.path("id"));
    assertThat(moved.has("metadataXml")).isFalse();
    assertThat(ask(404, request("/a%20b/inner/k")).path("code").asText()).isEqualTo("NO_SUCH_ENTRY");
    assertThat(ask(200, request("/a%20b")).path("entries").asInt()).isEqualTo(1);

    assertThat(ask(409, request("/a%20b").DELETE()).path("code").asText()).isEqualTo("NOT_EMPTY");
    assertThat(ask(200, request("/a%20b?recursive").DELETE()).path("kind").asText()).isEqualTo("directory");
    ask(404, request("/a%20b"));
    assertThat(ask(200, request("/moved").DELETE()).path("id")).isEqualTo(junction.path("id"));
  }

  @Test
  void directoriesAreListedByPages() throws Exception {
    for (int i = 0; i < 5; i++) {
      ask(201, put("/pages/e" + i + "?parents", "{\"references\": [\"urn:" + i + "\"]}"));
    }
    List<String> seen = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = ask(200, request("/pages?list&size=2" + after));
      page.path("entries").forEach(entry -> seen.add(entry.path("path").asText()));
      after = page.has("next") ? "&after=" + page.path("next").asText() : "";
    } while (!after.isEmpty());
    assertThat(seen).containsExactly("/pages/e0", "/pages/e1", "/pages/e2", "/pages/e3", "/pages/e4");
    assertThat(ask(200, request("/pages?list&pattern=*3")).path("entries")).hasSize(1);
    assertThat(ask(409, request("/pages/e1?list")).path("code").asText()).isEqualTo("NOT_DIRECTORY");
    assertThat(ask(200, request("?list")).path("path").asText()).isEqualTo("/");
    assertThat(send(200, request("/pages").method("HEAD", BodyPublishers.noBody())).body()).isEmpty();
  }

  @Test
  void aRepeatedWriteIsAppliedOnceAndPositionsAreTold() throws Exception {
    HttpResponse<String> first =
        send(201, put("/once", "{}").header("RNS-Request-Id", "r-1").header("If-None-Match", "*"));
    HttpResponse<String> again =
        send(201, put("/once", "{}").header("RNS-Request-Id", "r-1").header("If-None-Match", "*"));
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(header(again, "RNS-Position")).matches("0-[0-9]+-[0-9]+");
    HttpResponse<String> read =
        send(200, request("/once").header("RNS-Position", header(again, "RNS-Position")).header("RNS-Consistency",
            "primary"));
    assertThat(header(read, "ETag")).isEqualTo(header(first, "ETag"));
    assertThat(ask(200, request("/once").header("RNS-Referrals", "follow")).path("path").asText()).isEqualTo("/once");
  }

  @Test
  void whatMakesNoSenseIsRefusedByName() throws Exception {
    assertThat(ask(400, put("/bad", "{")).path("message").asText()).contains("not JSON");
    assertThat(ask(400, put("/bad", "{\"metadata\": {\"k\": \"1\", \"k\": \"2\"}}")).path("message").asText())
        .contains("Duplicate", "'k'");
    assertThat(ask(400, put("/bad", "{} {}")).path("message").asText()).contains("not JSON");
    assertThat(ask(400, put("/bad", "{\"references\": " + "[".repeat(100_000))).path("message").asText())
        .contains("depth");
    assertThat(ask(400, put("/bad", "[]")).path("message").asText()).contains("not a JSON object");
    assertThat(ask(400, put("/bad", "{\"refs\": []}")).path("message").asText()).contains("'refs'");
    assertThat(ask(400, put("/bad", "{\"references\": [1]}")).path("message").asText()).contains("'references'");
    assertThat(ask(400, put("/bad", "{\"references\": [\"a b\"]}")).path("message").asText()).contains("a b");
    assertThat(ask(400, put("/bad", "{\"references\": [\"example.org/x\"]}")).path("message").asText())
        .contains("example.org/x", "absolute URI");
    assertThat(ask(400, put("/bad", "{\"metadata\": {\"k\": 1}}")).path("message").asText()).contains("'k'");
    assertThat(ask(400, put("/bad", "{\"metadata\": 1}")).path("message").asText()).contains("'metadata'");
    assertThat(ask(400, put("/bad", "{\"metadataXml\": \"<m>\"}")).path("code").asText())
        .isEqualTo("MALFORMED_MESSAGE");
    assertThat(ask(400, put("/bad", "{}").header("If-Match", "w")).path("message").asText()).contains("If-Match",
        "'w'");
    assertThat(ask(400, put("/bad", "{}").header("If-None-Match", "\"1\"")).path("message").asText())
        .contains("If-None-Match");
    assertThat(ask(400, put("/bad", "{}").header("RNS-Referrals", "yes")).path("message").asText()).contains("'yes'",
        "follow");
    assertThat(ask(400, put("/bad", "{}").header("RNS-Request-Id", "a b")).path("message").asText()).contains("a b");
    assertThat(ask(400, request("/bad").header("RNS-Consistency", "some")).path("message").asText()).contains("'some'");
    assertThat(ask(400, request("/bad").header("RNS-Position", "x")).path("message").asText()).contains("'x'");
    assertThat(ask(400, request("?list&size=x")).path("message").asText()).contains("'x'");
    assertThat(ask(400, request("?list&after=x")).path("code").asText()).isEqualTo("INVALID_CURSOR");
    assertThat(ask(400, patch("/bad", "{}")).path("message").asText()).contains("/bad", "changes nothing");
    assertThat(ask(400, patch("/bad", "{\"path\": \"/\"}")).path("message").asText()).contains("the place of the root");
    assertThat(ask(404, put("/no/parent", "{}")).path("message").asText()).contains("/no/parent");
    assertThat(ask(409, request("").DELETE()).path("code").asText()).isEqualTo("ROOT_IS_FIXED");
    String long64 = "x".repeat(NamesServlet.BODY_BYTES);
    assertThat(ask(413, put("/bad", "{\"metadata\": {\"k\": \"" + long64 + "\"}}")).path("message").asText())
        .contains(Integer.toString(NamesServlet.BODY_BYTES));
    HttpResponse<String> posted = send(405, request("/bad").POST(BodyPublishers.ofString("{}")));
    assertThat(header(posted, "Allow")).contains("PATCH");
    ask(404, request("/bad"));
  }

  private static void soap(String type, String namespace, String headers, String body) throws Exception {
    String message = HostileMessages.message(headers, body).replace(Namespaces.SOAP_11, namespace);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.soapUrl())).timeout(Duration.ofSeconds(60));
    http.send(request.header("Content-Type", type).POST(BodyPublishers.ofString(message)).build(),
        BodyHandlers.ofString());
  }

  /** What the access log has of a directory, one line for each operation, without times and sessions. */
  private static List<String> logged(String directory) throws IOException {
    String text = Files.readString(accessLog());
    // A line may be there in part.
    return text.substring(0, text.lastIndexOf('\n') + 1).lines()
        .filter(line -> !line.startsWith("#"))
        .map(AccessLine::parse)
        .filter(line -> line.path().startsWith(directory))
        .map(line -> String.join(" ", line.operation(), line.path(), line.newPath(), line.outcome()))
        .toList();
  }

  @Test
  void whatIsAskedByAnyWayIsInTheAccessLog() throws Exception {
    Instant begin = Instant.now().minusSeconds(1);
    ask(201, put("/logged/%C3%BC?parents", "{}"));
    ask(201, put("/logged/j", "{\"references\": [\"urn:1\"]}"));
    ask(412, put("/logged/j", "{\"references\": [\"urn:1\"]}").header("If-None-Match", "*"));
    ask(200, request("/logged/j"));
    ask(200, request("/logged?list"));
    ask(200, patch("/logged/j", "{\"references\": [\"urn:2\"]}"));
    ask(200, patch("/logged/j", "{\"path\": \"/logged/k\"}"));
    String at = "<x:Path>/logged</x:Path>";
    String foreign = "<f:foreign xmlns:f='urn:foreign'>1</f:foreign>";
    soap("text/xml", Namespaces.SOAP_11, at, "<r:list><r:entry_name_regexp>k</r:entry_name_regexp></r:list>");
    soap("text/xml", Namespaces.SOAP_11, at + foreign, "<r:query/>");
    soap("application/soap+xml", Namespaces.SOAP_12, at, "<r:query/>");
    soap("text/xml", Namespaces.SOAP_11, at,
        "<n:LookupRequest><n:entry-name>k</n:entry-name><n:entry-name>l</n:entry-name></n:LookupRequest>");
    soap("text/xml", Namespaces.SOAP_11, at, "<n:LookupRequest/>");
    URI watch = URI.create(service.url() + "/watch?path=/logged");
    http.send(HttpRequest.newBuilder(watch).build(), BodyHandlers.ofInputStream()).body().close();
    ask(200, request("/logged/k").DELETE());
    List<String> expected =
        List.of(
            "mkdir /logged/ü  ok",
            "add /logged/j  ok",
            "add /logged/j  ENTRY_EXISTS",
            "query /logged/j  ok",
            "list /logged  ok",
            "update /logged/j  ok",
            "move /logged/j /logged/k ok",
            "list /logged  ok",
            "query /logged  ok",
            "query /logged  ok",
            "query /logged/k  ok",
            "query /logged/l  NO_SUCH_ENTRY",
            "list /logged  ok",
            "watch /logged  ok",
            "remove /logged/k  ok");
    Eventually.until("lines in the access log", Duration.ofSeconds(60),
        () -> logged("/logged").size() >= expected.size());
    assertThat(logged("/logged")).isEqualTo(expected);
    List<String> lines = Files.readAllLines(accessLog());
    assertThat(lines).startsWith(AccessLine.HEADER);
    AccessLine last = AccessLine.parse(lines.get(lines.size() - 1));
    assertThat(last.session()).matches("127\\.0\\.0\\.1:[0-9]+");
    assertThat(last.time()).isBetween(begin, Instant.now().plusSeconds(1));
    HttpRequest status = HttpRequest.newBuilder(URI.create(service.url() + "/status")).build();
    JsonNode told = new ObjectMapper().readTree(http.send(status, BodyHandlers.ofString()).body());
    assertThat(told.path("servers").path(0).path("statistics").path("accessLogDropped").asInt(-1)).isZero();
  }

  @Test
  void theStatusTellsWhereNamesAre() throws Exception {
    HttpRequest status = HttpRequest.newBuilder(URI.create(service.url() + "/status")).build();
    String rest = new ObjectMapper().readTree(http.send(status, BodyHandlers.ofString()).body()).path("rest").asText();
    assertThat(rest).isEqualTo(service.url() + "/names");
    HttpResponse<String> root = http.send(HttpRequest.newBuilder(URI.create(rest)).build(), BodyHandlers.ofString());
    assertThat(root.statusCode()).isEqualTo(200);
  }
}
