package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.Interposed;
import io.rns.client.TestServer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes, help, completion, and usage errors. */
@Timeout(60)
class UsageTest {
  private final CommandLineFixture rns = new CommandLineFixture();

  @TempDir private Path files;

  @AfterEach
  void stop() {
    rns.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "frob", "ls a", "ls /a//b", "ls /a /b", "mkdir", "add /a", "add / urn:x", "add /a urn:x --meta k", "mv /a",
      "rm",
      "rm /a /b --if-version 1", "find", "find / --type x", "find / --deadline 1", "find / --deadline 0s", "query",
      "update /a", "update /a --name a/b", "update /a --if-version x --name b", "completion fish",
      "ls --server nowhere /",
      "ls --nonsense", "import", "tree -L 0", "tree -L x", "ls / --name [z-a]",
      "switchover", "failover --to ftp://host/rns", "switchover server-2",
      "pool", "pool frob", "pool register /p", "pool register /p --epr x", "pool register /p --epr urn:x --policy best",
      "pool register /p --epr urn:x --weight -1", "pool register /p --epr urn:x --load 101",
      "pool register /p --epr urn:x --id 0",
      "pool register /p --epr urn:x --lifetime 10ms", "pool resolve", "pool resolve /p --items 0",
      "pool resolve /p --items 129",
      "pool unregister /p", "pool unregister /p -1", "pool unregister /p 4294967296",
      "partition", "partition frob", "partition assign", "partition assign /p", "partition assign /p --to one",
      "partition assign /p --to -1", "partition assign p --to 1", "partition plan x",
      "partition plan --half-life 5", "partition plan --moves x", "partition plan --settled 0s", "partition undo x",
      "login", "login --issuer x --client-id y --renew", "logout x", "partition apply x", "partition why x",
      "partition why --last x", "partition replay --gain x",
      "partition replay --rest 5", "partition replay /p heat.json"
  })
  void wrongUsageIsExplained(String command) {
    Result result = rns.run(command.isEmpty() ? new String[0] : command.split(" "));
    assertThat(result.code()).as(result.toString()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("rns: ").contains("Try 'rns").doesNotContain("Exception");
  }

  @Test
  void wrongUsagePrintsADocumentWithJson() {
    Result result = rns.run("--json", "ls", "relative");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.json().get("error").toString()).contains("INVALID_REQUEST", "'relative' does not start with '/'");
    assertThat(result.err()).startsWith("rns: ").contains("Try 'rns");
  }

  @Test
  void importRefusesADirectory() {
    Result result = rns.run("import", files.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("rns: '" + files + "' is a directory\n");
  }

  @Test
  void serverComesFromOptionEnvironmentOrDefault() {
    String address = rns.server().address().toString();
    rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns");
    assertThat(rns.done("ls", "--server", address, "/").code()).isZero();
    assertThat(rns.done("--server=" + address, "ls", "/").code()).isZero();
    assertThat(rns.done("--server", address, "ls", "/").code()).isZero();
    assertThat(rns.run("ls", "/").code()).isEqualTo(3);
    rns.environment("RNS_SERVER", "nonsense");
    assertThat(rns.run("ls", "/").err()).startsWith("rns: RNS_SERVER: server 'nonsense' is not an address");
    assertThat(rns.run("ls", "/").code()).isEqualTo(2);
    rns.environment("RNS_SERVER", "");
    assertThat(rns.run("ls", "/").err()).doesNotContain("RNS_SERVER");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1.1", "1.1-plain"})
  void dialectComesFromOptionOrEnvironment(String dialect) {
    rns.done("mkdir", "--dialect", dialect, "/of-option");
    rns.environment("RNS_DIALECT", dialect);
    assertThat(rns.lines("ls /")).contains("of-option");
    rns.environment("RNS_DIALECT", "2.0");
    Result refused = rns.run("ls", "/");
    assertThat(refused.err()).startsWith("rns: RNS_DIALECT: '2.0' is none of 1.0, 1.1 and 1.1-plain");
    assertThat(refused.code()).isEqualTo(2);
    rns.environment("RNS_DIALECT", "");
    assertThat(rns.run("rm", "--dialect", "0", "/of-option").code()).isEqualTo(2);
  }

  @Test
  void rootSelectsAnyService() {
    String endpoint = rns.server().address() + "/services/rns";
    rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns");
    rns.done("mkdir", "--root", endpoint, "/of-root");
    assertThat(rns.done("ls", "--root", endpoint, "/").lines()).contains("of-root");
    Result refused = rns.run("query", "--epr", "--root", endpoint, "/of-root");
    assertThat(refused.err()).contains("is unavailable in plain RNS 1.1");
    assertThat(rns.run("ls", "--root", "ftp://host/", "/").err()).contains("only http and https are");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls /", "mkdir /a", "status", "switchover --to server-2", "failover --to server-2", "find /",
      "export /", "stat /",
      "pool ls", "pool resolve /p", "pool register /p --epr urn:x", "pool unregister /p 1", "referrals"})
  void unreachableServerIsExitCode3(String command) {
    assertNotReached(rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns").run(command.split(" ")));
    assertThat(rns.run((command + " --json").split(" ")).json()).containsKey("error");
  }

  private static void assertNotReached(Result result) {
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err()).startsWith("rns: ").contains("127.0.0.1:1/rns").doesNotContain("Exception")
        .hasLineCount(1);
  }

  @ParameterizedTest
  // Without a primary a command waits for one: see ReferralsTest.
  @EnumSource(value = RnsError.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT_PRIMARY")
  void exitCodeDependsOnErrorKind(RnsError error) {
    NameService refusing =
        new Interposed(
            new ModelNameService(),
            request -> {
              throw new RnsException(error, "because");
            });
    try (CommandLineFixture failing = new CommandLineFixture(TestServer.start(refusing))) {
      Result result = failing.run("stat", "--json", "/");
      // Servers pass on what belongs to another group: what is left of this error is a refusal.
      boolean refused = error.kind() == RnsError.Kind.CALLER || error == RnsError.DELEGATED;
      boolean permitted = error != RnsError.NOT_PERMITTED && error != RnsError.NOT_AUTHENTICATED;
      assertThat(result.code()).isEqualTo(!permitted ? 4 : refused ? 1 : 3);
      assertThat(result.json()).containsEntry("error", Map.of("code", error.name(), "message", message(result)));
      assertThat(message(result)).startsWith("because");
    }
  }

  private static String message(Result result) {
    return result.err().substring("rns: ".length()).trim();
  }

  @Test
  void helpListsEveryCommandAndTheLauncherCommands() {
    String help = rns.done("--help").out();
    assertThat(help).contains(Commands.all()).contains("  up ", "  down ", "  load ", "  jmeter ", "  drill ",
        "  link ", "  sim ", "Exit codes:", "--server=URL");
    assertThat(rns.done("ls", "--help").out()).contains("Usage: rns ls [-lR]", "Examples:").doesNotContain("\u001b");
    rns.watched();
    assertThat(rns.done("ls", "--help").out()).contains("\u001b[");
    rns.environment("NO_COLOR", "1");
    assertThat(rns.done("ls", "--help").out()).doesNotContain("\u001b");
  }

  @Test
  void onlyTheMainHelpListsGlobalOptions() {
    assertThat(rns.done("--help").out()).contains("Global options:\n", "--consistency=C", "--dialect=D",
        "--root=EPR", "--json");
    for (String command : List.of("ls", "status", "pool", "pool ls", "completion", "import")) {
      String help = rns.done((command + " --help").split(" ")).out();
      assertThat(help).as(command).contains("Global options, such as --server and --json: 'rns --help'.\n");
      assertThat(help).as(command).doesNotContain("--consistency", "--after", "--dialect", "--root", "--help,",
          "--json ");
    }
  }

  @Test
  void versionShowsClientAndServer() throws IOException {
    String address = rns.server().address().toString();
    assertThat(rns.lines("--version")).containsExactly("rns (not packaged)", "server " + address + ": 9.8.7");
    assertThat(rns.done("--version", "--json").json())
        .containsOnly(entry("version", "(not packaged)"), entry("server", address), entry("serverVersion", "9.8.7"));
    assertThat(rns.lines("-V --server http://127.0.0.1:1/rns," + address).get(1)).endsWith(address + ": 9.8.7");
    assertThat(rns.lines("status")).contains("version:       9.8.7");
    rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns");
    assertThat(rns.lines("--version")).containsExactly("rns (not packaged)",
        "server http://127.0.0.1:1/rns: no answer");
    rns.environment("RNS_SERVER", "nonsense");
    assertThat(rns.lines("--version").get(1)).startsWith("server: server 'nonsense' is not an address");
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      rns.environment("RNS_SERVER", "http://127.0.0.1:" + silent.getLocalPort() + "/rns");
      long begun = System.nanoTime();
      assertThat(rns.lines("--version").get(1)).endsWith(": no answer");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void completionCompletes() throws IOException, InterruptedException {
    Path script = Files.writeString(files.resolve("rns.bash"), rns.done("completion", "bash").out());
    assertThat(rns.done("completion", "zsh").out()).contains("bashcompinit");
    assertThat(rns.done("completion", "--json").json()).containsKeys("shell", "script");
    assertThat(completed(script, "expo")).containsExactly("export");
    assertThat(completed(script, "")).contains("ls", "mkdir", "up", "down", "account", "load", "trace", "jmeter",
        "drill", "link",
        "sim", "bench", "figures");
    assertThat(completed(script, "find --ty")).containsExactly("--type");
  }

  private static List<String> completed(Path script, String words) throws IOException, InterruptedException {
    String[] parts = words.split(" ", -1);
    String command =
        "source '" + script + "'; COMP_WORDS=(rns " + words + "); COMP_CWORD=" + parts.length
            + "; [ -n \"" + parts[parts.length - 1]
            + "\" ] || COMP_WORDS+=(''); _complete_rns; printf '%s\\n' \"${COMPREPLY[@]}\"";
    // Outside of a completion, compopt prints an error.
    Process bash = new ProcessBuilder("bash", "-c", command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return out.lines().map(String::trim).toList();
  }

  @Test
  void closedOutputEndsTheCommandWithoutError() {
    rns.done("mkdir", "-p", "/a/b/c");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(RnsCommand.execute(withoutReader(rns, err), "find", "/")).isZero();
    assertThat(RnsCommand.execute(withoutReader(rns, err), "export", "/")).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"find / --json", "tree /"})
  void closedOutputEndsALongCommandSoon(String command) {
    AtomicInteger requests = new AtomicInteger();
    NameService counting = new Interposed(new ModelNameService(), request -> requests.incrementAndGet());
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      lines.append("/d").append(i).append("/\n");
    }
    try (CommandLineFixture many = new CommandLineFixture(TestServer.start(counting))) {
      assertThat(many.input(lines.toString()).run("import", "-").code()).isZero();
      requests.set(0);
      assertThat(RnsCommand.execute(withoutReader(many, new ByteArrayOutputStream()), command.split(" "))).isZero();
      assertThat(requests).hasValueLessThan(1_000);
    }
  }

  private static Terminal withoutReader(CommandLineFixture rns, OutputStream err) {
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    return new Terminal(
        InputStream.nullInputStream(),
        new PrintStream(gone, false, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        Map.of("RNS_SERVER", rns.server().address().toString()),
        false,
        false,
        () -> 0);
  }

  @Test
  void findReportsAnExpiredDeadline() {
    for (int i = 0; i < 30; i++) {
      rns.done("mkdir", "-p", "/d" + i + "/e/f");
    }
    Result result = rns.run("find", "/", "--deadline", "1ms");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("rns: the walk of / was cut off by its deadline of 1 ms")
        .contains("set a longer --deadline");
    assertThat(rns.run("find", "/", "--deadline", "1ms", "--json").json()).containsEntry("complete", "false");
  }

  @Test
  void findEndsInTimeIfTheServerHangs() {
    CountDownLatch over = new CountDownLatch(1);
    NameService hanging = new Interposed(new ModelNameService(), request -> await(over));
    try (CommandLineFixture slow = new CommandLineFixture(TestServer.start(hanging))) {
      long started = System.nanoTime();
      assertThat(slow.run("find", "/", "--deadline", "200ms").code()).isEqualTo(1);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
    } finally {
      over.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
