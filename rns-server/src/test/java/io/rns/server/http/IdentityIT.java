package io.rns.server.http;

import static io.rns.server.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.identity.AccountFile;
import io.rns.issuer.TestIssuer;
import io.rns.local.LocalService;
import io.rns.server.http.RawHttp.Answer;
import io.rns.ticket.Caveat;
import io.rns.ticket.Ticket;
import io.rns.wire.HostileMessages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who a caller is, on every face of a server in GlassFish that accepts accounts and tokens. */
@Tag("server")
class IdentityIT {
  private static final String XML = "Content-Type: text/xml";
  private static final String AUDIENCE = "https://rns.example.org";
  private static final String PASSWORD = "pass-word-of-alice";
  private static final List<String> PATHS =
      List.of("/", "/names", "/names/x", "/status", "/health", "/metrics", "/servers", "/pools", "/partitions",
          "/group/member", "/backup", "/watch", "/front/changes", "/openapi.json", "/services/rns?wsdl",
          "/wsdl/rns.wsdl", "/none",
          "/services/none", "/error");

  @TempDir private static Path temporary;
  private static TestIssuer issuer;
  private static LocalService service;
  private static RawHttp http;
  private static Path accessLog;

  @BeforeAll
  static void start() throws IOException {
    issuer = new TestIssuer();
    Path accounts = temporary.resolve("accounts");
    accessLog = temporary.resolve("access.log");
    AccountFile.put(accounts, "alice", Set.of("staff"), PASSWORD);
    service = LocalService.start(
        LocalService.Settings.in(temporary.resolve("data")).withEnvironment(
            Map.of(
                "RNS_ACCOUNTS", accounts.toString(), "RNS_ISSUERS", issuer.url(), "RNS_AUDIENCE", AUDIENCE,
                "RNS_ACCESS_LOG", accessLog.toString())),
        line -> {});
    http = new RawHttp(service.url());
  }

  @AfterAll
  static void stop() {
    service.close();
    issuer.close();
  }

  private static String basic(String password) {
    return "Authorization: Basic "
        + Base64.getEncoder().encodeToString(("alice:" + password).getBytes(StandardCharsets.UTF_8));
  }

  private static String token() {
    return issuer.token(issuer.claims("bob", AUDIENCE, Instant.now().getEpochSecond()));
  }

  private static String query() {
    return HostileMessages.message("", "<r:query/>");
  }

  @Test
  void aWrongCredentialIsRefusedEverywhere() throws IOException {
    String unsigned =
        TestIssuer.text("{\"alg\":\"none\"}") + "."
            + TestIssuer.text("{" + issuer.claims("bob", AUDIENCE, Instant.now().getEpochSecond()) + "}") + ".";
    for (String wrong : List.of(basic("wrong"), "Authorization: Bearer x", "Authorization: Bearer " + unsigned,
        "Authorization: ", "Authorization: Negotiate x", "Authorization: Bearer " + "x".repeat(7_995))) {
      for (String path : PATHS) {
        for (String method : List.of("GET", "POST", "DELETE", "HEAD")) {
          Answer answer = http.send(method, path, "", wrong);
          assertThat(answer.status()).as("%s %s %s", method, path, wrong).isEqualTo(401);
          assertThat(answer.header("WWW-Authenticate")).contains("realm=\"rns\"");
          if (!path.startsWith("/services") && !method.equals("HEAD")) {
            assertThat(answer.problem(401).path("code").asText()).isEqualTo("NOT_AUTHENTICATED");
          }
        }
      }
      Answer fault = http.send("POST", "/services/rns", query(), XML, wrong);
      assertThat(fault.status()).isEqualTo(401);
      assertThat(fault.header("Content-Type")).startsWith("text/xml");
      assertThat(fault.body()).contains("<faultstring", "NOT_AUTHENTICATED").doesNotContain("EntryResponse");
    }
    Answer soap12 =
        http.send("POST", "/services/rns", query(), "Content-Type: application/soap+xml", basic("wrong"));
    assertThat(soap12.status()).isEqualTo(401);
    assertThat(soap12.header("Content-Type")).startsWith("application/soap+xml");
  }

  @Test
  void severalCredentialsAreRefused() throws IOException {
    for (String second : List.of(basic(PASSWORD), basic("wrong"), "Authorization: Bearer " + token(),
        "authorization: x")) {
      assertThat(http.send("GET", "/names", "", basic(PASSWORD), second).status()).isEqualTo(401);
    }
  }

