package io.rns.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
  private static final String CHUNKS = "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
  private static final String NEXT = "GET /rns/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private GuardedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new GuardedServer(4, Duration.ofSeconds(30), tls());
  }

  /** What it serves HTTPS with; null for plain HTTP. */
  GuardedServer.@Nullable Tls tls() {
    return null;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void passesPathsBelowAContext() throws IOException {
    assertThat(get("/rns/a%20b?x=y")).startsWith("HTTP/1.1 200 ").endsWith("took /rns/a b ");
    assertThat(server.send("POST /rns/a HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n" + CHUNKS))
        .endsWith("took /rns/a body");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "/", "/__asadmin/version", "/management/domain", "/rnsx", "/rns;x/y", "/rns/../__asadmin/version",
      "/rns/%2e%2e/management", "/rns/names/a/..", "/rns/a/b/../..", "//__asadmin/version", "/rns/%2e%2E;x/a%5C",
      "/rns/../__asadmin/%zz", "rns/x",
      "/__asadmin/%2F/rns/"
  })
  void answersEverythingElseWithAnEmptyBody(String path) throws IOException {
    for (String method : List.of("GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "MERGE")) {
      String answer = server.send(method + " " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(answer).startsWith("HTTP/1.1 404 ").endsWith("\r\n\r\n");
    }
    assertThat(server.reached).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rns/a%2Fb", "/rns/a%5Cb", "/rns/%00", "/rns/%zz", "/rns/%", "/rns/a%2",
      "/rns/..%2f__asadmin"})
  void passesUndecodablePathsAsSent(String path) throws IOException {
    assertThat(get(path)).startsWith("HTTP/1.1 200 ").endsWith("took " + path + " ");
    assertThat(server.reached).containsExactly("GET " + path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rns/services/rns/a%5Cb", "/rns//services/rns/a%2Fb", "/rns/services/%zz"})
  void refusesUndecodableSoapPathsWithAFault(String path) throws IOException {
    assertThat(get(path))
        .startsWith("HTTP/1.1 400 ")
        .contains("Content-Type: text/xml;charset=utf-8\r\n", "<faultcode>s:Client</faultcode>", ">MALFORMED_MESSAGE<");
    assertThat(server.send(
        "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/soap+xml\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("Content-Type: application/soap+xml;charset=utf-8\r\n", "<s:Value>s:Sender</s:Value>",
            ">MALFORMED_MESSAGE<");
    assertThat(server.reached).isEmpty();
  }

  @Test
  void refusesSoapMessagesWithFaultsEvenWhileUndeployed() throws IOException {
    assertThat(server.send("POST /rns/services/rns HTTP/1.1\r\nHost:\r\n\r\n")).startsWith("HTTP/1.1 400 ")
        .contains("<s:Fault>");
    server.availability.close();
    assertThat(get("/rns/services/rns")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1",
        "<faultcode>s:Server</faultcode>", ">UNAVAILABLE<");
    assertThat(get("/rns/servicesx")).startsWith("HTTP/1.1 503 ").contains("application/problem+json");
  }

  @Test
  void redirectsTheContextRootWithoutAHost() throws IOException {
    assertThat(get("/rns")).startsWith("HTTP/1.1 301 ").contains("Location: /rns/\r\n").endsWith("\r\n\r\n");
    assertThat(get("//rns")).contains("Location: /rns/\r\n");
    assertThat(server.send("TRACE /rns/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 404 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "Host: a\r\nContent-Length: 4\r\n" + CHUNKS,
      "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: chunkedx\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: chunked\r\n" + CHUNKS,
      "Host: a\r\nTransfer-Encoding: identity\r\n\r\n",
      "Host: a\r\nContent-Length: +4\r\n\r\nbody",
      "Host: a\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
      "Host: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
      "Host:\r\n\r\n",
      "Host: a\r\nHost: b\r\n\r\n",
      "\r\n"
  })
  void refusesAmbiguousFramingAndCloses(String head) throws IOException {
    String answer = server.send("PUT /rns/a HTTP/1.1\r\n" + head + NEXT);
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Connection: close").doesNotContain("<html");
    assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(server.reached).isEmpty();
  }

  @Test
  void neverTakesABodyForTheNextRequest() throws IOException {
    String body = "GET /rns/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    String rest = " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body + NEXT;
    assertThat(server.send("TRACE /rns/a" + rest)).startsWith("HTTP/1.1 404 ").contains("Connection: close")
        .doesNotContain("took");
    assertThat(server.send("POST /elsewhere" + rest)).startsWith("HTTP/1.1 404 ").endsWith("took /rns/next ");
    assertThat(server.reached).containsExactly("GET /rns/next");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "4\r\nbody\r\n0\r\n\r\n",
      "04;name=value;other\r\nbody\r\n0;last\r\n\r\n",
      "2 \r\nbo\r\n2\r\ndy\r\n0\r\nTrailer: a\r\nOther: b\r\n\r\n"
  })
  void readsChunksInPiecesOfAnySize(String chunks) throws IOException {
    String head = "POST /rns/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(server.send(head + chunks + NEXT)).contains("took /rns/a body").endsWith("took /rns/next ");
    try (Socket socket = server.connect()) {
      socket.setTcpNoDelay(true);
      for (byte octet : (head + chunks + NEXT).getBytes(StandardCharsets.ISO_8859_1)) {
        socket.getOutputStream().write(octet);
      }
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answers).contains("took /rns/a body").endsWith("took /rns/next ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "4\nbody\r\n0\r\n\r\n",
      "4\r\nbody\n0\r\n\r\n",
      "4\r\nbodyrest\r\n0\r\n\r\n",
      "4\r\nbody\r\n0\n\n",
      "4\r\nbody\r\n0\r\nTrailer: a\n\r\n",
      "4;a\nb\r\nbody\r\n0\r\n\r\n",
      "\r\n4\r\nbody\r\n0\r\n\r\n",
      "-4\r\nbody\r\n0\r\n\r\n",
      "0x4\r\nbody\r\n0\r\n\r\n",
      "fffffffffffffffff\r\nbody\r\n0\r\n\r\n"
  })
  void refusesAmbiguousChunks(String chunks) throws IOException {
    String answer =
        server.send("POST /rns/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + NEXT);
    assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Connection: close").doesNotContain("took");
    assertThat(server.reached).doesNotContain("GET /rns/next");
  }

  @Test
  void reportsErrorsAsProblemDocuments() throws IOException {
    assertThat(server.send("GET /rns/a HTTP/1.1\r\nHost:\r\n\r\n"))
        .contains("Content-Type: application/problem+json")
        .endsWith(
            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                + "\"detail\":\"exactly one non-empty Host header is required\",\"code\":\"MALFORMED_MESSAGE\","
                + "\"message\":\"exactly one non-empty Host header is required\"}\n");
  }

  @Test
  void ignoresAnUpgrade() throws IOException {
    String upgrade =
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n";
    String answer = server.send("POST /rns/a HTTP/1.1\r\nHost: a\r\n" + upgrade + CHUNKS + NEXT);
    assertThat(answer).contains("took /rns/a body").endsWith("took /rns/next ");
  }

  @Test
  void answers503UntilTheApplicationsRunAndWhenTheyStop() throws IOException {
    server.availability.close();
    assertThat(get("/rns/a")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1")
        .contains("\"code\":\"UNAVAILABLE\"");
    assertThat(server.reached).isEmpty();
    server.availability.open();
    assertThat(get("/rns/a")).startsWith("HTTP/1.1 200 ");
    assertThat(get("/other/a")).as("no application there").startsWith("HTTP/1.1 503 ").doesNotContain("took");
  }

  @Test
  void leavesAResponseAloneThatAnotherThreadFinished() throws IOException {
    assertThat(server.send("GET /rns/later HTTP/1.1\r\nHost: a\r\n\r\n" + NEXT)).contains("later")
        .endsWith("took /rns/next ");
  }

  @Test
  void replacesErrorPagesOfTheContainer() throws IOException {
    assertThat(get("/rns/page"))
        .startsWith("HTTP/1.1 405 ")
        .contains("Allow: GET\r\n", "application/problem+json", "\"status\":405")
        .doesNotContain("GlassFish");
  }

  @Test
  void givesATimeToComeBackWithAnEmptyErrorThatTheContainerCommits() throws IOException {
    assertThat(get("/rns/committed")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
  }

  @Test
  void answers503ForAnEmptyErrorWhileTheApplicationStops() throws IOException {
    assertThat(get("/rns/empty")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1", "\"code\":\"UNAVAILABLE\"");
    assertThat(get("/rns/services/empty")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1", ">UNAVAILABLE<");
    assertThat(get("/rns/stopping")).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1", "\"code\":\"UNAVAILABLE\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rns/names/a", "/rns/services/rns/a"})
  void answers503WithATimeToComeBackOnConnectionsThatWaitWhileTheListenerStops(String path) throws Exception {
    try (Socket held = server.connect(); HttpClient client = server.client()) {
      held.getOutputStream().write("GET /rns/held HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      until("the held request arrives", () -> server.reached.contains("GET /rns/held"));
      URI uri = server.uri(path);
      HttpRequest request = HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);

      Future<?> stopped = server.beginStop();

      until("requests on the connection that waits are refused", () -> {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
          return false;
        }
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body()).contains("UNAVAILABLE").doesNotContain("html");
        return true;
      });
      server.release();
      stopped.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void closesConnectionsBeyondTheLimitAndServesTheOthers() throws IOException {
    try (Socket one = server.connect();
        Socket two = server.connect();
        Socket three = server.connect();
        Socket four = server.connect()) {
      for (Socket socket : List.of(one, two, three, four)) {
        socket.getOutputStream().write("GET /rns/a HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
      }
      // Closed before TLS begins, too.
      try (Socket five = server.connectPlainly()) {
        assertThat(five.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void takesItsSettingsFromProperties() {
    assertThat(Settings.from(name -> null)).isEqualTo(
        new Settings(List.of("/rns"), 4096, Duration.ofSeconds(30), Optional.empty(), false));
    Map<String, String> given =
        Map.of(Settings.CONTEXTS, "/rns, /shop", Settings.CONNECTIONS, "1", Settings.HEAD_SECONDS, "7");
    assertThat(Settings.from(given::get)).isEqualTo(
        new Settings(List.of("/rns", "/shop"), 1, Duration.ofSeconds(7), Optional.empty(), false));
    assertThatThrownBy(() -> Settings.from(Map.of(Settings.CONTEXTS, "/")::get))
        .hasMessageContaining("rns.guard.contexts has '/'");
    assertThatThrownBy(() -> Settings.from(Map.of(Settings.CONNECTIONS, "0")::get)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> Settings.from(Map.of(Settings.HEAD_SECONDS, "0")::get))
        .hasMessageContaining("rns.guard.head-seconds must be at least 1");
    assertThat(Settings.from(Map.of(Settings.CERTIFICATE, "/c", Settings.KEY, "/k")::get).tls())
        .contains(new Settings.PemFiles(Path.of("/c"), Path.of("/k")));
    assertThatThrownBy(() -> Settings.from(Map.of(Settings.KEY, "/k")::get)).hasMessageContaining("both or neither");
    assertThat(Settings.from(Map.of(Settings.CLIENT_CERTIFICATES, "ask")::get).clientChains()).isTrue();
    assertThatThrownBy(() -> Settings.from(Map.of(Settings.CLIENT_CERTIFICATES, "need")::get))
        .hasMessageContaining("rns.guard.client-certificates is 'need'");
  }

  private String get(String path) throws IOException {
    return server.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  }

  @Test
  void removesClosedConnections() throws Exception {
    for (int i = 0; i < 50; i++) {
      try (Socket socket = server.connect()) {
        socket.getOutputStream().write("GET /rns/a HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      get("/rns/a");
    }
    // Grizzly itself would keep them for 30 s.
    until("closed connections are removed", () -> server.waiting().isEmpty());
  }

  private static void until(String what, Callable<Boolean> holds) throws Exception {
    long bound = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (!holds.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(bound);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
