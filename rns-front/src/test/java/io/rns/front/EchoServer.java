package io.rns.front;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;

/**
 * An HTTP server whose responses depend on nothing but the request: {@code /rns/echo} repeats it, or answers 503 if the
 * request says that the server of this port does, {@code /rns/large} sends bytes in chunks, {@code /rns/hold} waits
 * until the test lets it go on, {@code /rns/shared} does so behind most of a response that fronts may keep,
 * {@code /rns/write} applies a write, {@code /rns/watch} sends events of the test to one client,
 * {@code /rns/watch/ticks} all ticks since then to each.
 */
final class EchoServer implements AutoCloseable {
  static {
    // The JDK's server closes kept connections beyond 200, and after 30 s; an RNS server keeps them.
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    System.setProperty("sun.net.httpserver.idleInterval", "300");
  }

  final Queue<String> reached = new ConcurrentLinkedQueue<>();
  final Queue<List<String>> origins = new ConcurrentLinkedQueue<>();
  final Queue<List<String>> reports = new ConcurrentLinkedQueue<>();
  final BlockingQueue<List<String>> callers = new LinkedBlockingQueue<>();
  final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  /** Requests to echo, large and hold that have arrived completely. */
  final LongAdder handled = new LongAdder();
  /** Requests that wait for a gate. */
  final AtomicInteger held = new AtomicInteger();
  /** Off: requests are counted only, so that there may be any number. */
  volatile boolean remembers = true;
  volatile String list = "";
  private static final InetSocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpServer server;
  private final String scheme;
  private final Lock lock = new ReentrantLock();
  private final Condition ticked = lock.newCondition();
  private int ticks;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  /** Has the port when the server has left. */
  private final Socket place = new Socket();

  EchoServer() throws IOException {
    this(LOCAL);
  }

  EchoServer(InetSocketAddress address) throws IOException {
    this(HttpServer.create(address, 4_096), "http");
  }

  private EchoServer(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.createContext("/rns/echo", this::echo);
    server.createContext("/rns/names", this::echo);
    server.createContext("/rns/services/rns", this::echo);
    server.createContext("/rns/large", this::large);
    server.createContext("/rns/hold", this::hold);
    server.createContext("/rns/shared", this::shared);
    server.createContext("/rns/watch", this::watch);
    server.createContext("/rns/watch/ticks", this::ticks);
    server.createContext("/rns/servers", this::servers);
    server.setExecutor(threads);
    server.start();
  }

  /** Applies writes, which it remembers there, and then waits as long as the test wants. */
  void writeTo(WriteLog log) {
    server.createContext("/rns/write", exchange -> {
      exchange.getRequestBody().readAllBytes();
      String write = exchange.getRequestURI().getPath();
      log.apply(exchange.getRequestHeaders().getOrDefault("RNS-Request-Id", List.of("")).getFirst(), write);
      String gate = exchange.getRequestHeaders().getFirst("X-Hold");
      if (gate != null) {
        await(gate);
      }
      answer(exchange, ("applied " + write).getBytes(StandardCharsets.US_ASCII));
    });
  }

  /** With HTTPS. */
  static EchoServer secured(SSLContext context) throws IOException {
    HttpsServer server = HttpsServer.create(LOCAL, 4_096);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new EchoServer(server, "https");
  }

  URI url() {
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/rns");
  }

  int port() {
    return server.getAddress().getPort();
  }

  CountDownLatch gate(String name) {
    return gates.computeIfAbsent(name, absent -> new CountDownLatch(1));
  }

  private void echo(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    reached(exchange);
    if (remembers) {
      callers.add(List.copyOf(exchange.getRequestHeaders().getOrDefault("RNS-On-Behalf-Of", List.of())));
      reports.add(List.copyOf(exchange.getRequestHeaders().getOrDefault("RNS-Front", List.of())));
      origins.add(List.copyOf(exchange.getRequestHeaders().getOrDefault("RNS-Origin", List.of())));
    }
    if (("" + port()).equals(exchange.getRequestHeaders().getFirst("X-Refused-By"))) {
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
      return;
    }
    String gate = exchange.getRequestHeaders().getFirst("X-Hold");
    if (gate != null) {
      await(gate);
    }
    String text =
        exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n"
            + exchange.getRequestHeaders().getOrDefault("X-test", List.of()) + "\n"
            + new String(body, StandardCharsets.ISO_8859_1) + "\n";
    answer(exchange, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void reached(HttpExchange exchange) {
    handled.increment();
    if (remembers) {
      reached.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    }
  }

  private static void answer(HttpExchange exchange, byte[] bytes) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain");
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private void large(HttpExchange exchange) throws IOException {
    int size = Integer.parseInt(exchange.getRequestURI().getQuery());
    exchange.getRequestBody().readAllBytes();
    handled.increment();
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      byte[] piece = new byte[4_096];
      for (int sent = 0; sent < size; sent += piece.length) {
        for (int i = 0; i < piece.length; i++) {
          piece[i] = (byte) ('a' + (sent / piece.length + i) % 26);
        }
        out.write(piece);
      }
    }
  }

  private void hold(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    reached(exchange);
    await(exchange.getRequestURI().getQuery());
    answer(exchange, ("held " + exchange.getRequestURI() + " " + body.length).getBytes(StandardCharsets.UTF_8));
  }

  private void shared(HttpExchange exchange) throws IOException {
    reached(exchange);
    exchange.getResponseHeaders().set("RNS-Shared", "0-1-10=%2Fa");
    exchange.getResponseHeaders().set("RNS-Position", "0-1-10");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(new byte[100_000]);
      out.flush();
      await(exchange.getRequestURI().getQuery());
      out.write(new byte[20_000]);
    }
  }

  private void await(String gate) throws IOException {
    held.incrementAndGet();
    try {
      if (!gate(gate).await(60, TimeUnit.SECONDS)) {
        throw new IOException("the test does not let it go on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      held.decrementAndGet();
    }
  }

  /** The list of servers; 404 while there is none. */
  private void servers(HttpExchange exchange) throws IOException {
    String text = list;
    if (text.isEmpty()) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      answer(exchange, text.getBytes(StandardCharsets.UTF_8));
    }
    exchange.close();
  }

  private void watch(HttpExchange exchange) throws IOException {
    reached.add("watch");
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=utf-8");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      String event = events.take();
      while (!event.equals("end")) {
        out.write(("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        event = events.take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has everyone who watches the ticks get one more. */
  void tick() {
    lock.lock();
    try {
      ticks++;
      ticked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitTick(int number) throws InterruptedException {
    lock.lock();
    try {
      while (ticks < number) {
        ticked.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void ticks(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=utf-8");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      for (int next = 1;; next++) {
        out.write(("data: " + next + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        awaitTick(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends, and keeps its port until it is closed: a server of another test could get it, and answer. */
  void leave() throws IOException {
    InetSocketAddress address = server.getAddress();
    end();
    place.setReuseAddress(true);
    place.bind(address);
  }

  private void end() {
    threads.shutdownNow();
    server.stop(0);
  }

  @Override
  public void close() {
    end();
    try {
      place.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
