package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many connections in every state while fronts, which are processes, take over from each other or are killed. Larger
 * with {@code -Drns.test.frontConnections=N} and {@code -Drns.test.frontMigrations=N}.
 */
@Timeout(600)
class FrontTortureTest {
  private static final int CONNECTIONS = Integer.getInteger("rns.test.frontConnections", 120);
  private static final int MIGRATIONS = Integer.getInteger("rns.test.frontMigrations", 3);

  @TempDir private Path temporary;
  private final List<Process> processes = new ArrayList<>();
  private EchoServer server;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
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
            FrontProgram.class.getName(), "--port=" + port, "--server=" + server.url(), "--admin=" + admin(number)));
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
    Waiting.until(() -> {
      try {
        String log = Files.readString(log(number));
        if (!process.isAlive()) {
          throw new AssertionError("the front ended: " + log);
        }
        return log.contains("front ready at ");
      } catch (IOException e) {
        return false;
      }
    });
  }

  private void startFirst() throws IOException {
    Process first = launch(-1, 0);
    awaitReady(first, 0);
    String log = Files.readString(log(0));
    String url = log.substring(log.indexOf("front ready at ") + 15).lines().findFirst().orElseThrow();
    port = java.net.URI.create(url).getPort();
  }

  /** What a client does again and again; in the middle of it the front may change. */
  private interface Habit {
    void run(HttpPeer peer, Random random, int round) throws IOException;
  }

  private static String request(int round, String body) {
    return "POST /rns/echo/" + round + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static void expect(HttpPeer peer, int round, String body) throws IOException {
    String response = peer.body();
    if (!response.equals("POST /rns/echo/" + round + "\n[]\n" + body + "\n")) {
      throw new IOException("round " + round + " was answered with " + response);
    }
  }

  private static void plain(HttpPeer peer, Random random, int round) throws IOException {
    String body = "x".repeat(random.nextInt(200));
    peer.send(request(round, body));
    expect(peer, round, body);
  }

  private static void inPieces(HttpPeer peer, Random random, int round) throws IOException {
    String body = "y".repeat(random.nextInt(400));
    String request = request(round, body);
    int at = 0;
    while (at < request.length()) {
      int to = Math.min(request.length(), at + 1 + random.nextInt(60));
      peer.send(request.substring(at, to));
      at = to;
    }
    expect(peer, round, body);
  }

  private static void pipelined(HttpPeer peer, Random random, int round) throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      all.append(request(round * 8 + i, "z" + i));
    }
    peer.send(all.toString());
    for (int i = 0; i < 8; i++) {
      expect(peer, round * 8 + i, "z" + i);
    }
  }

  private static void largeUp(HttpPeer peer, Random random, int round) throws IOException {
    String body = "0123456789".repeat(20_000);
    peer.send(request(round, body).substring(0, 100_000));
    peer.send(request(round, body).substring(100_000));
    expect(peer, round, body);
  }

  private static void largeDown(HttpPeer peer, Random random, int round) throws IOException {
    peer.send("GET /rns/large?409600 HTTP/1.1\r\nHost: a\r\n\r\n");
    String head = peer.head();
    String content = peer.content();
    if (!head.startsWith("HTTP/1.1 200 ") || content.length() != 409_600 || content.charAt(4_097) != 'c') {
      throw new IOException("a large response is not what the server sent: " + head + content.length());
    }
  }

  private static final List<Habit> HABITS =
      List.of(FrontTortureTest::plain, FrontTortureTest::inPieces, FrontTortureTest::pipelined,
          FrontTortureTest::largeUp, FrontTortureTest::largeDown, FrontTortureTest::plain);

  /** Clients that work until they are stopped. */
  private final class Load implements AutoCloseable {
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final List<Future<?>> clients = new ArrayList<>();
    final AtomicBoolean over = new AtomicBoolean();
    final LongAdder answered = new LongAdder();
    final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    final List<HttpPeer> idle = new ArrayList<>();

    Load(int connections) throws IOException {
      for (int i = 0; i < connections; i++) {
        if (i % 3 == 0) {
          idle.add(new HttpPeer(port));
        } else {
          Habit habit = HABITS.get(i % HABITS.size());
          int seed = i;
          clients.add(threads.submit(() -> work(habit, new Random(seed))));
        }
      }
    }

    private void work(Habit habit, Random random) {
      try (HttpPeer peer = new HttpPeer(port)) {
        for (int round = 0; !over.get(); round++) {
          habit.run(peer, random, round);
          answered.increment();
        }
      } catch (IOException | RuntimeException e) {
        failures.add(e);
      }
    }

    /** Waits until clients have had more answers. */
    void progress(int more) {
      long wanted = answered.sum() + more;
      Waiting.until(() -> answered.sum() >= wanted || !failures.isEmpty());
    }

    void finish() throws InterruptedException, ExecutionException, IOException {
      over.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
      for (HttpPeer peer : idle) {
        plain(peer, new Random(1), 7);
      }
    }

    @Override
    public void close() throws IOException {
      over.set(true);
      threads.shutdownNow();
      for (HttpPeer peer : idle) {
        peer.close();
      }
    }
  }

  @Test
  void everyRequestIsAnsweredOnceThroughManyMigrations() throws Exception {
    startFirst();
    try (Load load = new Load(CONNECTIONS); HttpPeer watch = new HttpPeer(port)) {
      server.events.add("0");
      watch.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(watch.head()).contains("text/event-stream");
      assertThat(watch.event()).isEqualTo("data: 0");
      for (int i = 1; i <= MIGRATIONS; i++) {
        load.progress(CONNECTIONS);
        Process old = processes.getLast();
        Process successor = launch(i - 1, i);
        awaitReady(successor, i);
        assertThat(old.onExit().get(30, TimeUnit.SECONDS).exitValue()).isZero();
        server.events.add("" + i);
        assertThat(watch.event()).isEqualTo("data: " + i);
      }
      load.progress(CONNECTIONS);
      load.finish();
      assertThat(load.failures).isEmpty();
      server.events.add("end");
    }
  }

  @Test
  void theListenerIsServedWhicheverProcessIsKilledDuringAMigration() throws Exception {
    startFirst();
    Random random = new Random(5);
    int last = 0;
    for (int round = 1; round <= MIGRATIONS; round++) {
      try (Load load = new Load(CONNECTIONS / 4)) {
        load.progress(20);
        Process old = processes.getLast();
        Process successor = launch(last, round);
        boolean killsOld = round % 2 == 0;
        // The handover begins when the socket for descriptors appears, and lasts for milliseconds.
        Path descriptors = temporary.resolve("a." + round + ".fd");
        Waiting.until(() -> Files.exists(descriptors) || !successor.isAlive());
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
        (killsOld ? old : successor).destroyForcibly().onExit().join();
        Process left = killsOld ? successor : old;
        if (killsOld && awaitEither(successor, round)) {
          last = round;
        } else if (!killsOld && !ends(old)) {
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
          plain(peer, random, round);
        }
        // A client sees its own response, or the end of its connection, and never another's.
        load.over.set(true);
        for (Future<?> client : load.clients) {
          client.get();
        }
        assertThat(load.failures).allSatisfy(
            failure -> assertThat(String.valueOf(failure.getMessage())).doesNotContain("was answered with POST"));
      }
    }
  }

  private boolean awaitEither(Process successor, int number) {
    Waiting.until(() -> {
      try {
        return !successor.isAlive() || Files.readString(log(number)).contains("front ready at ");
      } catch (IOException e) {
        return false;
      }
    });
    return successor.isAlive();
  }

  /** Whether a process that lost its successor has handed everything over, and so ends. */
  private boolean ends(Process old) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() - end < 0) {
      if (!old.isAlive()) {
        return true;
      }
      try (HttpPeer peer = new HttpPeer(port)) {
        peer.socket().setSoTimeout(200);
        plain(peer, new Random(1), 3);
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
