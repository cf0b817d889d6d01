package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.operator.SignedExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of partitions, against a socket that plays the servers of two groups. */
class PartitionCommandsTest {
  private static final String NOBODY = "http://127.0.0.1:1/rns";
  private static final String SECRET = "s3cret";

  private final CommandLineFixture rns = new CommandLineFixture();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private int status = 200;
  private String answer = "{\"path\":\"/a b\",\"directory\":\"00000000000000ff\",\"group\":1,\"epoch\":17}";
  private String plan =
      """
          {"seconds":61.5,"limit":625.0,"groups":[{"group":0,"reads":900.0,"writes":20.0,"load":1000.0,"after":600.0},
          {"group":1,"reads":0.0,"writes":0.0,"load":0.0,"after":400.0}],
          "moves":[{"path":"/a b","from":0,"to":1,"reads":300.0,"writes":20.0,"load":400.0,"reasons":["Much.","Hot."]}],
          "verdict":"Enough.","silent":[{"server":"http://h/rns","group":1,"reason":"it is unreachable"}],
          "absent":[{"group":2,"reason":"it has no primary"}]}
          """;
  private String decisions =
      """
          {"settings":{"mode":"suggest","windowSeconds":300,"windows":3,"movesPerHour":4,"quietHours":"22:00-06:00",
          "restSeconds":3600},"decisions":[{"number":17,"at":"2026-03-01T10:05:00Z","seconds":300,"mode":"suggest",
          "outcome":"refused","rule":"budget","reason":"4 moves.","limit":625.0,"groups":[
          {"group":0,"reads":900.0,"writes":20.0,"load":1000.0,"after":600.0}],"moves":[
          {"path":"/a b","from":0,"to":1,"reads":300.0,"writes":20.0,"load":400.0,"reasons":["Much."]}],
          "window":{"directories":[{"path":"/c","group":0,"reads":1.0,"writes":1.0},
          {"path":"/a b","group":0,"reads":300.0,"writes":20.0}],"missing":["http://h/rns: it is slow"],
          "fixed":[{"path":"/c","reason":"it is no directory"}]}}],
          "moves":[{"number":3,"at":"2026-03-01T10:01:00Z","path":"/a b","from":0,"to":2,"by":"undo","undoes":2,
          "state":"failed","failure":"no"}],
          "undo":{"number":2,"path":"/x","from":0,"to":1},
          "directory":{"path":"/a b","group":0,"windows":[
          {"decision":17,"at":"2026-03-01T10:05:00Z","reads":300.0,"writes":20.0,"load":400.0}]}}
          """;
  private static final String LOADS =
      """
          {"partitions":[{"path":"/","group":0,"reads":12.5,"writes":0.0},{"path":"/a","group":1,"entries":20200,"reads":300.0,"writes":20.0}]}
          """;
  private static final String REPLAY =
      """
          {"settings":{"mode":"auto","windowSeconds":300,"windows":2,"minimumGain":0.2,"minimumLoad":200.0,
          "movesPerHour":4,"quietHours":"","restSeconds":3600},"windows":[
          {"at":"2026-03-01T10:05:00Z","outcome":"refused","rule":"windows","reason":"1.","recorded":1000.0,
          "replayed":1000.0,"moves":[]},
          {"at":"2026-03-01T10:10:00Z","outcome":"proposed","reason":"2.","recorded":1000.0,"replayed":1000.0,"moves":[
          {"path":"/a b","from":0,"to":1,"reads":300.0,"writes":20.0,"load":400.0,"reasons":["Much."]}]},
          {"at":"2026-03-01T10:15:00Z","outcome":"balanced","reason":"3.","recorded":1000.0,"replayed":600.0,
          "moves":[]}],"groups":[{"group":0,"recorded":1000.0,"replayed":866.667},
          {"group":1,"recorded":0.0,"replayed":133.333}],"busiest":{"recorded":2.0,"replayed":1.733},"partitions":[]}
          """;
  private String unreachable = NOBODY;
  private String second = "";
  private String failover = "";
  private boolean secondLives = true;
  private boolean secondServes = true;
  private boolean hasAddresses = true;
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::play);
    http.start();
    second = url(2);
    rns.environment("RNS_SERVER", url(1)).environment("RNS_GROUP_SECRET", SECRET);
  }

  @AfterEach
  void stop() {
    http.stop(0);
    rns.close();
  }

  private String url(int server) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + server + "/rns";
  }

  private void play(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int server = path.charAt(1) - '0';
      Optional<String> secret = SignedExchange.secret(exchange, "/" + server + "/rns", List.of(SECRET));
      if (path.endsWith("/health")) {
        exchange.sendResponseHeaders(server == 2 && !secondServes ? 503 : 200, -1);
        return;
      }
      asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      boolean assigns = path.endsWith("/assign");
      String text =
          path.endsWith("/decisions")
              ? decisions
              : path.endsWith("/loads") ? LOADS
                  : assigns ? answer
                      : path.endsWith("/replay") ? REPLAY
                          : path.endsWith("/plan") ? plan : path.endsWith("/status") ? statusOf(server) : partitions();
      int code = assigns ? status : 200;
      if (secret.isPresent()) {
        SignedExchange.answer(exchange, SECRET, code, System.currentTimeMillis(), text);
      } else {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private String partitions() {
    if (!hasAddresses) {
      return """
          {"positions":[],"partitions":[{"path":"/","directory":"0000000000000001","group":0,"epoch":0}],
          "groups":[{"group":0,"servers":[]}]}
          """;
    }
    return """
        {"positions":["0-1-55"],"partitions":[
        {"path":"/","directory":"0000000000000001","group":0,"epoch":0},
        {"path":"/a","directory":"00000000000000ff","group":1,"epoch":17}],
        "groups":[
        {"group":0,"servers":[{"url":"%s","name":"server-9","role":"out","living":false},
         {"url":"%s","name":"server-1","role":"primary","living":true,"capacity":7}]},
        {"group":1,"servers":[{"url":"%s","name":"server-2","role":"primary","living":%b}]}]}
        """
        .formatted(unreachable, url(1), second, secondLives);
  }

  private String statusOf(int server) {
    return """
        {"soap":"http://h/rns/services/rns","rest":"http://h/rns/names","version":"1","servers":[
        {"name":"server-%1$d","url":"%2$s","role":"primary","group":%3$d,"position":"%3$d-1-5","lagMillis":0,"state":"serving",
         "statistics":{"nested":[{"a":1}]}}],"last":[{"x":1}]%4$s}
        """
        .formatted(server, url(server), server - 1, server == 2 ? failover : "");
  }

  @Test
  void aSingleServerWithoutAnAddressServes() {
    hasAddresses = false;
    assertThat(rns.lines("partition ls").get(1)).startsWith("/ ").endsWith("serving");
  }

  @Test
  void lsShowsPartitionsAndServersOfAllGroups() {
    assertThat(rns.lines("partition ls")).map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
        "PATH|GROUP|EPOCH|STATE",
        "/|0|0|serving",
        "/a|1|17|serving",
        "",
        "GROUP|SERVER|ROLE|ADDRESS",
        "0|server-9|unreachable|" + NOBODY,
        "0|server-1|primary|" + url(1),
        "1|server-2|primary|" + url(2));
    assertThat(rns.done("partition", "ls", "--json").json()).isEqualTo(
        Map.of(
            "partitions", List.of(
                Map.of("path", "/", "directory", "0000000000000001", "group", "0", "epoch", "0", "state", "serving"),
                Map.of("path", "/a", "directory", "00000000000000ff", "group", "1", "epoch", "17", "state",
                    "serving")),
            "groups", List.of(
                Map.of("name", "0", "servers", List.of(
                    Map.of("url", NOBODY, "name", "server-9", "role", "out", "living", "false"),
                    Map.of("url", url(1), "name", "server-1", "role", "primary", "living", "true"))),
                Map.of("name", "1", "servers", List.of(
                    Map.of("url", url(2), "name", "server-2", "role", "primary", "living", "true"))))));
    secondLives = false;
    assertThat(rns.lines("partition ls").get(2)).endsWith("unreachable");
    secondLives = true;
    secondServes = false;
    assertThat(rns.lines("partition ls").get(2)).as("its last report is old").endsWith("unreachable");
    rns.environment("RNS_SERVER", NOBODY);
    assertThat(rns.run("partition", "ls").code()).isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void assignIsSentToALivingServerOfTheRootsGroup() {
    rns.environment("RNS_SERVER", url(2));
    assertThat(rns.done("partition", "assign", "/a b/", "--to", "1").lines()).containsExactly(
        "partition: /a b", "group:     1", "epoch:     17");
    assertThat(asked).containsExactly("GET /2/rns/partitions", "POST /1/rns/partitions/assign?path=%2Fa+b&group=1");
    assertThat(rns.done("partition", "assign", "/a b", "--to", "1", "--json").json()).isEqualTo(
        Map.of("path", "/a b", "directory", "00000000000000ff", "group", "1", "epoch", "17"));
  }

  @Test
  void assignToThePresentOwnerShowsThatAMoveWasCancelled() {
    answer =
        "{\"path\":\"/a\",\"directory\":\"00000000000000ff\",\"group\":0,\"epoch\":17,"
            + "\"move\":{\"phase\":\"cancelled\",\"copied\":1200,\"waitedMillis\":0}}";
    assertThat(rns.lines("partition assign /a --to 0")).containsExactly(
        "partition: /a", "group:     0", "epoch:     17",
        "cancelled: a move to another group, which had copied 1200 entries");
  }

  @Test
  void statusShowsWhyTheFailoverOfAnotherGroupWaits() {
    assertThat(rns.lines("status")).noneMatch(line -> line.startsWith("failover:"));
    failover = ",\"failover\":{\"next\":null,\"waits\":\"these members cannot be asked: http://b\"}";
    assertThat(rns.lines("status")).contains(
        "failover:      group 1 waits: these members cannot be asked: http://b");
  }

  @Test
  void refusedAssignmentsAreExplained() {
    status = 400;
    answer = "{\"code\":\"INVALID_REQUEST\",\"message\":\"/a is not empty\"}";
    Result refused = rns.run("partition", "assign", "/a", "--to", "1");
    assertThat(refused.err()).isEqualTo("rns: /a is not empty\n");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    status = 503;
    answer = "{\"code\":\"UNAVAILABLE\",\"message\":\"no server of group 1 has announced itself\"}";
    Result late = rns.run("partition", "assign", "/a", "--to", "1");
    assertThat(late.err()).as("not that of the server that is down").contains("no server of group 1");
    assertThat(late.code()).isEqualTo(ExitCode.UNREACHABLE);
    rns.environment("RNS_GROUP_SECRET", "").environment("RNS_DATA", "/nonexistent");
    Result unsigned = rns.run("partition", "assign", "/a", "--to", "1");
    assertThat(unsigned.err()).contains("needs the operators' secret");
    assertThat(unsigned.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void planShowsLoadsReasonsAndCommands() {
    assertThat(rns.lines("partition plan")).map(line -> line.replaceAll(" {3,}", "|")).containsExactly(
        "GROUP  READS/S  WRITES/S  LOAD|AFTER",
        "0|900.0|20.0|1000.0  600.0",
        "1|0.0|0.0|0.0|400.0",
        "measured for 61.5 s",
        "without http://h/rns of group 1: it is unreachable",
        "without group 2: it has no primary",
        "",
        "./rns partition assign /a\\ b --to 1",
        "  Much.",
        "  Hot.",
        "",
        "Enough.");
    assertThat(rns.done("partition", "plan", "--json").json()).containsKeys("seconds", "groups", "moves", "verdict");
    rns.lines("partition plan --half-life 1m --moves 2 --min-load 10 --write-cost 2.5 --settled 1s");
    assertThat(asked).containsExactly(
        "GET /1/rns/partitions/plan", "GET /1/rns/partitions/plan",
        "GET /1/rns/partitions/plan?halfLifeMillis=60000&moves=2&minimumLoad=10&writeCost=2.5&settledMillis=1000");
  }

  @Test
  void applyMakesTheAssignmentsOfThePlan() {
    assertThat(rns.lines("partition apply --moves 1")).containsExactly(
        "partition: /a b", "group:     1", "epoch:     17", "", "Enough.");
    assertThat(asked).containsExactly(
        "GET /1/rns/partitions/plan?moves=1", "GET /1/rns/partitions",
        "POST /1/rns/partitions/assign?path=%2Fa+b&group=1&by=apply");
    assertThat(rns.done("partition", "apply", "--json").json()).isEqualTo(
        Map.of(
            "assigned", List.of(Map.of("path", "/a b", "directory", "00000000000000ff", "group", "1", "epoch", "17")),
            "verdict", "Enough."));
  }

  @Test
  void undoAssignsTheLastMovedDirectoryToItsFormerGroup() {
    assertThat(rns.lines("partition undo")).contains("epoch:     17");
    assertThat(asked).containsExactly(
        "GET /1/rns/partitions", "GET /1/rns/partitions/decisions?most=1",
        "POST /1/rns/partitions/assign?path=%2Fx&group=0&by=undo&undoes=2");
    decisions = "{\"decisions\":[],\"moves\":[]}";
    Result nothing = rns.run("partition", "undo");
    assertThat(nothing.err()).isEqualTo("rns: no move of a directory is recorded that can be taken back\n");
    assertThat(nothing.code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void whyShowsDecisionsHeatAndMoves() {
    rns.environment("RNS_SERVER", url(2));
    assertThat(rns.lines("partition why")).map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
        "mode suggest: windows of 300 s, an imbalance must last for 3; at most 4 moves per hour, a directory rests for "
            + "3600 s, quiet hours 22:00-06:00",
        "",
        "DECISION|WINDOW UNTIL|OUTCOME|REASON",
        "17|2026-03-01T10:05:00Z|refused (budget)|4 moves.",
        "",
        "MOVE|BEGUN|PATH|FROM|TO|BY|STATE",
        "3|2026-03-01T10:01:00Z|/a b|0|2|undo of 2|failed: no");
    assertThat(rns.lines("partition why 17")).map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
        "decision 17, mode suggest, window of 300 s until 2026-03-01T10:05:00Z",
        "refused (budget): 4 moves.",
        "",
        "GROUP|READS/S|WRITES/S|LOAD|AFTER",
        "0|900.0|20.0|1000.0|600.0",
        "",
        "./rns partition assign /a\\ b --to 1",
        "|Much.",
        "",
        "DIRECTORY|GROUP|READS/S|WRITES/S",
        "/a b|0|300.0|20.0",
        "/c|0|1.0|1.0",
        "without http://h/rns: it is slow",
        "cannot move /c: it is no directory");
    assertThat(rns.done("partition", "why", "/a b/").lines()).map(line -> line.replaceAll(" {2,}", "|"))
        .containsExactly(
            "/a b belongs to group 0; with everything below it, it had:",
            "DECISION|WINDOW UNTIL|READS/S|WRITES/S|LOAD",
            "17|2026-03-01T10:05:00Z|300.0|20.0|400.0",
            "",
            "decision 17, window until 2026-03-01T10:05:00Z, refused (budget): 4 moves.",
            "",
            "./rns partition assign /a\\ b --to 1",
            "|Much.",
            "",
            "MOVE|BEGUN|PATH|FROM|TO|BY|STATE",
            "3|2026-03-01T10:01:00Z|/a b|0|2|undo of 2|failed: no");
    assertThat(asked).contains(
        "GET /1/rns/partitions/decisions?most=12", "GET /1/rns/partitions/decisions?number=17",
        "GET /1/rns/partitions/decisions?most=12&path=%2Fa+b");
    assertThat(rns.done("partition", "why", "--last", "3", "--windows", "--json").json()).containsKeys("decisions");
    assertThat(asked).contains("GET /1/rns/partitions/decisions?most=3&windows=true");
    Result wrong = rns.run("partition", "why", "a");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("'a' is neither a directory nor the number of a decision");
  }

  @Test
  void aServerWithoutAnAddressForOthersIsAskedItself() {
    hasAddresses = false;
    for (String command : List.of("replay", "why")) {
      assertThat(rns.run("partition", command).code()).as(command).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void replayShowsMovesAndLoadsOfOtherSettings(@TempDir Path directory) throws IOException {
    assertThat(
        rns.lines(
            "partition replay --window 5m --windows 2 --gain 20 --min-load 10 --moves-per-hour 6 --quiet-hours "
                + "22:00-06:00 --rest 30m --last 3"))
        .map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
            "windows of 300 s, an imbalance must last for 2; at most 4 moves per hour, a directory rests for 3600 s",
            "each move must gain 20 % of the mean; nothing moves below a load of 200.0",
            "",
            "WINDOW UNTIL|PATH|FROM|TO|LOAD",
            "2026-03-01T10:10:00Z|/a b|0|1|400.0",
            "",
            "GROUP|RECORDED|REPLAYED",
            "0|1000.0|866.7",
            "1|0.0|133.3",
            "",
            "3 windows from 2026-03-01T10:05:00Z to 2026-03-01T10:15:00Z; plans refused: 1 by windows",
            "the busiest group had 200 % of the mean load; it would have had 173 %");
    Path heat = Files.writeString(directory.resolve("heat.json"), decisions);
    assertThat(rns.done("partition", "replay", heat.toString(), "--quiet-hours", "", "--json").json())
        .containsKeys("settings", "windows", "groups", "busiest", "partitions");
    assertThat(asked).containsExactly(
        "GET /1/rns/partitions",
        "GET /1/rns/partitions/replay?windowMillis=300000&windows=2&gain=20&minimumLoad=10&movesPerHour=6"
            + "&quietHours=22%3A00-06%3A00&restMillis=1800000&most=3",
        "GET /1/rns/partitions", "POST /1/rns/partitions/replay?quietHours=");
    Result missing = rns.run("partition", "replay", directory.resolve("none").toString());
    assertThat(missing.code()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("cannot read the file '" + directory.resolve("none") + "'");
  }

  /** It would hide the reason of the refusal behind a minute of silence. */
  @Test
  void assignIsNotSentToAServerThatHangs() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      unreachable = "http://127.0.0.1:" + hangs.getLocalPort() + "/rns";
      status = 503;
      answer = "{\"code\":\"UNAVAILABLE\",\"message\":\"no primary is known\"}";
      assertThat(rns.run("partition", "assign", "/a", "--to", "1").err()).isEqualTo("rns: no primary is known\n");
      hangs.setSoTimeout(1);
      assertThatThrownBy(hangs::accept).as("no connection waits").isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void lsPassesOverAServerThatHangs() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      rns.environment("RNS_SERVER", "http://127.0.0.1:" + hangs.getLocalPort() + "/rns," + url(1));
      assertThat(rns.lines("partition ls")).anyMatch(line -> line.startsWith("/a "));
    }
  }

  @Test
  void statusShowsServersOfAllGroupsAndPartitions() {
    assertThat(rns.lines("status")).map(line -> line.replaceAll(" {2,}", "|")).containsExactly(
        "SOAP endpoint: http://h/rns/services/rns",
        "version:|1",
        "",
        "SERVER|ROLE|GROUP|TERM|POSITION|LAG P50/P99|REPLICATION|ADDRESS|STATE",
        "server-1|primary|0|-|0-1-5|0 ms|-|" + url(1) + "|serving",
        "server-2|primary|1|-|1-1-5|0 ms|-|" + url(2) + "|serving",
        "",
        "PARTITION|GROUP|EPOCH|STATE|ENTRIES|READS/S|WRITES/S",
        "/|0|0|serving|-|12.5|0.0",
        "|/a|1|17|serving|20200|300.0|20.0");
    Map<String, Object> document = rns.done("status", "--json").json();
    assertThat(names(document)).containsExactly("server-1", "server-2");
    assertThat(document).containsKeys("soap", "rest", "last");
    assertThat((List<?>) document.get("partitions")).hasSize(2)
        .last().asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("reads", "300.0")
        .containsEntry("entries", "20200");
    rns.environment("RNS_SERVER", url(2));
    assertThat(names(rns.done("status", "--json").json())).containsExactly("server-2", "server-1");
  }

  private static List<String> names(Map<String, Object> document) {
    return ((List<?>) document.get("servers")).stream().map(server -> String.valueOf(((Map<?, ?>) server).get("name")))
        .toList();
  }

  @Test
  void statusShowsGroupsThatDoNotAnswer() {
    second = NOBODY;
    secondLives = false;
    List<String> lines = rns.lines("status");
    assertThat(lines.get(5).replaceAll(" {2,}", "|"))
        .isEqualTo("server-2|unreachable|1|-|-|-|-|" + NOBODY + "|it does not answer");
    secondLives = true;
    assertThat(rns.lines("status").get(5)).contains("unreachable").contains("it does not answer");
    assertThat(names(rns.done("status", "--json").json())).containsExactly("server-1", "server-2");
  }
}
