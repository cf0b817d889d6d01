package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.Caller;
import io.rns.api.Metadata;
import io.rns.api.Precondition;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.error.RnsException;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.PoolAnswer;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.client.RnsClient;
import io.rns.error.Limits;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolReference;
import io.rns.pool.Registration;
import io.rns.server.soap.SoapHttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries of junctions that stand for pools, in this process and by SOAP; the clock of the registrar stands still. */
class PoolQueriesTest {
  private static final RnsPath PRINT = RnsPath.parse("/svc/print & more");
  private static final RnsPath SCAN = RnsPath.parse("/svc/scan");
  private static final String BEGIN = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>";
  private static final String END = "</s:Body></s:Envelope>";

  private final RegistrarServer registrar = RegistrarServer.withoutPorts();
  private final RegistrarPools pools = new RegistrarPools(registrar, Duration.ofSeconds(5), Duration.ofSeconds(60));
  private final ModelNameService tree = new ModelNameService();
  private final NameService names =
      new PoolQueries(() -> tree, pools, new AccessReader(AccessControl.open(), () -> tree));

  @BeforeEach
  void start() {
    registrar.start(List.of(), ServerPools.registrarSettings(), new SplittableRandom(1), () -> 1_000);
  }

  @AfterEach
  void close() {
    registrar.close();
  }

  private void register(RnsPath pool, int id, long lifetime, String... addresses) {
    List<EndpointReference> endpoints = references(addresses);
    pools.register(pool, PolicyType.ROUND_ROBIN, new Registration(id, endpoints, Parameters.PLAIN, lifetime));
  }

  private static List<EndpointReference> references(String... addresses) {
    return List.of(addresses).stream().map(EndpointReference::ofAddress).toList();
  }

  private void junction(String path, EndpointReference... references) {
    NewEntry entry = NewEntry.junction(Target.of(path), references);
    names.add(CallContext.ANONYMOUS, AddRequest.of(entry)).value().get(0).orThrow();
  }

  private Junction query(String path) {
    return query(names, path);
  }