  @Test
  void aValidCredentialIsTheCallerOfEveryOperation() throws Exception {
    String jwt = "jwt:" + issuer.url() + "#bob";
    for (Map.Entry<String, String> each : Map.of(
        basic(PASSWORD), "local:alice", "Authorization: bearer " + token(), jwt, "X-Nothing: x", "-").entrySet()) {
      String name = "by-" + each.getValue().hashCode();
      assertThat(http.send("PUT", "/names/" + name, "{}", each.getKey()).status()).isEqualTo(201);
      assertThat(http.send("GET", "/names/" + name, "", each.getKey()).status()).isEqualTo(200);
      Answer answer = http.send("POST", "/services/rns", query(), XML, each.getKey());
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      // Through JAX-WS, which the fast path leaves what is not plain to.
      String envelope = query().replaceFirst("<(\\w+):Body", "<$1:Header><x xmlns='urn:x'/></$1:Header><$1:Body");
      assertThat(http.send("POST", "/services/rns", envelope, XML, each.getKey()).status()).isEqualTo(200);
      String wanted = each.getValue();
      until("lines of the access log", Duration.ofSeconds(20),
          () -> logged().filter(line -> line.split("\t", -1)[2].equals(wanted)).count() >= 4);
    }
  }

  /** The lines of the access log that are about operations. */
  private static Stream<String> logged() throws IOException {
    return Files.readAllLines(accessLog).stream().filter(line -> line.split("\t", -1).length > 4);
  }

  @Test
  void namesInOtherHeadersProveNothing() throws Exception {
    for (String header : List.of("X-Remote-User: local:alice", "REMOTE_USER: local:alice", "X-Forwarded-User: alice",
        "From: alice", "Proxy-Authorization: " + basic(PASSWORD).substring(15), "Cookie: JSESSIONID=alice")) {
      assertThat(http.send("PUT", "/names/by-header-" + header.hashCode(), "{}", header).status()).isEqualTo(201);
    }
    until("lines of the access log", Duration.ofSeconds(20),
        () -> logged().filter(line -> line.contains("by-header")).count() == 6);
    assertThat(logged().filter(line -> line.contains("by-header"))).allSatisfy(
        line -> assertThat(line.split("\t", -1)[2]).isEqualTo("-"));
  }

  @Test
  void ticketsGiveAPartOfTheirMakersRightsUntilTheyAreRevoked() throws Exception {
    String query = "?path=/tickets-here&rights=list,read&seconds=60";
    assertThat(http.send("POST", "/tickets" + query, "").status()).isEqualTo(401);
    assertThat(http.send("GET", "/tickets", "").status()).isEqualTo(401);
    assertThat(http.send("PUT", "/names/tickets-here", "{}", basic(PASSWORD)).status()).isEqualTo(201);
    assertThat(http.send("PUT", "/names/tickets-here/a", "{}", basic(PASSWORD)).status()).isEqualTo(201);
    Answer made = http.send("POST", "/tickets" + query, "", basic(PASSWORD));
    assertThat(made.status()).as(made.body()).isEqualTo(200);
    Ticket ticket = Ticket.parse(made.json().path("token").asText());
    String holder = "Authorization: Bearer " + ticket.token();
    assertThat(http.send("GET", "/names/tickets-here", "", holder).status()).isEqualTo(200);
    assertThat(http.send("DELETE", "/names/tickets-here/a", "", holder).status()).isEqualTo(403);
    assertThat(http.send("PUT", "/names/tickets-elsewhere", "{}", holder).status()).isEqualTo(403);
    // A holder neither prolongs nor widens it, nor sees or ends what else its maker has.
    assertThat(http.send("POST", "/tickets" + query, "", holder).status()).isEqualTo(403);
    assertThat(http.send("GET", "/tickets", "", holder).status()).isEqualTo(403);
    for (String space : List.of("  ", " \t", "\t", "\t ", " \u000b")) {
      String spaced = "Authorization: Bearer" + space + ticket.token();
      assertThat(http.send("POST", "/tickets" + query, "", spaced).status()).as(spaced).isBetween(400, 403);
      assertThat(http.send("GET", "/tickets", "", spaced + "\t ").status()).as(spaced).isBetween(400, 403);
    }
    assertThat(http.send("DELETE", "/tickets/" + ticket.id(), "", holder).status()).isEqualTo(403);
    String widened =
        ticket.narrowed(Caveat.parse("rights:list,read,add,change,remove,admin")).narrowed(Caveat.parse("path:/"))
            .token();
    assertThat(http.send("DELETE", "/names/tickets-here/a", "", "Authorization: Bearer " + widened).status())
        .isEqualTo(403);
    // Only its maker revokes it.
    String bob = "Authorization: Bearer " + token();
    assertThat(http.send("DELETE", "/tickets/" + ticket.id(), "", bob).status()).isEqualTo(404);
    assertThat(http.send("POST", "/tickets/key", "", bob).status()).isEqualTo(403);
    assertThat(http.send("GET", "/tickets", "", bob).json().path("tickets")).isEmpty();
    // Nor does what somebody has given away of his rights by a scope.
    String scoped =
        "Authorization: Bearer "
            + issuer.token(
                issuer.claims("bob", AUDIENCE, Instant.now().getEpochSecond()) + ",\"scope\":\"storage.read:/x\"");
    assertThat(http.send("GET", "/tickets", "", scoped).status()).isEqualTo(403);
    assertThat(http.send("DELETE", "/tickets/" + ticket.id(), "", scoped).status()).isEqualTo(403);
    assertThat(http.send("GET", "/tickets", "", basic(PASSWORD)).json().path("tickets")).hasSize(1);
    assertThat(http.send("DELETE", "/tickets/" + ticket.id(), "", basic(PASSWORD)).status()).isEqualTo(200);
    assertThat(http.send("GET", "/names/tickets-here", "", holder).status()).isEqualTo(401);
    assertThat(http.send("GET", "/names/tickets-here", "", "Authorization: Bearer " + widened).status())
        .isEqualTo(401);
    for (String wrong : List.of("", "?path=/a", "?path=/a&rights=all&seconds=60", "?path=a&rights=list&seconds=60",
        "?path=/a&rights=list&seconds=0", "?path=/a&rights=list&seconds=604801", "?path=/a&rights=&seconds=60")) {
      assertThat(http.send("POST", "/tickets" + wrong, "", basic(PASSWORD)).status()).as(wrong).isEqualTo(400);
    }
  }

