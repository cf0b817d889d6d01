package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.client.http.MessageAuthentication;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.permission.InheritedAccess;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.Offer;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.PlanSettings;
import io.rns.replication.partition.QuietHours;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.group.Announcements;
import io.rns.server.group.SoleMembership;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.partition.HeatHistory.Weight;
import io.rns.server.partition.PlanJson.ProposalJson;
import io.rns.server.partition.RecordedMove.Cause;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.RecordedMove.State;
import io.rns.server.store.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The plan of a server of the root's group, which asks itself and the servers of another group over HTTP. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlansTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final String SECRET = "s3cret";
  private static final PlanSettings SETTINGS = PlanSettings.DEFAULT.with(5, 1, 1);

  private Database database;
  private HttpServer http;
  private LocalNameService names;
  private Partitions partitions;

  @BeforeEach
  void start() throws IOException {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    names = LocalNameService.start(database, 1 << 20, TestServices.WRITER, InstantSource.system());
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
    SignedCalls calls =
        new SignedCalls(Duration.ofSeconds(5), TlsTrust.SYSTEM, SECRET, InstantSource.system(), line -> {});
    partitions = new Partitions(
        0, List.of(), new SoleMembership("server-1", Optional.of(url("0")), names, () -> Offer.NONE), calls,
        MessageAuthentication.NONE, Duration.ofSeconds(5), TlsTrust.SYSTEM, bytes -> {}, InstantSource.system(),
        PartitioningSettings.OFF,
        new InheritedAccess());
    List<Announcement> others = List.of(
        Announcements.of("server-2", url("1"), new Position(1, 1, 1), Offer.NONE),
        Announcements.of("server-3", url("refusing"), new Position(1, 1, 1), Offer.NONE),
        Announcement.unreachable(url("gone"), "server-4"));
    partitions.hear(new GroupReport(1, new Position(1, 1, 1), others, List.of()));
    partitions.hear(
        new GroupReport(
            2, new Position(2, 1, 1), List.of(Announcement.unreachable(url("away"), "server-5")), List.of()));
    Announcement replica =
        new Announcement(
            url("3"), "server-6", ServerRole.REPLICA, Site.NONE, 100, 0, 0, Optional.of(new Position(3, 1, 1)));
    partitions.hear(new GroupReport(3, new Position(3, 1, 1), List.of(replica), List.of()));
    partitions.refresh();
  }

  @AfterEach
  void stop() {
    partitions.close();
    http.stop(0);
    names.close();
    database.close();
  }

  private String url(String server) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + server;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString();
      assertThat(path).matches(".*/partitions/heat[?](halfLifeMillis|windowMillis)=60000(&sizes=true)?");
      Object document =
          path.startsWith("/0/")
              ? partitions.plans().heat(Weight.halved(Duration.ofMinutes(1)), path.endsWith("&sizes=true"))
              : new HeatJson(7, List.of(new HeatJson.DirectoryJson(RnsPath.parse("/gone"), 0, 5, 0)), List.of());
      byte[] body = ServerJson.MAPPER.writeValueAsBytes(document);
      int status = path.startsWith("/refusing/") ? 503 : 200;
      String nonce = Signature.parse(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).orElseThrow().nonce();
      exchange.getResponseHeaders().set(
          OperatorKey.HEADER,
          new OperatorKey(SECRET)
              .signAnswer(status, System.currentTimeMillis(), nonce, OperatorKey.digest(body)).header());
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void use(String path, int times) {
    Target target = Target.of(path);
    NewEntry entry = NewEntry.junction(target, EndpointReference.ofAddress("urn:x"));
    var unused = names.add(CALL, AddRequest.of(entry).withParents()).value().getFirst().orThrow();
    for (int i = 0; i < times; i++) {
      var found = names.query(CALL, QueryRequest.of(target)).value().getFirst().orThrow();
      assertThat(found.isRoot()).isFalse();
    }
  }

  @Test
  void heatOfAllServersIsPlannedAndSilentOnesAreNamed() {
    use("/hot/x", 3_000);
    use("/warm/y", 2_000);
    PlanJson plan =
        partitions.plans().plan(new Plans.PlanRequest(SETTINGS, Duration.ofMinutes(1), Duration.ofMinutes(15)));
    assertThat(plan.groups()).extracting(PlanJson.GroupJson::group).containsExactly(0, 1);
    assertThat(plan.groups().getFirst().reads()).isGreaterThan(5);
    assertThat(plan.moves()).as(plan.verdict()).hasSize(1);
    ProposalJson move = plan.moves().getFirst();
    assertThat(move.path().toString()).isIn("/hot", "/warm");
    assertThat(move.to()).isEqualTo(1);
    assertThat(move.reasons()).hasSize(4);
    assertThat(plan.silent()).extracting(PlanJson.SilentJson::server)
        .containsExactlyInAnyOrder(url("refusing"), url("gone"), url("away"));
    assertThat(plan.absent()).containsExactly(
        new PlanJson.AbsentJson(2, "none of its servers answers"), new PlanJson.AbsentJson(3, "it has no primary"));
    assertThat(plan.silent()).extracting(PlanJson.SilentJson::reason).contains("it is unreachable");
    assertThat(partitions.plans().loads(Duration.ofMinutes(1)).partitions()).hasSize(1)
        .allMatch(load -> load.path().isRoot() && load.group() == 0 && load.reads() > 5);
    assertThat(partitions.plans().heat(Weight.halved(Duration.ofMinutes(1)), false).directories())
        .extracting(each -> each.path().toString()).contains("/hot", "/warm");
  }

  @Test
  void thePartitionsOfAllGroupsAreShownWithTheirSizes() throws Exception {
    long before = partitions.plans().countEntries().get(EntryId.ROOT);
    use("/sizes/" + UUID.randomUUID() + "/x", 0);
    use("/sizes/" + UUID.randomUUID() + "/y", 0);
    long after = partitions.plans().countEntries().get(EntryId.ROOT);
    assertThat(after - before).as("/sizes may be there").isBetween(4L, 5L);
    Eventually.until(
        "the sizes are counted", Duration.ofMinutes(1),
        () -> partitions.plans().loads(Duration.ofMinutes(1)).partitions().stream().map(LoadsJson.LoadJson::entries)
            .toList().equals(Collections.singletonList(after)));
  }

  @Test
  void aWindowNamesWhatIsMissing() {
    use("/window/x", 100);
    Instant end = Instant.parse("2026-03-01T10:00:00Z");
    BalancerSettings settings =
        new BalancerSettings(SETTINGS, Duration.ofMinutes(1), 3, 4, QuietHours.NONE, Duration.ofHours(1));
    HeatWindow window = partitions.plans().window(end, settings);
    assertThat(window.end()).isEqualTo(end);
    assertThat(window.situation().groups()).containsExactly(0, 1);
    assertThat(window.below(RnsPath.parse("/window")).reads()).isPositive();
    assertThat(window.missing()).as("not what owns nothing or is unreachable")
        .anySatisfy(reason -> assertThat(reason).startsWith(url("refusing") + ": "))
        .anySatisfy(reason -> assertThat(reason).isEqualTo("a server has counted for 7 s only"))
        .hasSize(4);
  }

  @Test
  void anAssignmentIsRecordedWithItsReasonAndWhatHasComeOfIt() {
    Reason apply = new Reason(Cause.APPLY, 0);
    assertThatThrownBy(() -> partitions.assignments().assign(Target.of("/none/here"), 1, apply, false))
        .hasMessageContaining("/none");
    RecordedMove refused = partitions.decisions(TestParameters.of(Map.of())).moves().getFirst();
    assertThat(refused).returns(RnsPath.parse("/none/here"), RecordedMove::path).returns(0, RecordedMove::from)
        .returns(1, RecordedMove::to).returns(Cause.APPLY, RecordedMove::by).returns(State.FAILED, RecordedMove::state);
    assertThat(refused.failure()).contains("/none");
  }
}
