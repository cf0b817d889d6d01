package io.rns.front;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Clients of a front that crashes, alone or with its server: they connect again, and repeat writes with a request id
 * until these are answered. Some wait in the middle of a request until they are told to finish.
 */
final class CrashClients implements AutoCloseable {
  /** What held writes wait for at the server. */
  static final String GATE = "crash";

  private static final int PIPELINED = 4;
  private static final int ROUNDS = 2;
  private static final int CONNECT_MILLIS = 1_000;

  /** Foreign or unordered responses, connections that nobody serves, writes that were not applied as often as due. */
  final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final InetSocketAddress front;
  private final KnownAnswers answers;
  private final Path applied;
  private final int silenceMillis;
  private final boolean silenceFails;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> clients = new ArrayList<>();
  private final CountDownLatch finishing = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  /** Whether each write has to be there: it was answered. */
  private final Map<String, Boolean> writes = new ConcurrentHashMap<>();
  private final List<String> held = new ArrayList<>();

  /** What a client does with a connection, until the end of one or more responses. */
  private interface Habit {
    void run(HttpPeer peer, Random random) throws IOException;
  }

  /**
   * Clients that have not begun.
   *
   * @param applied the writes that the server has applied
   * @param silenceMillis after which a client takes its connection for broken
   * @param silenceFails whether that is a fault: its connection has no owner
   */
  CrashClients(InetSocketAddress front, KnownAnswers answers, Path applied, int silenceMillis, boolean silenceFails) {
    this.front = front;
    this.answers = answers;
    this.applied = applied;
    this.silenceMillis = silenceMillis;
    this.silenceFails = silenceFails;
  }

  /** Writes, and repeats what was not answered if it has a request id. */
  private final class Writer implements Habit {
    private final String headers;
    private final boolean repeats;
    private String pending;

    Writer(String headers, boolean repeats) {
      this.headers = headers;
      this.repeats = repeats;
      this.pending = next();
    }

    private String next() {
      String next = "/rns/write/" + writes.size() + (repeats ? "-with-id" : "-without");
      return writes.putIfAbsent(next, false) == null ? next : next();
    }

    @Override
    public void run(HttpPeer peer, Random random) throws IOException {
      String id =
          repeats ? "RNS-Request-Id: " + UUID.nameUUIDFromBytes(pending.getBytes(StandardCharsets.US_ASCII)) + "\r\n"
              : "";
      String write = pending;
      if (!repeats) {
        pending = next();
      }
      String response =
          peer.send("PUT " + write + " HTTP/1.1\r\nHost: a\r\n" + headers + id + "Content-Length: 2\r\n\r\n{}")
              .response();
      if (!response.contains("\r\n\r\n")) {
        throw new IOException("the connection has ended");
      }
      String expected = "applied " + write;
      String body = response.substring(response.indexOf("\r\n\r\n") + 4);
      if (!response.startsWith("HTTP/1.1 200 ") || !expected.startsWith(body)) {
        String told = write + " was answered with " + response;
        throw response.startsWith("HTTP/1.1 200 ") ? new KnownAnswers.Foreign(told) : new IOException(told);
      }
      if (body.length() < expected.length()) {
        throw new IOException("a part of a response");
      }
      writes.put(write, true);
      if (repeats) {
        pending = next();
      }
    }
  }

  /** Has all of them connect, and returns when each is in the middle of something. */
  void begin(long seed) {
    Random random = new Random(seed);
    List<Habit> parked =
        List.of(parked(0, 0), parked(0, 0), parked(1, 2), parked(1, 2), bodyInPieces(), bodyInPieces());
    List<Habit> working = List.of(this::plain, this::plain, this::pipelined, answers::inPieces, this::up, this::down);
    for (Habit habit : parked) {
      start(habit, random.nextLong());
    }
    for (Habit habit : working) {
      start(begun(habit), random.nextLong());
    }
    for (int i = 0; i < 2; i++) {
      start(begun(new Writer("", i == 0)), random.nextLong());
      Writer waiting = new Writer("X-Hold: " + GATE + "\r\n", i == 0);
      held.add(waiting.pending);
      start(waiting, random.nextLong());
    }
    Waiting.until(() -> begun.get() >= parked.size() + working.size() + 2 && isHeld());
  }