  private static Junction query(NameService service, String path) {
    return (Junction) service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  private static List<String> addresses(Junction junction) {
    return junction.references().stream().map(EndpointReference::address).toList();
  }

  @Test
  void aReferenceOfAPoolBecomesItsElementsAndTheOthersStay() {
    register(PRINT, 1, 60_000, "http://p1/", "https://p1/");
    register(PRINT, 2, 2_000, "http://p2/");
    junction("/print", EndpointReference.ofAddress("http://a/"), PoolReference.of(PRINT),
        EndpointReference.ofAddress("http://z/"));
    Junction first = query("/print");
    assertThat(addresses(first)).containsExactly("http://a/", "http://p1/", "https://p1/", "http://p2/", "http://z/");
    assertThat(first.pool()).contains(new PoolAnswer(Optional.of("rr"), 2_000));
    assertThat(addresses(query("/print"))).containsExactly("http://a/", "http://p2/", "http://p1/", "https://p1/",
        "http://z/");
  }

  @Test
  void anEmptyPoolIsLeftOutUnlessNothingElseIsThere() {
    junction("/both", PoolReference.of(SCAN), EndpointReference.ofAddress("http://a/"));
    junction("/only", PoolReference.of(SCAN));
    assertThat(addresses(query("/both"))).containsExactly("http://a/");
    assertThat(query("/both").pool()).contains(new PoolAnswer(Optional.empty(), 0));
    assertThat(query("/only").references()).containsExactly(PoolReference.of(SCAN));
    assertThat(query("/only").pool()).contains(new PoolAnswer(Optional.empty(), 0));
  }

  @Test
  void aPoolThatTheCallerMayNotReadStaysAReferenceAndOutOfLists() {
    register(PRINT, 1, 60_000, "http://p1/");
    register(SCAN, 1, 60_000, "http://s1/");
    for (String path : List.of("/", "/svc")) {
      AccessRules rules =
          path.equals("/")
              ? new AccessRules(Optional.empty(), Optional.of(List.of(AccessRule.parse("anyone=read"))))
              : AccessRules.CLOSED;
      Metadata metadata = Metadata.NONE.with(rules);
      tree.add(
          CallContext.SERVICE,
          AddRequest.of(new NewEntry(Target.of("/svc"), List.of(), Metadata.NONE, Precondition.IF_ABSENT)));
      tree.update(CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata)));
    }
    junction("/print", PoolReference.of(PRINT));
    junction("/plain", EndpointReference.ofAddress("http://a/"));
    AccessReader closed =
        new AccessReader(new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of("local:admin")), false),
            () -> tree);
    NameService guarded = new PoolQueries(() -> tree, pools, closed);
    QueryRequest both = QueryRequest.of(Target.of("/print"), Target.of("/plain"));
    List<Outcome<Entry>> anonymous = guarded.query(CallContext.ANONYMOUS, both).value();
    assertThat(addresses((Junction) anonymous.get(0).orThrow())).isEqualTo(addresses(
        (Junction) tree.query(CallContext.SERVICE, both).value().get(0).orThrow()));
    assertThat(addresses((Junction) anonymous.get(1).orThrow())).containsExactly("http://a/");
    Caller admin = new Caller("local:admin", Set.of());
    CallContext administrator = new CallContext(admin, Optional.empty());
    assertThat(addresses((Junction) guarded.query(administrator, both).value().get(0).orThrow()))
        .containsExactly("http://p1/");

    PoolService permitted = new PermittedPools(pools, closed);
    assertThat(permitted.pools(PoolsRequest.of(RnsPath.ROOT)).pools()).isEmpty();
    assertThat(permitted.as(admin).pools(PoolsRequest.of(RnsPath.ROOT)).pools()).hasSize(2);
    assertThat(permitted.as(admin).calledBy("192.0.2.1").resolve(PRINT, 1).elements()).hasSize(1);
    for (ThrowingCallable refused : List.<ThrowingCallable>of(
        () -> permitted.resolve(PRINT, 1), () -> permitted.elements(ElementsRequest.of(PRINT)),
        () -> permitted.unreachable(PRINT, 1), () -> permitted.deregister(PRINT, 1))) {
      assertThatThrownBy(refused).isInstanceOf(RnsException.class).hasMessageContaining("not permitted");
    }
  }

  @Test
  void aPageOfPoolsDoesNotEndAtOneThatTheCallerMayNotRead() {
    for (String path : List.of("/", "/a", "/b", "/c")) {
      if (!path.equals("/")) {
        tree.add(CallContext.SERVICE, AddRequest.of(NewEntry.directory(Target.of(path))));
      }
      AccessRules rules =
          path.equals("/") || path.equals("/b")
              ? new AccessRules(Optional.empty(), Optional.of(List.of(AccessRule.parse("anyone=read"))))
              : AccessRules.CLOSED;
      tree.update(
          CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), Metadata.NONE.with(rules))));
    }
    for (String path : List.of("/a/1", "/a/2", "/b/1", "/b/2", "/c/1", "/c/2")) {
      register(RnsPath.parse(path), 1, 60_000, "http://e/");
    }
    AccessReader closed =
        new AccessReader(new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false), () -> tree);
    PoolService permitted = new PermittedPools(pools, closed);
    List<String> seen = new ArrayList<>();
    Optional<PoolsRequest> next = Optional.of(new PoolsRequest(RnsPath.ROOT, 1, Optional.empty()));
    while (next.isPresent()) {
      PoolsRequest request = next.get();
      PoolPage page = permitted.pools(request);
      seen.add(page.pools().stream().map(pool -> pool.handle().toString()).toList() + " " + page.next());
      next = page.next().map(request::from);
    }
    assertThat(seen).containsExactly("[/b/1] Optional[/b/1]", "[/b/2] Optional[/b/2]", "[] Optional.empty");
  }

  @Test
  void everyItemOfABatchSelectsAnew() {
    register(PRINT, 1, 60_000, "http://p1/");
    register(PRINT, 2, 60_000, "http://p2/");
    register(SCAN, 1, 60_000, "http://s1/");
    junction("/print", PoolReference.of(PRINT));
    junction("/all", PoolReference.of(SCAN), PoolReference.of(PRINT));
    junction("/plain", EndpointReference.ofAddress("http://a/"));
    QueryRequest request =
        QueryRequest.of(Target.of("/print"), Target.of("/none"), Target.of("/plain"), Target.of("/all"), Target.ROOT);
    List<Outcome<Entry>> outcomes = names.query(CallContext.ANONYMOUS, request).value();
    assertThat(addresses((Junction) outcomes.get(0).orThrow())).containsExactly("http://p1/", "http://p2/");
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
    assertThat(((Junction) outcomes.get(2).orThrow()).pool()).isEmpty();
    assertThat(addresses((Junction) outcomes.get(3).orThrow())).containsExactly("http://s1/", "http://p2/",
        "http://p1/");
  }

  @Test
  void anAnswerHasNoMoreReferencesThanAJunction() {
    IntStream.rangeClosed(1, 70).forEach(id -> register(PRINT, id, 60_000, "http://p" + id + "/"));
    junction("/print", PoolReference.of(PRINT), EndpointReference.ofAddress("http://a/"), PoolReference.of(SCAN));
    List<String> addresses = new ArrayList<>(addresses(query("/print")));
    assertThat(addresses).hasSize(Limits.EPRS_PER_ENTRY).endsWith("http://p63/", "http://a/");
  }

  /** Each of two pools would fit: elements are left out at the end of the second. */
  @Test
  void twoPoolsShareTheReferencesOfAnAnswer() {
    IntStream.rangeClosed(1, 40).forEach(id -> register(PRINT, id, 60_000, "http://p" + id + "/"));
    IntStream.rangeClosed(1, 40).forEach(id -> register(SCAN, id, 60_000, "http://s" + id + "/"));
    junction("/both", PoolReference.of(PRINT), EndpointReference.ofAddress("http://a/"), PoolReference.of(SCAN));
    List<String> addresses = addresses(query("/both"));
    assertThat(addresses).hasSize(Limits.EPRS_PER_ENTRY).endsWith("http://s23/");
    assertThat(addresses.subList(39, 42)).containsExactly("http://p40/", "http://a/", "http://s1/");
  }

  @Test
  void aRenamedJunctionKeepsItsPoolAndListingsTellTheReference() {
    register(PRINT, 1, 60_000, "http://p1/");
    junction("/print", PoolReference.of(PRINT));
    EntryChange renaming = EntryChange.rename(Target.of("/print"), EntryName.of("paper"));
    names.update(CallContext.ANONYMOUS, UpdateRequest.of(renaming)).value().get(0).orThrow();
    assertThat(addresses(query("/paper"))).containsExactly("http://p1/");
    Entry listed = names.list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries().get(0);
    assertThat(((Junction) listed).references()).containsExactly(PoolReference.of(PRINT));
  }

  @Test
  void withoutARegistrarTheReferencesStay() {
    junction("/print", PoolReference.of(PRINT), EndpointReference.ofAddress("http://a/"));
    registrar.close();
    assertThat(query("/print").references()).hasSize(2).startsWith(PoolReference.of(PRINT));
    assertThat(query("/print").pool()).isEmpty();
  }

  @Test
  void soapTellsTheSame() throws Exception {
    try (SoapHttpServer server = new SoapHttpServer(names, pools);
        NameService client = RnsClient.builder().server(server.address()).build()) {
      String registered =
          post(
              server.address(),
              "<x:poolRegister xmlns:x='urn:rns:ext:1' handle='/svc/scan' policy='rr' element='4294967295' lifetime-millis='3000'>"
                  + "<x:endpoint><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>http://s1/</a:Address></x:endpoint>"
                  + "</x:poolRegister>");
      assertThat(registered).contains("poolRegisterResponse").contains("version=\"1\"");
      junction("/scan", PoolReference.of(SCAN));
      Junction found = query(client, "/scan");
      assertThat(addresses(found)).containsExactly("http://s1/");
      assertThat(found.pool()).contains(new PoolAnswer(Optional.of("rr"), 3_000));
      String lookup =
          post(
              server.address(),
              "<n:LookupRequest xmlns:n='http://schemas.ogf.org/rns/2009/12/rns'><n:entry-name>scan</n:entry-name></n:LookupRequest>");
      assertThat(lookup).contains("http://s1/").doesNotContain("urn:rns:pool");
      String query =
          post(
              server.address(),
              "<r:query xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'><r:entry-pattern>/scan</r:entry-pattern></r:query>");
      assertThat(query).contains("http://s1/").doesNotContain("urn:rns:pool");
      String resolved = post(server.address(), "<x:poolResolve xmlns:x='urn:rns:ext:1' handle='/svc/scan'/>");
      assertThat(resolved).contains("http://s1/").contains("ttl-millis=\"3000\"").contains("id=\"4294967295\"");
      String refused = post(server.address(), "<x:poolResolve xmlns:x='urn:rns:ext:1' handle='/none'/>");
      assertThat(refused).contains("NO_SUCH_POOL");
    }
  }

  private static String registration(RnsPath handle, String policy, int id, String lifetime, String address) {
    return "<x:poolRegister xmlns:x='urn:rns:ext:1' handle='" + handle + "' policy='" + policy + "' element='" + id
        + "' lifetime-millis='" + lifetime + "'><x:endpoint><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>"
        + address
        + "</a:Address></x:endpoint></x:poolRegister>";
  }

  @Test
  void soapRefusalsSayWhatAndWhere() throws Exception {
    try (SoapHttpServer server = new SoapHttpServer(names, pools)) {
      URI at = server.address();
      assertThat(post(at, registration(SCAN, "rr", 1, "3000", "http://s1/"))).contains("version=\"1\"");
      assertThat(post(at, registration(SCAN, "lu", 2, "3000", "http://s2/")))
          .contains("OTHER_POLICY", "the policy of pool /svc/scan is rr, not lu");
      assertThat(post(at, registration(SCAN, "rr", 1, "3000", "http://s2/")))
          .contains("ELEMENT_ID_TAKEN", "another element of pool /svc/scan has id 1 (no endpoint address in common)");
      assertThat(post(at, registration(SCAN, "rr", 2, "-1", "http://s2/")))
          .contains("INVALID_REQUEST", "element 2 of pool /svc/scan has the infinite lifetime -1",
              "must be 1 ms or more");
      assertThat(post(at, registration(SCAN, "rr", 2, "0", "http://s2/"))).contains("INVALID_REQUEST",
          "a lifetime of 0 ms is invalid");
      String controlled =
          registration(SCAN, "rr", 2, "3000", "http://s2/")
              .replace("</x:poolRegister>",
                  "<x:control><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>tcp://h:1</a:Address>"
                      + "</x:control></x:poolRegister>");
      assertThat(post(at, controlled)).contains("INVALID_REQUEST",
          "element 2 of pool /svc/scan has a control endpoint, tcp://h:1");
      assertThat(pools.statistics()).containsEntry("poolElements", 1).containsEntry("poolRejections", 4L);
    }
  }

  /** 4 KiB, and as long as a path may be; one byte more is no path. */
  @Test
  void aHandleMayBeAsLongAsAPath() throws Exception {
    try (SoapHttpServer server = new SoapHttpServer(names, pools)) {
      for (int bytes : new int[]{4_096, Limits.PATH_BYTES}) {
        RnsPath handle = RnsPath.parse(path(bytes));
        assertThat(post(server.address(), registration(handle, "rr", 1, "60000", "http://p1/")))
            .contains("poolRegisterResponse");
        assertThat(post(server.address(), "<x:poolResolve xmlns:x='urn:rns:ext:1' handle='" + handle + "'/>"))
            .contains("http://p1/", handle.toString());
        junction("/long" + bytes, PoolReference.of(handle));
        assertThat(addresses(query("/long" + bytes))).containsExactly("http://p1/");
      }
      String tooLong = "<x:poolResolve xmlns:x='urn:rns:ext:1' handle='" + path(Limits.PATH_BYTES + 1) + "'/>";
      assertThat(post(server.address(), tooLong)).contains("LIMIT_EXCEEDED", String.valueOf(Limits.PATH_BYTES));
    }
  }

  private static String path(int bytes) {
    StringBuilder path = new StringBuilder();
    while (path.length() < bytes) {
      int left = bytes - path.length() - 1;
      int length = left > 101 ? 100 : left;
      path.append('/').append("x".repeat(length));
    }
    return path.toString();
  }

  private static String post(URI server, String body) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server + "/services/rns"))
              .timeout(Duration.ofSeconds(60))
              .header("Content-Type", "text/xml")
              .POST(BodyPublishers.ofString(BEGIN + body + END))
              .build();
      return http.send(request, BodyHandlers.ofString()).body();
    }
  }
}
