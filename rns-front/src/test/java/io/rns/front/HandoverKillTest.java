package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fronts and their server, which are processes, are killed at a step of a migration: when it was sent, and has not
 * arrived. No socket has two readers, each response is right, and no write is applied twice.
 */
@Timeout(300)
class HandoverKillTest {
  /** An address that no other program's connections come from: whoever is started again gets its port back. */
  private static final String HOST = "127.0.0.9";
  private static final int SILENCE_MILLIS = 30_000;
  private static final long SEED = Long.getLong("rns.test.seed", 1);
  private static final List<String> STEPS = List.of("request", "process", "listener", "listener received",
      "listener committed", "window 1", "window 1 received", "window 1 committed", "window 2", "window 2 received",
      "window 2 committed", "window 3", "window 3 received", "window 3 committed", "done", "done received");
  /** Before, or in the moment when, the successor gets the listening socket. */
  private static final Set<String> EARLY = Set.of("request", "process", "listener");

  /** A process of a migration. */
  enum Role {
    PREDECESSOR, SUCCESSOR, SERVER
  }

  @TempDir private Path temporary;
  private final List<Process> processes = new ArrayList<>();
  private final Map<Process, Path> logs = new ConcurrentHashMap<>();
  private int serverPort;
  private int port;

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  private Path written() {
    return temporary.resolve("written");
  }

  private Path admin(String name) {
    return temporary.resolve(name);
  }

  private Process run(Class<?> program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Path log = temporary.resolve("log." + processes.size());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    processes.add(process);
    logs.put(process, log);
    return process;
  }

  private String logged(Process process) {
    try {
      return Files.readString(logs.get(process));
    } catch (IOException e) {
      return "";
    }
  }

  /** What follows a text in the line of a process that is ready. */
  private String ready(Process process, String text) {
    Waiting.until(() -> !process.isAlive() || isReady(process, text));
    String log = logged(process);
    assertThat(log).contains(text);
    return log.substring(log.indexOf(text) + text.length()).lines().findFirst().orElseThrow();
  }

  private boolean isReady(Process process, String text) {
    return logged(process).lines().anyMatch(line -> line.startsWith(text));
  }

  private Process server() throws IOException {
    Process server = run(EchoProgram.class, List.of(HOST, "" + serverPort, written().toString()));
    serverPort = Integer.parseInt(ready(server, "echo ready at port "));
    return server;
  }

  private Process front(String name, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(
        List.of("--host=" + HOST, "--port=" + port, "--server=http://" + HOST + ":" + serverPort + "/rns",
            "--admin=" + admin(name), "--threads=2"));
    arguments.addAll(List.of(more));
    return run(FrontProgram.class, arguments);
  }

  private Process firstFront(String name) throws IOException {
    Process front = front(name);
    port = URI.create(ready(front, "front ready at ")).getPort();
    return front;
  }

  private static void kill(Process process) {
    process.destroyForcibly().onExit().join();
  }

  /** A few of the others: the server with its front, and when a window is on its way. */
  @ParameterizedTest
  @CsvSource({"listener received, PREDECESSOR", "window 2, SUCCESSOR SERVER", "window 2 received, PREDECESSOR SERVER"})
  void noWriteIsDoubledIfProcessesAreKilledAtAStep(String step, String killed) throws Exception {
    killAt(step, Stream.of(killed.split(" ", -1)).map(Role::valueOf).toList());
  }

  /** Who is killed at which step: each of the three, each front with its server, and all. */
  static Stream<Arguments> kills(List<String> steps) {
    return steps.stream().flatMap(
        step -> Stream
            .of(List.of(Role.PREDECESSOR), List.of(Role.SUCCESSOR), List.of(Role.SERVER),
                List.of(Role.PREDECESSOR, Role.SERVER), List.of(Role.SUCCESSOR, Role.SERVER), List.of(Role.values()))
            .map(killed -> Arguments.of(step, killed)));
  }

  private static Stream<Arguments> all() {
    return kills(STEPS);
  }

  @Tag("slow")
  @Tag("long")
  @ParameterizedTest
  @MethodSource("all")
  void noWriteIsDoubledWhicheverProcessesAreKilledAtAnyStep(String step, List<Role> killed) throws Exception {
    killAt(step, killed);
  }

  private void killAt(String step, List<Role> roles) throws Exception {
    Set<Role> killed = EnumSet.copyOf(roles);
    Process server = server();
    Process old = firstFront("old");
    KnownAnswers answers;
    try (HttpPeer alone = new HttpPeer(new Socket(HOST, serverPort))) {
      answers = KnownAnswers.of(alone, new Random(SEED));
    }
    try (
        CrashClients clients =
            new CrashClients(new InetSocketAddress(HOST, port), answers, written(), SILENCE_MILLIS, true);
        HandoverRelay relay = new HandoverRelay(admin("relay"), admin("old"), step)) {
      clients.begin(SEED);
      Process successor = front("new", "--take-over=" + admin("relay"));
      Waiting.until(() -> relay.isHolding() || !successor.isAlive());
      assertThat(relay.isHolding()).as(() -> logged(old) + logged(successor)).isTrue();
      noneHasTwoReaders(successor, old);
      Map.of(Role.PREDECESSOR, old, Role.SUCCESSOR, successor, Role.SERVER, server).forEach((role, process) -> {
        if (killed.contains(role)) {
          kill(process);
        }
      });
      relay.goOn();
      if (killed.contains(Role.SERVER)) {
        server = server();
      }
      Waiting.until(() -> {
        noneHasTwoReaders(successor, old);
        return isSettled(successor, old, killed);
      });
      if (!killed.contains(Role.PREDECESSOR) && killed.contains(Role.SUCCESSOR)) {
        assertThat(old.isAlive()).as(logged(old)).isEqualTo(!step.equals("done received"));
      }
      if (killed.contains(Role.PREDECESSOR) && !killed.contains(Role.SUCCESSOR) && !EARLY.contains(step)) {
        assertThat(successor.isAlive()).as(logged(successor)).isTrue();
      }
      if (!old.isAlive() && !successor.isAlive()) {
        // As after any crash.
        Process fresh = firstFront("fresh");
        assertThat(fresh.isAlive()).isTrue();
      }
      server.getOutputStream().write(("open " + CrashClients.GATE + "\n").getBytes(StandardCharsets.US_ASCII));
      server.getOutputStream().flush();
      clients.finish();
      assertThat(clients.failures).isEmpty();
      assertThat(clients.written()).isPositive();
    }
  }

  private static void noneHasTwoReaders(Process successor, Process old) {
    assertThat(SocketReaders.common(successor, old)).as("sockets with two readers").isEmpty();
  }

  /** Whether one front serves, or none is left. */
  private boolean isSettled(Process successor, Process old, Set<Role> killed) {
    if (!killed.contains(Role.PREDECESSOR) && killed.contains(Role.SUCCESSOR)) {
      return !old.isAlive() || isServed();
    }
    if (!successor.isAlive()) {
      return true;
    }
    return isReady(successor, "front ready at ") && !old.isAlive();
  }

  private boolean isServed() {
    try (HttpPeer peer = new HttpPeer(new Socket(HOST, port))) {
      peer.socket().setSoTimeout(1_000);
      return peer.send("GET /rns/echo/served HTTP/1.1\r\nHost: a\r\n\r\n").body().contains("/rns/echo/served");
    } catch (IOException e) {
      return false;
    }
  }
}
