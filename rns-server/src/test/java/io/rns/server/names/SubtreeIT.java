package io.rns.server.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.server.Eventually;
import io.rns.server.SharedService;
import io.rns.server.http.RequestUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subtrees as lines of JSON, from a server in GlassFish. */
class SubtreeIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int DIRECTORIES = 30;
  private static final int JUNCTIONS = 200;
  private static final String ROOT = "/subtree-it-" + System.nanoTime();

  private static SharedService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = SharedService.empty();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (RnsConnection names = RnsClient.builder().server(URI.create(service.url())).build()) {
      for (int i = 0; i < DIRECTORIES; i++) {
        List<NewEntry> entries = new ArrayList<>();
        for (int j = 0; j < JUNCTIONS; j++) {
          Target target = Target.of(ROOT + "/d" + i + "/j " + j);
          NewEntry entry = NewEntry.junction(target, EndpointReference.ofAddress("urn:x:" + j));
          entries.add(j % 2 == 0 ? entry : entry.with(Metadata.of(Map.of("k", "v&" + j % 4))));
        }
        names.add(CallContext.ANONYMOUS, new AddRequest(entries, true, false)).value().forEach(Outcome::orThrow);
      }
    }
  }

  @AfterAll
  static void stop() {
    try (RnsConnection names = RnsClient.builder().server(URI.create(service.url())).build()) {
      names.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of(ROOT))));
    }
    http.close();
  }

  private static HttpResponse<String> get(String query) throws Exception {
    URI uri = URI.create(service.url() + "/names" + ROOT + query);
    return http.send(HttpRequest.newBuilder(uri).timeout(BOUND).build(), BodyHandlers.ofString());
  }

  private static List<JsonNode> lines(String query) throws Exception {
    HttpResponse<String> response = get(query);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/x-ndjson");
    assertThat(response.headers().firstValue("RNS-Position")).isPresent();
    assertThat(response.body()).endsWith("\n");
    List<JsonNode> lines = new ArrayList<>();
    for (String line : response.body().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  private static List<String> paths(List<JsonNode> lines) {
    return lines.stream().filter(line -> line.has("path")).map(line -> line.path("path").asText()).toList();
  }

  @Test
  void aSubtreeIsOneAnswerWithAnEnd() throws Exception {
    List<JsonNode> lines = lines("?subtree");
    List<String> paths = paths(lines);
    assertThat(paths).hasSize(DIRECTORIES * (JUNCTIONS + 1)).doesNotHaveDuplicates();
    assertThat(paths.stream().map(RnsPath::parse).toList()).isSorted();
    JsonNode end = lines.getLast();
    assertThat(end.path("end").asBoolean()).isTrue();
    assertThat(end.path("entries").asInt()).isEqualTo(paths.size());
    assertThat(end.path("position").asText()).isNotEmpty();
    JsonNode one = lines.stream().filter(line -> line.path("path").asText().endsWith("/j 1")).findFirst().orElseThrow();
    ((com.fasterxml.jackson.databind.node.ObjectNode) one).remove(List.of("last", "parent"));
    HttpResponse<String> entry = http.send(
        HttpRequest.newBuilder(
            URI.create(service.url() + "/names" + RequestUrl.encoded(RnsPath.parse(one.path("path").asText()))))
            .build(),
        BodyHandlers.ofString());
    assertThat(one).isEqualTo(new ObjectMapper().readTree(entry.body()));
  }

  @Test
  void parametersChooseEntriesAndWhereToBegin() throws Exception {
    assertThat(paths(lines("?subtree&depth=1"))).hasSize(DIRECTORIES);
    assertThat(paths(lines("?subtree&kind=directory&pattern=*1"))).containsExactly(ROOT + "/d1", ROOT + "/d11",
        ROOT + "/d21");
    List<JsonNode> some = lines("?subtree&kind=junction&meta=k=v%261&pattern=j+1?");
    assertThat(paths(some)).hasSize(2 * DIRECTORIES).contains(ROOT + "/d0/j 13", ROOT + "/d0/j 17");
    assertThat(some.getLast().path("visited").asInt()).isEqualTo(DIRECTORIES * (JUNCTIONS + 1));
    List<String> all = paths(lines("?subtree&order=lines"));
    assertThat(paths(lines("?subtree&order=lines&after=" + RequestUrl.encoded(RnsPath.parse(all.get(100))))))
        .isEqualTo(all.subList(101, all.size()));
    assertThat(get("?subtree&after=" + ROOT + "/d9/").body().lines().count()).isEqualTo(JUNCTIONS + 1);
  }

  @Test
  void badParametersAreRefusedAsElsewhere() throws Exception {
    for (String query : List.of("?subtree&depth=0", "?subtree&depth=x", "?subtree&kind=x", "?subtree&order=up",
        "?subtree&meta=x", "?subtree&after=/elsewhere", "?subtree&after=x", "?subtree&list", "?access&depth=x",
        "?access&kind=x")) {
      HttpResponse<String> refused = get(query);
      assertThat(refused.statusCode()).as(query + " " + refused.body()).isEqualTo(400);
      assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
    }
    assertThat(get("?subtree&depth=1025").statusCode()).isEqualTo(413);
    assertThat(get("/none?subtree").statusCode()).isEqualTo(404);
    assertThat(get("/d1/j%201?subtree").statusCode()).isEqualTo(409);
  }

  private long busyConnections() throws Exception {
    HttpResponse<String> status =
        http.send(HttpRequest.newBuilder(URI.create(service.url() + "/status")).build(), BodyHandlers.ofString());
    JsonNode statistics = new ObjectMapper().readTree(status.body()).path("servers").path(0).path("statistics");
    return statistics.path("readConnectionsInUse").asLong() + statistics.path("requestBytes").asLong();
  }

  /** A client that does not read holds neither a connection to the database nor, when it is gone, anything else. */
  @Test
  void readersThatDoNotReadOrGoAwayHoldNothing() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        URI uri = URI.create(service.url());
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new java.net.InetSocketAddress(uri.getHost(), uri.getPort()));
        sockets.add(socket);
        socket.getOutputStream().write(
            ("GET " + uri.getPath() + "/names" + ROOT + "?subtree HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
      }
      Eventually.until("no connection to the database is held", BOUND, () -> readConnections() == 0);
      assertThat(lines("?subtree&depth=1")).hasSize(DIRECTORIES + 1);
    } finally {
      for (Socket socket : sockets) {
        close(socket);
      }
    }
    Eventually.until("what they held is given back", BOUND, () -> busyConnections() == 0);
  }

  private long readConnections() throws Exception {
    HttpResponse<String> status =
        http.send(HttpRequest.newBuilder(URI.create(service.url() + "/status")).build(), BodyHandlers.ofString());
    return new ObjectMapper().readTree(status.body()).path("servers").path(0).path("statistics")
        .path("readConnectionsInUse").asLong();
  }

  private static void close(Socket socket) throws IOException {
    socket.close();
  }
}
