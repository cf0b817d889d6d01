package io.rns.guard;

import static java.util.stream.Collectors.joining;

import io.rns.issuer.TestKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.http.KeepAlive;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.util.MappingData;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.glassfish.grizzly.utils.DelayedExecutor;
import org.jspecify.annotations.Nullable;

/**
 * A Grizzly server with the guard in front of a container that answers every request, including those for
 * administration.
 */
final class GuardedServer implements AutoCloseable {
  private static final Class<org.glassfish.grizzly.http.HttpServerFilter> CODEC =
      org.glassfish.grizzly.http.HttpServerFilter.class;

  /** What HTTPS is served with, and who trusts it. */
  record Tls(Settings.PemFiles files, SSLContext client, TrustManager trust) {
    static Tls make(Path directory) throws Exception {
      TestKey key = TestKey.make(directory, "EC", 256);
      return new Tls(write(key, directory), key.client(), key.trust());
    }

    /** Writes a certificate and its key. */
    static Settings.PemFiles write(TestKey key, Path directory) throws Exception {
      key.write(directory);
      return new Settings.PemFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
    }
  }

  private final @Nullable Tls tls;
  final Availability availability = new Availability();
  final List<String> reached = new CopyOnWriteArrayList<>();
  private final HttpServer server = new HttpServer();
  private final DelayedExecutor timers = new DelayedExecutor(Executors.newSingleThreadExecutor());
  private final CountDownLatch holds = new CountDownLatch(1);
  private final NetworkListener listener = new NetworkListener("test", "127.0.0.1", 0);

  GuardedServer(int connections) throws IOException {
    this(connections, Duration.ofSeconds(30));
  }

  GuardedServer(int connections, Duration head) throws IOException {
    this(connections, head, null);
  }

  /** A server of HTTPS unless {@code tls} is null. */
  GuardedServer(int connections, Duration head, @Nullable Tls tls) throws IOException {
    this(connections, head, tls, false);
  }

  /** A server that asks its clients for certificates, or does not. */
  GuardedServer(int connections, Duration head, @Nullable Tls tls, boolean clientChains) throws IOException {
    this.tls = tls;
    timers.start();
    // As in GlassFish: closes idle connections after a timeout.
    listener.registerAddOn((own, builder) -> builder.set(builder.indexOfType(CODEC), codec()));
    listener.registerAddOn(
        (own, builder) -> ((HttpServerFilter) builder.get(builder.indexOfType(HttpServerFilter.class)))
            .setHttpHandler(new Container()));
    Optional<Settings.PemFiles> files = tls == null ? Optional.empty() : Optional.of(tls.files());
    listener.registerAddOn(
        new GuardAddOn(new Settings(List.of("/rns", "/other"), connections, head, files, clientChains), availability));
    server.addListener(listener);
    server.getServerConfiguration().setPassTraceRequest(true);
    server.start();
    availability.open();
  }

  // Grizzly has no other way.
  @SuppressWarnings("deprecation")
  private org.glassfish.grizzly.http.HttpServerFilter codec() {
    return new org.glassfish.grizzly.http.HttpServerFilter(true, 8_192, "text/plain", new KeepAlive(), timers, 100,
        100);
  }

  /** Sends bytes on a new connection and returns the response up to the end of the connection. */
  String send(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Opens a connection with a read timeout of 20 s. */
  Socket connect() throws IOException {
    Socket socket = connectPlainly();
    if (tls == null) {
      return socket;
    }
    SSLSocket secured =
        (SSLSocket) tls.client().getSocketFactory().createSocket(socket, "127.0.0.1", listener.getPort(), true);
    secured.startHandshake();
    return secured;
  }

  /** Opens a connection without TLS. */
  Socket connectPlainly() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** The port of its listener. */
  int port() {
    return listener.getPort();
  }

  /** The address of a path. */
  URI uri(String path) {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port() + path);
  }

  /** A client that trusts it. */
  HttpClient client() {
    return tls == null ? HttpClient.newHttpClient() : HttpClient.newBuilder().sslContext(tls.client()).build();
  }

  /** The certificate that it presents. */
  ServedCertificate served() {
    FilterChain chain = listener.getFilterChain();
    SSLBaseFilter filter = (SSLBaseFilter) chain.get(chain.indexOfType(SSLBaseFilter.class));
    return ((TlsEngines) filter.getServerSSLEngineConfigurator()).certificate();
  }

  /** Begins to stop, as GlassFish does: that ends once the container has answered what it holds. */
  Future<?> beginStop() {
    return server.shutdown(20, TimeUnit.SECONDS);
  }

  /** Lets the container answer what it holds. */
  void release() {
    holds.countDown();
  }

  /** The connections that Grizzly lists as idle. */
  Map<?, ?> waiting() throws ReflectiveOperationException {
    FilterChain chain = listener.getFilterChain();
    Field queue = CODEC.getDeclaredField("keepAliveQueue");
    queue.setAccessible(true);
    Field members = DelayedExecutor.DelayQueue.class.getDeclaredField("queue");
    members.setAccessible(true);
    return (Map<?, ?>) members.get(queue.get(chain.get(chain.indexOfType(CODEC))));
  }

  @Override
  public void close() {
    release();
    server.shutdownNow();
    timers.destroy();
  }

  private final class Container extends HttpHandler {
    @Override
    public void service(Request request, Response response) throws Exception {
      reached.add(request.getMethod() + " " + request.getRequestURI());
      String path = request.getRequest().getRequestURIRef().getDecodedURI(false);
      try (InputStream body = request.getInputStream()) {
        byte[] content = body.readAllBytes();
        MappingData mapping = new MappingData();
        mapping.contextPath.setString(path.startsWith("/other") ? "" : "/rns");
        updatePaths(request, mapping);
        if (path.endsWith("/chain")) {
          response.getWriter().write(serials(request.getAttribute(ClientChain.ATTRIBUTE)));
        } else if (path.endsWith("/held")) {
          holds.await();
        } else if (path.endsWith("/later")) {
          answerFromAnotherThread(response);
        } else if (path.endsWith("/page")) {
          response.setStatus(405);
          response.setHeader("Allow", "GET");
          response.setContentType("text/html");
          response.getWriter().write("<html>GlassFish</html>");
        } else if (path.endsWith("/empty")) {
          response.setStatus(503);
        } else if (path.endsWith("/committed")) {
          response.setStatus(503);
          response.flush();
          response.finish();
        } else if (path.endsWith("/stopping")) {
          availability.close();
          response.setStatus(404);
        } else {
          response.getWriter().write("took " + path + " " + new String(content, StandardCharsets.UTF_8));
        }
      }
    }

    private static String serials(@Nullable Object chain) {
      return chain instanceof X509Certificate[] certificates
          ? Arrays.stream(certificates).map(each -> each.getSerialNumber().toString()).collect(joining(" "))
          : "none";
    }

    private void answerFromAnotherThread(Response response) throws InterruptedException {
      response.suspend();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      response.getWriter().write("later");
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    } finally {
                      response.resume();
                    }
                  });
      other.join();
    }
  }
}