  private boolean isHeld() {
    try {
      return WriteLog.applied(applied).containsAll(held);
    } catch (IOException e) {
      return false;
    }
  }

  private void start(Habit first, long seed) {
    clients.add(threads.submit(() -> work(first, new Random(seed))));
  }

  /** Does something first, then plain requests until the end; or what it did first again, if it is to repeat that. */
  private void work(Habit first, Random random) {
    int rounds = 0;
    boolean done = false;
    while (rounds < ROUNDS) {
      boolean connected = false;
      boolean last = false;
      try (Socket socket = new Socket()) {
        socket.connect(front, CONNECT_MILLIS);
        connected = true;
        HttpPeer peer = new HttpPeer(socket);
        socket.setSoTimeout(silenceMillis);
        while (rounds < ROUNDS) {
          last = finishing.getCount() == 0;
          (done ? (Habit) this::plain : first).run(peer, random);
          done = finishing.getCount() == 0;
          rounds += last ? 1 : 0;
        }
      } catch (KnownAnswers.Foreign e) {
        failures.add(e.getMessage());
        return;
      } catch (SocketTimeoutException e) {
        // Before, the server may hold the request.
        if (silenceFails && connected && last) {
          failures.add("a connection is served by nobody");
        }
      } catch (IOException | NumberFormatException e) {
        // The end of a connection, an error, or a part of a response: it begins again.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private Habit begun(Habit habit) {
    AtomicInteger once = new AtomicInteger();
    return (peer, random) -> {
      habit.run(peer, random);
      if (once.getAndIncrement() == 0) {
        begun.incrementAndGet();
      }
    };
  }

  private void await() {
    begun.incrementAndGet();
    try {
      finishing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits where a part of the head was sent. */
  private Habit parked(int part, int of) {
    return (peer, random) -> {
      KnownAnswers.Known known = answers.small(random);
      int sent = of == 0 ? 0 : known.head() * part / of;
      peer.send(known.request().substring(0, sent));
      await();
      known.check(peer.send(known.request().substring(sent)).response());
    };
  }

  private Habit bodyInPieces() {
    return (peer, random) -> {
      KnownAnswers.Known known = random.nextBoolean() ? answers.up(random) : answers.withBody(random);
      int sent = (known.head() + known.request().length()) / 2;
      peer.send(known.request().substring(0, known.head())).send(known.request().substring(known.head(), sent));
      await();
      known.check(peer.send(known.request().substring(sent)).response());
    };
  }

  private void plain(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.small(random);
    known.check(peer.send(known.request()).response());
  }

  private void pipelined(HttpPeer peer, Random random) throws IOException {
    answers.pipelined(peer, random, PIPELINED);
  }

  private void up(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.up(random);
    known.check(peer.send(known.request()).response());
  }

  private void down(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.down(random);
    known.check(peer.send(known.request()).response());
  }

  /** Has all of them end, when each has had responses after that; checks what the server has applied. */
  void finish() throws IOException {
    finishing.countDown();
    Waiting.until(() -> clients.stream().allMatch(Future::isDone));
    clients.stream().filter(client -> client.state() == Future.State.FAILED)
        .forEach(client -> failures.add("a client failed: " + client.exceptionNow()));
    Map<String, Long> counts =
        WriteLog.applied(applied).stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    writes.forEach((write, answered) -> {
      long count = counts.getOrDefault(write, 0L);
      if (count > 1 || (answered && count == 0)) {
        failures.add(write + (answered ? ", which was answered," : "") + " was applied " + count + " times");
      }
    });
  }

  /** Number of writes that were answered. */
  long written() {
    return writes.values().stream().filter(answered -> answered).count();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
