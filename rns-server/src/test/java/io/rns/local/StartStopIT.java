package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients that never pause get from servers that start, crash and stop: no name that exists is ever denied. */
@Tag("slow")
@Tag("long")
class StartStopIT {
  private final List<String> progress = new CopyOnWriteArrayList<>();

  @TempDir private Path temporary;

  @Test
  void aSingleServerAnswersRightOrLaterWhileItStartsAndStops() throws Exception {
    String url;
    String position;
    try (LocalService first = LocalService.start(settings(0), progress::add)) {
      url = first.url();
      position = added(url);
    }
    try (Hammer hammer = new Hammer(List.of(url), position)) {
      try (LocalService second = LocalService.start(settings(URI.create(url).getPort()), progress::add)) {
        assertThat(second.url()).isEqualTo(url);
        hammer.awaitRightAnswers();
      }
      assertThat(hammer.wrong()).isEmpty();
    }
  }

  @Test
  void aGroupAnswersRightOrLaterWhileItsServersCrashStartAndStop() throws Exception {
    LocalGroup.Settings settings =
        new LocalGroup.Settings(
            temporary.resolve("group"), GroupPorts.ANY, 1, 1, "256m", "64M", LocalInstallation.find().war(), null,
            LocalDatabases.EMBEDDED);
    LocalGroup group = LocalGroup.start(settings, progress::add);
    try {
      List<String> urls = group.members().stream().map(MemberProcesses::url).toList();
      try (Hammer hammer = new Hammer(urls, added(group.url()))) {
        hammer.awaitRightAnswers();
        group.members().forEach(member -> member.glassFish().kill());
        Eventually.holds("server-1 is back", () -> progress.contains("server-1: GlassFish is back"));
        Eventually.holds("server-2 is back", () -> progress.contains("server-2: GlassFish is back"));
        hammer.awaitRightAnswers();
        group.close();
        assertThat(hammer.wrong()).isEmpty();
      }
    } finally {
      group.close();
    }
  }

  private LocalService.Settings settings(int port) {
    return new LocalService.Settings(temporary.resolve("single"), port, "256m", "64M", LocalInstallation.find().war(),
        null);
  }

  /** Adds what the loops ask for, and returns its position. */
  private static String added(String url) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(put(url).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      return answer.headers().firstValue("RNS-Position").orElseThrow();
    }
  }

  private static HttpRequest.Builder put(String url) {
    return HttpRequest.newBuilder(URI.create(url + "/names/kept"))
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString("{\"references\":[\"urn:kept\"]}"));
  }

  /** Reads with and without a position, by REST and SOAP, and writes, at each server. */
  private static final class Hammer implements AutoCloseable {
    private final List<TightLoop> loops = new ArrayList<>();

    Hammer(List<String> urls, String position) {
      for (String url : urls) {
        HttpRequest.Builder read = HttpRequest.newBuilder(URI.create(url + "/names/kept"));
        loops.add(new TightLoop(read.copy(), Hammer::isKept));
        loops.add(new TightLoop(read.header("RNS-Position", position), Hammer::isKept));
        loops.add(new TightLoop(put(url), Hammer::isKept));
        HttpRequest.Builder query =
            HttpRequest.newBuilder(URI.create(url + "/services/rns/kept"))
                .header("Content-Type", "text/xml")
                .POST(BodyPublishers.ofString(HostileMessages.message("", "<r:query/>")));
        loops.add(new TightLoop(query, answer -> answer.statusCode() == 200 && answer.body().contains("urn:kept")));
      }
    }

    private static boolean isKept(HttpResponse<String> answer) {
      return answer.statusCode() == 200 && answer.body().contains("\"urn:kept\"");
    }

    /** Waits until each loop has got one more right answer. */
    void awaitRightAnswers() {
      List<Integer> before = loops.stream().map(TightLoop::right).toList();
      for (int i = 0; i < loops.size(); i++) {
        TightLoop loop = loops.get(i);
        int known = before.get(i);
        Eventually.holds("right answers", () -> loop.right() > known);
      }
    }

    Set<String> wrong() {
      Set<String> wrong = new TreeSet<>();
      loops.forEach(loop -> wrong.addAll(loop.wrong()));
      return wrong;
    }

    @Override
    public void close() {
      loops.forEach(TightLoop::close);
    }
  }
}
