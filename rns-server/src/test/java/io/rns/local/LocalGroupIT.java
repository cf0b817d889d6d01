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
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.watch.ChangeStream;
import io.rns.pool.PoolReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers and their databases, as {@code ./rns up --replicas 2} runs them, and the commands about a group. */
@Tag("slow")
@Tag("long")
class LocalGroupIT {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final List<String> progress = new CopyOnWriteArrayList<>();

  @TempDir private Path temporary;
  private LocalGroup group;

  @BeforeEach
  void start() throws Exception {
    group = LocalGroup.start(settings(), progress::add);
    if (!roles().getFirst().equals("primary")) {
      // On a busy machine the group may have replaced its primary while the others started.
      JsonNode unused = command("switchover", "--to", "server-1");
    }
  }

  @AfterEach
  void stop() {
    group.close();
  }

  private LocalGroup.Settings settings() {
    return new LocalGroup.Settings(
        temporary.resolve("data"), GroupPorts.ANY, 1, 2, "256m", "64M", LocalInstallation.find().war(), null,
        LocalDatabases.EMBEDDED);
  }

  @Test
  void keepsWhatWasWrittenThroughChangesOfThePrimaryAndStops() throws Exception {
    assertThat(roles()).containsExactly("primary", "replica", "replica");
    add(2, "first");
    Eventually.holds("the other replica has it", () -> has(3, "first"));
    long home = eventually("the registrar of server-3 serves", () -> register(3));
    Eventually.holds("server-3 tells of all servers", () -> tells(3));
    JsonNode referrals = command("referrals", "--flush");
    assertThat(referrals.path("writes").path(0).path("url").asText()).isEqualTo(group.url());
    assertThat(referrals.path("reads")).hasSize(3).allSatisfy(
        choice -> {
          assertThat(choice.path("told").asBoolean()).isTrue();
          assertThat(choice.path("roundTripMillis").asDouble()).isPositive();
        });
    Eventually.holds("the pool is known at server-1", () -> pool(1).equals("http://element/"));
    addPool();
    Eventually.holds("server-2 answers elements of the pool", () -> references(2).equals(List.of("http://element/")));

    addDirectory("named", "inside");
    Eventually.holds("the replicas have the directory", () -> has(2, "named/inside") && has(3, "named/inside"));
    PlainReference named =
        eventually("it names resolvers at the others",
            () -> lookup(3, "named").filter(it -> it.resolvers().size() == 3));
    assertThat(named.address()).isEqualTo(soap(3));
    assertThat(named.list()).containsExactly("inside");

    refersWrites();
    drains();

    group.members().get(2).glassFish().kill();
    assertThatThrownBy(named::list).as("its server is dead").isInstanceOf(IOException.class);
    PlainReference renewed = resolvedElsewhere(named);
    assertThat(renewed.identifier()).isEqualTo(named.identifier());
    assertThat(renewed.list()).containsExactly("inside");
    Eventually.holds("server-3 is back", () -> progress.contains("server-3: GlassFish is back"));
    Eventually.holds("server-3 serves", () -> has(3, "first"));
    Eventually.holds("the element has outlived its home", () -> homeAt(1) != home);
    assertThat(pool(1)).isEqualTo("http://element/");
    assertThat(eventually("the registrar of server-2 serves", () -> register(2))).isEqualTo(registrarOf(2));
    Eventually.holds("server-1 knows its new home", () -> homeAt(1) == registrarOf(2));
    Eventually.holds("and so does the server that was away", () -> homeAt(3) == registrarOf(2));

    assertThat(listed()).isEqualTo(addresses());
    JsonNode switched = command("switchover", "--to", "server-2");
    assertThat(switched.path("primary").asText()).isEqualTo(group.members().get(1).url());
    assertThat(switched.path("former").asText()).isEqualTo(group.url());
    assertThat(switched.path("epoch").asInt()).isGreaterThan(1);
    add(1, "second");

    group.members().get(1).glassFish().kill();
    group.members().get(1).database().kill();
    // Which of the others has the last commit is a matter of chance, and they begin a failover by themselves, too.
    String failed = eventually("a failover succeeds", this::failedOver);
    add(3, "third");
    Eventually.holds("the old primary is a replica", this::leadsOne);
    Eventually.holds("the old primary has what it missed", () -> has(2, "third"));
    if (!failed.equals(group.url())) {
      assertThat(command("switchover", "--to", "server-1").path("primary").asText()).isEqualTo(group.url());
    }

    GlassFishProcess former = group.members().get(0).glassFish();
    long killed = System.nanoTime();
    group.members().get(0).database().kill();
    former.kill();
    Eventually.holds("server-1 is started again", () -> !group.members().get(0).glassFish().equals(former));
    // No server leads that early: the lease of the killed one takes longer.
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).as("it waits until another server leads")
        .isGreaterThan(Duration.ofMillis(400));
    Eventually.holds("a primary is found without a command", () -> roles().contains("primary") && roles().size() == 3);
    add(2, "fourth");

