package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No bytes of a server are a response, or a part of one, to another request than by a strict reading, whatever it
 * sends. Several clients have the same connections to the server one after the other. The cases are the same each time;
 * {@code -Drns.test.seed=SEED} begins with another one, {@code -Drns.test.cases=N} tries so many.
 */
@Timeout(1_200)
class ResponseSplittingTest {
  private static final long SEED = Long.getLong("rns.test.seed", 1);
  private static final int CASES = Integer.getInteger("rns.test.cases", 300);
  private static final int CLIENTS = 32;
  /** Of a response to a request that the front repeats. */
  private static final String PLAIN = "ok";
  private static final String FOR = "x-for";

  private static final List<String> FIELDS =
      List.of("Content-Length: 5\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: identity\r\n",
          "Transfer-Encoding : chunked\r\n", " Content-Length: 5\r\n", "X: y\r\n Content-Length: 5\r\n",
          "X: y\nContent-Length: 5\r\n",
          "X: y\rContent-Length: 5\r\n", "Connection: Content-Length\r\n", "Connection: close, Transfer-Encoding\r\n",
          "Connection: close\r\n", "Connection: keep-alive\r\n", "Keep-Alive: timeout=5\r\n", "Upgrade: h2c\r\n",
          "X: \u0000\r\n", "X\r\n",
          "X: y\n\nHTTP/1.1 200 OK\r\n", "Trailer: Content-Length\r\n", "Content-Type: text/event-stream\r\n");
  private static final List<String> LENGTHS =
      List.of("0%d", "+%d", "-%d", "0x%x", "%d, %<d", "%d,", "%d %<d", "99999999999999999999%d", "", "\r\n %d",
          "%d\u0000", "%d.0");
  private static final List<String> CODINGS =
      List.of("Chunked", "\tchunked", "chunked, identity", "gzip, chunked", "xchunked", "chunked,", "\u000bchunked",
          "identity", "");
  private static final List<String> STATUS_LINES =
      List.of("HTTP/1.0 200 OK", "HTTP/1.0 200 OK", "HTTP/1.1 200", "HTTP/1.1 204 No", "HTTP/1.1 204 No",
          "HTTP/1.1 304 No", "HTTP/1.1 304 No",
          "HTTP/1.1 205 Reset", "HTTP/1.2 200 OK", "HTTP/1.1  200 OK", "http/1.1 200 OK", "HTTP/1.1 2000 OK",
          "HTTP/1.1 600 OK", "HTTP/1.1 101 Switching", "HTTP/1.1 404 No", "ICY 200 OK");
  private static final List<String> BEFORE =
      List.of("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n",
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Wait\r\n\r\n",
          "HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nother",
          "HTTP/1.1 100 Continue\n\n", "\r\n", "\n", " ");
  private static final List<String> SIZES =
      List.of("0%x", "0x%x", "-%x", " %x", "%x ", "%x 1", "1000000000000000%x", "%x;a=b", "%x;a\n", "%x\n", "%x;\u0001",
          "");
  private static final List<String> TRAILERS =
      List.of("X: y\r\n", "Content-Length: 5\r\n", " x\r\n", "no colon\r\n", "X: y\n", "HTTP/1.1 200 OK\r\n");
  private static final List<String> BEHIND =
      List.of("x", "\r\n", "HTTP/1.1 200 OK\r\nX-For: other\r\nContent-Length: 0\r\n\r\n", "0\r\n\r\n");

  @TempDir private Path temporary;
  private final LongAdder passed = new LongAdder();
  /** What the server sends for the first request to a target. Then a plain response. */
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  /**
   * What a server sends.
   *
   * @param ends whether it closes the connection then
   */
  private record Answer(String bytes, boolean ends) {}

  /**
   * A request.
   *
   * @param read its response by a strict reading; null if there is none
   */
  private record Asked(String method, String target, Answer answer, StrictMessages.@Nullable Message read) {
    static Asked of(RandomGenerator random, String target) {
      String method = RandomCases.one(random, List.of("POST", "POST", "POST", "POST", "POST", "POST", "HEAD", "GET"));
      Answer answer = ResponseSplittingTest.answer(random, target, method);
      StrictMessages.Message read;
      boolean ends = answer.ends();
      try {
        read = StrictMessages.response(answer.bytes(), 0, method, false);
        ends |= read == null;
        read = ends ? StrictMessages.response(answer.bytes(), 0, method, true) : read;
      } catch (StrictMessages.Malformed e) {
        read = null;
      }
      return new Asked(method, target, new Answer(answer.bytes(), ends),
          answer.bytes().contains(" 101 ") ? null : read);
    }

    @Override
    public String toString() {
      return method + " " + target + ", answered by " + RequestSmugglingTest.escaped(answer.bytes())
          + (answer.ends() ? " and the end" : "");
    }
  }

  private static <T> T one(RandomGenerator random, List<T> of) {
    return RandomCases.one(random, of);
  }

  private static Answer answer(RandomGenerator random, String target, String method) {
    String content = "HTTP/1.1 200 OK\r\nX-For: other\r\nContent-Length: 0\r\n\r\n";
    boolean bare = method.equals("HEAD") && random.nextInt(4) > 0;
    boolean chunked = random.nextBoolean();
    StringBuilder text = new StringBuilder();
    if (random.nextInt(8) == 0) {
      text.append(one(random, BEFORE));
    }
    text.append(random.nextInt(4) == 0 ? one(random, STATUS_LINES) : "HTTP/1.1 200 OK").append("\r\nX-For: ")
        .append(target)
        .append("\r\n");
    boolean odd = random.nextInt(5) == 0;
    boolean framed = random.nextInt(10) > 0;
    if (framed && chunked) {
      text.append("Transfer-Encoding: ").append(odd ? one(random, CODINGS) : "chunked").append("\r\n");
    } else if (framed) {
      text.append("Content-Length: ").append((odd ? one(random, LENGTHS) : "%d").formatted(content.length()))
          .append("\r\n");
    }
    if (random.nextInt(4) == 0) {
      text.append(one(random, FIELDS));
    }
    text.append("\r\n");
    if (!bare) {
      text.append(chunked ? chunks(random, content) : content);
    }
    if (random.nextInt(8) == 0) {
      text.append(one(random, BEHIND));
    }
    if (random.nextInt(10) == 0) {
      text.setLength(random.nextInt(text.length()));
    }
    return new Answer(text.toString(), random.nextInt(4) == 0);
  }

