package io.rns.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpCallsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final byte[] LARGE = "0123456789abcdef".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
  private final HttpCalls calls = new HttpCalls(LONG, TlsTrust.SYSTEM);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/echo", this::echo);
    server.createContext("/large", exchange -> answer(exchange, 200, LARGE));
    server.createContext("/refused", exchange -> answer(exchange, 403, "no".getBytes(StandardCharsets.US_ASCII)));
    server.createContext("/empty", exchange -> {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    server.createContext("/endless", exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("begun".getBytes(StandardCharsets.US_ASCII));
      exchange.getResponseBody().flush();
      await();
    });
    server.createContext("/silent", exchange -> {
      asked.countDown();
      await();
    });
    server.start();
  }

  private void await() {
    try {
      ending.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void echo(HttpExchange exchange) throws IOException {
    clients.add(exchange.getRemoteAddress());
    exchange.getResponseHeaders().add("Seen", exchange.getRequestMethod() + " " + exchange.getRequestURI());
    exchange.getResponseHeaders().add("Seen-Host", exchange.getRequestHeaders().getFirst("Host"));
    answer(exchange, 200, exchange.getRequestBody().readAllBytes());
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void stop() {
    calls.close();
    ending.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private HttpCalls.Call call(String method, String path, HttpCalls.Body body) {
    return call("127.0.0.1", method, path, body, LONG);
  }

  private HttpCalls.Call call(String host, String method, String path, HttpCalls.Body body, Duration timeout) {
    URI address = URI.create("http://" + host + ":" + server.getAddress().getPort() + path);
    return new HttpCalls.Call(method, address, Map.of(), body, timeout);
  }

  @Test
  void hostWhoseFirstAddressIsDeadIsReached() throws Exception {
    // Nobody listens at the first one.
    HostLookup.Resolver several =
        host -> new InetAddress[]{InetAddress.getByName("127.0.0.2"), InetAddress.getLoopbackAddress()};
    try (HttpCalls racing = new HttpCalls(LONG, TlsTrust.SYSTEM, several)) {
      HttpCalls.Reply<byte[]> reply = racing.send(call("several.example", "GET", "/echo", HttpCalls.Body.NONE, LONG));
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("seen-host")).contains("several.example:" + server.getAddress().getPort());
    }
  }

  @Test
  void bodiesAreTextsFilesOrNone(@TempDir Path directory) throws Exception {
    assertThat(calls.send(call("GET", "/echo?a=b%20c", HttpCalls.Body.NONE)).header("Seen"))
        .contains("GET /echo?a=b%20c");
    assertThat(calls.send(call("POST", "/echo", HttpCalls.Body.NONE)).body()).isEmpty();
    assertThat(calls.send(call("POST", "/echo", new HttpCalls.Body.Text("\u00e4"))).body())
        .isEqualTo("\u00e4".getBytes(StandardCharsets.UTF_8));
    Path file = Files.write(directory.resolve("sent"), LARGE);
    assertThat(calls.send(call("PUT", "/echo", new HttpCalls.Body.File(file))).body()).isEqualTo(LARGE);
    Path into = directory.resolve("received");
    assertThat(calls.download(call("GET", "/large", HttpCalls.Body.NONE), into).body()).isEmpty();
    assertThat(into).hasBinaryContent(LARGE);
    assertThat(calls.download(call("GET", "/refused", HttpCalls.Body.NONE), into).body()).asString().isEqualTo("no");
    assertThat(into).hasBinaryContent(LARGE);
    assertThat(calls.send(call("GET", "/empty", HttpCalls.Body.NONE)).status()).isEqualTo(204);
  }

  /** Once a backup could be read by others, since its file was replaced. */
  @Test
  void aDownloadKeepsThePermissionsOfItsFile(@TempDir Path directory) throws Exception {
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-------");
    Path into = Files.createFile(directory.resolve("own"), PosixFilePermissions.asFileAttribute(own));
    assertThat(calls.download(call("GET", "/large", HttpCalls.Body.NONE), into).status()).isEqualTo(200);
    assertThat(into).hasBinaryContent(LARGE);
    assertThat(Files.getPosixFilePermissions(into)).isEqualTo(own);
  }

  @Test
  void aConnectionIsKeptForTheNextCall() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(calls.send(call("POST", "/echo", new HttpCalls.Body.Text("same"))).status()).isEqualTo(200);
    }
    assertThat(clients).hasSize(1);
  }

  @Test
  void aResponseThatDoesNotBeginInTimeIsNotAwaited() {
    HttpCalls.Call silent =
        call("127.0.0.1", "GET", "/silent", HttpCalls.Body.NONE, Duration.ofMillis(50));
    assertThatThrownBy(() -> calls.send(silent)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void aCallEndsWhenItsThreadIsInterrupted() throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread caller = new Thread(() -> {
      try {
        ended.complete(new AssertionError(calls.send(call("GET", "/silent", HttpCalls.Body.NONE))));
      } catch (IOException | InterruptedException e) {
        ended.complete(e);
      }
    });
    caller.start();
    asked.await();
    caller.interrupt();
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void aStreamEndsWhenAnotherThreadClosesIt() throws Exception {
    HttpCalls.Reply<InputStream> reply = calls.stream(call("GET", "/endless", HttpCalls.Body.NONE));
    assertThat(reply.body().readNBytes(5)).asString().isEqualTo("begun");
    Future<Integer> next = threads.submit(() -> reply.body().read());
    reply.body().close();
    assertThatThrownBy(next::get).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> reply.body().read()).isInstanceOf(IOException.class);
  }

  @Test
  void closingEndsRunningCalls() throws Exception {
    Future<HttpCalls.Reply<byte[]>> running =
        threads.submit(() -> calls.send(call("GET", "/silent", HttpCalls.Body.NONE)));
    asked.await();
    calls.close();
    assertThatThrownBy(running::get).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> calls.send(call("GET", "/echo", HttpCalls.Body.NONE))).isInstanceOf(IOException.class);
    assertThat(List.copyOf(clients)).isEmpty();
  }
}
