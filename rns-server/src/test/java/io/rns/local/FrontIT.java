package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.Selection;
import io.rns.client.TreeWalk;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service behind a front: the same responses as of the server, migration, and the return of a killed front. */
class FrontIT {
  @TempDir private static Path temporary;
  private static LocalService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary), new FrontPorts(1, 0), line -> {});
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    RunState state = state();
    http.close();
    service.close();
    assertThat(state.processes()).extracting(ProcessIdentity::name).contains("front-1");
    assertThat(state.processes()).filteredOn(ProcessIdentity::isAlive).extracting(ProcessIdentity::name)
        .containsExactly("supervisor");
  }

  private static RunState state() {
    return RunState.read(temporary.resolve("run.json")).orElseThrow();
  }

  private static RunState.Front front() {
    return state().fronts().getFirst();
  }

  private static HttpRequest.Builder request(String base, String path) {
    return HttpRequest.newBuilder(URI.create(base + path));
  }

  private static String answer(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return response.statusCode() + " " + response.headers().firstValue("Content-Type").orElse("") + "\n"
        + response.body();
  }

  /** The response through the front and of the server itself, at the same address. */
  private static void same(String path, String message) throws IOException, InterruptedException {
    List<String> answers = new ArrayList<>();
    for (String base : List.of(front().url(), service.url())) {
      HttpRequest.Builder request = request(base, path);
      if (!message.isEmpty()) {
        request.header("Content-Type", "text/xml; charset=utf-8").POST(BodyPublishers.ofString(message));
      }
      answers.add(answer(request.build()).replace(base, "BASE").replaceAll("<(\\w+:)Timestamp>[^<]*", "<$1Timestamp>"));
    }
    assertThat(answers.getFirst()).as(path + " " + message).isEqualTo(answers.getLast());
  }

  @Test
  void answersAsTheServerDoes() throws Exception {
    assertThat(answer(request(front().url(), "/names/data/measurements.csv?parents")
        .PUT(BodyPublishers.ofString("{\"references\":[\"https://a.example/\"]}")).build())).startsWith("201 ");
    for (String path : List.of("/names/data", "/names/data?list", "/names/none", "/names/data?subtree",
        "/services/rns?wsdl",
        "/openapi.json", "/nothing", "/names/a%2Fb")) {
      same(path, "");
    }
    try (Stream<Path> messages = Files.list(Path.of("../docs/messages"))) {
      for (Path message : messages
          .filter(file -> file.toString().matches(".*(query|list|lookup|property|fault).*-request.xml")).sorted()
          .toList()) {
        same("/services/rns", Files.readString(message));
      }
    }
    same("/services/rns", "no XML");
  }

  private static HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
  }

  private static String location(String path) throws IOException, InterruptedException {
    HttpResponse<String> sent = get(front().url() + path, "RNS-Direct", "accept");
    assertThat(sent.statusCode()).isEqualTo(307);
    String location = sent.headers().firstValue("Location").orElseThrow();
    assertThat(location).startsWith(service.url() + path + "&direct-ticket=");
    return location;
  }

  @Test
  void aClientFetchesALargeResponseFromTheServerOnce() throws Exception {
    assertThat(answer(request(front().url(), "/names/direct/a%20b?parents").PUT(BodyPublishers.ofString("{}")).build()))
        .startsWith("201 ");
    for (String path : List.of("/names?subtree", "/names/direct?list&size=1", "/names/%64irect;x?list",
        "/names/none?subtree", "/names/direct?subtree&depth=x")) {
      String location = location(path);
      HttpResponse<String> direct = get(location);
      HttpResponse<String> through = get(front().url() + path);
      assertThat(direct.statusCode()).isEqualTo(through.statusCode());
      assertThat(direct.body()).isEqualTo(through.body());
      HttpResponse<String> again = get(location);
      assertThat(again.statusCode()).isEqualTo(401);
      assertThat(again.body()).contains("the direct ticket was used before");
    }
    String location = location("/names?subtree");
    for (String wrong : List.of(location.replace("?subtree", "?list"), location.replace("/names", "/status"),
        location.substring(0, location.length() - 1), location + "0", location + "&x=y",
        service.url() + "/names?direct-ticket=x")) {
      HttpResponse<String> refused = get(wrong);
      assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
      assertThat(refused.body()).contains("NOT_AUTHENTICATED", "not made by a front");
    }
    HttpResponse<String> named = get(location, "Authorization", "Basic eDp5");
    assertThat(named.body()).contains("a request without Authorization header");
    assertThat(get(location).statusCode()).as("none of these has used it").isEqualTo(200);
  }

  @Test
  void aWalkThroughAFrontReadsFromTheServer() throws Exception {
    assertThat(answer(request(front().url(), "/names/walked/by/a/client?parents").PUT(BodyPublishers.ofString("{}"))
        .build())).startsWith("201 ");
    long before = sentOn();
    try (RnsConnection names =
        RnsClient.builder().server(URI.create(front().url())).selection(Selection.NAMED).build();
        TreeWalk walk = TreeWalk.of(names, Target.of("/walked")).open()) {
      assertThat(walk.stream().map(visit -> visit.path().toString()))
          .containsExactly("/walked/by", "/walked/by/a", "/walked/by/a/client");
    }
    assertThat(sentOn()).isEqualTo(before + 1);
  }

  /** How many clients the front has sent to the server. */
  private static long sentOn() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      // A killed front has left its own.
      Path newest = files.filter(file -> file.getFileName().toString().matches("front-1\\.\\d+"))
          .max(Comparator.comparing(Path::toString)).orElseThrow();
      return new ObjectMapper().readTree(UnixCalls.ask(newest, "health", Duration.ofSeconds(5)))
          .path("direct").longValue();
    }
  }

  @Test
  void countsWhatItHasDone() throws Exception {
    JsonNode before = counters();
    assertThat(answer(request(front().url(), "/names").build())).startsWith("200 ");
    assertThat(get(front().url() + "/names?subtree", "RNS-Direct", "accept").statusCode()).isEqualTo(307);
    JsonNode after = counters();
    assertThat(after.path("url").asText()).isEqualTo(front().url());
    assertThat(after.path("requests").asLong()).isEqualTo(before.path("requests").asLong() + 2);
    assertThat(after.path("direct").asLong()).isEqualTo(before.path("direct").asLong() + 1);
    assertThat(CommandErrors.run(new FrontCommand(), "ls", "--data", temporary.toString())).isZero();
    assertThat(CommandErrors.run(new FrontCommand(), "ls", "--json", "--data", temporary.toString())).isZero();
  }

  private static JsonNode counters() {
    return FrontCalls.ask(LocalFronts.control(DataDirectory.create(temporary)), "ls", Duration.ofSeconds(5))
        .path("fronts").path(0);
  }

  @Test
  void migratesUnderAWatchAndComesBackAfterACrash() throws Exception {
    try (InputStream events =
        http.send(request(front().url(), "/watch?path=/").build(), BodyHandlers.ofInputStream()).body()) {
      long before = front().pid();
      assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--json", "--data", temporary.toString())).isZero();
      assertThat(front().pid()).isNotEqualTo(before);
      assertThat(ProcessHandle.of(before).map(ProcessHandle::isAlive).orElse(false)).isFalse();
      assertThat(answer(request(front().url(), "/names/watched").PUT(BodyPublishers.ofString("{}")).build()))
          .startsWith("201 ");
      StringBuilder seen = new StringBuilder();
      while (seen.indexOf("/watched") < 0) {
        int octet = events.read();
        assertThat(octet).as(seen.toString()).isNotNegative();
        seen.append((char) octet);
      }
    }
    long killed = front().pid();
    assertThat(ProcessHandle.of(killed).orElseThrow().destroyForcibly()).isTrue();
    Eventually.holds("the front is back", () -> {
      try {
        return front().pid() != killed && answer(request(front().url(), "/names/watched").build()).startsWith("200 ");
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }
}