  private static String chunks(RandomGenerator random, String content) {
    int first = random.nextInt(1, content.length());
    return (random.nextInt(8) == 0 ? one(random, SIZES) : "%x").formatted(first) + "\r\n" + content.substring(0, first)
        + (random.nextInt(12) == 0 ? one(random, List.of("\n", "", "x\r\n")) : "\r\n")
        + "%x\r\n".formatted(content.length() - first) + content.substring(first) + "\r\n0\r\n"
        + (random.nextInt(8) == 0 ? one(random, TRAILERS) : "") + (random.nextInt(20) == 0 ? "" : "\r\n");
  }

  @Test
  void eachClientGetsTheResponsesToItsRequests() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        FrontServer front = FrontServer.start(
            TestSettings.of(temporary.resolve("admin"),
                List.of(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/rns")), "--cache=0", "--threads=1",
                "--server-connections=4"))) {
      threads.execute(() -> accept(server, threads));
      List<Future<?>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int offset = client;
        clients.add(threads.submit(() -> {
          for (long seed = SEED + offset; seed < SEED + CASES; seed += CLIENTS) {
            check(seed, front.port());
          }
          return null;
        }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      assertThat(passed.sum()).as("responses that were passed on").isGreaterThan(CASES / 2);
    }
  }

  private void accept(ServerSocket server, ExecutorService threads) {
    try {
      while (true) {
        Socket front = server.accept();
        threads.execute(() -> serve(front));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket front) {
    StringBuilder text = new StringBuilder();
    try (front; InputStream in = front.getInputStream()) {
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        text.append((char) octet);
        if (text.length() > 3 && text.substring(text.length() - 4).equals("\r\n\r\n")) {
          String target = text.substring(text.indexOf(" ") + 1, text.indexOf(" HTTP/1."));
          Answer answer = answers.remove(target);
          boolean bare = text.toString().startsWith("HEAD ");
          text.setLength(0);
          String plain = "HTTP/1.1 200 OK\r\nX-For: " + target + "\r\nContent-Length: 2\r\n\r\n" + (bare ? "" : PLAIN);
          front.getOutputStream().write(StrictMessages.bytes(answer == null ? plain : answer.bytes()));
          if (answer != null && answer.ends()) {
            return;
          }
        }
      }
    } catch (IOException e) {
      // The front has had enough.
    }
  }

  private void check(long seed, int port) throws IOException {
    RandomGenerator random = new SplittableRandom(seed);
    List<Asked> all = new ArrayList<>();
    StringBuilder sent = new StringBuilder();
    for (int left = random.nextInt(1, 4), number = 0; left > 0; left--, number++) {
      Asked each = Asked.of(random, "/rns/" + seed + "/" + number);
      all.add(each);
      answers.put(each.target(), each.answer());
      sent.append(each.method()).append(' ').append(each.target()).append(" HTTP/1.1\r\nHost: a\r\n")
          .append(each.method().equals("POST") ? "Content-Length: 0\r\n" : "")
          .append(left == 1 ? "Connection: close\r\n\r\n" : "\r\n");
    }
    String text = "";
    try (HttpPeer peer = new HttpPeer(port)) {
      text = peer.send(sent.toString()).rest();
      check(all, text);
    } catch (IOException | StrictMessages.Malformed | AssertionError e) {
      throw new AssertionError("with -Drns.test.seed=" + seed + " -Drns.test.cases=1: " + e + "\n"
          + String.join("\n", all.stream().map(Asked::toString).toList()) + "\nthe client got "
          + RequestSmugglingTest.escaped(text), e);
    }
  }

  private void check(List<Asked> all, String text) throws StrictMessages.Malformed {
    int at = 0;
    boolean last = false;
    for (Asked each : all) {
      if (last) {
        break;
      }
      StrictMessages.Message response = StrictMessages.response(text, at, each.method(), true);
      if (response == null) {
        assertThat(each.read()).as("the response to %s is cut", each).isNull();
        assertThat(text.substring(at)).matches("(?s)(HTTP/1\\.1 .*\r\nX-For: " + each.target() + "\r\n.*)?");
        return;
      }
      if (response.value(FOR).isEmpty()) {
        // Also where a server ends a connection after the response before.
        assertThat(response.first()).as("the response to %s", each).isEqualTo("503");
      } else {
        assertThat(response.value(FOR)).isEqualTo(each.target());
        check(each, response);
      }
      at = response.end();
      last = response.last();
    }
    assertThat(last).as("the client knows that nothing more comes").isTrue();
    assertThat(text.substring(at)).isEmpty();
  }

  private void check(Asked each, StrictMessages.Message response) {
    StrictMessages.Message read = each.read();
    if (read != null) {
      passed.increment();
      assertThat(response.first()).isEqualTo(read.first());
      assertThat(response.body()).isEqualTo(read.body());
    } else if (!response.first().equals("204")) {
      assertThat(response.body()).as("the response to %s, asked once more", each)
          .isEqualTo(each.method().equals("HEAD") ? "" : PLAIN);
    }
  }
}
