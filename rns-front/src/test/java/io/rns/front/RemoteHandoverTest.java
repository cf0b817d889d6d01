package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A front moves between machines, which are network namespaces, with its address and all connections of clients on a
 * third one. Larger with {@code -Drns.test.frontConnections=N}, {@code -Drns.test.frontMigrations=N} and
 * {@code -Drns.test.frontRate=N}.
 */
@Tag("slow")
@Timeout(300)
class RemoteHandoverTest {
  private static final int CONNECTIONS = Integer.getInteger("rns.test.frontConnections", 300);
  private static final int MIGRATIONS = Integer.getInteger("rns.test.frontMigrations", 2);
  private static final int RATE = Integer.getInteger("rns.test.frontRate", 500);
  private static final int KILLS = Integer.getInteger("rns.test.frontKills", 4);
  private static final long SEED = Long.getLong("rns.test.seed", 1);
  private static final int CLIENTS = 3;
  private static final int SERVER = 4;
  private static final String ADDRESS = TestSubnet.address(100);
  private static final int PORT = 8080;
  private static final int WAITING = 8099;
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path temporary;
  private final List<Process> processes = new ArrayList<>();
  private final Map<Process, Path> logs = new ConcurrentHashMap<>();
  private TestSubnet subnet;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Runtime.version().feature() >= 22, "a front moves to other machines with Java 22 or newer only");
    assumeTrue(TestSubnet.isPossible(), "network namespaces need the program ip and CAP_SYS_ADMIN");
    Files.writeString(temporary.resolve("secret"), SECRET);
    Files.writeString(temporary.resolve("other"), "f" + SECRET);
    subnet = new TestSubnet(4);
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
    if (subnet != null) {
      subnet.close();
    }
  }

  private Process run(int machine, Class<?> program, List<String> arguments) {
    Path log = temporary.resolve("log." + processes.size());
    Process process = subnet.java(machine, log, program, arguments);
    logs.put(process, log);
    processes.add(process);
    return process;
  }

  private String logged(Process process) {
    try {
      return Files.readString(logs.get(process));
    } catch (IOException e) {
      return "";
    }
  }

  /** Waits for a text in what a process prints from some place on; returns all from there. */
  private String await(Process process, int from, String text) {
    Waiting.until(() -> !process.isAlive() || logged(process).indexOf(text, from) >= 0);
    String all = logged(process);
    assertThat(all.indexOf(text, from)).as("'%s' in %s", text, all).isNotNegative();
    return all.substring(from);
  }

  private String command(Process process, String line, String answer) throws IOException {
    int from = logged(process).length();
    OutputStream to = process.getOutputStream();
    to.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    to.flush();
    return await(process, from, answer);
  }

  private Process front(int machine, String secret, int port, String... more) {
    List<String> arguments = new ArrayList<>(
        List.of("--host=" + ADDRESS, "--port=" + port, "--interface=" + TestSubnet.DEVICE,
            "--server=http://" + TestSubnet.address(SERVER) + ":9000/rns", "--secret-file=" + temporary.resolve(secret),
            "--admin=" + admin(machine), "--server-connections=1024"));
    arguments.addAll(List.of(more));
    return run(machine, FrontProgram.class, arguments);
  }

  private Process waiting(int machine, String secret) {
    Process front = front(machine, secret, PORT, "--await=" + waitingAt(machine));
    await(front, 0, "waiting for a front");
    return front;
  }

  private static String waitingAt(int machine) {
    return TestSubnet.address(machine) + ":" + WAITING;
  }

  private Path admin(int machine) {
    return temporary.resolve("a." + machine);
  }

  private JsonNode migrate(int from, int to) throws IOException {
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(admin(from)))) {
      Channels.newOutputStream(socket).write(("migrate " + waitingAt(to) + "\n").getBytes(StandardCharsets.US_ASCII));
      return JSON.readTree(Channels.newInputStream(socket).readAllBytes());
    }
  }

  private Process server() {
    Process server = run(SERVER, EchoProgram.class, List.of(TestSubnet.address(SERVER), "9000"));
    await(server, 0, "echo ready");
    return server;
  }

  private Process clients() {
    Process clients =
        run(CLIENTS, ClientsProgram.class,
            List.of(ADDRESS, "" + PORT, TestSubnet.address(SERVER), "9000", "" + CONNECTIONS, "" + RATE));
    await(clients, 0, "clients ready");
    return clients;
  }

  private static long number(String output, String word) {
    String rest = output.substring(output.indexOf(word) + word.length()).strip();
    return Long.parseLong(rest.lines().findFirst().orElseThrow());
  }

  private void noFailures(Process clients) {
    assertThat(logged(clients)).doesNotContain("failure: ");
  }

  @Test
  void movesBetweenMachinesWithAllItsConnections() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process clients = clients();
    long before = number(command(server, "count", "handled "), "handled ");
    command(clients, "go", "");
    long begun = System.nanoTime();
    for (int i = 0; i < MIGRATIONS; i++) {
      int from = 1 + i % 2;
      int to = 2 - i % 2;
      Process successor = waiting(to, "secret");
      command(clients, "progress", "done progress");
      command(clients, "moving", "done moving");
      JsonNode result = migrate(from, to);
      assertThat(result.path("error").asText()).as(() -> logged(successor)).isEmpty();
      String during = command(clients, "moved", "done moved").lines().findFirst().orElseThrow();
      noFailures(clients);
      int connections = result.path("connections").asInt();
      System.out.printf("%d connections moved in %d ms with %d bytes of state each; longest of a client %s%n",
          connections, result.path("millis").asInt(), result.path("bytes").asInt() / Math.max(1, connections), during);
      assertThat(connections).isEqualTo(CONNECTIONS);
      await(successor, 0, "front ready at ");
      assertThat(subnet.addresses(from)).doesNotContain(ADDRESS + "/");
      assertThat(subnet.addresses(to)).contains(ADDRESS + "/32");
      assertThat(front.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(front.exitValue()).isZero();
      front = successor;
    }
    long answered = number(command(clients, "finish", "done finish"), "answered ");
    System.out.printf("%d responses in %d s%n", answered, (System.nanoTime() - begun) / 1_000_000_000);
    noFailures(clients);
    long handled = number(command(server, "count", "handled "), "handled ") - before;
    assertThat(handled).as("requests that the server got, each once").isEqualTo(answered);
  }

  @ParameterizedTest
  @ValueSource(strings = {"is silent", "refuses", "ends"})
  void goesOnIfTheSuccessorDoesNotConfirm(String how) throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process clients = clients();
    command(clients, "go", "");
    command(clients, "progress", "done progress");
    Process stubborn =
        run(2, StubbornSuccessor.class, List.of(TestSubnet.address(2), "" + WAITING, SECRET, how));
    await(stubborn, 0, "stubborn ready");
    assertThat(migrate(1, 2).path("error").asText()).contains("stays where it is");
    assertThat(logged(stubborn)).contains("LISTENER " + ADDRESS + ":" + PORT + " false, " + CONNECTIONS + " conn");
    command(clients, "moved", "done moved");
    Process successor = waiting(2, "secret");
    assertThat(migrate(1, 2).path("error").asText()).as(() -> logged(successor)).isEmpty();
    command(clients, "moved", "done moved");
    command(clients, "finish", "done finish");
    noFailures(clients);
    assertThat(server.isAlive()).isTrue();
  }

  /** A client sees its own response, or the end of its connection, and never another's. */
  @Test
  @Tag("long")
  void noConnectionHasTwoOwnersWhicheverProcessIsKilledDuringAMigration() throws Exception {
    Process server = server();
    Random random = new Random(SEED);
    for (int round = 0; round < KILLS; round++) {
      Process front = front(1, "secret", PORT);
      await(front, 0, "front ready at ");
      Process clients = clients();
      command(clients, "go", "");
      command(clients, "progress", "done progress");
      Process successor = waiting(2, "secret");
      Thread migration = Thread.ofVirtual().start(() -> {
        try {
          JsonNode unused = migrate(1, 2);
        } catch (IOException e) {
          // Its front was killed.
        }
      });
      // About 400 ms pass with code that runs for the first time.
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(800_000)));
      Process killed = round % 2 == 0 ? front : successor;
      killed.destroyForcibly().onExit().join();
      migration.join();
      boolean here = subnet.addresses(1).contains(ADDRESS + "/");
      boolean there = subnet.addresses(2).contains(ADDRESS + "/");
      assertThat(here && there).isFalse();
      if (here || there) {
        command(clients, "moved", "done moved");
        assertThat(logged(clients)).doesNotContain("Foreign");
      }
      clients.destroyForcibly().onExit().join();
      for (Process each : List.of(front, successor)) {
        each.destroyForcibly().onExit().join();
      }
      subnet.removeAddress(1, ADDRESS);
      subnet.removeAddress(2, ADDRESS);
    }
    assertThat(server.isAlive()).isTrue();
  }

  /** A few of the others: before, at and after the moment when the connections are given away. */
  @ParameterizedTest
  @CsvSource({"connection 2, PREDECESSOR SERVER", "all received, SUCCESSOR SERVER", "commit, PREDECESSOR",
      "commit received, SERVER"})
  void noWriteIsDoubledIfProcessesAreKilledAtAStep(String step, String killed) throws Exception {
    killAt(step, Stream.of(killed.split(" ", -1)).map(HandoverKillTest.Role::valueOf).toList());
  }

  static Stream<Arguments> kills() {
    return HandoverKillTest.kills(List.of("call", "introduction", "introduction received", "connection 1",
        "connection 2", "connection 9", "all", "all received", "commit", "commit received"));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("kills")
  void noWriteIsDoubledWhicheverProcessesAreKilledAtAnyStep(String step, List<HandoverKillTest.Role> killed)
      throws Exception {
    killAt(step, killed);
  }

  private Process writableServer() {
    Process server = run(SERVER, EchoProgram.class, List.of(TestSubnet.address(SERVER), "9000", written().toString()));
    await(server, 0, "echo ready");
    return server;
  }

  private Path written() {
    return temporary.resolve("written");
  }

  private static void kill(Process process) {
    process.destroyForcibly().onExit().join();
  }

  private void killAt(String step, List<HandoverKillTest.Role> killed) throws Exception {
    boolean ends = killed.contains(HandoverKillTest.Role.PREDECESSOR);
    boolean successorEnds = killed.contains(HandoverKillTest.Role.SUCCESSOR);
    Process server = writableServer();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process clients = run(CLIENTS, CrashClientsProgram.class,
        List.of(ADDRESS, "" + PORT, TestSubnet.address(SERVER), "9000", written().toString()));
    await(clients, 0, "clients ready");
    command(clients, "begin", "done begin");
    Process successor = waiting(2, "secret");
    Process relay = run(CLIENTS, SealedRelay.class,
        List.of(TestSubnet.address(CLIENTS), "" + WAITING, TestSubnet.address(2), "" + WAITING, SECRET, step));
    await(relay, 0, "relay ready");
    CompletableFuture<Boolean> moved = CompletableFuture.supplyAsync(() -> {
      try {
        return migrate(1, CLIENTS).path("error").asText().isEmpty();
      } catch (IOException e) {
        // Its front was killed.
        return false;
      }
    });
    await(relay, 0, "holding");
    assertThat(areBothThere()).isFalse();
    if (ends) {
      kill(front);
    }
    if (successorEnds) {
      kill(successor);
    }
    if (killed.contains(HandoverKillTest.Role.SERVER)) {
      kill(server);
      command(relay, "", "");
      server = writableServer();
    } else {
      command(relay, "", "");
    }
    boolean gone = moved.get(60, TimeUnit.SECONDS);
    if (gone) {
      assertThat(front.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    Waiting.until(() -> !successor.isAlive() || front.isAlive() || hasDecided(successor));
    assertThat(areBothThere()).isFalse();
    boolean here = front.isAlive() && subnet.addresses(1).contains(ADDRESS + "/");
    boolean there = successor.isAlive() && subnet.addresses(2).contains(ADDRESS + "/");
    if (!ends && !gone) {
      assertThat(here).as("the front goes on: " + logged(front)).isTrue();
    }
    if (ends && !successorEnds && step.startsWith("commit")) {
      assertThat(there).as("the successor serves: " + logged(successor)).isTrue();
    }
    if (!here && !there) {
      // As after any crash.
      kill(front);
      kill(successor);
      subnet.removeAddress(1, ADDRESS);
      subnet.removeAddress(2, ADDRESS);
      await(front(1, "secret", PORT), 0, "front ready at ");
    }
    command(server, "open " + CrashClients.GATE, "");
    String end = command(clients, "finish", "done finish");
    noFailures(clients);
    assertThat(number(end, "written ")).isPositive();
  }

  private boolean areBothThere() throws IOException {
    return subnet.addresses(1).contains(ADDRESS + "/") && subnet.addresses(2).contains(ADDRESS + "/");
  }

  private boolean hasDecided(Process successor) {
    String log = logged(successor);
    return log.contains("front ready at ") || log.contains("is not taken over") || log.contains("was refused");
  }

  private static boolean isToServer(String connection) {
    return connection.contains(hex(ADDRESS) + ":") && connection.contains(hex(TestSubnet.address(SERVER)) + ":2328 ");
  }

  /** As {@code /proc/net} has it. */
  private static String hex(String address) {
    String hex = "";
    for (String octet : address.split("\\.", -1)) {
      hex = String.format("%02X", Integer.parseInt(octet)) + hex;
    }
    return hex;
  }

  /** A later one of the same port could not come back to this machine as long as the kernel keeps it. */
  @Test
  void leavesNoConnectionToAServerInTheKernel() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process clients = clients();
    command(clients, "go", "");
    command(clients, "progress", "done progress");
    assertThat(subnet.connections(1)).anyMatch(RemoteHandoverTest::isToServer);
    Process successor = waiting(2, "secret");
    assertThat(migrate(1, 2).path("error").asText()).as(() -> logged(successor)).isEmpty();
    assertThat(front.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(subnet.connections(1)).noneMatch(RemoteHandoverTest::isToServer);
    command(clients, "finish", "done finish");
    noFailures(clients);
    assertThat(server.isAlive()).isTrue();
  }

  @Test
  void aFrontThatWasAskedToMoveBeforeItServedMovesLater() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process second = waiting(2, "secret");
    Process third = waiting(CLIENTS, "secret");
    assertThat(migrate(2, CLIENTS).path("error").asText()).contains("stays where it is").contains("not listen yet");
    assertThat(migrate(1, 2).path("error").asText()).as(() -> logged(second)).isEmpty();
    await(second, 0, "front ready at ");
    assertThat(migrate(2, CLIENTS).path("error").asText()).as(() -> logged(third)).isEmpty();
    await(third, 0, "front ready at ");
    assertThat(server.isAlive()).isTrue();
  }

  @Test
  void aCallerThatSendsLittleAtATimeDoesNotKeepTheFrontWaiting() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process successor = waiting(2, "secret");
    Process slow = run(CLIENTS, SlowCaller.class, List.of(TestSubnet.address(2), "" + WAITING));
    await(slow, 0, "slow: 0");
    assertThat(migrate(1, 2).path("error").asText()).as(() -> logged(successor)).isEmpty();
    await(successor, 0, "front ready at ");
    assertThat(server.isAlive()).isTrue();
  }

  @Test
  @Tag("long")
  void whoMissedTheAnnouncementOfTheAddressHearsALaterOne() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    subnet.believe(CLIENTS, ADDRESS, SERVER);
    Waiting.until(() -> knows(CLIENTS, 1));
    assertThat(server.isAlive()).isTrue();
  }

  private boolean knows(int machine, int owner) {
    try {
      return subnet.neighbor(machine, ADDRESS).contains(subnet.hardware(owner));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void staysIfTheSuccessorHasAnotherSecretOrPort() throws Exception {
    Process server = server();
    Process front = front(1, "secret", PORT);
    await(front, 0, "front ready at ");
    Process stranger = waiting(2, "other");
    assertThat(migrate(1, 2).path("error").asText()).contains("stays where it is");
    await(stranger, 0, "does not have the same secret");
    assertThat(stranger.isAlive()).as("it waits for its own").isTrue();
    stranger.destroyForcibly().onExit().join();
    Process elsewhere = front(2, "secret", 81, "--await=" + waitingAt(2));
    await(elsewhere, 0, "waiting for a front");
    assertThat(migrate(1, 2).path("error").asText()).contains(ADDRESS + ":81").contains(ADDRESS + ":" + PORT);
    assertThat(front.isAlive() && server.isAlive()).isTrue();
  }
}
