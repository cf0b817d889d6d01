package io.rns.server.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.RnsClient;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.local.LocalService;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers of the service in GlassFish. */
@Tag("slow")
class WatchIT {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir private static Path temporary;
  private static LocalService service;
  private static URI server;
  private static NameService names;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary.resolve("data")), line -> {});
    server = URI.create(service.url());
    names = RnsClient.builder().server(server).attempts(100).deadline(BOUND.multipliedBy(2)).build();
  }

  @AfterAll
  static void stop() {
    names.close();
    service.close();
  }

  private static void mkdir(String path) {
    names.add(CALL, AddRequest.of(NewEntry.directory(Target.of(path)))).value().get(0).orThrow();
  }

  private static void rename(String path, String name) {
    EntryChange change = EntryChange.rename(Target.of(path), EntryName.of(name));
    names.update(CALL, UpdateRequest.of(change)).value().get(0).orThrow();
  }

  private static Change next(ChangeStream stream) throws InterruptedException {
    return stream.next(BOUND).orElseThrow();
  }

  @Test
  void tellsWhatHappensThereBelowAndAbove() throws Exception {
    mkdir("/one");
    mkdir("/one/two");
    try (ChangeStream stream = ChangeStream.of(server).path(RnsPath.parse("/one/two")).open()) {
      mkdir("/one/elsewhere");
      mkdir("/one/two/three");
      NewEntry link = NewEntry.junction(Target.of("/one/two/four"), EndpointReference.ofAddress("urn:x"));
      long version = names.add(CALL, AddRequest.of(link)).value().get(0).orThrow().version();
      rename("/one/two/four", "f\u00fcnf & \"6\"");
      rename("/one/two/three", "sieben");
      names.remove(CALL, RemoveRequest.of(Removal.of(Target.of("/one/two/sieben"))));
      rename("/one", "eins");
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        changes.add(next(stream));
      }
      assertThat(changes)
          .extracting(
              change -> change.kind() + " " + change.oldPath().map(RnsPath::toString).orElse("") + " " + change.path())
          .containsExactly(
              "ADDED  /one/two/three",
              "ADDED  /one/two/four",
              "MOVED /one/two/four /one/two/f\u00fcnf & \"6\"",
              "MOVED /one/two/three /one/two/sieben",
              "REMOVED  /one/two/sieben",
              "MOVED /one /eins");
      assertThat(changes.get(1).position().sequence()).isEqualTo(version);
      assertThat(stream.position()).isEqualTo(changes.get(5).position());
      assertThat(stream.next(Duration.ofMillis(10))).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void goesOnWithoutGapOrDuplicateOverRestartsOfTheService() throws Exception {
    mkdir("/restarts");
    AtomicBoolean stop = new AtomicBoolean();
    try (ChangeStream stream = ChangeStream.of(server).path(RnsPath.parse("/restarts")).open();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Integer> writer =
          threads.submit(
              () -> {
                int made = 0;
                while (!stop.get()) {
                  mkdir("/restarts/" + made++);
                }
                return made;
              });
      try {
        int seen = 0;
        for (int restart = 0; restart < 2; restart++) {
          for (int i = 0; i < 50; i++) {
            assertThat(next(stream).path()).isEqualTo(RnsPath.parse("/restarts/" + seen++));
          }
          int port = server.getPort();
          service.close();
          LocalService.Settings settings = LocalService.Settings.in(temporary.resolve("data"));
          service =
              LocalService.start(
                  new LocalService.Settings(
                      settings.data(), port, settings.heap(), settings.bufferPool(), settings.war(), null),
                  line -> {});
        }
        assertThat(next(stream).path()).isEqualTo(RnsPath.parse("/restarts/" + seen++));
        stop.set(true);
        int made = writer.get();
        while (seen < made) {
          assertThat(next(stream).path()).isEqualTo(RnsPath.parse("/restarts/" + seen++));
        }
      } finally {
        stop.set(true);
      }
    }
  }

  @Test
  void oneThatDoesNotReadHoldsNobodyUpAndMissesNothing() throws Exception {
    mkdir("/slow");
    String padding = "x".repeat(900);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
        ChangeStream other = ChangeStream.of(server).path(RnsPath.parse("/slow")).open()) {
      Position start = other.position();
      // Of HTTP/1.0, so that no chunks come between the lines.
      String request = "GET /rns/watch?path=/slow&from=" + start + " HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      int made = 0;
      for (int batch = 0; batch < 40; batch++) {
        List<NewEntry> entries = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          entries.add(NewEntry.directory(Target.of("/slow/" + padding + made++)));
        }
        names.add(CALL, new AddRequest(entries, false, false));
      }
      for (int i = 0; i < made; i++) {
        assertThat(next(other).path().name().toString()).isEqualTo(padding + i);
      }
      // What it has read when it is cut off, or all: in order from the start.
      socket.setSoTimeout((int) BOUND.toMillis());
      int read = 0;
      BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      for (String line = lines.readLine(); line != null && read < made; line = lines.readLine()) {
        if (line.startsWith("id: ") && lines.readLine().equals("event: added")) {
          assertThat(line).isEqualTo("id: " + start.group() + "-" + start.epoch() + "-" + (start.sequence() + ++read));
        }
      }
      assertThat(read).isPositive();
    }
  }

  private static HttpResponse<String> get(HttpClient http, String query, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + "/watch" + query));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void watchersThatWereToldMuchLeaveTheirTurnsToOthers() throws Exception {
    mkdir("/much");
    Position from = names.query(CALL, QueryRequest.of(Target.of("/much"))).position();
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      entries.add(NewEntry.junction(Target.of("/much/" + "x".repeat(100) + i), EndpointReference.ofAddress("urn:x")));
    }
    names.add(CALL, new AddRequest(entries, true, false)).value().forEach(Outcome::orThrow);
    List<Socket> watchers = new ArrayList<>();
    try {
      // More than take turns.
      for (int i = 0; i <= 4 * Runtime.getRuntime().availableProcessors(); i++) {
        Socket watcher = new Socket(server.getHost(), server.getPort());
        watchers.add(watcher);
        watcher.setSoTimeout((int) BOUND.toMillis());
        String request = "GET /rns/watch?path=/much&from=" + from + " HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
        watcher.getOutputStream().write(request.getBytes(UTF_8));
        assertThat(watcher.getInputStream().readNBytes(100_000)).hasSize(100_000);
      }
      long begun = System.nanoTime();
      ListRequest whole = new ListRequest(Target.of("/much"), 1_000, Optional.empty(), Optional.empty());
      assertThat(names.list(CALL, whole).value().orThrow().entries()).hasSize(1_000);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    } finally {
      for (Socket watcher : watchers) {
        watcher.close();
      }
    }
  }

  @Test
  void badRequestsGetAClearAnswer() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String bad : List.of("?path=relative", "?path=/a//b", "?from=yesterday", "?from=0-99999-99999999999",
          "?from=7-0-1")) {
        HttpResponse<String> answer = get(http, bad);
        assertThat(answer.statusCode()).as(bad).isEqualTo(400);
        assertThat(answer.body()).as(bad).contains("\"code\":", "\"message\":");
      }
      assertThat(get(http, "?path=/", "Last-Event-ID", "nonsense").statusCode()).isEqualTo(400);
      assertThat(get(http, "?path=/" + "a".repeat(3_000)).body()).contains("1024 bytes");
    }
    assertThatThrownBy(() -> ChangeStream.of(server).from(new Position(0, 99_999, 99_999_999_999L)).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining("has not been reached");
    assertThatThrownBy(() -> ChangeStream.of(server).from(new Position(0, 0, 99_999_999_999L)).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR));
    assertThatThrownBy(() -> ChangeStream.of(URI.create("http://127.0.0.1:1/rns")).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("cannot watch http://127.0.0.1:1/rns");
  }

  @Test
  void aHundredWatchersAllSeeTheSame() throws Exception {
    mkdir("/many");
    List<ChangeStream> streams = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        streams.add(ChangeStream.of(server).path(RnsPath.parse("/many")).open());
      }
      for (int i = 0; i < 20; i++) {
        mkdir("/many/" + i);
      }
      for (ChangeStream stream : streams) {
        for (int i = 0; i < 20; i++) {
          assertThat(next(stream).path()).isEqualTo(RnsPath.parse("/many/" + i));
        }
      }
    } finally {
      streams.forEach(ChangeStream::close);
    }
    Optional<Change> none;
    try (ChangeStream again = ChangeStream.of(server).path(RnsPath.parse("/many")).open()) {
      none = again.next(Duration.ofMillis(1));
    }
    assertThat(none).isEmpty();
  }
}
