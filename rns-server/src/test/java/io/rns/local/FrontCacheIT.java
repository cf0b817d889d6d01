package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.HopStep;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.client.CredentialFile;
import io.rns.identity.FrontReport;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What fronts answer from their cache, with real servers. */
@Tag("slow")
@Timeout(600)
class FrontCacheIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final long AGE_MILLIS = 300;

  @TempDir private static Path temporary;
  private static HttpClient http;

  @BeforeAll
  static void open() {
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void close() {
    http.close();
  }

  private static HttpResponse<String> send(String method, String url, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60))
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode front(Path data) {
    return FrontCalls.ask(LocalFronts.control(DataDirectory.create(data)), "ls", LONG).path("fronts").path(0);
  }

  private static long cached(Path data) {
    return front(data).path("cached").asLong();
  }

  private static HttpResponse<String> any(String url) {
    return send("GET", url, "", "RNS-Consistency", "any");
  }

  /** Has an entry be answered by the cache, and returns that answer. */
  private static HttpResponse<String> warm(Path data, String url) {
    List<HttpResponse<String>> answers = new ArrayList<>();
    Eventually.holds(url + " is answered by the cache", () -> {
      long before = cached(data);
      answers.add(any(url));
      assertThat(answers.getLast().statusCode()).isEqualTo(200);
      return cached(data) > before;
    });
    return answers.getLast();
  }

  private static String same(HttpResponse<String> answer) {
    Map<String, List<String>> headers = new HashMap<>(answer.headers().map());
    headers.keySet()
        .removeAll(List.of("rns-position", "rns-age", "connection", "content-length", "transfer-encoding"));
    return answer.statusCode() + " " + new TreeMap<>(headers) + "\n" + answer.body();
  }

  @Test
  void answersAsTheServerDoesUntilItStandsStill() throws Exception {
    Path data = temporary.resolve("sole");
    try (LocalService service = LocalService.start(LocalService.Settings.in(data), new FrontPorts(1, 0), line -> {})) {
      String url = front(data).path("url").asText();
      String server = service.url();
      assertThat(
          send("PUT", url + "/names/a%20b/%C3%BC?parents", "{\"references\":[\"https://a.example/\"]}").statusCode())
          .isEqualTo(201);
      for (String path : List.of("/names", "/names/a%20b", "/names/a%20b/%C3%BC", "/names//a%20b/", "/names?list",
          "/names/a%20b?list&size=1")) {
        HttpResponse<String> answer = warm(data, url + path);
        assertThat(same(answer)).isEqualTo(same(any(server + path)));
        assertThat(answer.headers().firstValue("RNS-Position")).isPresent();
        assertThat(answer.headers().firstValue("RNS-Shared")).isEmpty();
        assertThat(any(server + path).headers().firstValue("RNS-Shared")).as("only fronts learn it").isEmpty();
      }

      String entry = url + "/names/a%20b/%C3%BC";
      long before = cached(data);
      for (String[] headers : List.of(new String[]{"RNS-Consistency", "primary"}, new String[]{"Accept-Language", "de"},
          new String[]{"RNS-Consistency", "any", "Authorization", "Basic eDp5"},
          new String[]{"RNS-Consistency", "any", "Cookie", "a=b"},
          new String[]{"RNS-Consistency", "any", "If-None-Match", "*"},
          new String[]{"RNS-Consistency", "any", "Origin", "https://x.example"},
          new String[]{"RNS-Consistency", "never"}, new String[]{"RNS-Position", "0-9-1"},
          new String[]{"RNS-Consistency", "any", "RNS-Position", "x"})) {
        assertThat(same(send("GET", entry, "", headers))).isEqualTo(
            same(send("GET", server + "/names/a%20b/%C3%BC", "", headers)));
      }
      assertThat(any(url + "/names/none").statusCode()).isEqualTo(404);
      assertThat(any(url + "/names/none").statusCode()).isEqualTo(404);
      for (String other : List.of("/names?subtree", "/names?access", "/names/a%20b/%C3%BC?list")) {
        assertThat(any(url + other).body()).isEqualTo(any(url + other).body());
      }
      for (int i = 0; i < 2; i++) {
        assertThat(send("GET", url + "/names?list", "", "RNS-Consistency", "any", "RNS-Direct", "accept").statusCode())
            .isEqualTo(307);
      }
      String large = "{\"metadata\":{\"x\":\"" + "y".repeat(140_000) + "\"}}";
      assertThat(send("PUT", url + "/names/large", large).statusCode()).isEqualTo(201);
      assertThat(any(url + "/names/large").body()).isEqualTo(any(url + "/names/large").body()).contains("yyyy");
      assertThat(cached(data)).as("none of these by the cache").isEqualTo(before);

      String written =
          send("PATCH", entry, "{\"metadata\":{\"n\":\"1\"}}").headers().firstValue("RNS-Position").orElseThrow();
      assertThat(send("GET", entry, "", "RNS-Position", written).body()).contains("\"n\":\"1\"");
      Eventually.holds("the cache sees the change", () -> any(entry).body().contains("\"n\":\"1\""));

      HttpResponse<String> kept = warm(data, entry);
      JsonNode stopped = front(data);
      long pid =
          RunState.read(data.resolve("run.json")).orElseThrow().processes().stream()
              .filter(process -> process.name().equals("GlassFish")).findFirst().orElseThrow().pid();
      signal("STOP", pid);
      try {
        long halted = System.nanoTime();
        assertThat(any(entry).body()).as("the front goes on for a moment").isEqualTo(kept.body());
        assertThat(System.nanoTime() - halted).isLessThan(TimeUnit.SECONDS.toNanos(3));
        Eventually.holds("the front has forgotten everything", () -> front(data).path("cachePosition").isMissingNode());
        assertThat(stopped.path("cachePosition").asText()).isNotEmpty();
      } finally {
        signal("CONT", pid);
      }
      assertThat(warm(data, entry).body()).isEqualTo(kept.body());

      assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--json", "--data", data.toString())).isZero();
      long taken = cached(data);
      assertThat(any(entry).body()).isEqualTo(kept.body());
      assertThat(cached(data)).as("the successor has the answer").isEqualTo(taken + 1);
      assertThat(warm(data, entry).body()).isEqualTo(kept.body());
    }
  }

  private static HttpResponse<String> soap(String base, String headers, String query, String... more) {
    return soap(base, headers, "query", query, more);
  }

  private static HttpResponse<String> soap(
      String base, String headers, String operation, String content, String[] more) {
    return send("POST", base + "/services/rns",
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>"
            + headers.replaceAll("<(\\w+)", "<x:$1 xmlns:x='urn:rns:ext:1'").replace("</", "</x:")
            + "</s:Header><s:Body><r:" + operation + " xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'>" + content
            + "</r:" + operation + "></s:Body></s:Envelope>",
        Stream.concat(Stream.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\""), Stream.of(more))
            .toArray(String[]::new));
  }

  private static String message(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.headers().firstValue("Content-Type") + "\n"
        + answer.body().replaceAll("<_x:(Position|Age) xmlns:_x=\"urn:rns:ext:1\">[^<]*</_x:\\1>", "");
  }

  private static String positionOf(HttpResponse<String> answer) {
    return answer.body().replaceAll("(?s).*<_x:Position[^>]*>([^<]*)<.*", "$1");
  }

  @Test
  void answersMessagesAsTheServerDoes() throws Exception {
    Path data = temporary.resolve("messages");
    try (LocalService service = LocalService.start(LocalService.Settings.in(data), new FrontPorts(1, 0), line -> {})) {
      String url = front(data).path("url").asText();
      String server = service.url();
      assertThat(send("PUT", url + "/names/d/e?parents",
          "{\"references\":[\"https://a.example/\"],\"metadata\":{\"n\":\"0\"}}").statusCode()).isEqualTo(201);
      String any = "<Consistency>any</Consistency>";
      String entry = "<r:entry-pattern>/d/e</r:entry-pattern>";
      for (String[] message : List.of(new String[]{any, entry}, new String[]{any + "<Extensions/>", entry},
          new String[]{any + "<Path>/d</Path><Extensions/>", ""}, new String[]{any + "<Path>/d/e</Path>", ""},
          new String[]{any + "<Referrals/><Site>x</Site>", entry},
          new String[]{"<Position>0-1-1</Position><Extensions/>", entry},
          new String[]{"<Position>0-1-1</Position>" + any, "<r:entry-pattern>/d</r:entry-pattern>"})) {
        long before = cached(data);
        List<HttpResponse<String>> answers = new ArrayList<>();
        Eventually.holds(message[0] + message[1] + " is answered by the cache", () -> {
          answers.add(soap(url, message[0], message[1]));
          return cached(data) > before;
        });
        assertThat(answers).allMatch(answer -> answer.headers().firstValue("RNS-Shared").isEmpty());
        assertThat(message(answers.getLast()).replace(url, server))
            .isEqualTo(message(soap(server, message[0], message[1])));
        assertThat(answers.getLast().body()).contains("<_x:Age ");
      }
      long before = cached(data);
      for (String[] message : List.of(new String[]{"", entry}, new String[]{"<Extensions/>", entry},
          new String[]{any + "<Servers/>", entry}, new String[]{any + "<RequestId>1</RequestId>", entry},
          new String[]{any + "<EntryId>0000000000000002</EntryId><Path>/e</Path>", ""},
          new String[]{any, "<r:entry-pattern>/none</r:entry-pattern>"},
          new String[]{"<Consistency>primary</Consistency>", entry},
          new String[]{"<Position>0-1-1</Position><Position>0-1-1</Position>", entry},
          new String[]{"<Position>0-9-1</Position>", entry})) {
        for (int i = 0; i < 2; i++) {
          assertThat(soap(url, message[0], message[1]).statusCode())
              .isEqualTo(soap(server, message[0], message[1]).statusCode());
        }
      }
      String explained = soap(url, any + "<Explain/>", entry).body();
      assertThat(explained).contains("server=\"front-1\"", "role=\"front\"", "<_x:Cache finding=\"held\"/>",
          "<_x:Passed url=\"" + server + "\"", "level=\"2\"", "role=\"primary\"");
      assertThat(soap(url, any + "<Explain/>", "<r:entry-pattern>/none</r:entry-pattern>").body())
          .contains("finding=\"absent\"");
      assertThat(soap(url, "<Explain/>", entry).body()).contains("finding=\"primary\"");
      assertThat(soap(url, any + "<Explain/><RequestId>1</RequestId>", entry).body()).contains("finding=\"absent\"");
      String forged = FrontReport.text("forged", 1, HopStep.Finding.HELD, new HopStep.Passed("u", "r"));
      assertThat(soap(server, any + "<Explain/>", entry, FrontReport.HEADER, forged).body())
          .contains("role=\"primary\"").doesNotContain("forged", "role=\"front\"");
      assertThat(cached(data)).as("none of these by the cache").isEqualTo(before);

      String seen = positionOf(soap(server, any, entry));
      for (int n = 1; n <= 50; n++) {
        HttpResponse<String> written = send("PATCH", url + "/names/d/e", "{\"metadata\":{\"n\":\"" + n + "\"}}");
        String position = written.headers().firstValue("RNS-Position").orElseThrow();
        assertThat(position).isNotEqualTo(seen);
        seen = position;
        for (int i = 0; i < 20; i++) {
          HttpResponse<String> read = soap(url, "<Position>" + seen + "</Position><Extensions/>", entry);
          assertThat(read.body()).contains(">" + n + "<");
          seen = positionOf(read);
        }
      }
      assertThat(cached(data)).as("sessions were answered by the cache").isGreaterThan(before);
      checkLists(data, url, server);
    }
  }

  private static void checkLists(Path data, String url, String server) {
    for (int i = 0; i < 30; i++) {
      assertThat(send("PUT", url + "/names/d/n" + i + "?parents",
          "{\"metadata\":{\"x\":\"" + "y".repeat(3_000) + "\"}}").statusCode()).isEqualTo(201);
    }
    String any = "<Consistency>any</Consistency><Path>/d</Path>";
    for (String headers : List.of(any, any + "<Extensions/>", any + "<Extensions/><Page size='5'/>")) {
      listsAsTheServerDoes(data, server, headers);
    }
    String list = url + "/names/d?list";
    assertThat(warm(data, list).body()).doesNotContain("/d/new");
    String position = send("PUT", url + "/names/d/new", "{}").headers().firstValue("RNS-Position").orElseThrow();
    assertThat(send("GET", list, "", "RNS-Position", position).body()).contains("/d/new");
    long before = cached(data);
    assertThat(send("PUT", url + "/names/d/deeper/x?parents", "{}").statusCode()).isEqualTo(201);
    HttpResponse<String> unused = warm(data, list);
    assertThat(send("PUT", url + "/names/d/deeper/y", "{}").statusCode()).isEqualTo(201);
    assertThat(same(warm(data, list))).as("what is deeper changes nothing")
        .isEqualTo(same(any(server + "/names/d?list")));
    assertThat(cached(data)).isGreaterThan(before);
  }

  private static void listsAsTheServerDoes(Path data, String server, String headers) {
    String url = front(data).path("url").asText();
    List<HttpResponse<String>> answers = new ArrayList<>();
    Eventually.holds(headers + " is answered by the cache", () -> {
      long before = cached(data);
      answers.add(soap(url, headers, "list", "", new String[0]));
      return cached(data) > before;
    });
    assertThat(message(answers.getLast()).replace(url, server))
        .isEqualTo(message(soap(server, headers, "list", "", new String[0])));
    assertThat(answers.getLast().body()).contains("<_x:Age ", "n10");
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor()).isZero();
  }

  @Test
  void rulesDecideAtOnceWhoIsAnswered() throws Exception {
    Path root = temporary.resolve("closed");
    DataDirectory data = DataDirectory.create(root);
    data.secure();
    String administrator = CredentialFile.basic(Files.readString(root.resolve("administrator")).strip());
    try (LocalService service =
        LocalService.start(LocalService.Settings.in(root), new FrontPorts(1, 0), line -> {})) {
      String url = front(root).path("url").asText();
      assertThat(service.url()).isNotEqualTo(url);
      String everyone = rules("<rule subject='anyone' rights='read list'/>");
      assertThat(send("PATCH", url + "/names", everyone, "Authorization", administrator).statusCode()).isEqualTo(200);
      assertThat(
          send("PUT", url + "/names/x/y/z?parents", "{}", "Authorization", administrator).statusCode()).isEqualTo(201);
      assertThat(send("GET", service.url() + "/front/changes?after=0-1-1", "", "Authorization", administrator)
          .statusCode()).as("only the secret of servers opens the log").isEqualTo(403);
      for (int round = 0; round < 5; round++) {
        String entry = url + "/names/x/y/z";
        assertThat(warm(root, entry).statusCode()).isEqualTo(200);
        long before = cached(root);
        assertThat(send("GET", entry, "", "RNS-Consistency", "any", "Authorization", administrator).statusCode())
            .isEqualTo(200);
        assertThat(send("GET", entry, "", "RNS-Consistency", "any", "Authorization", "Basic eDp5").statusCode())
            .isEqualTo(401);
        assertThat(send("GET", entry, "", "RNS-Consistency", "any", "Authorization", "").statusCode())
            .isNotEqualTo(500);
        assertThat(cached(root)).isEqualTo(before);
        String closed = round % 2 == 0 ? "/names/x" : "/names/x/y";
        String position =
            send("PATCH", url + closed, rules(""), "Authorization", administrator).headers()
                .firstValue("RNS-Position").orElseThrow();
        assertThat(send("GET", entry, "", "RNS-Position", position).statusCode()).isEqualTo(401);
        Eventually.holds("nobody else may read it", () -> any(entry).statusCode() == 401);
        assertThat(
            send("PATCH", url + closed, "{\"metadataXml\": \"<access xmlns='urn:rns:ext:1'/>\"}", "Authorization",
                administrator).statusCode())
            .isEqualTo(200);
      }
    }
  }

  private static String rules(String rules) {
    return "{\"metadataXml\": \"<access xmlns='urn:rns:ext:1'><rules>" + rules + "</rules></access>\"}";
  }

  /** A client that changes its own directory, and knows what is in it. */
  private static final class Session {
    private final String url;
    private final Random random;
    private final Map<String, Integer> expected = new HashMap<>();
    private String directory;
    private Positions seen = Positions.NONE;
    private int made;

    Session(String url, int number, String above) {
      this.url = url + "/names";
      this.random = new Random(number);
      this.directory = above + "/session-" + number;
    }

    private HttpResponse<String> ask(String method, String path, String body) {
      List<String> headers = new ArrayList<>(List.of("RNS-Position", seen.toString()));
      if (!method.equals("GET")) {
        headers.addAll(List.of("RNS-Request-Id", UUID.randomUUID().toString()));
      } else if (random.nextInt(4) == 0) {
        headers.addAll(List.of("RNS-Consistency", "any"));
      }
      boolean any = headers.contains("any");
      boolean first = seen.isEmpty();
      HttpResponse<String> answer =
          send(method, url + path, body, (first ? headers.subList(2, headers.size()) : headers).toArray(String[]::new));
      answer.headers().firstValue("RNS-Position").ifPresent(text -> {
        Positions now = Positions.parse(text);
        if (!any) {
          // The first is that of the group that has the entry.
          Position shown = Position.parse(text.split(",", 2)[0]);
          assertThat(seen.of(shown.group())).as("monotonic").matches(at -> at.isEmpty() || shown.covers(at.get()));
        }
        seen = seen.with(now);
      });
      return answer;
    }

    void begin() {
      assertThat(ask("PUT", directory, "{}").statusCode()).isEqualTo(201);
    }

    void step() throws IOException {
      String name = "n" + random.nextInt(4);
      String path = directory + "/" + name;
      switch (random.nextInt(12)) {
        case 0 -> {
          assertThat(ask("PUT", path, "{\"metadata\":{\"n\":\"" + ++made + "\"}}").statusCode()).isIn(200, 201);
          expected.put(name, made);
        }
        case 1 -> {
          assertThat(ask("DELETE", path, "").statusCode()).isEqualTo(expected.remove(name) == null ? 404 : 200);
        }
        case 2 -> {
          String moved = directory.replaceFirst("(-moved.*)?$", "-moved" + ++made);
          assertThat(ask("PATCH", directory, "{\"path\":\"" + moved + "\"}").statusCode()).isEqualTo(200);
          HttpResponse<String> gone = ask("GET", path, "");
          if (gone.request().headers().firstValue("RNS-Consistency").isEmpty()) {
            assertThat(gone.statusCode()).isEqualTo(404);
          }
          directory = moved;
        }
        case 3 -> {
          if (random.nextInt(10) == 0) {
            assertThat(send("DELETE", url + directory + "?recursive", "").statusCode()).isEqualTo(200);
            expected.clear();
            assertThat(ask("PUT", directory, "{}").statusCode()).isEqualTo(201);
          }
        }
        default -> check(name, path);
      }
    }

    private void check(String name, String path) throws IOException {
      boolean list = random.nextInt(4) == 0;
      HttpResponse<String> answer =
          ask("GET", list ? directory + "?list" : random.nextInt(4) == 0 ? directory : path, "");
      if (answer.request().headers().firstValue("RNS-Consistency").isPresent()) {
        return;
      }
      if (list) {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode each : JSON.readTree(answer.body()).path("entries")) {
          String at = each.path("path").asText();
          found.put(at.substring(at.lastIndexOf('/') + 1), each.path("metadata").path("n").asInt());
        }
        assertThat(found).isEqualTo(expected);
      } else if (!answer.request().uri().getPath().endsWith(path)) {
        assertThat(answer.body()).contains("\"entries\":" + expected.size());
      } else if (expected.containsKey(name)) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"n\":\"" + expected.get(name) + "\"");
      } else {
        assertThat(answer.statusCode()).isEqualTo(404);
      }
    }
  }

  @Test
  @Tag("long")
  void keepsThePromisesWhileThePrimaryChangesAndFrontsMigrate() throws Exception {
    Path data = temporary.resolve("group");
    LocalGroup.Settings settings =
        new LocalGroup.Settings(data, GroupPorts.ANY, 1, 1, "256m", "64M", LocalInstallation.find().war(), null,
            LocalDatabases.EMBEDDED);
    AtomicBoolean over = new AtomicBoolean();
    try (LocalGroup group = LocalGroup.start(settings, new FrontPorts(1, 0), line -> {});
        ExecutorService threads = Executors.newCachedThreadPool()) {
      String url = front(data).path("url").asText();
      List<Future<?>> all = new ArrayList<>();
      try {
        all.addAll(clock(threads, url + "/names/clock", over));
        all.addAll(sessions(threads, url, "", 4, over));
        await(all, 5);
        long before = cached(data);
        for (String primary : List.of("server-2", "server-1")) {
          JsonNode unused = LocalCommand.json(data, group.url(), "switchover", "--to", primary);
          await(all, 4);
        }
        assertThat(cached(data)).as("the cache answers again").isGreaterThan(before);
        assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--json", "--data", data.toString())).isZero();
        await(all, 4);
        assertThat(cached(data)).as("so does that of the successor").isPositive();
      } finally {
        over.set(true);
      }
      for (Future<?> each : all) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isNull();
      }
    }
  }

  /** One client writes numbers, others read with a bound. */
  private static List<Future<?>> clock(ExecutorService threads, String clock, AtomicBoolean over) {
    ConcurrentSkipListMap<Long, Integer> acknowledged = new ConcurrentSkipListMap<>(Map.of(0L, 0));
    assertThat(send("PUT", clock, "{\"metadata\":{\"n\":\"0\"}}").statusCode()).isEqualTo(201);
    List<Future<?>> all = new ArrayList<>();
    all.add(threads.submit(() -> {
      for (int n = 1; !over.get(); n++) {
        String id = UUID.randomUUID().toString();
        assertThat(send("PATCH", clock, "{\"metadata\":{\"n\":\"" + n + "\"}}", "RNS-Request-Id", id).statusCode())
            .isEqualTo(200);
        acknowledged.put(System.nanoTime(), n);
        Thread.onSpinWait();
      }
    }));
    for (int reader = 0; reader < 2; reader++) {
      all.add(threads.submit(() -> {
        while (!over.get()) {
          long since = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(AGE_MILLIS);
          Map.Entry<Long, Integer> before = acknowledged.floorEntry(since);
          HttpResponse<String> answer = send("GET", clock, "", "RNS-Consistency", "bounded(" + AGE_MILLIS + "ms)");
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
          if (before != null) {
            assertThat(JSON.readTree(answer.body()).path("metadata").path("n").asInt())
                .isGreaterThanOrEqualTo(before.getValue());
          }
        }
        return null;
      }));
    }
    return all;
  }

  private static List<Future<?>> sessions(
      ExecutorService threads, String url, String above, int number, AtomicBoolean over) {
    List<Future<?>> all = new ArrayList<>();
    for (int session = 0; session < number; session++) {
      Session own = new Session(url, session, above);
      all.add(threads.submit(() -> {
        own.begin();
        while (!over.get()) {
          own.step();
        }
        return null;
      }));
    }
    return all;
  }

  @Test
  @Tag("long")
  void keepsThePromisesWhileContentMovesBetweenGroups() throws Exception {
    Path data = temporary.resolve("groups");
    LocalGroup.Settings settings =
        new LocalGroup.Settings(data, GroupPorts.ANY, 2, 0, "256m", "64M", LocalInstallation.find().war(), null,
            LocalDatabases.EMBEDDED);
    AtomicBoolean over = new AtomicBoolean();
    try (LocalGroup groups = LocalGroup.start(settings, new FrontPorts(1, 0), line -> {});
        ExecutorService threads = Executors.newCachedThreadPool()) {
      String url = front(data).path("url").asText();
      List<Future<?>> all = new ArrayList<>();
      try {
        String inside = url + "/names/cut/inside";
        assertThat(send("PUT", inside + "?parents", "{}").statusCode()).isEqualTo(201);
        assertThat(send("PUT", url + "/names/beside", "{}").statusCode()).isEqualTo(201);
        HttpResponse<String> unused = warm(data, inside);
        all.addAll(clock(threads, url + "/names/cut/clock", over));
        all.addAll(sessions(threads, url, "/cut", 3, over));
        all.addAll(sessions(threads, url, "", 1, over));
        await(all, 2);
        for (int to : new int[]{1, 0, 1}) {
          JsonNode assigned =
              LocalCommand.json(data, groups.url(), "partition", "assign", "/cut", "--to", Integer.toString(to));
          assertThat(assigned.path("group").asInt()).isEqualTo(to);
          assertThat(warm(data, inside).headers().firstValue("RNS-Position").orElseThrow()).startsWith(to + "-");
          await(all, 2);
        }
        unused = warm(data, url + "/names/beside");
        String message = "<Consistency>any</Consistency><Path>/cut/inside</Path>";
        Eventually.holds("messages, too, are answered by the cache", () -> {
          HttpResponse<String> answer = soap(url, message, "");
          assertThat(answer.statusCode()).isEqualTo(200);
          return soap(url, message + "<Explain/>", "").body().contains("finding=\"held\"");
        });
        assertThat(send("PATCH", url + "/names/cut", "{\"metadata\":{\"x\":\"y\"}}").statusCode()).isEqualTo(200);
        unused = warm(data, inside);
        assertThat(front(data).path("cachePosition").asText()).contains("0-").contains(",1-");
      } finally {
        over.set(true);
      }
      for (Future<?> each : all) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isNull();
      }
    }
  }

  /** Lets them run, unless one has failed. */
  private static void await(List<Future<?>> all, int seconds) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Eventually.holds("time passes", () -> System.nanoTime() - until > 0 || all.stream().anyMatch(Future::isDone));
    assertThat(all).noneMatch(Future::isDone);
  }
}
