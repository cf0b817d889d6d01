package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Routing;
import io.rns.cli.CommandLineFixture.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several servers, consistency, and sessions over several commands. */
@Timeout(60)
class ServersTest {
  private static final String NOBODY = "http://127.0.0.1:1/rns";

  private final CommandLineFixture rns = new CommandLineFixture();

  @AfterEach
  void stop() {
    rns.close();
  }

  private CallContext lastCall() {
    List<CallContext> calls = rns.server().calls();
    return calls.get(calls.size() - 1);
  }

  @Test
  void failsOverToTheNextServer() {
    String server = rns.server().address().toString();
    assertThat(rns.done("ls", "--server", NOBODY, "--server", server, "/").code()).isZero();
    assertThat(rns.done("--server=" + NOBODY + "," + server, "mkdir", "/a").code()).isZero();
    assertThat(rns.done("status", "--server", NOBODY + "," + server).out()).contains("0-1-7");
    assertThat(rns.done("watch", "/", "--count", "1", "--server", NOBODY + "," + server).out()).contains("/demo/new");
    rns.environment("RNS_SERVER", NOBODY + ", " + server);
    assertThat(rns.lines("ls /")).containsExactly("a");
  }

  @Test
  void unreachableServersAreReportedSoon() {
    long started = System.nanoTime();
    for (String command : List.of("ls", "status")) {
      Result result = rns.run(command, "--server", NOBODY + ",http://127.0.0.1:2/rns");
      assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(result.err()).contains("http://127.0.0.1:");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void eachServerMustBeAnAddress() {
    Result wrong = rns.run("ls", "--server", rns.server().address() + ",nonsense", "/");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("'nonsense' is not an address");
    rns.environment("RNS_SERVER", rns.server().address() + ",");
    assertThat(rns.run("ls", "/").err()).startsWith("rns: RNS_SERVER: server '' is not an address");
  }

  @Test
  void afterPassesThePositionOfAnEarlierCommand() {
    String position = (String) rns.done("mkdir", "--json", "/a").json().get("position");
    assertThat(rns.done("ls", "--json", "--after", position, "/").json()).containsEntry("position", position);
    assertThat(rns.server().calls().get(rns.server().calls().size() - 2))
        .isEqualTo(CallContext.ANONYMOUS.withSeen(Position.parse(position)).with(Routing.REFER));
    assertThat(rns.run("ls", "--after", "yesterday", "/").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("ls", "--after", position + ",7-1", "/").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void afterPassesThePositionsOfSeveralGroups() {
    String position = (String) rns.done("mkdir", "--json", "/a").json().get("position");
    String both = position + ",7-1-3";
    assertThat(rns.done("ls", "--json", "--after", "7-1-3," + position, "/").json()).containsEntry("position", both);
    assertThat(lastCall().seen()).isEqualTo(Positions.parse(both));
  }

  @Test
  void everyDocumentOfTheNamespaceHasAPosition() {
    rns.done("mkdir", "-p", "/a/b");
    for (String command : List.of(
        "add /a/j http://x/", "query /a", "ls /a", "ls -R /", "tree /", "find /", "stat /a", "export /", "mv /a/j /a/k",
        "update /a/k --meta k=v", "rm /a/k", "query /missing")) {
      assertThat(rns.run((command + " --json").split(" ")).json()).as(command).containsKey("position");
    }
    assertThat(rns.input("/q/r\thttp://x/\n").run("import", "--json", "-").json()).containsKey("position");
    assertThat(rns.done("status", "--json").json()).doesNotContainKey("position");
  }

  @Test
  void consistencyAppliesToAllReads() {
    rns.done("ls", "--consistency", "bounded(500ms)", "/");
    assertThat(lastCall().consistency()).isEqualTo(Consistency.bounded(Duration.ofMillis(500)));
    rns.done("ls", "--consistency", "bounded(2s)", "/");
    assertThat(lastCall().consistency()).isEqualTo(Consistency.bounded(Duration.ofSeconds(2)));
    rns.done("--consistency", "primary", "stat", "/");
    assertThat(lastCall().consistency()).isEqualTo(Consistency.PRIMARY);
    rns.done("query", "--consistency", "any", "--after", "0-1-1", "/");
    assertThat(lastCall().consistency()).isEqualTo(Consistency.ANY);
    assertThat(lastCall().seen()).isEqualTo(Positions.NONE);
    rns.done("query", "/");
    assertThat(lastCall().consistency()).isEqualTo(Consistency.SESSION);
    Result wrong = rns.run("ls", "--consistency", "strong", "/");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("primary, session, any, bounded(TIME)");
  }
}
