package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generator against real servers: every request is sent once, every answer and every failure is counted. */
@Timeout(60)
class HttpLoadTest {
  private static final byte[] REQUEST =
      "POST /test HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi".getBytes(StandardCharsets.US_ASCII);
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood";
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final HttpAnswer.Check CHECK =
      answer -> {
        if (answer.status() == 200) {
          return answer.body().equals("good") ? null : FailureKind.UNEXPECTED_ANSWER;
        }
        return answer.contains("Fault>") ? FailureKind.FAULT : FailureKind.HTTP_STATUS;
      };

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  private InetSocketAddress serve(HttpHandling handling) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/test",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            handling.handle(exchange);
          }
        });
    server.start();
    return server.getAddress();
  }

  interface HttpHandling {
    void handle(HttpExchange exchange) throws IOException;
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
    threads.shutdownNow();
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** As many requests as given, taken by whatever client is free. */
  private static List<LoadClient> clients(InetSocketAddress address, int clients, int requests) {
    AtomicInteger left = new AtomicInteger(requests);
    return RawConnection.clients(new LoadAddress(address, Optional.empty()), clients,
        i -> () -> left.getAndDecrement() > 0 ? REQUEST : null, CHECK);
  }

  private static Measurement load(InetSocketAddress address, int clients, int requests, Duration timeout) {
    return LoadRun.run(clients(address, clients, requests), Schedule.untilDone(LONG), timeout);
  }

  @Test
  void countsEveryRequestOnce() throws IOException {
    AtomicInteger served = new AtomicInteger();
    InetSocketAddress address =
        serve(
            exchange -> {
              served.incrementAndGet();
              answer(exchange, 200, "good");
            });
    Measurement measured = load(address, 4, 1_000, LONG);
    assertThat(served).hasValue(1_000);
    assertThat(measured.completed()).isEqualTo(1_000);
    assertThat(measured.failures().total()).isZero();
    assertThat(measured.reconnects()).isZero();
    assertThat(measured.throughput()).isPositive();
    assertThat(measured.micros(50)).isPositive().isLessThanOrEqualTo(measured.maxMicros());
  }

  @Test
  void countsFailuresByKindAndKeepsTheFirst() throws IOException {
    AtomicInteger served = new AtomicInteger();
    InetSocketAddress address =
        serve(
            exchange -> {
              switch (served.getAndIncrement() % 4) {
                case 0 -> answer(exchange, 500, "<soap:Fault>no such entry</soap:Fault>");
                case 1 -> answer(exchange, 404, "not here");
                case 2 -> answer(exchange, 200, "bad");
                default -> answer(exchange, 200, "good");
              }
            });
    Measurement measured = load(address, 1, 100, LONG);
    assertThat(measured.completed()).isEqualTo(25);
    assertThat(measured.failures().counts())
        .containsOnly(
            Map.entry(FailureKind.FAULT, 25L),
            Map.entry(FailureKind.HTTP_STATUS, 25L),
            Map.entry(FailureKind.UNEXPECTED_ANSWER, 25L));
    assertThat(measured.failures().first()).hasValueSatisfying(text -> assertThat(text).contains("no such entry"));
  }

  @Test
  void understandsChunkedAnswers() throws IOException {
    InetSocketAddress address =
        serve(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              exchange.getResponseBody().write("go".getBytes(StandardCharsets.US_ASCII));
              exchange.getResponseBody().flush();
              exchange.getResponseBody().write("od".getBytes(StandardCharsets.US_ASCII));
            });
    Measurement measured = load(address, 2, 100, LONG);
    assertThat(measured.completed()).isEqualTo(100);
    assertThat(measured.reconnects()).isZero();
  }

  @Test
  void doesNotWaitForAServerThatHangs() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger served = new AtomicInteger();
    try (SocketServer hanging =
        new SocketServer(
            socket -> {
              if (served.getAndIncrement() == 0) {
                SocketServer.readRequest(socket, REQUEST);
                SocketServer.answer(socket, "HTTP/1.1 200 OK\r\nContent-Le");
              }
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })) {
      Measurement measured = load(hanging.address(), 2, 4, Duration.ofMillis(150));
      assertThat(measured.completed()).isZero();
      assertThat(measured.failures().counts()).containsOnly(Map.entry(FailureKind.TIMEOUT, 4L));
      assertThat(hanging.connections()).isEqualTo(4);
    }
  }

  @Test
  void reconnectsWhenTheServerSaysThatItCloses() throws IOException {
    InetSocketAddress address =
        serve(
            exchange -> {
              exchange.getResponseHeaders().set("Connection", "close");
              answer(exchange, 200, "good");
            });
    Measurement measured = load(address, 1, 20, LONG);
    assertThat(measured.completed()).isEqualTo(20);
    assertThat(measured.failures().total()).isZero();
    assertThat(measured.reconnects()).isEqualTo(19);
  }

  @Test
  void reconnectsWhenTheServerClosesAnIdleConnectionWithoutAWord() throws IOException {
    try (SocketServer server =
        new SocketServer(
            socket -> {
              for (int i = 0; i < 5 && SocketServer.readRequest(socket, REQUEST); i++) {
                SocketServer.answer(socket, OK);
              }
            })) {
      Measurement measured = load(server.address(), 1, 20, LONG);
      assertThat(measured.completed()).isEqualTo(20);
      assertThat(measured.failures().total()).isZero();
      assertThat(measured.reconnects()).isEqualTo(3);
      assertThat(server.connections()).isEqualTo(4);
    }
  }

  @Test
  void countsAnAnswerThatBreaksOff() throws IOException {
    try (SocketServer server =
        new SocketServer(
            socket -> {
              SocketServer.readRequest(socket, REQUEST);
              SocketServer.answer(socket, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngo");
            })) {
      Measurement measured = load(server.address(), 1, 3, LONG);
      assertThat(measured.completed()).isZero();
      assertThat(measured.failures().counts()).containsOnly(Map.entry(FailureKind.CONNECTION, 3L));
    }
  }

  @Test
  void countsAServerThatIsNotThere() throws IOException {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
    Measurement measured = load(nobody, 2, 4, LONG);
    assertThat(measured.failures().counts()).containsOnly(Map.entry(FailureKind.CONNECTION, 4L));
  }

  @Test
  void endsWithItsScheduleAndCountsOnlyWhatIsMeasured() throws IOException {
    AtomicInteger served = new AtomicInteger();
    InetSocketAddress address =
        serve(
            exchange -> {
              served.incrementAndGet();
              answer(exchange, 200, "good");
            });
    Schedule schedule = new Schedule(Duration.ofMillis(100), Duration.ofMillis(200));
    Measurement measured = LoadRun.run(clients(address, 3, Integer.MAX_VALUE), schedule, LONG);
    assertThat(measured.completed()).isBetween(0L, served.longValue());
    assertThat(measured.measured()).isEqualTo(schedule.measured());
  }

  @Test
  void stopsWhenItIsInterrupted() throws IOException {
    Thread caller = Thread.currentThread();
    AtomicInteger served = new AtomicInteger();
    InetSocketAddress address =
        serve(
            exchange -> {
              if (served.incrementAndGet() == 50) {
                caller.interrupt();
              }
              answer(exchange, 200, "good");
            });
    Measurement measured = load(address, 2, Integer.MAX_VALUE, LONG);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(measured.completed()).isPositive();
    assertThat(measured.failures().total()).isZero();
  }
}
