package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.Position;
import io.rns.api.Target;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.local.DatabaseProcess;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.permission.InheritedAccess;
import io.rns.replication.Offer;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.group.SoleMembership;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.FaultyLink;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.partition.PartitionsJson.PartitionJson;
import io.rns.server.store.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From which servers of the root's group a server of another group has the map: all servers over one database, at
 * addresses that are asked in the order of their numbers.
 */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LearnedMapTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String SECRET = "s3cret";

  @TempDir private static Path directory;
  private static DatabaseProcess process;

  private final List<AutoCloseable> opened = new ArrayList<>();
  /** The servers of the root's group that answer. */
  private final Map<String, Supplier<PartitionsJson>> roots = new ConcurrentHashMap<>();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  private HttpServer http;

  @BeforeAll
  static void startDatabase() {
    process = TestDatabase.own(directory);
  }

  @AfterAll
  static void stopDatabase() {
    process.close();
  }

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    http.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String server = exchange.getRequestURI().getPath().replaceFirst("/([^/]*)/partitions$", "$1");
      Supplier<PartitionsJson> known = roots.get(server);
      int status = known == null ? 503 : 200;
      byte[] body = ServerJson.MAPPER.writeValueAsBytes(
          known == null ? Map.of("code", RnsError.UNAVAILABLE, "message", "it is away") : known.get());
      String nonce = Signature.parse(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).orElseThrow().nonce();
      exchange.getResponseHeaders().set(
          OperatorKey.HEADER,
          new OperatorKey(SECRET)
              .signAnswer(status, System.currentTimeMillis(), nonce, OperatorKey.digest(body)).header());
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      asked.merge(server, 1, Integer::sum);
    }
  }

  private String url(String server) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + server;
  }

  private <T extends AutoCloseable> T opened(T part) {
    opened.add(part);
    return part;
  }

  private Database database() {
    return opened(new Database(TestDatabase.impatient(TestDatabase.withAccount(process))));
  }

  private LocalNameService primary(Database database, WriterSettings settings) {
    database.migrate();
    return opened(LocalNameService.start(database, 1 << 20, settings, InstantSource.system()));
  }

  /** A server of a group; the root's has no others to ask. */
  private Partitions server(int group, List<String> others, @Nullable LocalNameService names) {
    SignedCalls calls =
        new SignedCalls(Duration.ofSeconds(5), TlsTrust.SYSTEM, SECRET, InstantSource.system(), line -> {});
    return opened(
        new Partitions(
            group, others, new SoleMembership("server", Optional.of(url("any")), names, () -> Offer.NONE), calls,
            MessageAuthentication.NONE, Duration.ofSeconds(5), TlsTrust.SYSTEM, bytes -> {}, InstantSource.system(),
            PartitioningSettings.OFF, new InheritedAccess()));
  }

  /** A server of the root's group that has heard of another group, and so reads its database again and again. */
  private void startRoot(String number, LocalNameService names) {
    Partitions root = server(0, List.of(), names);
    root.hear(new GroupReport(1, new Position(1, 1, 1), List.of(), List.of()));
    root.start();
    roots.put(number, () -> root.json(true));
  }

  private Partitions startLearner() {
    Partitions learner = server(1, List.of(url("1"), url("2")), null);
    learner.start();
    return learner;
  }

  /** A new directory of the other group. */
  private static String assigned(LocalNameService names) {
    Target directory = Target.of("/" + UUID.randomUUID());
    var added = names.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(directory))).value();
    assertThat(added.getFirst().orThrow().id()).isNotNull();
    var unused = names.assign(CallContext.SERVICE, new AssignRequest(directory, 1)).value().orThrow();
    return directory.path().toString();
  }

  private static void awaitMapped(Partitions learner, String path) throws Exception {
    Eventually.until(
        path + " in the map", BOUND, () -> learner.known().stream()
            .flatMap(table -> table.map().partitions().stream())
            .anyMatch(partition -> partition.path().toString().equals(path) && partition.group() == 1));
  }

  /** Of two requests, one has begun after this. */
  private void awaitAsked(String server) throws Exception {
    int before = asked.getOrDefault(server, 0);
    Eventually.until("two requests", BOUND, () -> asked.getOrDefault(server, 0) > before + 1);
  }

  @Test
  @Tag("slow")
  void aServerThatHasLostItsDatabaseHidesNoMapOfTheNextPrimary() throws Exception {
    Database lost = database();
    LocalNameService former = primary(lost, TestServices.WRITER);
    startRoot("1", former);
    Partitions learner = startLearner();
    awaitMapped(learner, assigned(former));
    lost.close();

    LocalNameService next = primary(database(), TestServices.WRITER);
    startRoot("2", next);
    awaitMapped(learner, assigned(next));

    Supplier<PartitionsJson> pausing = roots.remove("2");
    awaitAsked("1");
    String whilePausing = assigned(next);
    roots.put("2", Objects.requireNonNull(pausing));
    awaitMapped(learner, whilePausing);
  }

  /** The server that is asked last has an older one. */
  @Test
  void ofOldMapsTheYoungestIsTaken() throws Exception {
    LocalNameService names = primary(database(), TestServices.WRITER);
    startRoot("1", names);
    String path = assigned(names);
    Eventually.until(
        path + " in the map", BOUND, () -> roots.get("1").get().partitions().stream()
            .anyMatch(partition -> partition.path().toString().equals(path)));
    PartitionsJson map = roots.get("1").get();
    Partitions learner = server(1, List.of(url("1"), url("2")), null);
    List<PartitionTable> learned = new CopyOnWriteArrayList<>();
    roots.put("1", () -> {
      learner.known().ifPresent(learned::add);
      return aged(map, map.partitions(), 5_000);
    });
    roots.put("2", () -> aged(map, map.partitions().subList(0, 1), 60_000));

    learner.start();

    Eventually.until("the servers are asked again", BOUND, () -> !learned.isEmpty());
    assertThat(learned.getFirst().map().partitions()).hasSameSizeAs(map.partitions());
  }

  private static PartitionsJson aged(PartitionsJson map, List<PartitionJson> partitions, long ageMillis) {
    return new PartitionsJson(map.positions(), map.changed(), ageMillis, partitions, map.groups());
  }

  @Test
  void aRestartedServerWithoutItsDatabaseWipesNoMap() throws Exception {
    LocalNameService names = primary(database(), TestServices.WRITER);
    startRoot("1", names);
    Partitions learner = startLearner();
    awaitMapped(learner, assigned(names));
    PartitionTable known = learner.table();

    Partitions restarted = server(0, List.of(), null);
    restarted.start();
    roots.put("1", () -> restarted.json(true));
    awaitAsked("1");
    assertThat(learner.table().map()).isEqualTo(known.map());
    assertThat(learner.table().servers()).containsOnlyKeys(0, 1);

    Partitions fresh = startLearner();
    awaitAsked("1");
    assertThat(fresh.known()).isEmpty();
  }

  @Test
  void aMapIsAsOldAsTheReplicaThatHasIt() throws Exception {
    Database database = database();
    database.migrate();
    try (LocalNameService writing =
        LocalNameService.start(database, 1 << 20, TestServices.WRITER, InstantSource.system())) {
      assertThat(writing.isPrimary()).isTrue();
    }
    try (Connection connection = DriverManager.getConnection(TestDatabase.withAccount(process));
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("UPDATE server_group SET beat_at = 0")).isOne();
    }
    startRoot("1", opened(LocalNameService.open(database, 1 << 20, TestServices.WRITER, InstantSource.system())));
    Eventually.until(
        "an old map", BOUND, () -> roots.get("1").get().ageMillis() >= Duration.ofHours(1).toMillis());
  }

  /** Another one may have taken over, and changed the map. */
  @Test
  void theMapOfAPrimaryThatCannotCommitGrowsOld() throws Exception {
    WriterSettings usual = TestServices.WRITER;
    WriterSettings inGroup =
        new WriterSettings(
            usual.queueRequests(), usual.batchRequests(), usual.timeout(), usual.requestIdsKept(), usual.changesKept(),
            Duration.ofMillis(50), true);
    Database database = database();
    Partitions root = server(0, List.of(), primary(database, inGroup));
    root.start();
    Eventually.until("a map", BOUND, () -> !root.json(true).positions().isEmpty());
    database.close();
    Eventually.until("an old map", BOUND, () -> root.json(true).ageMillis() > 1_000);
  }

  /** On two processors, two that waited could keep all virtual threads from running. */
  @Test
  void reportsOfOtherGroupsAreTakenWhileTheDatabaseHangs() throws Exception {
    FaultyLink link = opened(new FaultyLink(process.port()));
    String linked = TestDatabase.withAccount(process).replace(":" + process.port() + "/", ":" + link.port() + "/");
    Database database = opened(new Database(TestDatabase.settings(linked)));
    Partitions root = server(0, List.of(), primary(database, TestServices.WRITER));
    root.refresh();
    root.hear(new GroupReport(1, new Position(1, 1, 1), List.of(), List.of()));
    link.hold("delegated_directory");
    CompletableFuture<Void> gathering = CompletableFuture.runAsync(root::refresh);
    Eventually.until("the database hangs", BOUND, () -> link.held() > 0);
    root.hear(new GroupReport(2, new Position(2, 1, 1), List.of(), List.of()));
    assertThat(gathering).isNotDone();
    link.release();
    gathering.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(root.table().servers()).containsOnlyKeys(0, 1, 2);
  }
}