  /** The stream ends before the first event that comes later; who reconnects is told why. */
  @Test
  @Timeout(60)
  void aWatchEndsWhenItsTicketIsRevoked() throws Exception {
    String maker =
        "Authorization: Bearer " + issuer.token(issuer.claims("carol", AUDIENCE, Instant.now().getEpochSecond()));
    assertThat(http.send("PUT", "/names/watched-by-ticket", "{}", maker).status()).isEqualTo(201);
    String made =
        http.send("POST", "/tickets?path=/watched-by-ticket&rights=read,list&seconds=600", "", maker).json()
            .path("token").asText();
    HttpRequest watch =
        HttpRequest.newBuilder(URI.create(service.url() + "/watch?path=/watched-by-ticket"))
            .header("Authorization", "Bearer " + made).timeout(Duration.ofSeconds(30)).build();
    try (HttpClient client = HttpClient.newHttpClient();
        BufferedReader events =
            new BufferedReader(
                new InputStreamReader(
                    client.send(watch, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
      assertThat(http.send("PUT", "/names/watched-by-ticket/before", "{}", maker).status()).isEqualTo(201);
      String line = events.readLine();
      while (!line.contains("/watched-by-ticket/before")) {
        line = events.readLine();
      }
      assertThat(http.send("DELETE", "/tickets/" + Ticket.parse(made).id(), "", maker).status())
          .isEqualTo(200);
      assertThat(http.send("PUT", "/names/watched-by-ticket/after", "{}", maker).status()).isEqualTo(201);
      assertThat(events.lines()).noneMatch(later -> later.contains("after"));
    }
    assertThat(http.send("GET", "/watch?path=/watched-by-ticket", "", "Authorization: Bearer " + made).status())
        .isEqualTo(401);
  }

  @Test
  void noCredentialIsInTheLogs() throws IOException {
    String token = token();
    assertThat(http.send("GET", "/names", "", basic(PASSWORD)).status()).isEqualTo(200);
    assertThat(http.send("GET", "/names", "", "Authorization: Bearer " + token).status()).isEqualTo(200);
    assertThat(http.send("GET", "/names", "", basic("wrong-word")).status()).isEqualTo(401);
    String secret = basic(PASSWORD).substring("Authorization: Basic ".length());
    try (Stream<Path> files = Files.walk(temporary)) {
      List<Path> logs = files.filter(file -> file.toString().endsWith(".log")).toList();
      assertThat(logs).hasSizeGreaterThan(1);
      for (Path log : logs) {
        assertThat(Files.readString(log, StandardCharsets.ISO_8859_1))
            .doesNotContain(PASSWORD, secret, "wrong-word", token);
      }
    }
  }
}
