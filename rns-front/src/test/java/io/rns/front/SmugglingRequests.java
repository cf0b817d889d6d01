package io.rns.front;

import io.rns.api.RandomCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Streams of requests, some of which parsers may read differently. What their bodies have, a request to
 * {@code /rns/smuggled}, is never a request by a strict reading, unless single bytes were changed.
 */
final class SmugglingRequests {
  private static final int LARGE = 70_000;

  private static final List<String> CODINGS =
      List.of("chunked", "Chunked", "\tchunked\t", "chunked, identity", "identity, chunked", "gzip, chunked",
          "xchunked",
          "chunkedx", "chunked,", ",chunked", "chunked;q=1", "\"chunked\"", "chunked\r\n ", "\r\n chunked",
          "\u000bchunked",
          "chunked\u000c", "chunked\u00a0", "\u0085chunked", "identity", "", "chun\u0000ked", "chunked chunked",
          "ch\u017fnked");
  private static final List<String> LENGTHS =
      List.of("%d", " \t%d \t", "0%d", "00000000000000000000%d", "+%d", "-%d", "0x%x", "%d, %<d", "%d,", "%d %<d",
          "%d.0",
          "%de0", "%d;", "%d\u0000", "%d\u000b", "\u00a0%d", "1%018d", "99999999999999999999%d", "18446744073709551616",
          "", "zero", "\r\n %d", "%d\r\n\t", "0, %d", "%d\r0", "%d\n0", "\u0661%d");
  private static final List<String> LINE_ENDS = List.of("\n", "\r", "\r\r\n", "\u0000\r\n", "\u0000", "\n\r", "\r\n\r");
  private static final List<String> TARGETS =
      List.of("http://a%s", "http://b%s", "*", "a:80", "/%s/..%<s", "%s#x", "%s\t", "%s\u000b", "%s x", "%s\u0000", "/",
          "/other",
          "//a%s", "%s?x=HTTP/1.1", "%s\u00a0");
  private static final List<String> VERSIONS =
      List.of("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/1.10", "HTTP/01.1",
          " HTTP/1.1", "",
          "HTTP/1.1\t", "HTTP/1,1");
  private static final List<String> SIZES =
      List.of("0%x", "000000000000%x", "0000000000000000000000%x", "0x%x", "-%x", "+%x", " %x", "\t%x", "%x ", "%x\t",
          "%x 1",
          "%x \t0", "1000000000000000%x", "fffffffffffffffffffff%x", "%x;a=b", "%x;a=\"b;c\"", "%x ;a", "%x;a\n",
          "%x;a\r", "%x;\u0000",
          "%x;\u0001", "%x;a=\"\r\n\"", "%x\n", "%x\r", "%x\u000b", "%xg", "%x.", "", "\r\n%x", "%x;\r\n", "%x\r\n ;a");
  private static final List<String> TRAILERS =
      List.of("Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "X: y\r\n", " folded\r\n",
          "no colon\r\n",
          "X : y\r\n", "X: y\n", "X: y\r", ": y\r\n", "X:\u0000\r\n", "X: \u0001\r\n", "\u0000", "\n", "\r",
          "GET /rns/smuggled HTTP/1.1\r\n", "GET /rns/smuggled HTTP/1.1\r\nHost: a\r\n", "Content-Length: 5\r\nX\r\n");
  private static final List<String> FIELDS =
      List.of("Connection: Content-Length\r\n", "Connection: Transfer-Encoding\r\n",
          "Connection: close, Transfer-Encoding\r\n",
          "Connection: Host, content-length\r\n", "Connection: keep-alive\r\n", "Connection: close\r\n",
          "Connection:\r\n",
          "Keep-Alive: timeout=1\r\n", "Proxy-Connection: close\r\n", "Expect: 100-continue\r\n", "Expect: much\r\n",
          "Expect: 100-continue\r\nExpect: x\r\n",
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
          "Connection: Upgrade\r\nUpgrade: websocket\r\n", "Host: b\r\n", "Host: a\r\n", "host : a\r\n",
          "TE: trailers, chunked\r\n",
          "Trailer: Content-Length\r\n", "X-Content-Length: 3\r\n", "Content_Length: 3\r\n",
          "Content-Length\u0000: 3\r\n",
          " Content-Length: 3\r\n", "Content-Length : 3\r\n", "Content-Length\t: 3\r\n",
          "Transfer-Encoding : chunked\r\n",
          "X: y\r\n Transfer-Encoding: chunked\r\n", "X: y\rTransfer-Encoding: chunked\r\n",
          "X: y\nTransfer-Encoding: chunked\r\n",
          "X: y\n\nGET /rns/smuggled HTTP/1.1\r\n", "X: \u0000\r\n", "X: \u0001\r\n", "X: \u007f\r\n", "X\r\n", ":\r\n",
          ": x\r\n",
          "X-\u00e9: y\r\n", "X: \u00e9\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n",
          "Content-Length: 0\r\n",
          "Content-Length: 3\r\n", "X-HTTP-Method-Override: HEAD\r\n", "Cookie: a=b\r\nCookie: c=d\r\n");
  private static final List<String> BEFORE =
      List.of("\r\n", "\r\n\r\n", "\n", "\r", " ", "\t", "\u0000", "\r\n ", "0\r\n\r\n", "\ufeff".substring(1));
  private static final String ODD_BYTES = "\r\n\u0000 \t:,;0123x\u000b\u0085\u007f";

