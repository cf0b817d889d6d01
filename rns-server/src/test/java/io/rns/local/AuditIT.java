package io.rns.local;

import static io.rns.server.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.audit.AuditFiles;
import io.rns.audit.AuditHead;
import io.rns.audit.AuditVerification;
import io.rns.client.CredentialFile;
import io.rns.wire.HostileMessages;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit logs of two servers in GlassFish that start closed: every face, and what one forwards to the other. */
@Tag("slow")
class AuditIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path temporary;
  private DataDirectory data;
  private String credential;
  private LocalGroup group;
  private final SoftAssertions softly = new SoftAssertions();
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() {
    data = DataDirectory.create(temporary.resolve("data"));
    data.secure();
    credential =
        CredentialFile.account(data.root().resolve("administrator")).authorization(Optional.empty()).orElseThrow();
    group = LocalGroup.start(
        new LocalGroup.Settings(
            data.root(), GroupPorts.ANY, 1, 1, "256m", "64M", LocalInstallation.find().war(), null,
            LocalDatabases.EMBEDDED),
        line -> {});
  }

  @AfterEach
  void stop() {
    group.close();
  }

  private Path log(String server) {
    return data.root().resolve("audit").resolve(server);
  }

  /**
   * The lines about requests of clients, rather than of servers among each other, and of the launcher, which asks
   * whether they answer: its last line may come when this test has begun.
   */
  private List<JsonNode> lines(String server) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path file : AuditFiles.in(log(server))) {
      for (String text : Files.readString(file).split("\n", -1)) {
        // The last one may be half written.
        if (text.endsWith("}")) {
          JsonNode line = JSON.readTree(text);
          boolean ofLauncher =
              line.path("face").asText().equals("soap") && line.path("operation").asText().equals("query");
          if (line.path("event").asText().equals("request") && !line.path("credential").asText().equals("secret")
              && !ofLauncher) {
            lines.add(line);
          }
        }
      }
    }
    return lines;
  }

  private String send(String url, String method, String path, String body, String authorization) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).method(method, BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    if (path.startsWith("/services")) {
      request.header("Content-Type", "text/xml");
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    return response.body();
  }

  private String url(String name) {
    return group.members().stream().filter(member -> member.name().equals(name)).findFirst().orElseThrow().url();
  }

  private String primary() throws Exception {
    JsonNode status = JSON.readTree(send(group.url(), "GET", "/status", "", ""));
    for (JsonNode server : status.path("servers")) {
      if (server.path("role").asText().equals("primary")) {
        return server.path("name").asText();
      }
    }
    return "";
  }

  private static String soap(String path) {
    return HostileMessages.message("<x:Path>/</x:Path>", "<r:add><r:entry_name>" + path + "</r:entry_name></r:add>");
  }

  /** A request is one more line, which says what is expected. */
  private JsonNode one(
      String method, String path, String body, String authorization, String face, String operation, String outcome)
      throws Exception {
    String server = primary();
    int before = lines(server).size();
    String answer = send(url(server), method, path, body, authorization);
    until(method + " " + path, BOUND, () -> lines(server).size() > before);
    List<JsonNode> lines = lines(server);
    JsonNode line = lines.getLast();
    assertThat(lines).as("%s %s: %s", method, path, answer).hasSize(before + 1);
    softly.assertThat(line.path("face").asText()).as("%s", line).isEqualTo(face);
    softly.assertThat(line.path("operation").asText()).as("%s", line).isEqualTo(operation);
    softly.assertThat(line.path("outcome").asText()).as("%s: %s", line, answer).isEqualTo(outcome);
    boolean isKnown = authorization.equals(credential);
    assertThat(line.path("caller").asText()).as("%s", line).isEqualTo(isKnown ? "local:admin" : "");
    assertThat(line.path("credential").asText()).as("%s", line)
        .isEqualTo(isKnown ? "local" : authorization.isEmpty() ? "none" : "unknown");
    assertThat(line.path("client").asText()).isEqualTo("127.0.0.1");
    return line;
  }

  @Test
  void everyFaceIsRecordedAndWhatIsForwardedTwice() throws Exception {
    until("a primary", BOUND, () -> !primary().isEmpty());
    String bad = "Bearer x";
    JsonNode added = one("PUT", "/names/a", "{}", credential, "names", "mkdir", "done");
    assertThat(added.path("rules").path(0).path("by").asText()).isEqualTo("administrator");
    assertThat(added.path("position").asText()).isNotEmpty();
    assertThat(added.path("items").path(0).path("path").asText()).isEqualTo("/a");
    one("PUT", "/names/a", "{}", credential, "names", "mkdir", "done");
    JsonNode moved = one("PATCH", "/names/a", "{\"path\":\"/b\"}", credential, "names", "move", "done");
    assertThat(moved.path("items").path(0).path("to").asText()).isEqualTo("/b");
    one("DELETE", "/names/none", "", credential, "names", "remove", "refused");
    one("PUT", "/names/c", "no json", credential, "names", "PUT /names", "refused");
    JsonNode closed = one("GET", "/names", "", "", "names", "query", "refused");
    assertThat(closed.path("error").asText()).isEqualTo("NOT_AUTHENTICATED");
    assertThat(closed.path("rules").path(0).path("by").asText()).isEqualTo("none");
    for (String path : List.of("/names", "/health", "/pools", "/watch", "/partitions", "/backup", "/group/member",
        "/tickets", "/none")) {
      String face = path.substring(1).replaceFirst("/.*", "");
      one("GET", path, "", bad, face, "GET " + path, "refused");
    }
    one("POST", "/services/rns", soap("s"), bad, "soap", "POST /services/rns", "refused");
    one("POST", "/services/rns", soap("s"), "", "soap", "mkdir", "refused");
    one("POST", "/services/rns", soap("s"), credential, "soap", "mkdir", "done");
    // Through JAX-WS, which the fast path leaves what is not plain to.
    one("POST", "/services/rns",
        soap("t").replaceFirst("<(\\w+):Header>", "<$1:Header><x xmlns='urn:x'/>"), credential, "soap", "mkdir",
        "done");
    one("GET", "/watch?path=/b", "", "", "watch", "watch", "refused");
    one("PUT", "/pools/b/p?element=1", "{}", "", "pools", "PUT /pools", "refused");
    one("DELETE", "/pools/b/p?element=1", "", "", "pools", "unregister", "refused");
    one("POST", "/group/switchover", "", "", "group", "POST /group/switchover", "refused");
    one("POST", "/partitions/assign?path=/b&group=7", "", "", "partitions", "POST /partitions/assign", "refused");
    one("GET", "/backup", "", "", "backup", "GET /backup", "refused");
    one("POST", "/tickets", "", "", "tickets", "POST /tickets", "refused");
    String made = "/tickets?path=/b&rights=read,add&seconds=60";
    JsonNode ticket = one("POST", made, "", credential, "tickets", "POST /tickets", "done");
    assertThat(ticket.path("query").asText()).isEqualTo("path=/b&rights=read,add&seconds=60");
    softly.assertAll();
    byTicket();
    forwarded();
    JsonNode status = JSON.readTree(send(url(primary()), "GET", "/status", "", "")).path("protection");
    assertThat(status.path("access").asText()).isEqualTo("closed");
    assertThat(status.path("audit").asText()).isEqualTo("changes");
    AuditHead head = AuditHead.parse(status.path("auditHead").asText());
    String server = primary();
    group.close();
    for (String each : List.of("server-1", "server-2")) {
      AuditVerification verification =
          new AuditVerification(
              List.of(data.groupSecret()), each.equals(server) ? Optional.of(head) : Optional.empty());
      verification.verify(AuditFiles.in(log(each)));
      assertThat(verification.problems()).isEmpty();
      assertThat(verification.notices()).isEmpty();
      assertThat(verification.last().orElseThrow().event()).isEqualTo("stop");
    }
    for (Path file : AuditFiles.in(log(server))) {
      assertThat(Files.readString(file)).doesNotContain(credential.substring("Basic ".length()), "Bearer");
    }
  }

  private List<JsonNode> ofTickets(String server) throws IOException {
    return lines(server).stream().filter(line -> line.path("credential").asText().equals("ticket")).toList();
  }

  private void byTicket() throws Exception {
    String server = primary();
    JsonNode made =
        JSON.readTree(send(url(server), "POST", "/tickets?path=/b&rights=read,add&seconds=60", "", credential));
    String unused = send(url(server), "PUT", "/names/b/d", "{}", "Bearer " + made.path("token").asText());
    String refused = send(url(server), "PUT", "/names/e", "{}", "Bearer " + made.path("token").asText());
    until("lines of a ticket", BOUND, () -> ofTickets(server).size() == 2);
    List<JsonNode> lines = ofTickets(server);
    assertThat(lines).as("%s", refused).allSatisfy(line -> {
      assertThat(line.path("caller").asText()).isEqualTo("local:admin");
      assertThat(line.path("ticket").asText()).isEqualTo(made.path("id").asText());
    });
    assertThat(lines.get(0).path("outcome").asText()).isEqualTo("done");
    assertThat(lines.get(1).path("outcome").asText()).isEqualTo("refused");
    assertThat(lines.get(1).path("rules").path(0).path("by").asText()).isEqualTo("limits");
  }

  private void forwarded() throws Exception {
    String server = primary();
    String other = server.equals("server-1") ? "server-2" : "server-1";
    int before = lines(server).size();
    int beforeThere = lines(other).size();
    String answer = send(url(other), "PUT", "/names/forwarded", "{}", credential);
    until("the lines of a forwarded request", BOUND,
        () -> lines(server).size() > before && lines(other).size() > beforeThere);
    JsonNode here = lines(server).getLast();
    JsonNode there = lines(other).getLast();
    assertThat(List.of(here, there)).as("%s", answer).allSatisfy(line -> {
      assertThat(line.path("caller").asText()).isEqualTo("local:admin");
      assertThat(line.path("operation").asText()).isEqualTo("mkdir");
      assertThat(line.path("outcome").asText()).isEqualTo("done");
      assertThat(line.path("items").path(0).path("path").asText()).isEqualTo("/forwarded");
    });
    assertThat(there.path("credential").asText()).isEqualTo("local");
    assertThat(there.path("through").asText()).isEmpty();
    assertThat(here.path("credential").asText()).isEqualTo("forwarded");
    assertThat(here.path("through").asText()).isEqualTo(other);
    assertThat(here.path("rules").path(0).path("by").asText()).isEqualTo("administrator");
    assertThat(here.path("position").asText()).isEqualTo(there.path("position").asText());
  }
}
