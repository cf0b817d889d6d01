package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the other end does, a call ends with a typed error within its deadline. */
// A thread of its own: one that waits for a socket is not to be interrupted.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadServersTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\n";
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private static RnsClient.Builder impatient(URI address) {
    return RnsClient.builder()
        .server(address)
        .requestTimeout(Duration.ofMillis(300))
        .deadline(Duration.ofMillis(400))
        .firstPause(Duration.ofMillis(1));
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> queryOf(URI address, RnsError error) {
    try (NameService client = impatient(address).attempts(2).build()) {
      return assertThatThrownBy(() -> client.query(CallContext.ANONYMOUS, ROOT))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).as(e.getMessage()).isEqualTo(error));
    }
  }

  private static void answerIs(String answer, RnsError error, String... said) {
    try (RawServer server = RawServer.answering(answer)) {
      queryOf(server.address(), error).hasMessageContainingAll(said);
    }
  }

  private static void connectionIs(RawServer.Behaviour behaviour, RnsError error, String... said) {
    try (RawServer server = new RawServer(behaviour)) {
      queryOf(server.address(), error).hasMessageContainingAll(said);
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void nobodyListens() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    queryOf(URI.create("http://127.0.0.1:" + port + "/rns"), RnsError.UNAVAILABLE)
        .hasMessageContainingAll("cannot connect to http://127.0.0.1:" + port, "refused", "attempt 2");
  }

  @Test
  void theHostIsUnknown() {
    queryOf(URI.create("http://no-such-host.invalid/rns"), RnsError.UNAVAILABLE)
        .hasMessageContaining("unknown host");
  }

  @Test
  void theServerHangs() {
    CountDownLatch over = new CountDownLatch(1);
    connectionIs(
        socket -> {
          RawServer.readRequest(socket.getInputStream());
          await(over);
        },
        RnsError.TIMEOUT,
        "no answer from");
    over.countDown();
  }

  @Test
  void theServerDoesNotShakeHands() {
    CountDownLatch over = new CountDownLatch(1);
    try (RawServer server = new RawServer(socket -> await(over))) {
      URI secure = URI.create(server.address().toString().replace("http:", "https:"));
      queryOf(secure, RnsError.TIMEOUT).hasMessageContainingAll("cannot connect to " + secure,
          "not taken the connection");
    } finally {
      over.countDown();
    }
  }

  @Test
  void theServerTakesNoConnections() throws IOException {
    List<SocketChannel> queued = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 4; i++) {
        SocketChannel channel = SocketChannel.open();
        queued.add(channel);
        channel.configureBlocking(false);
        channel.connect(full.getLocalSocketAddress());
      }
      URI address = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/rns");
      try (NameService client = impatient(address).connectTimeout(Duration.ofMillis(50)).attempts(1).build()) {
        assertThatThrownBy(() -> client.query(CallContext.ANONYMOUS, ROOT))
            .hasMessageContainingAll("cannot connect to " + address, "127.0.0.1 has not taken the connection in time");
      }
    } finally {
      for (SocketChannel channel : queued) {
        channel.close();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theServerNeverStopsAnswering() {
    connectionIs(
        socket -> {
          RawServer.readRequest(socket.getInputStream());
          write(socket, OK + "\r\n<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header><a>");
          byte[] spaces = " ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
          for (OutputStream out = socket.getOutputStream();;) {
            out.write(spaces);
          }
        },
        RnsError.TIMEOUT,
        "no answer from");
  }

  @Test
  void theHeadNeverEnds() {
    connectionIs(
        socket -> {
          RawServer.readRequest(socket.getInputStream());
          write(socket, "HTTP/1.1 200 OK\r\n");
          for (int i = 0;; i++) {
            write(socket, "X-" + i + ": 1\r\n");
          }
        },
        RnsError.UNAVAILABLE,
        "broke the connection");
  }

  @Test
  void theServerReadsNothing() {
    CountDownLatch over = new CountDownLatch(1);
    try (RawServer server = new RawServer(socket -> await(over));
        NameService client = impatient(server.address()).build()) {
      EndpointReference reference = EndpointReference.ofAddress("urn:x:" + "y".repeat(60_000));
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        entries.add(NewEntry.junction(Target.of("/" + i), reference));
      }
      AddRequest long12Mib = new AddRequest(entries, false, false);
      assertThatThrownBy(() -> client.add(CallContext.ANONYMOUS, long12Mib))
          .asInstanceOf(type(RnsException.class))
          .extracting(RnsException::error)
          .isEqualTo(RnsError.TIMEOUT);
    } finally {
      over.countDown();
    }
  }

  @Test
  void theMessageWouldBeTooLong() {
    Metadata metadata = Metadata.of(Map.of("k", "x".repeat(200_000)));
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(NewEntry.directory(Target.of("/" + i)).with(metadata));
    }
    try (TestServer server = TestServer.start();
        NameService client = impatient(server.address()).build()) {
      assertThatThrownBy(() -> client.add(CallContext.ANONYMOUS, new AddRequest(entries, false, false)))
          .hasMessageContainingAll("the request message has", "the limit is 16777216 bytes");
    }
  }

  @Test
  void theServerClosesAtOnce() {
    connectionIs(socket -> {}, RnsError.UNAVAILABLE, "broke the connection");
  }

  @Test
  void theServerClosesAfterTheRequest() {
    connectionIs(socket -> RawServer.readRequest(socket.getInputStream()), RnsError.UNAVAILABLE,
        "broke the connection");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 1000\r\n\r\n<a>", "Transfer-Encoding: chunked\r\n\r\n10\r\n<a>", "\r\n<a>"})
  void theServerClosesInMidAnswer(String rest) {
    connectionIs(
        socket -> {
          RawServer.readRequest(socket.getInputStream());
          write(socket, OK + rest);
        },
        RnsError.UNAVAILABLE,
        rest.startsWith("\r") ? "cannot be read" : "broke the connection");
  }

  @Test
  void theAnswerIsNotHttp() {
    connectionIs(
        socket -> {
          RawServer.readRequest(socket.getInputStream());
          write(socket, "SSH-2.0-OpenSSH\r\n".repeat(100));
        },
        RnsError.UNAVAILABLE,
        "responds with invalid HTTP");
  }

  @Test
  void theAnswerIsAWebPage() {
    answerIs(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        RnsError.UNAVAILABLE,
        "answers 200 OK with text/html",
        "is this an RNS server?");
  }

  @Test
  void theAnswerSaysNotWhatItIs() {
    answerIs("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", RnsError.UNAVAILABLE,
        "404 Not Found with no content type",
        "no RNS server, or still starting");
  }

  @Test
  void theServiceIsUnavailable() {
    answerIs(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno",
        RnsError.UNAVAILABLE,
        "answers 503 Service Unavailable");
  }

  @Test
  void redirectsAreNotFollowed() {
    answerIs(
        "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Type: text/xml\r\nContent-Length: 0\r\n\r\n",
        RnsError.UNAVAILABLE,
        "302 Found to 'http://elsewhere/'",
        "not followed");
  }

  @ParameterizedTest
  @CsvSource({"401 Unauthorized, NOT_AUTHENTICATED", "403 Forbidden, NOT_PERMITTED"})
  void theCallerIsNotPermitted(String status, RnsError error) {
    answerIs("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", error, "answers " + status);
  }

  @Test
  void aProxyFindsTheMessageTooLong() {
    answerIs("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", RnsError.LIMIT_EXCEEDED, "413 Too Large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<a/>", "<a>", "{}", "<!DOCTYPE a><a/>", "<s:Envelope xmlns:s='urn:x'/>"})
  void theXmlIsNotOurs(String body) {
    answerIs(OK + "Content-Length: " + body.length() + "\r\n\r\n" + body, RnsError.UNAVAILABLE, "cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "2", "2147483648", "9223372036854775807"})
  void aRefusalAboutANameThatThePathDoesNotHaveIsNotRead(String missing) {
    String body =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><s:Fault><detail><f>"
            + "<x:refusal xmlns:x='urn:rns:ext:1' code='NOT_DIRECTORY' path='/a' missing='" + missing
            + "'/></f></detail>"
            + "</s:Fault></s:Body></s:Envelope>";
    String head = "HTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n";
    answerIs(head + body, RnsError.UNAVAILABLE, "cannot be read");
  }

  @Test
  void aFaultOfAnotherServiceIsTold() {
    String body =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><s:Fault><faultcode>s:Server</faultcode>"
            + "<faultstring>out of cheese</faultstring></s:Fault></s:Body></s:Envelope>";
    String head = "HTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n";
    answerIs(head + body, RnsError.INTERNAL, "out of cheese");
  }

  @Test
  void whatFailsInPassingIsRepeated() {
    AtomicInteger requests = new AtomicInteger();
    try (TestServer good = TestServer.start();
        RawServer server =
            new RawServer(
                socket -> {
                  RawServer.readRequest(socket.getInputStream());
                  if (requests.incrementAndGet() < 3) {
                    write(socket, "HTTP/1.1 503 Wait\r\nContent-Length: 0\r\n\r\n");
                  } else {
                    write(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n" + answerOfRoot(good));
                  }
                });
        NameService client = RnsClient.builder().server(server.address()).firstPause(Duration.ofMillis(1)).build()) {
      assertThat(client.query(CallContext.ANONYMOUS, ROOT).value().get(0).orThrow().isRoot()).isTrue();
      assertThat(requests).hasValue(3);
    }
  }

  /** The answer of a good server, by a connection of its own. */
  private static String answerOfRoot(TestServer good) throws IOException {
    String message =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header><x:Extensions xmlns:x='urn:rns:ext:1'/>"
            + "</s:Header><s:Body><r:query xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'/></s:Body></s:Envelope>";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), good.port())) {
      write(
          socket,
          "POST /rns/services/rns HTTP/1.0\r\nContent-Type: text/xml\r\nContent-Length: " + message.length()
              + "\r\n\r\n");
      write(socket, message);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
  }
}
