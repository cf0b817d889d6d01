package io.rns.server.local;

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

/**
 * Sends one request after the other, and keeps what was neither the right answer, nor 503 with a time to come back, nor
 * a broken connection.
 */
final class TightLoop implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();
  private final Set<String> wrong = new ConcurrentSkipListSet<>();
  private final Thread thread;
  private volatile boolean stopped;
  private final AtomicInteger right = new AtomicInteger();

  /** Sends a GET to this URL until it is closed; the right answer is 200 and ends with {@code expected}. */
  TightLoop(String url, String expected) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build();
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

  private void run(HttpRequest request, String expected) {
    while (!stopped) {
      try {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        boolean later = response.statusCode() == 503 && response.headers().firstValue("Retry-After").isPresent();
        if (response.statusCode() == 200 && response.body().endsWith(expected)) {
          right.incrementAndGet();
        } else if (!later) {
          wrong.add(response.statusCode() + " " + response.body());
        }
      } catch (IOException e) {
        // Nobody listens: that is an honest answer.
      } catch (InterruptedException e) {
        return;
      }
    }
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
