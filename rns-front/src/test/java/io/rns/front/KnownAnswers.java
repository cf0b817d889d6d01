package io.rns.front;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Requests with the responses that a server alone gives to them, byte by byte but for their date. */
final class KnownAnswers {
  private static final int EACH = 32;
  private static final int PIECE = 4_096;

  private final List<Known> small = new ArrayList<>();
  private final List<Known> down = new ArrayList<>();
  private final List<Known> up = new ArrayList<>();

  private KnownAnswers() {}

  /** Asks a server for the responses to random requests. */
  static KnownAnswers of(EchoServer server, Random random) throws IOException {
    try (HttpPeer alone = new HttpPeer(server.port())) {
      return of(alone, random);
    }
  }

  /** Asks a server for the responses to random requests. */
  static KnownAnswers of(HttpPeer alone, Random random) throws IOException {
    KnownAnswers known = new KnownAnswers();
    for (int i = 0; i < EACH; i++) {
      known.small.add(ask(alone, "GET /rns/echo/" + i + "?a=" + random.nextInt() + " HTTP/1.1\r\nHost: a\r\n\r\n"));
      known.small.add(ask(alone, post("/rns/echo/body/" + i, random.nextInt(2, 400))));
      known.small.add(ask(alone, chunked("/rns/echo/chunks/" + i, random)));
    }
    for (int i = 0; i < 4; i++) {
      int pieces = random.nextInt(20, 40);
      known.down.add(ask(alone, "GET /rns/large?" + pieces * PIECE + " HTTP/1.1\r\nHost: a\r\n\r\n"));
      known.up.add(ask(alone, post("/rns/echo/up/" + i, random.nextInt(95_000, 120_000))));
    }
    return known;
  }

  private static String post(String target, int length) {
    return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n"
        + "0123456789".repeat(length / 10 + 1).substring(0, length);
  }

  private static String chunked(String target, Random random) {
    StringBuilder request =
        new StringBuilder("PUT ").append(target).append(" HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int left = random.nextInt(1, 4); left > 0; left--) {
      int length = random.nextInt(1, 200);
      request.append(Integer.toHexString(length)).append("\r\n").append("c".repeat(length)).append("\r\n");
    }
    return request.append("0\r\n\r\n").toString();
  }

  /** The response of a server alone to a request. */
  static Known ask(HttpPeer alone, String request) throws IOException {
    return new Known(request, undated(alone.send(request).response()));
  }

  private static String undated(String response) {
    int end = response.indexOf("\r\n\r\n");
    String head = end < 0 ? response : response.substring(0, end);
    // Names of fields may be in any case.
    return head.replaceFirst("(?i)\r\nDate: [^\r]*", "").toLowerCase(java.util.Locale.ROOT)
        + response.substring(head.length());
  }

  /** A request and its response. */
  record Known(String request, String response) {
    int head() {
      return request.indexOf("\r\n\r\n") + 4;
    }

    /**
     * Compares what a client has got.
     *
     * @throws Foreign if it is another response
     * @throws IOException if it is only a part of it, or an error
     */
    void check(String got) throws IOException {
      String text = undated(got);
      if (text.equals(response)) {
        return;
      }
      String told = request.lines().findFirst().orElseThrow() + " was answered with " + got;
      throw text.startsWith("http/1.1 200 ") && !response.startsWith(text) ? new Foreign(told) : new IOException(told);
    }
  }

  /** A client has got what is not the response to its request. */
  static final class Foreign extends IOException {
    private static final long serialVersionUID = 1L;

    Foreign(String message) {
      super(message);
    }
  }

  /** A request that fits into a packet. */
  Known small(Random random) {
    return small.get(random.nextInt(small.size()));
  }

  /** One with a body. */
  Known withBody(Random random) {
    return small.get(3 * random.nextInt(EACH) + 1 + random.nextInt(2));
  }

  /** One with a large response. */
  Known down(Random random) {
    return down.get(random.nextInt(down.size()));
  }

  /** One with a large body. */
  Known up(Random random) {
    return up.get(random.nextInt(up.size()));
  }

  /** Sends so many small requests at once, and reads all responses. */
  void pipelined(HttpPeer peer, Random random, int count) throws IOException {
    List<Known> all = new ArrayList<>();
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.add(small(random));
      requests.append(all.getLast().request());
    }
    peer.send(requests.toString());
    for (Known known : all) {
      known.check(peer.response());
    }
  }

  /** Sends a small request in pieces. */
  void inPieces(HttpPeer peer, Random random) throws IOException {
    Known known = small(random);
    int at = 0;
    while (at < known.request().length()) {
      int to = Math.min(known.request().length(), at + 1 + random.nextInt(60));
      peer.send(known.request().substring(at, to));
      at = to;
    }
    known.check(peer.response());
  }
}
