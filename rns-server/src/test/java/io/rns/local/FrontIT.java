package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.AddRequest;
import io.rns.api.CallContext;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.Selection;
import io.rns.client.TreeWalk;
import io.rns.client.watch.ChangeStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service behind a front: the same responses as of the server, migration, and the return of a killed front. */
class FrontIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int WRITERS = 4;
  private static final int CRASHES = 3;

  @TempDir private static Path temporary;
  private static LocalService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary), new FrontPorts(2, 0), line -> {});
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
    JsonNode before = counters(0);
    assertThat(answer(request(front().url(), "/names").build())).startsWith("200 ");
    assertThat(get(front().url() + "/names?subtree", "RNS-Direct", "accept").statusCode()).isEqualTo(307);
    JsonNode after = counters(0);
    assertThat(after.path("url").asText()).isEqualTo(front().url());
    assertThat(after.path("requests").asLong()).isEqualTo(before.path("requests").asLong() + 2);
    assertThat(after.path("direct").asLong()).isEqualTo(before.path("direct").asLong() + 1);
    assertThat(CommandErrors.run(new FrontCommand(), "ls", "--data", temporary.toString())).isZero();
    assertThat(CommandErrors.run(new FrontCommand(), "ls", "--json", "--data", temporary.toString())).isZero();
  }

  @Test
  void sayingThatItRunsUpSaysHowItsFrontsAreUpgraded() {
    assertThatThrownBy(() -> Supervisor.requireNoneOn(DataDirectory.create(temporary)))
        .hasMessageEndingWith("upgrade its fronts without stopping it with: ./rns front migrate --data "
            + DataDirectory.create(temporary).root());
  }

  private static JsonNode counters(int front) {
    return FrontCalls.ask(LocalFronts.control(DataDirectory.create(temporary)), "ls", Duration.ofSeconds(5))
        .path("fronts").path(front);
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

  /** A write that was made twice would be two changes, or be answered with EXISTS. */
  @Test
  void everyConfirmedWriteIsMadeOnceThroughCrashesOfTheFront() throws Exception {
    Queue<String> confirmed = new ConcurrentLinkedQueue<>();
    AtomicBoolean over = new AtomicBoolean();
    try (RnsConnection alone = RnsClient.builder().server(URI.create(service.url())).build();
        ChangeStream changes =
            ChangeStream.of(URI.create(service.url())).path(RnsPath.parse("/crashes")).open();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      add(alone, "/crashes");
      assertThat(changes.next(BOUND).orElseThrow().path().toString()).isEqualTo("/crashes");
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String prefix = "/crashes/" + i + "-";
        writers.add(threads.submit(() -> write(prefix, confirmed, over)));
      }
      for (int i = 0; i < CRASHES; i++) {
        awaitWrites(confirmed, writers);
        long killed = front().pid();
        assertThat(ProcessHandle.of(killed).orElseThrow().destroyForcibly()).isTrue();
        Eventually.holds("the front is back", () -> front().pid() != killed);
      }
      awaitWrites(confirmed, writers);
      over.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
      add(alone, "/crashes/end");
      List<String> made = new ArrayList<>();
      while (!made.contains("/crashes/end")) {
        made.add(changes.next(BOUND).orElseThrow().path().toString());
      }
      confirmed.add("/crashes/end");
      assertThat(made).as("each change of the log").containsExactlyInAnyOrderElementsOf(confirmed);
    }
  }

  private static void add(RnsConnection names, String path) {
    assertThat(names.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path)))).value().get(0)
        .orThrow().version()).isPositive();
  }

  /** Makes entries through the front, and reads each in the same session. */
  private static void write(String prefix, Queue<String> confirmed, AtomicBoolean over) {
    try (RnsConnection names =
        RnsClient.builder().server(URI.create(front().url())).selection(Selection.NAMED).attempts(10_000)
            .deadline(BOUND).build()) {
      for (int i = 0; !over.get(); i++) {
        String path = prefix + i;
        add(names, path);
        confirmed.add(path);
        assertThat(names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow())
            .as("its own write").isNotNull();
      }
    }
  }

  private static void awaitWrites(Queue<String> confirmed, List<Future<?>> writers) {
    int wanted = confirmed.size() + 5 * WRITERS;
    Eventually.holds("clients write",
        () -> confirmed.size() >= wanted || writers.stream().anyMatch(Future::isDone));
  }

  @Test
  void drainsWhenOpenRequestsAreAnswered() throws Exception {
    RunState.Front drained = state().fronts().getLast();
    JsonNode shown = LocalCommand.json(temporary, service.url(), "status").path("fronts");
    assertThat(shown.findValuesAsText("name")).containsExactly("front-1", "front-2");
    assertThat(shown.path(1).path("url").asText()).isEqualTo(drained.url());
    assertThat(shown.path(1).path("pid").asLong()).isEqualTo(drained.pid());
    URI at = URI.create(drained.url());
    try (Socket open = new Socket(at.getHost(), at.getPort());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long before = counters(1).path("requests").asLong();
      // So large that the front passes it on before it has arrived, and counts it.
      open.getOutputStream()
          .write(("PUT " + at.getPath() + "/names/drained HTTP/1.1\r\nHost: " + at.getAuthority() + "\r\nContent-Type: "
              + "application/json\r\nContent-Length: 100000\r\n\r\n{" + " ".repeat(50_000))
              .getBytes(StandardCharsets.US_ASCII));
      Eventually.holds("the front has the request", () -> counters(1).path("requests").asLong() > before);
      Future<Integer> drain = threads.submit(
          () -> CommandErrors.run(new FrontCommand(), "drain", drained.name(), "--data", temporary.toString()));
      Eventually.holds("the front accepts nobody", () -> {
        try (Socket later = new Socket(at.getHost(), at.getPort())) {
          return !later.isConnected();
        } catch (IOException e) {
          return true;
        }
      });
      open.getOutputStream().write((" ".repeat(49_998) + "}").getBytes(StandardCharsets.US_ASCII));
      String response = new String(open.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(response).startsWith("HTTP/1.1 201 ");
      assertThat(drain.get()).isZero();
    }
    assertThat(ProcessHandle.of(drained.pid()).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThat(state().fronts()).extracting(RunState.Front::name).containsExactly("front-1");
    assertThat(answer(request(front().url(), "/names/drained").build())).startsWith("200 ");
  }
}
