package io.rns.server.adversary;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.local.LocalService;
import io.rns.server.Eventually;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on a service in GlassFish, each beside a client that behaves. Whatever is tried, that client is answered, and
 * soon; the server neither ends nor keeps memory, and tells the attacker nothing of itself.
 *
 * <p>{@code -Drns.test.adversary=large} tries more of everything. {@code strict} also does it for longer, and holds the
 * client's times to what is promised; else only a stall is a failure, since the machine may be busy with other things.
 */
@Tag("slow")
class AdversaryIT {
  private static final boolean STRICT = "strict".equals(System.getProperty("rns.test.adversary"));
  private static final boolean LARGE = STRICT || "large".equals(System.getProperty("rns.test.adversary"));
  private static final int MUTATED = STRICT ? 200_000 : LARGE ? 6_000 : 3_000;
  private static final Duration LEAST = Duration.ofSeconds(STRICT ? 30 : 3);
  private static final Duration BOUND = Duration.ofMinutes(2);

  /** What is promised to the client that behaves; unless it sees that much in calm, too, on a slow machine. */
  private static final double QUERY_MILLIS = STRICT ? 50 : 10_000;

  private static final double ADD_MILLIS = STRICT ? 500 : 10_000;
  private static final double TIMES_CALM = 10;

  /** What a server may keep of an attack: caches have filled, classes were loaded. */
  private static final long KEPT_MEBIBYTES = 96;

  private static final double MOST_ANSWER_MILLIS = STRICT ? 2_000 : 20_000;

  @TempDir private static Path temporary;
  private static LocalService service;
  private static ConnectionAttacks connections;
  private static TreeAttacks trees;
  private static MessageAttacks messages;
  private static GoodClient good;
  private static GoodClient.Seen calm;
  private static long calmMebibytes;

  /** What an attacker does, at least until a moment of {@link System#nanoTime}. */
  private interface Attack {
    void until(long nanos) throws Exception;
  }

  @BeforeAll
  static void start() throws Exception {
    Path war = LocalService.Settings.in(temporary).war();
    service =
        LocalService.start(
            new LocalService.Settings(temporary.resolve("data"), 0, "512m", "128m", war, null), line -> {});
    URI server = URI.create(service.url());
    connections = new ConnectionAttacks(server);
    trees = new TreeAttacks(server);
    messages = new MessageAttacks(server);
    good = new GoodClient(service.url());
    if (STRICT) {
      warmUp();
    }
    good.work(LEAST, new CountDownLatch(0));
    calm = good.work(LEAST, new CountDownLatch(0));
    report("no attack", calm);
    calmMebibytes = ServerHeap.usedMebibytes(temporary.resolve("data"));
  }

  /**
   * The first of such connections find code that nobody has run: what is promised is promised of a server that has been
   * at work.
   */
  private static void warmUp() throws Exception {
    trees.addBig("/warm", 20);
    for (int i = 0; i < 3; i++) {
      connections.unread("/warm", 100, System.nanoTime());
      connections.slowBodies(300, System.nanoTime());
      connections.slowHeaders(300, System.nanoTime());
      connections.halfBodies(100, System.nanoTime());
      connections.idle(300, System.nanoTime());
    }
  }

  @AfterAll
  static void stop() {
    good.close();
    service.close();
  }

  private static void report(String attack, GoodClient.Seen seen) {
    System.out.println("adversary: " + attack + ": " + seen);
  }

  /** Runs an attack beside the client that behaves, until both have had their time. */
  private static void survives(String name, Attack attack) throws Exception {
    CountDownLatch attacked = new CountDownLatch(1);
    try (ExecutorService attacker = Executors.newSingleThreadExecutor()) {
      long end = System.nanoTime() + LEAST.toNanos();
      Future<?> done =
          attacker.submit(
              () -> {
                try {
                  attack.until(end);
                } finally {
                  attacked.countDown();
                }
                return null;
              });
      GoodClient.Seen seen = good.work(LEAST, attacked);
      done.get();
      report(name, seen);
      assertThat(seen.failures()).as(name).isEmpty();
      assertThat(seen.queryP99()).as(name + ": query").isLessThan(Math.max(QUERY_MILLIS, TIMES_CALM * calm.queryP99()));
      assertThat(seen.addP99()).as(name + ": add").isLessThan(Math.max(ADD_MILLIS, TIMES_CALM * calm.addP99()));
    }
    Eventually.until(
        "memory as before " + name,
        BOUND,
        () -> ServerHeap.usedMebibytes(temporary.resolve("data")) < calmMebibytes + KEPT_MEBIBYTES);
    assertThat(good.work(Duration.ofMillis(100), new CountDownLatch(0)).failures()).as("after " + name).isEmpty();
  }

  @Test
  void slowBodiesHoldNobodyUp() throws Exception {
    survives("slow bodies", until -> connections.slowBodies(LARGE ? 1_000 : 400, until));
  }

  @Test
  void bodiesThatNeverEndHoldNobodyUp() throws Exception {
    survives("bodies without their end", until -> connections.halfBodies(LARGE ? 1_500 : 700, until));
  }

  @Test
  void slowHeadersHoldNobodyUp() throws Exception {
    survives("slow headers", until -> connections.slowHeaders(LARGE ? 1_000 : 400, until));
  }

  @Test
  void moreConnectionsThanTheListenerHasHoldNobodyUp() throws Exception {
    survives("idle connections", until -> connections.idle(LARGE ? 4_500 : 1_000, until));
    // Those who come afterwards are served.
    try (RawConnection next = RawConnection.to(URI.create(service.url()))) {
      assertThat(next.send(ConnectionAttacks.head("GET", "/names/good", "\r\n")).readStatus()).isEqualTo(200);
    }
  }

  @Test
  void answersThatNobodyReadsHoldNobodyUp() throws Exception {
    trees.addBig("/unread", LARGE ? 60 : 20);
    survives("answers that nobody reads", until -> connections.unread("/unread", LARGE ? 1_000 : 200, until));
  }

  @Test
  void oneCallerCannotHaveAllWatchers() throws Exception {
    survives("watchers", until -> connections.watchers(1_100, until));
  }

  @Test
  void bigEntriesHoldNobodyUp() throws Exception {
    survives("big entries", until -> trees.bigEntries(LARGE ? 500 : 40, LARGE ? 24 : 8, until));
  }

  @Test
  void deepTreesHoldNobodyUp() throws Exception {
    survives("deep trees", until -> trees.deepTrees(400, until));
  }

  @Test
  void mutatedMessagesHoldNobodyUp() throws Exception {
    survives("mutated messages", until -> messages.mutated(MUTATED, MOST_ANSWER_MILLIS, until));
  }

  @Test
  void whatIsNoHttpIsRefusedWithoutAWordOfTheContainer() throws Exception {
    survives("what is no HTTP", messages::noHttp);
  }
}