    group.close();
    group = LocalGroup.start(settings(), progress::add);
    // Another one may replace the first that leads, if the machine is busy.
    Eventually.holds("one leads again", this::leadsOne);
    add(3, "fifth");
    Eventually.holds("the members have their new addresses", () -> listed().equals(addresses()));
    for (String name : List.of("first", "second", "third", "fourth", "fifth")) {
      Eventually.holds("server-1 has " + name, () -> has(1, name));
    }
  }

  private boolean leadsOne() {
    return roles().stream().sorted().toList().equals(List.of("primary", "replica", "replica"));
  }

  private List<String> addresses() {
    return group.members().stream().map(MemberProcesses::url).sorted().toList();
  }

  private List<String> listed() {
    JsonNode members = command("member", "ls").path("members");
    return StreamSupport.stream(members.spliterator(), false).map(member -> member.path("url").asText()).toList();
  }

  /** Who speaks plain HTTP is served by a replica, redirected to the primary, or told the servers, as he wishes. */
  private void refersWrites() throws Exception {
    HttpResponse<String> served = send(rest(2, "/served"), HttpClient.Redirect.NEVER);
    assertThat(served.statusCode()).as(served.body()).isEqualTo(201);
    assertThat(has(2, "served")).as("who stays with a server reads what he wrote").isTrue();

    HttpResponse<String> redirected =
        send(rest(2, "/redirected?parents").header("RNS-Referrals", "follow"), HttpClient.Redirect.NEVER);
    assertThat(redirected.statusCode()).isEqualTo(307);
    assertThat(redirected.headers().firstValue("Location")).contains(group.url() + "/names/redirected?parents");
    assertThat(new ObjectMapper().readTree(redirected.body()).path("servers")).hasSize(3);
    HttpResponse<String> followed =
        send(rest(2, "/redirected").header("RNS-Referrals", "follow"), HttpClient.Redirect.NORMAL);
    assertThat(followed.statusCode()).as(followed.body()).isEqualTo(201);
    assertThat(followed.uri()).hasToString(group.url() + "/names/redirected");

    HttpResponse<String> told = send(rest(3, "/told").header("RNS-Referrals", "tell"), HttpClient.Redirect.NORMAL);
    assertThat(told.statusCode()).isEqualTo(421);
    JsonNode document = new ObjectMapper().readTree(told.body());
    assertThat(document.path("code").asText()).isEqualTo("NOT_PRIMARY");
    assertThat(document.path("referral").asText()).isEqualTo(group.url());
    assertThat(document.path("epoch").asInt()).isPositive();
    assertThat(document.path("servers")).hasSize(3);
    assertThat(has(1, "told")).isFalse();
  }

  /** The primary is drained: another leads, clients are told to choose others, and what comes is still answered. */
  private void drains() throws Exception {
    String successor;
    Position reached;
    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpResponse<InputStream> watch = http.send(request(1, "/watch?path=/").build(), BodyHandlers.ofInputStream());
      CompletableFuture<byte[]> watched = CompletableFuture.supplyAsync(() -> all(watch.body()));
      successor = command("drain", "server-1").path("successor").asText();
      assertThat(successor).isIn(addresses()).isNotEqualTo(group.url());
      Eventually.holds("clients are told", () -> command("referrals", "--flush").path("reads").path(2).path("reason")
          .asText().contains("draining"));
      assertThat(command("referrals", "--flush").path("reads").path(2).path("url").asText()).isEqualTo(group.url());
      reached = last(new String(watched.get(BOUND.toSeconds(), TimeUnit.SECONDS), StandardCharsets.UTF_8));
    }
    assertThat(roles()).containsExactlyInAnyOrder("draining", "primary", "replica");
    add(1, "drained");
    try (ChangeStream changes =
        ChangeStream.of(URI.create(successor)).path(RnsPath.ROOT).from(reached).open()) {
      assertThat(changes.next(BOUND)).as("the watch goes on at another server").get()
          .extracting(change -> change.path().toString()).isEqualTo("/drained");
    }
    assertThat(command("drain", "server-2").path("draining").asBoolean()).isTrue();
    String third = group.members().get(2).url();
    assertThat(LocalCommand.run(temporary.resolve("data"), third, "drain", "server-3").exitCode())
        .as("no server would be left").isNotZero();
    assertThat(command("drain", "server-1", "--end").path("draining").asBoolean()).isFalse();
    assertThat(command("drain", "server-2", "--end").path("draining").asBoolean()).isFalse();
    Eventually.holds("none is draining", () -> !roles().contains("draining"));
    assertThat(command("switchover", "--to", "server-1").path("primary").asText()).isEqualTo(group.url());
  }

  /** The last position that a watch was sent. */
  private static Position last(String events) {
    Matcher position = Pattern.compile("\"position\":\"([^\"]+)\"").matcher(events);
    return Position
        .parse(position.results().map(found -> found.group(1)).reduce((before, after) -> after).orElseThrow());
  }

  private static byte[] all(InputStream in) {
    try (in) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpRequest.Builder rest(int server, String path) {
    return request(server, "/names" + path).PUT(BodyPublishers.ofString("{\"references\": [\"urn:rest\"]}"));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request, HttpClient.Redirect redirects)
      throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(redirects).build()) {
      return http.send(request.build(), BodyHandlers.ofString());
    }
  }

  private void add(int server, String name) {
    NewEntry entry = NewEntry.junction(Target.of("/" + name), EndpointReference.ofAddress("urn:" + name));
    try (NameService names = names(server)) {
      names.add(CallContext.ANONYMOUS, AddRequest.of(entry)).value().forEach(Outcome::orThrow);
    }
  }

  private String soap(int server) {
    return group.members().get(server - 1).url() + "/services/rns";
  }

  private void addDirectory(String name, String entry) {
    NewEntry junction =
        NewEntry.junction(Target.of("/" + name + "/" + entry), EndpointReference.ofAddress("urn:" + entry));
    try (NameService names = names(1)) {
      names.add(CallContext.ANONYMOUS, AddRequest.of(junction).withParents()).value().forEach(Outcome::orThrow);
    }
  }

  private Optional<PlainReference> lookup(int server, String name) {
    try {
      return Optional.of(PlainReference.lookup(soap(server), name));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Asks the resolvers of a reference one after the other until one knows another address. */
  private static PlainReference resolvedElsewhere(PlainReference lost) {
    return eventually(
        "a resolver knows a living server",
        () -> lost.resolvers().stream()
            .flatMap(resolver -> lost.resolve(resolver).stream())
            .filter(reference -> !reference.address().equals(lost.address()))
            .findFirst());
  }

  private static <T> T eventually(String what, Supplier<Optional<T>> condition) {
    AtomicReference<T> found = new AtomicReference<>();
    Eventually.holds(
        what,
        () -> {
          condition.get().ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  /**
   * Whether a server tells clients of three that live, one of them the primary, all as far as the first commit and
   * more.
   */
  private boolean tells(int server) {
    JsonNode referral = json(request(server, "/servers").build());
    List<JsonNode> servers = StreamSupport.stream(referral.path("servers").spliterator(), false).toList();
    List<String> roles = servers.stream().map(each -> each.path("role").asText()).sorted().toList();
    List<String> urls = servers.stream().map(each -> each.path("url").asText()).sorted().toList();
    return roles.equals(List.of("primary", "replica", "replica"))
        && urls.equals(group.members().stream().map(MemberProcesses::url).sorted().toList())
        && servers.stream().allMatch(each -> each.path("living").asBoolean() && each.path("position").isTextual())
        && referral.path("epoch").asInt() >= 1;
  }

  /**
   * An element of a pool registers for ten minutes; the answer is its home, if it was taken: a registrar may be
   * starting still.
   */
  private Optional<Long> register(int server) {
    String element = "{\"policy\": \"rr\", \"endpoints\": [\"http://element/\"], \"lifetimeMillis\": 600000}";
    HttpRequest request = request(server, "/pools/svc?element=7").PUT(BodyPublishers.ofString(element)).build();
    return Optional.of(json(request).path("home")).filter(JsonNode::isNumber).map(JsonNode::asLong);
  }

  private String pool(int server) {
    JsonNode resolution = json(request(server, "/pools/svc?resolve").build());
    return resolution.path("elements").path(0).path("endpoints").path(0).asText();
  }

  private long homeAt(int server) {
    return json(request(server, "/pools/svc").build()).path("elements").path(0).path("home").asLong(-1);
  }

  private long registrarOf(int server) {
    JsonNode servers = json(request(server, "/status").build()).path("servers");
    return StreamSupport.stream(servers.spliterator(), false)
        .filter(each -> each.path("name").asText().equals("server-" + server))
        .map(each -> each.path("registrar").path("id").asLong())
        .findFirst()
        .orElseThrow();
  }

  private HttpRequest.Builder request(int server, String path) {
    return HttpRequest.newBuilder(URI.create(group.members().get(server - 1).url() + path)).timeout(BOUND);
  }

  private static JsonNode json(HttpRequest request) {
    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return new ObjectMapper().readTree(http.send(request, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void addPool() {
    NewEntry entry = NewEntry.junction(Target.of("/pool"), PoolReference.of(RnsPath.parse("/svc")));
    try (NameService names = names(1)) {
      names.add(CallContext.ANONYMOUS, AddRequest.of(entry)).value().forEach(Outcome::orThrow);
    }
  }

  private List<String> references(int server) {
    try (NameService names = names(server)) {
      return switch (names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/pool"))).value().get(0)) {
        case Outcome.Done<Entry>(Entry.Junction found) ->
          found.references().stream().map(EndpointReference::address).toList();
        default -> List.of();
      };
    }
  }

  private boolean has(int server, String name) {
    try (NameService names = names(server)) {
      Outcome<Entry> found =
          names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/" + name))).value().get(0);
      return found instanceof Outcome.Done<Entry>;
    }
  }

  private NameService names(int server) {
    return RnsClient.builder().server(URI.create(group.members().get(server - 1).url())).build();
  }

  /** In the order of the names, as far as they answer. */
  private List<String> roles() {
    JsonNode servers = command("status").path("servers");
    return StreamSupport.stream(servers.spliterator(), false).map(server -> server.path("role").asText()).toList();
  }

  private Optional<String> failedOver() {
    return Optional.ofNullable(
        LocalCommand.run(temporary.resolve("data"), group.members().get(2).url(), "failover", "--yes").json()
            .path("primary").textValue());
  }

  /** What {@code ./rns COMMAND --json} says: it finds the group by its data directory. */
  private JsonNode command(String... arguments) {
    return LocalCommand.json(temporary.resolve("data"), group.members().get(2).url(), arguments);
  }
}
