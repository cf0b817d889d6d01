package io.rns.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Sends one request after the other, and keeps what was neither the right answer, nor 503 with a time to come back, nor
 * the fault of SOAP that says the same (SOAP 1.1 sends all faults with 500), nor a broken connection.
 */
final class TightLoop implements AutoCloseable {
  private static final long PAUSE_NANOS = 2_000_000;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();
  private final Set<String> wrong = new ConcurrentSkipListSet<>();
  private final Thread thread;
  private volatile boolean stopped;
  private final AtomicInteger right = new AtomicInteger();

  /** Sends a GET to this URL until it is closed; the right answer is 200 and ends with {@code expected}. */
  TightLoop(String url, String expected) {
    this(HttpRequest.newBuilder(URI.create(url)),
        response -> response.statusCode() == 200 && response.body().endsWith(expected));
  }

  /** Sends a request until it is closed. */
  TightLoop(HttpRequest.Builder builder, Predicate<HttpResponse<String>> expected) {
    HttpRequest request = builder.timeout(Duration.ofSeconds(30)).build();
    this.thread = Thread.ofVirtual().start(() -> run(request, expected));
  }

  /** How many right answers there were. */
  int right() {
    return right.get();
  }

  /** Stops, and returns what came beside. */
  Set<String> wrong() {
    close();
    return new TreeSet<>(wrong);
  }

  private void run(HttpRequest request, Predicate<HttpResponse<String>> expected) {
    while (!stopped) {
      try {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (expected.test(response)) {
          right.incrementAndGet();
        } else if (!isLater(response)) {
          wrong.add(request.method() + " " + request.uri() + ": " + response.statusCode() + " " + response.body());
        }
      } catch (IOException e) {
        // Nobody listens: that is an honest answer.
      } catch (InterruptedException e) {
        return;
      }
      // The processors are for the server that starts.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean isLater(HttpResponse<String> response) {
    return (response.statusCode() == 503 && response.headers().firstValue("Retry-After").isPresent())
        || (response.statusCode() == 500
            && response.body().matches("(?s).*:ErrorCode dialect=\"urn:rns:ext:1\">(UNAVAILABLE|TIMEOUT|BUSY)<.*"));
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
