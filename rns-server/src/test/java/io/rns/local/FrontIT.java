package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
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
