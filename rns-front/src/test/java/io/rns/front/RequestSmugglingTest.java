package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rns.front.message.RefusedMessage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No bytes of a client are a request at a server that are none by a strict reading, whatever parsers might disagree
 * about. The cases are the same each time; {@code -Drns.test.seed=SEED} begins with another one,
 * {@code -Drns.test.cases=N} tries so many.
 */
@Timeout(1_200)
class RequestSmugglingTest {
  private static final long SEED = Long.getLong("rns.test.seed", 1);
  private static final int CASES = Integer.getInteger("rns.test.cases", 1_000);

  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  @TempDir private Path temporary;

  /** A case. */
  private record Case(long seed, String stream, boolean changed, RandomGenerator random) {
    static Case of(long seed) {
      RandomGenerator random = new SplittableRandom(seed);
      String stream = SmugglingRequests.stream(random);
      boolean changed = random.nextInt(5) == 0;
      return new Case(seed, changed ? SmugglingRequests.withOtherBytes(random, stream) : stream, changed, random);
    }

    /** The stream in pieces, at most so many. */
    List<String> pieces(int most) {
      List<String> pieces = new ArrayList<>();
      int longest = 1 << random.nextInt(1, 12);
      int at = 0;
      while (at < stream.length()) {
        int to = pieces.size() == most - 1 ? stream.length()
            : Math.min(stream.length(), at + random.nextInt(longest) + 1);
        pieces.add(stream.substring(at, to));
        at = to;
      }
      return pieces;
    }

    AssertionError failure(String what, Throwable cause) {
      return new AssertionError(
          "with -Drns.test.seed=" + seed + " -Drns.test.cases=1: " + what + "\n" + escaped(stream), cause);
    }
  }

  private interface Check {
    void run(Case each) throws Exception;
  }

