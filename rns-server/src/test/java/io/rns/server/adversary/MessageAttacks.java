package io.rns.server.adversary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.soap.Mutations;
import io.rns.server.soap.StandardMessages;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Attacks by what is sent. Each ends some time after the given moment. */
final class MessageAttacks {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int SENDERS = 2;
  private static final int MOST_SEED_BYTES = 100_000;

  private final URI server;

  MessageAttacks(URI server) {
    this.server = server;
  }

  /**
   * Sends messages that were mutated at random, the same ones each time; whatever comes, the answer is SOAP and blames
   * the caller.
   *
   * @param least how many, at least
   * @param mostMillis how long an answer may take
   */
  void mutated(long least, double mostMillis, long until) throws Exception {
    List<byte[]> seeds = new ArrayList<>(StandardMessages.all());
    HostileMessages.all().stream()
        .map(HostileMessages.Hostile::bytes)
        .filter(bytes -> bytes.length < MOST_SEED_BYTES)
        .forEach(seeds::add);
    AtomicLong next = new AtomicLong();
    try (ExecutorService all = Executors.newFixedThreadPool(SENDERS);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        senders.add(all.submit(() -> {
          long seed = next.getAndIncrement();
          for (; seed < least || System.nanoTime() - until < 0; seed = next.getAndIncrement()) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] message = new Mutations(random).of(seeds.get(random.nextInt(seeds.size())));
            send(http, seed, message, seed % 3 == 0 ? "application/soap+xml" : "text/xml", mostMillis);
          }
          return null;
        }));
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
    }
  }

  private void send(HttpClient http, long seed, byte[] message, String type, double mostMillis) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + "/services/rns"))
            .header("Content-Type", type)
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofByteArray(message))
            .build();
    long began = System.nanoTime();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    double millis = (System.nanoTime() - began) / 1e6;
    String shown = "mutation " + seed + " as " + type + ": " + new String(message, UTF_8);
    assertThat(answer.body()).as(shown).doesNotContain(">INTERNAL</").contains("Envelope");
    assertThat(millis).as(shown).isLessThan(mostMillis);
  }

  /** Sends what is no HTTP, or no HTTP that may pass: refused, or closed, without a word of the container. */
  void noHttp(long until) throws IOException {
    List<String> requests = noHttp();
    do {
      for (String request : requests) {
        try (RawConnection connection = RawConnection.to(server).send(request)) {
          String answer = answer(connection, request);
          String shown = shown(request) + " -> " + answer;
          assertThat(answer).as(shown).satisfiesAnyOf(
              closed -> assertThat(closed).isEmpty(),
              refused -> assertThat(refused).matches("(?s)HTTP/1\\.[01] ([234]\\d\\d|505) .*"));
          assertThat(answer.toLowerCase(Locale.ROOT)).as(shown).doesNotContain("<html", "glassfish", "grizzly",
              "exception");
        }
      }
    } while (System.nanoTime() - until < 0);
  }

  private static String answer(RawConnection connection, String request) throws IOException {
    try {
      return connection.readToEnd();
    } catch (IOException e) {
      throw new IOException(shown(request), e);
    }
  }

  private static String shown(String request) {
    return request.substring(0, Math.min(request.length(), 200));
  }

  private static List<String> noHttp() {
    List<String> requests = new ArrayList<>();
    String close = "Connection: close\r\n";
    String both = close + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    for (String path : List.of("/services/rns", "/names/x", "/pools", "/group/x", "/nothing")) {
      requests.add(ConnectionAttacks.head("PUT", path, both));
      requests.add(ConnectionAttacks.head("POST", path, both));
      requests.add(ConnectionAttacks.head("POST", path, close + "Transfer-Encoding: sideways\r\n\r\nxx"));
      requests.add(ConnectionAttacks.head("POST", path, close + "Transfer-Encoding: chunked\r\n\r\n2\nxx\n0\n\n"));
      requests.add(ConnectionAttacks.head("POST", path, close + "Content-Length: -1\r\n\r\n"));
      requests.add(ConnectionAttacks.head("POST", path, close + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"));
      requests.add("GET /rns" + path + "/%zz HTTP/1.1\r\nHost: h\r\n" + close + "\r\n");
      requests.add("GET /rns" + path + "/%00 HTTP/1.1\r\nHost: h\r\n" + close + "\r\n");
      requests.add("GET /rns" + path + "/%2F%5C HTTP/1.1\r\nHost: h\r\n" + close + "\r\n");
      requests.add("GET /rns" + path + " HTTP/1.1\r\n" + close + "\r\n");
      requests.add("GET /rns" + path + " HTTP/1.1\r\nHost: a\"b<c>\r\n" + close + "\r\n");
      requests.add("GET /rns" + path + " HTTP/9.9\r\nHost: h\r\n" + close + "\r\n");
    }
    requests.add("GET /rns/names HTTP/1.1\r\n" + close + "X: y\r\n".repeat(10_000) + "\r\n");
    requests.add("GET /rns/names/" + "x".repeat(100_000) + " HTTP/1.1\r\nHost: h\r\n" + close + "\r\n");
    return requests;
  }
}