  private final RandomGenerator random;
  private final StringBuilder all = new StringBuilder();
  private int number;

  private SmugglingRequests(RandomGenerator random) {
    this.random = random;
  }

  /** Some requests. */
  static String stream(RandomGenerator random) {
    SmugglingRequests requests = new SmugglingRequests(random);
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      requests.add();
    }
    return requests.all.toString();
  }

  /** With some bytes more, less, or changed. */
  static String withOtherBytes(RandomGenerator random, String stream) {
    StringBuilder changed = new StringBuilder(stream);
    for (int i = random.nextInt(1, 4); i > 0 && !changed.isEmpty(); i--) {
      int at = random.nextInt(changed.length());
      char odd = ODD_BYTES.charAt(random.nextInt(ODD_BYTES.length()));
      switch (random.nextInt(4)) {
        case 0 -> changed.deleteCharAt(at);
        case 1 -> changed.insert(at, odd);
        case 2 -> changed.setCharAt(at, odd);
        default -> changed.setLength(at);
      }
    }
    return changed.toString();
  }

  private boolean rarely(int one) {
    return random.nextInt(one) == 0;
  }

  private String one(List<String> of) {
    return RandomCases.one(random, of);
  }

  private void add() {
    boolean chunked = random.nextBoolean();
    boolean empty = rarely(3);
    String content = empty ? "" : content();
    String method =
        empty && rarely(2) ? "HEAD" : empty && rarely(2) ? "GET" : one(List.of("POST", "PUT", "GET", "DELETE"));
    String target = "/rns/echo/" + number++;
    List<String> lines = new ArrayList<>();
    lines.add(method + " " + (rarely(25) ? one(TARGETS).formatted(target) : target) + " "
        + (rarely(25) ? one(VERSIONS) : "HTTP/1.1") + "\r\n");
    lines.add("Host: a\r\n");
    String body = content;
    if (chunked) {
      body = chunks(content);
      lines.add(one(List.of("Transfer-Encoding", "transfer-encoding", "TRANSFER-ENCODING")) + ": "
          + (rarely(6) ? one(CODINGS) : "chunked") + "\r\n");
    } else if (!empty) {
      lines.add(length(content.length()));
    }
    if (rarely(12)) {
      lines.add(chunked ? length(body.length()) : "Transfer-Encoding: " + one(CODINGS) + "\r\n");
    }
    if (rarely(12) && lines.size() > 2) {
      lines.add(lines.get(2));
    }
    if (rarely(3)) {
      lines.add(random.nextInt(1, lines.size() + 1), one(FIELDS));
    }
    if (rarely(15)) {
      int at = random.nextInt(lines.size());
      lines.set(at, lines.get(at).replaceFirst("\r\n$", "") + one(LINE_ENDS));
    }
    all.append(rarely(10) ? one(BEFORE) : "").append(String.join("", lines))
        .append(rarely(40) ? one(LINE_ENDS) : "\r\n")
        .append(body);
  }

  private String length(int length) {
    return one(List.of("Content-Length: ", "content-length:", "CONTENT-LENGTH:\t"))
        + (rarely(6) ? one(LENGTHS) : "%d").formatted(length) + "\r\n";
  }

  private String content() {
    String smuggled = "GET /rns/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    String before = one(List.of("", "\r\n", "0\r\n\r\n", "x", "\r\n\r\n", "5\r\n", "x\r\n0\r\n\r\n"));
    return before + smuggled + (rarely(30) ? smuggled.repeat(LARGE / smuggled.length()) : "");
  }

  private String chunks(String content) {
    StringBuilder body = new StringBuilder();
    int at = 0;
    while (at < content.length()) {
      int size =
          content.length() - at > LARGE / 2 ? content.length() - at : random.nextInt(1, content.length() - at + 1);
      String odd = "\r\n";
      if (rarely(25)) {
        odd = one(List.of("", "\n", "\r", "x\r\n", "\r\n\r\n", "\r\r\n", "\n\r\n", "\u0000\r\n", "\r\n "));
      }
      body.append((rarely(12) ? one(SIZES) : "%x").formatted(size)).append("\r\n").append(content, at, at + size)
          .append(odd);
      at += size;
    }
    body.append(rarely(12) ? one(SIZES).formatted(0) : "0").append("\r\n");
    if (rarely(6)) {
      body.append(one(TRAILERS));
    }
    return body + (rarely(20) ? one(LINE_ENDS) : "\r\n");
  }
}
