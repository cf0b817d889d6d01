package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.operator.SignedExchange;
import io.rns.error.RnsError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The group commands, against a socket that plays three servers of a group. */
class GroupCommandsTest {
  private static final String NOBODY = "http://127.0.0.1:1/rns";
  private static final String SECRET = "s3cret";

  private final CommandLineFixture rns = new CommandLineFixture();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private int status = 200;
  private int starting;
  private boolean signs = true;
  private String answer = "";
  private String failover = "";
  private boolean vouches = true;
  private String access = "";
  private String acknowledging = "\"acknowledging\":1,\"durability\":\"replicated\"";

  @TempDir private Path files;
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::play);
    http.start();
    answer = result("1", "2", 37);
    rns.environment("RNS_SERVER", url(1)).environment("RNS_GROUP_SECRET", SECRET).environment("RNS_DATA",
        files.toString());
  }

  @AfterEach
  void stop() {
    http.stop(0);
    rns.close();
  }

  private void play(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean isStatus = path.endsWith("/status");
      if (path.endsWith("/partitions")) {
        byte[] undivided = "{\"partitions\":[],\"groups\":[]}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, undivided.length);
        exchange.getResponseBody().write(undivided);
        return;
      }
      String context = path.substring(0, path.indexOf("/rns") + 4);
      Optional<String> secret = SignedExchange.secret(exchange, context, List.of(SECRET, "local-secret", "of-file"));
      if (!isStatus) {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + secret.orElse("nothing"));
      }
      String known = path.startsWith("/" + starting + "/") ? startingDocument() : statusDocument();
      String text = isStatus ? known : answer;
      if (secret.isPresent() && signs) {
        SignedExchange.answer(exchange, secret.get(), isStatus ? 200 : status, System.currentTimeMillis(), text);
      } else {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isStatus ? 200 : status, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private String url(int server) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + server + "/rns";
  }

  private String result(String former, String primary, int outage) {
    String old = former.isEmpty() ? "null" : "\"" + url(Integer.parseInt(former)) + "\"";
    return "{\"primary\":\"" + url(Integer.parseInt(primary)) + "\",\"former\":" + old
        + ",\"epoch\":4,\"position\":\"0-4-1234\",\"outageMillis\":" + outage + "}";
  }

  private String statusDocument() {
    return """
        {"soap":"http://h/rns/services/rns","rest":null,"servers":[
        {"name":"server-1","url":"%s","role":"primary","group":0,"position":"0-3-1234","lagMillis":0,"state":"serving",
         "lag":{"samples":0,"p50Millis":0,"p99Millis":0},"ageMillis":0,"term":4,"statistics":{"a":{"b":[1,{"c":2}]},"pools":2,"poolElements":7,"poolRegistrars":3,
          "poolSelections":120,"poolRejections":4,"poolReports":5,"poolLosses":6,"poolTakeovers":1},
         "registrar":{"id":3735928559,"asap":"127.0.0.1:3863","enrp":"127.0.0.1:9901"},
         "database":{"address":"127.0.0.1:3001","writable":true,"source":null,"receiving":false,%s,"trouble":null}},
        {"name":"server-2","url":"%s","role":"replica","group":0,"position":"0-3-1230","lagMillis":3,"state":"serving",
         "lag":{"samples":17,"p50Millis":3,"p99Millis":12},"term":0,"vouches":%s%s,"registrar":{"id":8,"asap":null,"enrp":null},"statistics":{},
         "database":{"address":"127.0.0.1:3002","writable":false,"source":"127.0.0.1:3001","receiving":true,"acknowledging":0}},
        {"name":"server-3","url":"%s","role":"outside","group":null,"position":null,"lagMillis":null,"state":"has no source","vouches":false,
         "lag":{"samples":0},"database":{"source":"127.0.0.1:3002","receiving":false,"trouble":"error 1236"}}]%s}
        """
        .formatted(url(1), acknowledging, url(2), vouches, access, NOBODY, failover);
  }

  private String startingDocument() {
    return "{\"soap\":\"http://h/rns/services/rns\",\"rest\":null,\"servers\":[{\"name\":\"server-" + starting
        + "\",\"url\":\"" + url(starting) + "\",\"role\":\"starting\",\"state\":\"its database does not answer\"}]}";
  }

  @Test
  void statusShowsRolesLagAndReplication() {
    List<String> lines = rns.lines("status");
    assertThat(lines.get(0)).isEqualTo("SOAP endpoint: http://h/rns/services/rns");
    assertThat(lines.subList(2, 6)).map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
        "SERVER|ROLE|GROUP|TERM|POSITION|LAG P50/P99|REPLICATION|ADDRESS|STATE",
        "server-1|primary|0|4|0-3-1234|0 ms|1 acknowledging|" + url(1) + "|serving",
        "server-2|replica|0|-|0-3-1230|3/12 ms|from 127.0.0.1:3001|" + url(2) + "|serving",
        "server-3|outside|-|-|-|-|cut off from 127.0.0.1:3002|" + NOBODY + "|has no source; error 1236");
    assertThat(lines.get(3).indexOf("serving")).isEqualTo(lines.get(2).indexOf("STATE"));
    assertThat(lines.subList(6, lines.size())).containsExactly(
        "",
        "Server pools of server-1, registrar 3735928559, ASAP at 127.0.0.1:3863, ENRP at 127.0.0.1:9901",
        "  known:       2 pools, 7 elements, 3 registrars",
        "  since start: 120 selections, 4 rejections, 5 reports of unreachable elements, 6 elements lost, 1 registrars taken over",
        "",
        "Server pools of server-2, registrar 8",
        "  no answer from the registrar");
  }

  @Test
  void statusShowsWhoIsNextAndWhyAFailoverWaits() {
    failover = ",\"failover\":{\"next\":\"server-2\",\"waits\":null}";
    assertThat(rns.lines("status")).contains("next primary:  server-2")
        .noneMatch(line -> line.startsWith("failover:"));
    failover = ",\"failover\":{\"next\":\"server-2\",\"waits\":\"these members cannot be asked: http://b\"}";
    assertThat(rns.lines("status")).contains("failover:      waits: these members cannot be asked: http://b");
  }

  /** One that was left open answered everybody, and nothing had said so. */
  @Test
  void statusWarnsIfAccessDiffers() {
    access = ",\"access\":\"closed\"";
    assertThat(rns.lines("status")).noneMatch(line -> line.startsWith("WARNING:"));
    failover = ",\"protection\":{\"access\":\"closed\",\"tls\":false,\"audit\":\"off\"}";
    assertThat(rns.lines("status")).noneMatch(line -> line.startsWith("WARNING:"));
    access = ",\"access\":\"log\"},{\"name\":\"server-4\",\"access\":\"closed\"";
    assertThat(rns.lines("status")).contains("WARNING:       access differs: server-2 log, server-4 closed");
  }

  /** A kill of the primary in that time made the group wait for it, and nothing had said so. */
  @Test
  void statusShowsWhomAFailoverCannotRelyOnYet() {
    vouches = false;
    assertThat(rns.lines("status").get(4)).endsWith("serving; catching up, a failover cannot rely on it yet");
  }

  @Test
  void statusShowsLocalDurability() {
    acknowledging = "\"acknowledging\":null,\"durability\":\"local\"";
    assertThat(rns.lines("status").get(3).replaceAll(" {2,}", "|")).contains("|0 ms|durability local|");
    acknowledging = "\"acknowledging\":0,\"durability\":\"replicated\"";
    assertThat(rns.lines("status").get(3).replaceAll(" {2,}", "|")).contains("|0 ms|0 acknowledging|");
  }

  @Test
  void membersAreListedWithWhatTheyReport() {
    answer = """
        {"epoch":3,"version":7,"members":[
        {"url":"http://a/rns","since":"2026-01-01T00:00:00Z","reachable":true,"role":"primary","position":"0-3-9",
         "lagMillis":0,"term":2,"state":""},
        {"url":"http://b/rns","since":"2026-01-02T00:00:00Z","reachable":false,"role":"unknown","position":null,
         "lagMillis":null,"term":null,"state":"does not answer"}]}
        """;
    assertThat(rns.lines("member ls")).map(line -> line.replaceAll(" {2,}", "|").strip()).containsExactly(
        "ADDRESS|ROLE|SINCE|REACHABLE|POSITION|LAG|TERM|STATE",
        "http://a/rns|primary|2026-01-01T00:00:00Z|yes|0-3-9|0 ms|2",
        "http://b/rns|unknown|2026-01-02T00:00:00Z|no|-|-|-|does not answer");
    assertThat(asked).containsExactly("GET /1/rns/group/members " + SECRET);
    assertThat(rns.done("member", "ls", "--json").out()).contains("\"version\":7");
  }

  @Test
  void membersAreAddedAndForgottenByAddressOrName() {
    answer = "{\"epoch\":3,\"version\":8,\"members\":[{\"url\":\"http://a/rns\",\"sinceMillis\":1}]}";
    assertThat(rns.lines("member add http://a/rns")).containsExactly("member:    http://a/rns");
    rns.lines("member forget http://b/rns");
    rns.lines("member forget http://b/rns --stopped");
    rns.lines("member forget server-3 --stopped");
    assertThat(asked).containsExactly(
        "POST /1/rns/group/add-member?url=http%3A%2F%2Fa%2Frns " + SECRET,
        "POST /1/rns/group/forget-member?url=http%3A%2F%2Fb%2Frns " + SECRET,
        "POST /1/rns/group/forget-member?url=http%3A%2F%2Fb%2Frns&stopped=true " + SECRET,
        "POST /1/rns/group/forget-member?url=http%3A%2F%2F127.0.0.1%3A1%2Frns&stopped=true " + SECRET);
    status = 400;
    answer = "{\"code\":\"INVALID_REQUEST\",\"message\":\"http://a/rns is the primary\"}";
    Result refused = rns.run("member", "forget", "http://a/rns");
    assertThat(refused.code()).isEqualTo(ExitCode.of(RnsError.INVALID_REQUEST));
    assertThat(refused.err()).contains("is the primary");
    asked.clear();
    Result unknown = rns.run("member", "forget", "server-9");
    assertThat(unknown.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(unknown.err())
        .isEqualTo("rns: the group has no server 'server-9'; it has: server-1, server-2, server-3\n");
    assertThat(asked).isEmpty();
  }

  @Test
  void switchoverIsSentToTheNewPrimary() {
    assertThat(rns.lines("switchover --to server-2")).containsExactly(
        "primary:   server-2 (before: server-1)", "epoch:     4", "position:  0-4-1234", "outage:    37 ms");
    assertThat(asked).containsExactly("POST /2/rns/group/switchover " + SECRET);
    assertThat(rns.done("switchover", "--to", "server-2", "--json").json()).isEqualTo(
        Map.of("primary", url(2), "former", url(1), "epoch", "4", "position", "0-4-1234", "outageMillis", "37"));
    answer = result("2", "2", 0);
    assertThat(rns.lines("switchover --to " + url(2))).startsWith("primary:   server-2, as before");
  }

  @Test
  void forcedFailoverNeedsNoOtherServer() {
    answer = result("", "2", 37);
    assertThat(rns.lines("failover --to server-2")).startsWith("primary:   server-2 (before: none)");
    // Only the new primary runs.
    rns.environment("RNS_SERVER", NOBODY);
    assertThat(rns.lines("failover --force --to " + url(2) + "/ --server " + url(2)))
        .startsWith("primary:   server-2 (before: none)");
    assertThat(asked)
        .containsExactly("POST /2/rns/group/failover " + SECRET, "POST /2/rns/group/failover?force=true " + SECRET);
    assertThat(rns.run("failover", "--to", "server-2").code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(rns.run("failover", "--to", NOBODY).code()).isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void failoverWithoutATargetAsksTheFirstServerThatAnswers() {
    assertThat(rns.lines("failover")).startsWith("primary:   server-2 (before: server-1)");
    assertThat(rns.lines("failover --yes")).startsWith("primary:   server-2 (before: server-1)");
    assertThat(asked).containsExactly("POST /1/rns/group/failover?to=best " + SECRET,
        "POST /1/rns/group/failover?to=best&replace=true " + SECRET);
    rns.environment("RNS_SERVER", NOBODY);
    assertThat(rns.run("failover").code()).isEqualTo(ExitCode.UNREACHABLE);
  }

  /** Operators need these commands when servers hang. */
  @Test
  void aServerThatHangsIsPassedOver() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      String silent = "http://127.0.0.1:" + hangs.getLocalPort() + "/rns";
      rns.environment("RNS_SERVER", silent + "," + url(2));
      assertThat(rns.lines("status")).contains("SOAP endpoint: http://h/rns/services/rns");
      assertThat(rns.lines("failover")).startsWith("primary:   server-2 (before: server-1)");
      assertThat(asked).containsExactly("POST /2/rns/group/failover?to=best " + SECRET);
    }
  }

  /** A server that was restarted without its database starts for as long as that is down. */
  @Test
  void aServerThatIsStartingIsPassedOver() {
    starting = 1;
    rns.environment("RNS_SERVER", url(1) + "," + url(2));
    rns.done("failover");
    rns.done("failover", "--to", "server-2");
    assertThat(asked).containsExactly("POST /2/rns/group/failover?to=best " + SECRET,
        "POST /2/rns/group/failover " + SECRET);
    rns.environment("RNS_SERVER", url(1));
    Result alone = rns.run("failover");
    assertThat(alone.err()).isEqualTo("rns: " + url(1) + " is starting: its database does not answer\n");
    assertThat(alone.code()).isEqualTo(ExitCode.UNREACHABLE);
  }

  /** The server in front of others has an address that none of them reports. */
  @Test
  void commandsWithoutTargetGoToTheAddressThatAnswered() {
    rns.done("failover", "--server", url(9));
    assertThat(asked).containsExactly("POST /9/rns/group/failover?to=best " + SECRET);
  }

  @Test
  void onlyServersOfTheGroupReceiveRequests() {
    String strange = url(9);
    for (String command : List.of("switchover --to ", "failover --force --to ", "join ")) {
      Result refused = rns.run((command + strange).split(" "));
      assertThat(refused.code()).as(refused.toString()).isEqualTo(ExitCode.REFUSED);
      assertThat(refused.err()).isEqualTo(
          "rns: the group has no server at " + strange + "; it has: " + url(1) + ", " + url(2) + ", " + NOBODY + "\n");
      Result unknown = rns.run((command + url(2) + " --server " + NOBODY).split(" "));
      assertThat(unknown.code()).as(unknown.toString()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(unknown.err()).contains("cannot verify that " + url(2) + " is a server of the group",
          "--server " + url(2));
    }
    assertThat(asked).isEmpty();
    // --server vouches for an address that the other servers do not know.
    rns.done("switchover", "--to", strange, "--server", url(1) + "," + strange);
    assertThat(asked).containsExactly("POST /9/rns/group/switchover " + SECRET);
  }

  @Test
  void joinIsSentToTheRebuiltServer() {
    answer = "{\"name\":\"server-2\",\"role\":\"REPLICA\",\"position\":\"0-4-1234\"}";
    assertThat(rns.lines("join server-2")).containsExactly("server:    server-2", "role:      replica",
        "position:  0-4-1234");
    assertThat(asked).containsExactly("POST /2/rns/group/join " + SECRET);
    assertThat(rns.run("join", "server-9").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void dataDirectoryDescribesALocalGroup() throws IOException {
    Files.writeString(files.resolve("group.secret"), "local-secret\n");
    Files.writeString(
        files.resolve("run.json"),
        """
        {"ready":true,"url":"%1$s","members":[{"name":"server-1","url":"%1$s","databasePid":7},{"name":"server-2","url":"%2$s"}]}
        """
            .formatted(NOBODY, url(2)));
    rns.environment("RNS_GROUP_SECRET", "").environment("RNS_SERVER", NOBODY);
    rns.done("failover", "--to", "server-2");
    rns.environment("RNS_DATA", "/nonexistent");
    rns.done("failover", "--to", "server-2", "--data", files.toString());
    rns.environment("RNS_SERVER", "http://127.0.0.1:2/rns");
    rns.done("failover", "--to", "server-2", "--data", files.toString());
    assertThat(asked).hasSize(3).containsOnly("POST /2/rns/group/failover local-secret");

    Result other = rns.run("switchover", "--server", url(1), "--to", "server-2", "--data", files.toString());
    assertThat(other.code()).as("the secret of another group").isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("needs the operators' secret", "RNS_GROUP_SECRET", files.toString());
    assertThat(asked).hasSize(3);
  }

  /** Without a target, a command would be sent to the wrong group while all servers of the right one are down. */
  @Test
  void commandsWithoutTargetStayInOneOfSeveralGroups() throws IOException {
    rns.environment("RNS_GROUP_SECRET", "").environment("RNS_SERVER", "");
    Files.writeString(files.resolve("group.secret"), "local-secret\n");
    Files.writeString(
        files.resolve("run.json"),
        """
        {"ready":true,"url":"%1$s","members":[{"name":"stopped","group":0,"url":"%1$s"},
         {"name":"server-1","group":1,"url":"%2$s"},{"name":"server-2","group":1,"url":"%3$s"}]}
        """
            .formatted(NOBODY, url(1), url(2)));
    assertThat(rns.run("member", "ls").code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(asked).isEmpty();
    rns.done("member", "ls", "--server", url(2));
    rns.done("switchover", "--to", "server-2");
    assertThat(asked).containsExactly("GET /2/rns/group/members local-secret",
        "POST /2/rns/group/switchover local-secret");
  }

  @Test
  void dataDirectoryOfTheEnvironmentSelectsTheServers() throws IOException {
    rns.environment("RNS_SERVER", "").environment("RNS_GROUP_SECRET", "");
    Files.writeString(files.resolve("group.secret"), "local-secret");
    Files.writeString(
        files.resolve("run.json"),
        """
        {"ready":false,"url":"%1$s","members":[{"name":"server-1","url":"%1$s"},{"name":"server-2","url":"%2$s"},{"name":"server-3"}]}
        """
            .formatted(NOBODY, url(2)));
    assertThat(rns.lines("status")).anyMatch(line -> line.startsWith("server-2"));
    rns.done("switchover", "--to", "server-2");
    assertThat(asked).containsExactly("POST /2/rns/group/switchover local-secret");
    Files.writeString(files.resolve("run.json"), "{\"ready\":true,\"url\":\"" + url(1) + "\"}");
    assertThat(rns.lines("status")).anyMatch(line -> line.startsWith("server-1"));
    Files.writeString(files.resolve("run.json"), "{");
    Result broken = rns.run("status");
    assertThat(broken.err()).startsWith("rns: file '" + files.resolve("run.json") + "' is invalid");
    assertThat(broken.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void wrongSecretIsReportedWithItsSource() throws IOException {
    status = 403;
    answer = "{\"code\":\"NOT_PERMITTED\",\"message\":\"not the secret of the group\"}";
    Path file = Files.writeString(files.resolve("secret"), "of-file\n");
    Result refused = rns.run("switchover", "--to", "server-2", "--secret-file", file.toString());
    assertThat(refused.err())
        .isEqualTo("rns: not the secret of the group; it was signed with the secret of file '" + file + "'\n");
    assertThat(refused.code()).isEqualTo(ExitCode.NOT_PERMITTED);
  }

  @Test
  void secretComesFromAFile() throws IOException {
    Path file = Files.writeString(files.resolve("secret"), "of-file\n");
    rns.done("switchover", "--to", "server-2", "--secret-file", file.toString());
    assertThat(asked).containsExactly("POST /2/rns/group/switchover of-file");
    Result missing = rns.run("switchover", "--to", "server-2", "--secret-file", files.resolve("none").toString());
    assertThat(missing.code()).isEqualTo(ExitCode.USAGE);
    Files.writeString(file, "\n");
    assertThat(rns.run("switchover", "--to", "server-2", "--secret-file", file.toString()).err())
        .isEqualTo("rns: file '" + file + "' has no secret: one line of printable ASCII\n");
  }

  @Test
  void refusalsAreExplained() {
    refused(1, "the group has no server 'server-9'; it has: server-1, server-2, server-3", "server-9");
    status = 400;
    answer = "{\"code\":\"INVALID_REQUEST\",\"message\":\"it does not follow the primary\"}";
    refused(1, "it does not follow the primary", "server-2");
    status = 403;
    answer = "{\"code\":\"NOT_PERMITTED\",\"message\":\"the request is not signed with the secret of this server\"}";
    refused(4,
        "the request is not signed with the secret of this server; it was signed with the secret of RNS_GROUP_SECRET",
        "server-2");
    status = 503;
    answer = "{\"code\":\"OF_A_NEWER_SERVER\",\"message\":\"later\"}";
    refused(3, "later", "server-2");
    status = 404;
    answer = "<html>not here</html>";
    refused(3, url(2) + "/group/switchover answers 404: no RNS server, or still starting", "server-2");
    status = 502;
    refused(3, url(2) + "/group/switchover answers 502: is this an RNS server?", "server-2");
    status = 200;
    refused(3, url(2) + "/group/switchover answers no JSON object: is this an RNS server?", "server-2");
  }

  @Test
  void unsignedAnswersAreIgnored() {
    signs = false;
    refused(
        4,
        "the answer of " + url(1)
            + "/status is not signed with the secret of this group and is ignored; it was signed with the"
            + " secret of RNS_GROUP_SECRET",
        "server-2");
    assertThat(asked).isEmpty();
    Result shown = rns.run("status");
    assertThat(shown.err()).startsWith("rns: showing public fields only: the answer of ");
    assertThat(shown.code()).isZero();
  }

  private void refused(int code, String message, String to) {
    Result result = rns.run("switchover", "--to", to);
    assertThat(result.err()).isEqualTo("rns: " + message + "\n");
    assertThat(result.code()).isEqualTo(code);
  }
}