  /** Bytes as they are in Java. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars().forEach(octet -> escaped.append(switch (octet) {
      case '\r' -> "\\r";
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      default -> octet >= ' ' && octet < 127 ? Character.toString(octet) : "\\u%04x".formatted(octet);
    }));
    return escaped.length() <= 4_000 ? escaped.toString()
        : escaped.substring(0, 1_000) + " ... " + escaped.substring(escaped.length() - 1_000);
  }

  private static void checkAll(Check check) {
    for (long seed = SEED; seed != SEED + CASES; seed++) {
      Case each = Case.of(seed);
      try {
        check.run(each);
      } catch (Exception | AssertionError e) {
        throw each.failure(e.toString(), e);
      }
    }
  }

  @Test
  void aServerReadsTheRequestsOfTheClientAndNoOthers() throws IOException {
    try (RecordingServer server = RecordingServer.strict(); FrontServer front = start("strict", server)) {
      checkAll(each -> check(each, front.port(), server));
    }
  }

  @Test
  void soDoesAServerWithAParserOfItsOwn() throws IOException {
    try (RecordingServer server = RecordingServer.ofJdk(); FrontServer front = start("jdk", server)) {
      checkAll(each -> {
        // It refuses others itself.
        if (StrictMessages.requests(each.stream()).stream().allMatch(RequestSmugglingTest::hasUri)) {
          check(each, front.port(), server);
        }
      });
    }
  }

  private static boolean hasUri(StrictMessages.Message request) {
    try {
      return new URI(request.first().substring(request.first().indexOf(' ') + 1)).toASCIIString()
          .equals(request.first().substring(request.first().indexOf(' ') + 1));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private FrontServer start(String name, RecordingServer server) throws IOException {
    return FrontServer.start(
        TestSettings.of(temporary.resolve(name), List.of(server.url()), "--cache=0", "--threads=1",
            "--server-connections=2"));
  }

  private static void check(Case each, int port, RecordingServer server) throws Exception {
    List<StrictMessages.Message> requests = StrictMessages.requests(each.stream());
    List<String> shown =
        requests.stream().map(request -> RecordingServer.shown(request.first(), request.body())).toList();
    assertThat(each.changed() || shown.stream().noneMatch(request -> request.contains("smuggled")))
        .as("a body is no request").isTrue();
    String text = exchange(each, port, requests);
    List<String> answered = new ArrayList<>();
    int at = 0;
    String refusal = "";
    while (at < text.length()) {
      if (text.startsWith(CONTINUE, at)) {
        at += CONTINUE.length();
      }
      if (!isOfServer(text, at)) {
        // Without a body if it is one to HEAD.
        refusal = text.substring(at);
        break;
      }
      String method = answered.size() < requests.size() ? method(requests.get(answered.size())) : "GET";
      StrictMessages.Message response = StrictMessages.response(text, at, method, true);
      assertThat(response).as("a complete response at %d of %s", at, text).isNotNull();
      answered.add(response.value(RecordingServer.READ));
      at = response.end();
    }
    assertThat(answered).as("requests that were answered")
        .isEqualTo(shown.subList(0, Math.min(shown.size(), answered.size())));
    assertThat(server.take()).as("requests that the server has read").isEqualTo(answered);
    boolean rest =
        requests.isEmpty() || (!requests.getLast().last() && requests.getLast().end() < each.stream().length());
    if (refusal.isEmpty()) {
      assertThat(answered).as("requests that were answered").hasSameSizeAs(shown);
    } else {
      assertThat(answered.size() < shown.size() || rest).as("something is left to be refused").isTrue();
      assertThat(refusal).matches("(?s)HTTP/1\\.1 (4|505).*").contains("Connection: close\r\n").containsPattern(
          "HTTP/1.1 404|application/(problem\\+json|soap\\+xml)");
      assertThat(refusal.split("HTTP/1\\.1 [0-9]", -1)).as("responses behind the refusal").hasSize(2);
    }
  }

  private static boolean isOfServer(String text, int at) {
    int end = text.indexOf("\r\n\r\n", at);
    return end >= 0 && text.substring(at, end).toLowerCase(Locale.ROOT).contains("\r\n" + RecordingServer.READ + ": ");
  }

  private static String method(StrictMessages.Message request) {
    return request.first().substring(0, request.first().indexOf(' '));
  }

  /** Sends all, and ends when all are answered. */
  private static String exchange(Case each, int port, List<StrictMessages.Message> requests) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
      for (String piece : each.pieces(4)) {
        socket.getOutputStream().write(StrictMessages.bytes(piece));
      }
      StringBuilder text = new StringBuilder();
      byte[] buffer = new byte[16_384];
      InputStream in = socket.getInputStream();
      int read = 0;
      int at = 0;
      int answered = 0;
      while (read >= 0) {
        while (answered < requests.size() && answered >= 0) {
          StrictMessages.Message response =
              StrictMessages.response(text.toString(), at, method(requests.get(answered)), false);
          if (response == null) {
            break;
          }
          at = response.end();
          answered = response.value(RecordingServer.READ).isEmpty() ? requests.size() : answered + 1;
        }
        if (answered == requests.size()) {
          socket.shutdownOutput();
          answered = -1;
        }
        read = in.read(buffer);
        text.append(new String(buffer, 0, Math.max(0, read), StandardCharsets.ISO_8859_1));
      }
      return text.toString();
    }
  }

  @Test
  void requestsAreTheSameInPiecesOfAnySize() {
    checkAll(each -> {
      // A larger one is passed on before all of it was seen.
      if (each.stream().length() < 60_000) {
        assertThat(read(each.pieces(100_000))).isEqualTo(read(List.of(each.stream())));
      }
    });
  }

  private static List<String> read(List<String> pieces) {
    List<String> read = new ArrayList<>();
    ArrivingRequests arriving = new ArrivingRequests();
    try {
      for (String piece : pieces) {
        if (!piece.isEmpty()) {
          arriving.add(Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1));
        }
        ArrivingRequests.Request request = arriving.readHead() == null ? null : arriving.read();
        while (request != null) {
          read.add(request.head().method() + " " + request.head().target() + " " + request.framing());
          ByteBuf content = request.content();
          if (content == null) {
            // Its body would be passed on as it arrives.
            arriving.drop();
            return read;
          }
          read.add(content.toString(StandardCharsets.ISO_8859_1));
          content.release();
          arriving.next();
          request = arriving.readHead() == null ? null : arriving.read();
        }
      }
    } catch (RefusedMessage e) {
      read.add(e.status() + " " + e.getMessage());
    }
    arriving.drop();
    return read;
  }
}
