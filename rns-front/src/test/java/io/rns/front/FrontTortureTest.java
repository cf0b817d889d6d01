package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many connections in every state while fronts, which are processes, take over from each other or are killed. Larger
 * with {@code -Drns.test.frontConnections=N} and {@code -Drns.test.frontMigrations=N}; others with
 * {@code -Drns.test.seed=N}.
 */
@Timeout(1_200)
class FrontTortureTest {
  private static final int CONNECTIONS = Integer.getInteger("rns.test.frontConnections", 120);
  private static final long SEED = Long.getLong("rns.test.seed", 1);
  private static final int RATE = Integer.getInteger("rns.test.frontRate", 0);
  private static final int MIGRATIONS = Integer.getInteger("rns.test.frontMigrations", 3);

  @TempDir private Path temporary;
  private final List<Process> processes = new ArrayList<>();
  private EchoServer server;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    server.remembers = false;
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
    server.close();
  }

  private Path admin(int number) {
    return temporary.resolve("a." + number);
  }

  /** Starts a front, which takes over from the last one if {@code predecessor} is not negative. */
  private Process launch(int predecessor, int number) throws IOException {
    List<String> command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"),
            FrontProgram.class.getName(), "--port=" + port, "--server=" + server.url(), "--admin=" + admin(number),
            "--server-connections=4096", "--request-timeout=300", "--answer-timeout=300", "--stall-timeout=300"));
    if (predecessor >= 0) {
      command.add("--take-over=" + admin(predecessor));
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(number).toFile()).start();
    processes.add(process);
    return process;
  }

  private Path log(int number) {
    return temporary.resolve("log." + number);
  }

  private void awaitReady(Process process, int number) {
    Waiting.until(() -> !process.isAlive() || isReady(number));
    assertThat(isReady(number)).as(() -> "a front is ready: " + logged(number)).isTrue();
  }

  private boolean isReady(int number) {
    return logged(number).contains("front ready at ");
  }

  private String logged(int number) {
    try {
      return Files.readString(log(number));
    } catch (IOException e) {
      return "";
    }
  }

  private void startFirst() throws IOException {
    Process first = launch(-1, 0);
    awaitReady(first, 0);
    String log = logged(0);
    String url = log.substring(log.indexOf("front ready at ") + 15).lines().findFirst().orElseThrow();
    port = java.net.URI.create(url).getPort();
  }

  @Test
  void everyRequestIsAnsweredOnceThroughManyMigrations() throws Exception {
    startFirst();
    KnownAnswers answers = KnownAnswers.of(server, new Random(SEED));
    long before = server.handled.sum();
    List<Long> moving = new ArrayList<>();
    List<Long> resting = new ArrayList<>();
    try (
        ParkedClients parked =
            new ParkedClients(server, port, CONNECTIONS / 3, Math.max(1, CONNECTIONS / 30), answers, SEED);
        WorkingClients load =
            new WorkingClients(port, CONNECTIONS - CONNECTIONS / 3 - CONNECTIONS / 30, answers, SEED, RATE)) {
      for (int i = 1; i <= MIGRATIONS; i++) {
        load.progress(CONNECTIONS / 2);
        parked.begin();
        migrate(i, load);
        parked.finish();
        load.progress(CONNECTIONS / 2);
        moving.addAll(load.longestNanos(true));
        resting.addAll(load.longestNanos(false));
        assertThat(load.failures).isEmpty();
      }
      load.finish();
      assertThat(load.failures).isEmpty();
      assertThat(server.handled.sum() - before).as("requests that a server got, each once")
          .isEqualTo(load.answered.sum() + parked.answered);
      System.out.printf("from seed %d, %d connections, %d migrations: %d responses, each once, in order and as the"
          + " server's; longest of a client during a migration %s, at other times %s%n", SEED, CONNECTIONS, MIGRATIONS,
          load.answered.sum() + parked.answered, times(moving), times(resting));
    }
  }

  /** Replaces the front. */
  private void migrate(int number, WorkingClients load) throws Exception {
    Process old = processes.getLast();
    Process successor = launch(number - 1, number);
    awaitHandover(successor, number);
    load.migrating(true);
    awaitReady(successor, number);
    assertThat(old.onExit().get(60, TimeUnit.SECONDS).exitValue()).isZero();
    load.migrating(false);
  }

  /** The handover begins when the socket for descriptors appears, and lasts for milliseconds. */
  private void awaitHandover(Process successor, int number) {
    Path descriptors = temporary.resolve("a." + number + ".fd");
    Waiting.until(() -> Files.exists(descriptors) || !successor.isAlive() || isReady(number));
  }

  private static String times(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    if (sorted.isEmpty()) {
      return "not measured";
    }
    return String.format("median %.1f ms, p99 %.1f ms, maximum %.1f ms of %d", sorted.get(sorted.size() / 2) / 1e6,
        sorted.get(sorted.size() * 99 / 100) / 1e6, sorted.getLast() / 1e6, sorted.size());
  }

  @Test
  void theListenerIsServedWhicheverProcessIsKilledDuringAMigration() throws Exception {
    startFirst();
    KnownAnswers answers = KnownAnswers.of(server, new Random(SEED));
    Random random = new Random(SEED);
    int last = 0;
    for (int round = 1; round <= MIGRATIONS; round++) {
      try (WorkingClients load = new WorkingClients(port, Math.max(8, CONNECTIONS / 4), answers, SEED + round, 0)) {
        load.progress(20);
        Process old = processes.getLast();
        Process successor = launch(last, round);
        boolean killsOld = round % 2 == 0;
        awaitHandover(successor, round);
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
        (killsOld ? old : successor).destroyForcibly().onExit().join();
        Process left = killsOld ? successor : old;
        if (killsOld && awaitEither(successor, round)) {
          last = round;
        } else if (!killsOld && !ends(old, answers.small(random))) {
          processes.remove(successor);
          processes.add(left);
        } else {
          // The killed one was the owner of all: as after any crash, a new one starts.
          awaitEnd(left);
          Process fresh = launch(-1, round + 1_000);
          awaitReady(fresh, round + 1_000);
          last = round + 1_000;
        }
        try (HttpPeer peer = new HttpPeer(port)) {
          ask(peer, answers.small(random));
        }
        // A client sees its own response, or the end of its connection, and never another's.
        load.finish();
        assertThat(load.failures).doesNotHaveAnyElementsOfTypes(KnownAnswers.Foreign.class);
      }
    }
  }

  private static void ask(HttpPeer peer, KnownAnswers.Known known) throws IOException {
    known.check(peer.send(known.request()).response());
  }

  private boolean awaitEither(Process successor, int number) {
    Waiting.until(() -> !successor.isAlive() || isReady(number));
    return successor.isAlive();
  }

  /** Whether a process that lost its successor has handed everything over, and so ends. */
  private boolean ends(Process old, KnownAnswers.Known known) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() - end < 0) {
      if (!old.isAlive()) {
        return true;
      }
      try (HttpPeer peer = new HttpPeer(port)) {
        peer.socket().setSoTimeout(200);
        ask(peer, known);
        return !old.isAlive();
      } catch (IOException e) {
        Thread.onSpinWait();
      }
    }
    return !old.isAlive();
  }

  private static void awaitEnd(Process process) {
    process.destroyForcibly().onExit().join();
  }
}
