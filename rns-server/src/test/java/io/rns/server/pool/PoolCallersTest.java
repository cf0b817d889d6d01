package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Precondition;
import io.rns.api.Right;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.association.RegistrarProtection;
import io.rns.association.RegistrarServer;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.identity.Identification;
import io.rns.identity.IdentitySettings;
import io.rns.identity.IssuerSettings;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketSource;
import io.rns.identity.X509Settings;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.ErrorReport;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Octets;
import io.rns.server.Eventually;
import io.rns.server.RightSets;
import io.rns.server.audit.RecordedAudit;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What elements and users may do at a closed service by ASAP, as whoever their client certificate says. */
@Timeout(120)
class PoolCallersTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final TestAuthority GRID = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
  private static final String ALICE = "x509:/DC=org/DC=test/CN=Alice";
  private static final String BOB = "x509:/DC=org/DC=test/CN=Bob";
  private static final String POOL = "/svc/pool";

  @TempDir private Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final ModelNameService tree = new ModelNameService();
  private PoolSite site;
  private RecordedAudit audit;
  private Identification identification;

  private static final TicketSource NO_TICKETS =
      new TicketSource() {
        @Override
        public Optional<TicketBook> book() {
          return Optional.empty();
        }

        @Override
        public long generation() {
          return 0;
        }
      };

  @BeforeEach
  void make() throws IOException {
    site = new PoolSite(directory);
    Path trust = Files.createDirectory(directory.resolve("trust"));
    GRID.install(trust);
    identification =
        new IdentitySettings(
            Optional.empty(), IssuerSettings.NONE, new X509Settings(Optional.of(trust), false, Optional.empty()))
            .start(Optional.empty(), NO_TICKETS, InstantSource.system());
    open.add(identification);
    audit = new RecordedAudit(false);
    open.add(audit);
    rules("/", AccessRule.parse("anyone=list"), AccessRule.parse(ALICE + "=read"), AccessRule.parse(BOB + "=read"));
    tree.add(
        CallContext.SERVICE,
        AddRequest.of(new NewEntry(Target.of("/svc"), List.of(), Metadata.NONE, Precondition.IF_ABSENT)));
    rules("/svc", AccessRule.parse(ALICE + "=read,change"), AccessRule.parse(BOB + "=read"));
  }

  private void rules(String path, AccessRule... rules) {
    Metadata metadata = Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(List.of(rules))));
    Entry unused =
        tree.update(CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata))).value()
            .get(0).orThrow();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private RegistrarServer start(AccessMode mode, boolean hiding, boolean hasTls) throws Exception {
    AccessReader reader = new AccessReader(new AccessControl(new AccessPolicy(mode, Set.of()), hiding), () -> tree);
    PoolCallers callers =
        new PoolCallers(
            (chain, origin) -> identification.caller(null, chain, origin), reader, audit.log(), InstantSource.system());
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    open.add(0, server);
    Path own = site.write(PoolSite.server(PoolSite.CA));
    server.start(
        List.of(), RegistrarSettings.DEFAULTS, new SplittableRandom(1), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(hasTls ? Optional.of(site.tls(own, true)) : Optional.empty(), callers));
    Eventually.until("it serves", BOUND, () -> server.ask(registrar -> registrar.isServing()));
    return server;
  }

  private static AsapSocket connect(RegistrarServer server, Credential... as) throws IOException {
    return AsapSocket.tls(server.elementsAddress(), PoolSite.client(as));
  }

  private static Credential user(String name) {
    return GRID.issue("DC=org", "DC=test", "CN=" + name);
  }

  private static AsapMessage deregistration(int id) {
    return new AsapMessage.Deregistration(Octets.utf8(POOL), id);
  }

  /** The code of the cause of a refusal; -1 if it is none. */
  private static int refusal(AsapMessage answer) {
    List<ErrorCause> causes = switch (answer) {
      case RegistrationResponse m -> {
        assertThat(m.rejected()).isEqualTo(!m.causes().isEmpty());
        yield m.causes();
      }
      case DeregistrationResponse m -> m.causes();
      case HandleResolutionResponse m -> m.causes();
      case ErrorReport m -> m.causes();
      default -> throw new AssertionError(answer);
    };
    return causes.isEmpty() ? -1 : causes.get(0).code();
  }

  /** Of register, resolve and deregister. */
  private static List<Integer> refusals(AsapSocket caller, int id) throws IOException {
    return List.of(
        refusal(caller.ask(AsapSocket.registration(POOL, id))), refusal(caller.ask(AsapSocket.resolution(POOL))),
        refusal(caller.ask(deregistration(id))));
  }

  @Test
  void aClosedServiceLetsElementsAndUsersDoWhatRulesGrant() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, true);
    int no = ErrorCause.SECURITY;
    Map<String, List<Integer>> expected = new LinkedHashMap<>();
    Map<String, Credential[]> callers = new LinkedHashMap<>();
    Credential stranger = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA").issue("DC=org", "DC=test", "CN=Alice");
    Credential expired =
        GRID.issue(new Wish().until(Instant.now().minusSeconds(1)), "DC=org", "DC=test", "CN=Alice");
    callers.put("Alice", new Credential[]{user("Alice")});
    callers.put("Alice by a proxy", new Credential[]{TestAuthority.proxy(user("Alice"))});
    callers.put("Bob", new Credential[]{user("Bob")});
    callers.put("Carol", new Credential[]{user("Carol")});
    callers.put("anonymous", new Credential[0]);
    callers.put("unknown authority", new Credential[]{stranger});
    callers.put("expired", new Credential[]{expired});
    try (AsapSocket element = connect(server, user("Alice"))) {
      assertThat(refusal(element.ask(AsapSocket.registration(POOL, 1)))).isEqualTo(-1);
      for (Map.Entry<String, Credential[]> each : callers.entrySet()) {
        boolean changes = each.getKey().startsWith("Alice");
        boolean reads = changes || each.getKey().equals("Bob");
        expected.put(each.getKey(), List.of(changes ? -1 : no, reads ? -1 : no, changes ? -1 : no));
        try (AsapSocket caller = connect(server, each.getValue())) {
          assertThat(refusals(caller, 2)).as(each.getKey()).isEqualTo(expected.get(each.getKey()));
          if (!changes) {
            // Another's element, by each message that could take it.
            assertThat(refusal(caller.ask(deregistration(1)))).as(each.getKey()).isEqualTo(no);
            assertThat(refusal(caller.ask(AsapSocket.registration(POOL, 1)))).as(each.getKey()).isEqualTo(no);
            assertThat(refusal(caller.ask(new AsapMessage.KeepAliveAck(Octets.utf8(POOL), 1)))).isEqualTo(no);
          }
          if (!reads) {
            assertThat(refusal(caller.ask(new AsapMessage.Unreachable(Octets.utf8(POOL), 1)))).isEqualTo(no);
          }
        }
      }
      assertThat(refusal(element.ask(AsapSocket.resolution(POOL)))).as("it is still there").isEqualTo(-1);
    }
  }

  @Test
  void everyMessageIsTakenExactlyWithItsRights() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, true);
    try (AsapSocket element = connect(server, user("Alice")); AsapSocket caller = connect(server, user("Bob"))) {
      assertThat(refusal(element.ask(AsapSocket.registration(POOL, 1)))).isEqualTo(-1);
      for (int bits = 0; bits < RightSets.COUNT; bits++) {
        Set<Right> rights = RightSets.of(bits);
        AccessRule alice = AccessRule.parse(ALICE + "=read,change");
        rules("/svc",
            rights.isEmpty() ? new AccessRule[]{alice} : new AccessRule[]{alice, new AccessRule(BOB, rights)});
        int change = rights.contains(Right.CHANGE) || rights.contains(Right.ADMIN) ? -1 : ErrorCause.SECURITY;
        int read = rights.contains(Right.READ) || rights.contains(Right.ADMIN) ? -1 : ErrorCause.SECURITY;
        assertThat(refusals(caller, 2)).as("%s", rights).containsExactly(change, read, change);
        assertThat(report(caller, new AsapMessage.KeepAliveAck(Octets.utf8(POOL), 1))).as("%s", rights)
            .isEqualTo(change);
        assertThat(report(caller, new AsapMessage.Unreachable(Octets.utf8(POOL), 9))).as("%s", rights)
            .isEqualTo(read);
      }
    }
  }

  /** The code of the report about a message that is not answered otherwise; -1 if there is none. */
  private static int report(AsapSocket caller, AsapMessage message) throws IOException {
    caller.send(message);
    caller.send(AsapSocket.resolution(POOL));
    AsapMessage first = caller.receive();
    if (!(first instanceof ErrorReport)) {
      return -1;
    }
    assertThat(caller.receive()).isInstanceOf(HandleResolutionResponse.class);
    return refusal(first);
  }

  @Test
  void messagesOfAConnectionKeepTheirOrder() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, true);
    try (AsapSocket caller = connect(server, user("Alice"))) {
      for (int id = 1; id <= 200; id++) {
        caller.send(AsapSocket.registration(POOL, id));
        caller.send(deregistration(id));
      }
      caller.send(AsapSocket.registration(POOL, 999));
      for (int id = 1; id <= 200; id++) {
        assertThat(caller.receive()).isEqualTo(new RegistrationResponse(false, Octets.utf8(POOL), id, List.of()));
        assertThat(caller.receive()).isEqualTo(new DeregistrationResponse(Octets.utf8(POOL), id, List.of()));
      }
      assertThat(refusal(caller.receive())).isEqualTo(-1);
      int left = server.ask(registrar -> registrar.handlespace().size());
      assertThat(left).isEqualTo(1);
    }
  }

  @Test
  void plainCallersAreAnonymous() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, false);
    try (AsapSocket caller = AsapSocket.plain(server.elementsAddress())) {
      assertThat(refusals(caller, 1)).containsOnly(ErrorCause.SECURITY);
      rules("/", AccessRule.parse("anyone=list,read"));
      rules("/svc", AccessRule.parse("anyone=read,change"));
      assertThat(refusals(caller, 1)).containsOnly(-1);
    }
  }

  @Test
  void whatMayNotBeSeenIsMissingIfSet() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, true, true);
    try (AsapSocket caller = connect(server, user("Carol"))) {
      assertThat(refusal(caller.ask(AsapSocket.resolution(POOL)))).isEqualTo(ErrorCause.UNKNOWN_HANDLE);
    }
  }

  /** A wrong credential is never none. */
  @Test
  void anOpenServiceRefusesWrongCertificatesOnly() throws Exception {
    RegistrarServer server = start(AccessMode.OPEN, false, true);
    Credential stranger = TestAuthority.make("DC=org", "DC=other", "CN=CA").issue("CN=Mallory");
    for (Credential[] right : List.of(new Credential[0], new Credential[]{user("Carol")})) {
      try (AsapSocket caller = connect(server, right)) {
        assertThat(refusals(caller, 7)).containsOnly(-1);
      }
    }
    try (AsapSocket caller = connect(server, stranger)) {
      assertThat(refusals(caller, 7)).containsOnly(ErrorCause.SECURITY);
    }
  }

  @Test
  void refusalsAndChangesAreRecorded() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, true);
    try (AsapSocket alice = connect(server, user("Alice")); AsapSocket bob = connect(server, user("Bob"))) {
      assertThat(refusals(alice, 5)).containsOnly(-1);
      assertThat(refusal(alice.ask(AsapSocket.registration(POOL, 1)))).isEqualTo(-1);
      assertThat(refusal(alice.ask(AsapSocket.registration(POOL, 1, 9)))).isEqualTo(ErrorCause.ID_NOT_UNIQUE);
      assertThat(refusals(bob, 6)).containsExactly(ErrorCause.SECURITY, -1, ErrorCause.SECURITY);
    }
    List<JsonNode> lines = audit.lines().get(PoolSite.HERE);
    assertThat(lines.stream().flatMap(PoolCallersTest::summary).toList()).containsExactly(
        ALICE + " x509 asap register " + POOL + " done", ALICE + " x509 asap unregister " + POOL + " done",
        ALICE + " x509 asap register " + POOL + " done",
        ALICE + " x509 asap register " + POOL + " refused ELEMENT_ID_TAKEN",
        BOB + " x509 asap register " + POOL + " refused NOT_PERMITTED",
        BOB + " x509 asap unregister " + POOL + " refused NOT_PERMITTED");
  }

  @Test
  void aHandleThatNoPoolCanHaveIsRecorded() throws Exception {
    RegistrarServer server = start(AccessMode.CLOSED, false, true);
    String tooLong = POOL + "/x".repeat(20_000);
    try (AsapSocket alice = connect(server, user("Alice"))) {
      assertThat(alice.ask(AsapSocket.registration(tooLong, 1))).isInstanceOf(ErrorReport.class);
      assertThat(refusal(alice.ask(AsapSocket.registration("no path", 1)))).isNotEqualTo(-1);
      assertThat(refusals(alice, 1)).containsOnly(-1);
    }
    List<JsonNode> lines = audit.lines().get(PoolSite.HERE);
    assertThat(lines.stream().flatMap(PoolCallersTest::summary).toList()).containsExactly(
        ALICE + " x509 asap register " + tooLong.substring(0, 4_096) + "... (40009 characters) refused INVALID_REQUEST",
        ALICE + " x509 asap register no path refused INVALID_REQUEST",
        ALICE + " x509 asap register " + POOL + " done", ALICE + " x509 asap unregister " + POOL + " done");
  }

  private static Stream<String> summary(JsonNode line) {
    String text = String.join(
        " ", line.path("caller").asText(), line.path("credential").asText(), line.path("face").asText(),
        line.path("operation").asText(), line.path("items").path(0).path("path").asText(),
        line.path("outcome").asText(), line.path("error").asText());
    return Stream.of(text.strip());
  }
}
