package io.rns.front;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients of a front as a process: a third parked in the middle of a request, some watches, the others at work.
 * Arguments are host and port of the front, of the server, the number of connections and the rate. Each line of input
 * is a command, and answered by a line.
 */
final class ClientsProgram {
  private static final int WATCHES = 20;
  private static final long SEED = 1;

  private final InetSocketAddress front;
  private final KnownAnswers answers;
  private final Random random = new Random(SEED);
  private final List<Parked> parked = new ArrayList<>();
  private final List<HttpPeer> watches = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong events = new AtomicLong();
  private long answered;

  /** A connection that waits in the middle of a request. */
  private record Parked(HttpPeer peer, KnownAnswers.Known known, int sent) {}

  private ClientsProgram(InetSocketAddress front, KnownAnswers answers) {
    this.front = front;
    this.answers = answers;
  }

  public static void main(String[] arguments) throws Exception {
    InetSocketAddress front = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
    int connections = Integer.parseInt(arguments[4]);
    KnownAnswers answers;
    try (HttpPeer alone = new HttpPeer(new Socket(arguments[2], Integer.parseInt(arguments[3])))) {
      answers = KnownAnswers.of(alone, new Random(SEED));
    }
    System.out.println("clients ready");
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      in.readLine();
      ClientsProgram program = new ClientsProgram(front, answers);
      program.watch();
      program.park(connections / 3);
      try (
          WorkingClients load =
              new WorkingClients(front, connections - connections / 3 - WATCHES, answers, SEED,
                  Integer.parseInt(arguments[5]))) {
        program.obey(in, load);
      }
    }
    System.exit(0);
  }

  private HttpPeer peer() throws IOException {
    return new HttpPeer(new Socket(front.getAddress(), front.getPort()));
  }

  private void park(int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      parked.add(begin(peer()));
    }
  }

  /** Every other one is idle. */
  private Parked begin(HttpPeer peer) throws IOException {
    KnownAnswers.Known known = random.nextInt(16) == 0 ? answers.up(random) : answers.small(random);
    int sent = random.nextBoolean() ? 0 : random.nextInt(known.request().length());
    peer.send(known.request().substring(0, sent));
    return new Parked(peer, known, sent);
  }

  private void finishParked() {
    List<Parked> before = List.copyOf(parked);
    parked.clear();
    for (Parked each : before) {
      try {
        each.known().check(each.peer().send(each.known().request().substring(each.sent())).response());
        answered++;
        parked.add(begin(each.peer()));
      } catch (IOException e) {
        failures.add(e);
      }
    }
  }

  private void watch() throws IOException {
    for (int i = 0; i < WATCHES; i++) {
      HttpPeer peer = peer();
      watches.add(peer);
      peer.send("GET /rns/watch/ticks HTTP/1.1\r\nHost: a\r\n\r\n");
      Thread.ofVirtual().start(() -> readTicks(peer));
    }
  }

  private void readTicks(HttpPeer peer) {
    try {
      String head = peer.head();
      for (int next = 1;; next++) {
        String event = peer.event();
        if (!event.equals("data: " + next)) {
          throw new IOException("a watch has got " + event + " instead of " + next + " after " + head);
        }
        events.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      failures.add(e);
    }
  }

  private void obey(BufferedReader in, WorkingClients load) throws Exception {
    String line = in.readLine();
    while (line != null) {
      switch (line) {
        case "progress" -> {
          load.progress(500);
          long wanted = events.get() + 2 * WATCHES;
          Waiting.until(() -> events.get() >= wanted || !failures.isEmpty());
          var unused = load.longestNanos(true);
          var unused2 = load.longestNanos(false);
        }
        case "moving" -> load.migrating(true);
        case "moved" -> {
          load.progress(500);
          load.migrating(false);
          System.out.println("during: " + times(load.longestNanos(true)));
          finishParked();
        }
        case "finish" -> {
          load.finish();
          failures.addAll(load.failures);
          System.out.println("answered " + (answered + load.answered.sum()));
        }
        default -> throw new IOException("unknown command " + line);
      }
      failures.addAll(load.failures);
      failures.stream().limit(10).forEach(failure -> System.out.println("failure: " + failure));
      System.out.println("done " + line);
      line = in.readLine();
    }
  }

  private static String times(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.isEmpty() ? "not measured"
        : String.format("median %.1f ms, p99 %.1f ms, maximum %.1f ms of %d", sorted.get(sorted.size() / 2) / 1e6,
            sorted.get(sorted.size() * 99 / 100) / 1e6, sorted.getLast() / 1e6, sorted.size());
  }
}
