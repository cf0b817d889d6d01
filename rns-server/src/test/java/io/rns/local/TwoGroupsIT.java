package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.RnsClient;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two groups of one server each, as {@code ./rns up --groups 2} runs them, and a partition of the second one. */
@Tag("slow")
class TwoGroupsIT {
  /** A server gives up on another group after 10 s. */
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);

  /** A client that repeats for longer than a killed server takes to come back. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<String> progress = new CopyOnWriteArrayList<>();

  private final ExecutorService writer = Executors.newSingleThreadExecutor();

  @TempDir private Path temporary;
  private LocalGroup groups;

  @BeforeEach
  void start() {
    groups =
        LocalGroup.start(
            new LocalGroup.Settings(
                temporary.resolve("data"), GroupPorts.ANY, 2, 0, "256m", "64M", LocalInstallation.find().war(), null,
                LocalDatabases.EMBEDDED),
            progress::add);
  }

  @AfterEach
  void stop() {
    writer.shutdownNow();
    groups.close();
  }

  @Test
  void aPartitionIsServedByAllServersAndEndsWithItsGroupOnly() throws IOException {
    add(2, "/shared/one", "/own/one");
    Target cut = Target.of("/cut");
    try (NameService names = names(1)) {
      names.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(cut))).value().forEach(Outcome::orThrow);
    }
    JsonNode assigned = command("partition", "assign", "/cut", "--to", "1");
    assertThat(assigned.path("path").asText()).isEqualTo("/cut");
    assertThat(assigned.path("group").asInt()).isEqualTo(1);
    JsonNode listed = command("partition", "ls");
    assertThat(listed.path("partitions").findValuesAsText("path")).containsExactly("/", "/cut");
    assertThat(listed.path("partitions").findValuesAsText("group")).containsExactly("0", "1");
    assertThat(listed.path("groups").findValuesAsText("name")).contains("0", "1");
    assertThat(command("status").path("servers").findValuesAsText("name")).containsExactly("server-1", "server-2");

    add(1, "/cut/deep/one");
    add(2, "/cut/two", "/own/two");
    for (int server = 1; server <= 2; server++) {
      assertThat(names(server, "/")).containsExactly("cut", "own", "shared");
      assertThat(names(server, "/cut")).containsExactly("deep", "two");
      assertThat(names(server, "/cut/deep")).containsExactly("one");
      assertThat(names(server, "/own")).containsExactly("one", "two");
      assertThat(query(server, "/cut/deep/one")).isEqualTo("urn:/cut/deep/one");
    }

    plainRequestsAreReferredToTheOwner();
    watchesLeadToTheOwner();

    groups.members().get(1).glassFish().kill();
    add(1, "/own/three");
    assertThat(names(1, "/own")).containsExactly("one", "three", "two");
    long asked = System.nanoTime();
    assertThatThrownBy(() -> query(1, "/cut/two"))
        .isInstanceOfSatisfying(
            RnsException.class, e -> assertThat(e.error()).isIn(RnsError.UNAVAILABLE, RnsError.TIMEOUT))
        .hasMessageContaining("server group 1");
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(ANSWER_BOUND);
    assertThat(query(1, "/own/three")).isEqualTo("urn:/own/three");

    Eventually.holds("server-2 is back", () -> progress.contains("server-2: GlassFish is back"));
    Eventually.holds("the partition is served again", () -> has(1, "/cut/two") && has(2, "/own/three"));
    add(1, "/cut/three");
    assertThat(names(2, "/cut")).containsExactly("deep", "three", "two");
    Eventually.holds("the partition's entries are counted", () -> entries("/cut") == 3 + names(2, "/cut/deep").size());

    aHotDirectoryIsProposedAssignedAndTakenBack();
    savedHeatIsReplayed();
  }

  private long entries(String path) {
    for (JsonNode partition : command("status").path("partitions")) {
      if (partition.path("path").asText().equals(path)) {
        return partition.path("entries").asLong();
      }
    }
    return 0;
  }

  private void aHotDirectoryIsProposedAssignedAndTakenBack() {
    add(2, "/hot/one", "/warm/one");
    try (NameService names = names(2)) {
      for (int i = 0; i < 500; i++) {
        for (String path : List.of("/hot/one", "/warm/one")) {
          Entry unused =
              names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().getFirst().orThrow();
        }
      }
    }
    String[] plan = {"partition", "plan", "--min-load", "1", "--half-life", "5s", "--moves", "1"};
    JsonNode first = command(plan);
    assertThat(first.path("silent")).isEmpty();
    assertThat(first.path("groups").findValuesAsText("group")).containsExactly("0", "1");
    JsonNode move = first.path("moves").path(0);
    assertThat(move.path("path").asText()).as(first.toString()).isIn("/hot", "/warm");
    assertThat(move.path("to").asInt()).isEqualTo(1);
    plan[1] = "apply";
    JsonNode assigned = command(plan).path("assigned").path(0);
    String path = assigned.path("path").asText();
    assertThat(path).as(assigned.toString()).isIn("/hot", "/warm");
    assertThat(assigned.path("group").asInt()).isEqualTo(1);
    plan[1] = "plan";
    assertThat(command(plan).path("moves")).isEmpty();

    JsonNode why = command("partition", "why", path);
    assertThat(why.path("settings").path("mode").asText()).isEqualTo("suggest");
    assertThat(why.path("directory").path("group").asInt()).isEqualTo(1);
    JsonNode moved = why.path("moves").path(0);
    assertThat(moved.path("by").asText()).as(why.toString()).isEqualTo("apply");
    assertThat(moved.path("state").asText()).isEqualTo("done");
    assertThat(why.path("undo")).isEqualTo(moved);
    add(1, path + "/two");
    JsonNode back = command("partition", "undo");
    assertThat(back.path("path").asText()).isEqualTo(path);
    assertThat(back.path("group").asInt()).isZero();
    assertThat(names(2, path)).as("no change since is lost").containsExactly("one", "two");
    JsonNode undo = command("partition", "why").path("undo");
    assertThat(undo.path("path").asText()).as("what was assigned before").isEqualTo("/cut");
  }

  private void savedHeatIsReplayed() throws IOException {
    String window =
        """
            {"at":"2026-03-01T10:%s:00Z","seconds":300,"window":{"partitions":[
            {"path":"/","directory":"0000000000000001","group":0,"epoch":0}],"groups":[0,1],"directories":[
            {"path":"/a","group":0,"reads":600,"writes":0},{"path":"/b","group":0,"reads":400,"writes":0}],
            "fixed":[],"missing":[]}}
            """;
    Path heat =
        Files.writeString(
            temporary.resolve("heat.json"),
            "{\"decisions\":[" + window.formatted("05") + "," + window.formatted("10") + "]}");
    JsonNode replay = command("partition", "replay", heat.toString(), "--windows", "1");
    assertThat(replay.path("windows").path(0).path("moves").path(0).path("path").asText()).isEqualTo("/b");
    assertThat(replay.path("busiest").path("replayed").asDouble()).as("1000, then 600 of 500").isEqualTo(1.6);
  }

  private void plainRequestsAreReferredToTheOwner() throws IOException {
    for (String path : List.of("/cut/two", "/cut?list")) {
      HttpResponse<String> followed = plain("GET", 1, path, "follow", HttpClient.Redirect.NEVER);
      assertThat(followed.statusCode()).as(followed.body()).isEqualTo(307);
      assertThat(followed.headers().firstValue("Location")).contains(url(2) + "/names" + path);
      HttpResponse<String> told = plain("GET", 1, path, "tell", HttpClient.Redirect.NEVER);
      assertThat(told.statusCode()).as(told.body()).isEqualTo(421);
      assertThat(new ObjectMapper().readTree(told.body()).path("referral").asText()).isEqualTo(url(2).toString());
      assertThat(plain("GET", 2, path, "tell", HttpClient.Redirect.NEVER).statusCode()).isEqualTo(200);
    }
    assertThat(plain("PUT", 1, "/cut/referred", "follow", HttpClient.Redirect.NORMAL).statusCode()).isEqualTo(201);
    assertThat(plain("DELETE", 1, "/cut/referred", "follow", HttpClient.Redirect.NEVER).statusCode()).isEqualTo(307);
    assertThat(plain("DELETE", 1, "/cut/referred", "follow", HttpClient.Redirect.NORMAL).statusCode()).isEqualTo(200);
    // The other group may not know yet what is its own: it forwards.
    for (String path : List.of("/own/two", "/own?list")) {
      assertThat(plain("GET", 1, path, "tell", HttpClient.Redirect.NEVER).statusCode()).isEqualTo(200);
      assertThat(plain("GET", 2, path, "tell", HttpClient.Redirect.NEVER).statusCode()).isEqualTo(200);
    }
  }

  private HttpResponse<String> plain(
      String method, int server, String path, String referrals, HttpClient.Redirect redirect) throws IOException {
    try (HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(redirect).build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url(server) + "/names" + path)).timeout(ANSWER_BOUND)
          .header("RNS-Referrals", referrals)
          .method(method, method.equals("PUT") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody()).build();
      return http.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void watchesLeadToTheOwner() {
    for (int server = 1; server <= 2; server++) {
      String name = "watched-" + server;
      try (ChangeStream below = watch(server, "/cut"); ChangeStream all = watch(server, "/")) {
        add(3 - server, "/cut/deep/" + name, "/shared/" + name);
        assertThat(next(below)).isEqualTo("/cut/deep/" + name);
        assertThat(below.cuts()).isEmpty();
        assertThat(next(all)).as("not what is below the cut").isEqualTo("/shared/" + name);
        assertThat(all.cuts()).containsExactly(RnsPath.parse("/cut"));
      }
    }
    assertThatThrownBy(() -> ChangeStream.of(url(1)).path(RnsPath.parse("/cut")).from(new Position(0, 1, 1)).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR));
    try (NameService names = names(1); ChangeStream below = watch(2, "/cut")) {
      rename(names, "/cut", "renamed");
      assertThatThrownBy(() -> next(below)).isInstanceOfSatisfying(
          RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR));
      rename(names, "/renamed", "cut");
    }
  }

  private static void rename(NameService names, String path, String name) {
    EntryChange change = EntryChange.rename(Target.of(path), EntryName.of(name));
    names.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().forEach(Outcome::orThrow);
  }

  private ChangeStream watch(int server, String path) {
    return ChangeStream.of(url(server)).path(RnsPath.parse(path)).open();
  }

  private static String next(ChangeStream changes) {
    try {
      return changes.next(ANSWER_BOUND).orElseThrow().path().toString();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private URI url(int server) {
    return URI.create(groups.members().get(server - 1).url());
  }

  @Test
  @Tag("long")
  void contentMovesWhileItIsWrittenAndBackAfterTheNextOwnerWasKilled() throws Exception {
    int before = 1_000;
    String[] paths = IntStream.range(0, before).mapToObj(i -> "/moving/d" + i % 10 + "/n" + i).toArray(String[]::new);
    add(1, paths);
    AtomicBoolean over = new AtomicBoolean();
    Future<Integer> written = writer.submit(() -> {
      int count = 0;
      try (NameService names =
          RnsClient.builder().server(URI.create(groups.url())).attempts(10_000).deadline(PATIENCE).build()) {
        while (!over.get()) {
          NewEntry entry =
              NewEntry.junction(Target.of("/moving/new/n" + count), EndpointReference.ofAddress("urn:" + count));
          names.add(CallContext.ANONYMOUS, AddRequest.of(entry).withParents()).value().forEach(Outcome::orThrow);
          count++;
        }
      }
      return count;
    });
    JsonNode moved = command("partition", "assign", "/moving", "--to", "1");
    assertThat(moved.path("group").asInt()).isEqualTo(1);
    // What was copied is not looked at: if the first answer comes late, the command is answered when it asks again.
    Eventually.holds("the move goes on", () -> has(1, "/moving/d0/n0") && has(2, "/moving/d0/n0"));
    groups.members().get(1).glassFish().kill();
    Eventually.holds("server-2 is back", () -> progress.contains("server-2: GlassFish is back"));
    JsonNode back = command("partition", "assign", "/moving", "--to", "0");
    assertThat(back.path("group").asInt()).isZero();
    JsonNode again = command("partition", "assign", "/moving", "--to", "0");
    assertThat(again.path("group").asInt()).as("a command that was interrupted can be repeated").isZero();
    over.set(true);
    int added = written.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    for (int server = 1; server <= 2; server++) {
      assertThat(names(server, "/moving")).hasSize(11);
      assertThat(query(server, "/moving/new/n" + (added - 1))).isEqualTo("urn:" + (added - 1));
    }
    assertThat(command("partition", "ls").path("partitions").findValuesAsText("path")).containsExactly("/");
    assertThat(command("stat", "/moving/new").path("entries").asInt()).isEqualTo(added);
  }

  private void add(int server, String... paths) {
    try (NameService names = names(server)) {
      for (String path : paths) {
        NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:" + path));
        names.add(CallContext.ANONYMOUS, AddRequest.of(entry).withParents()).value().forEach(Outcome::orThrow);
      }
    }
  }

  private List<String> names(int server, String path) {
    try (NameService names = names(server)) {
      Page page = names.list(CallContext.ANONYMOUS, ListRequest.of(Target.of(path))).value().orThrow();
      return page.entries().stream().map(Entry::displayName).toList();
    }
  }

  private String query(int server, String path) {
    try (NameService names = names(server)) {
      Entry found =
          names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
      return found instanceof Entry.Junction junction ? junction.references().get(0).address() : "no junction";
    }
  }

  private boolean has(int server, String path) {
    try {
      return query(server, path).equals("urn:" + path);
    } catch (RnsException e) {
      return false;
    }
  }

  /** A client of one server, which does not retry: what the server answers counts. */
  private NameService names(int server) {
    return RnsClient.builder().server(url(server)).attempts(1).build();
  }

  private JsonNode command(String... arguments) {
    return LocalCommand.json(temporary.resolve("data"), groups.url(), arguments);
  }
}
