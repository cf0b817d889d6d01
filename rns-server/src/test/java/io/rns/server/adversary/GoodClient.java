package io.rns.server.adversary;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client as there are many: looks up one name and adds others, at a fixed rate, whatever else happens to the service.
 * Each time counts from when the request was due, so that a stall is seen by every request that it delays.
 */
final class GoodClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long QUERY_EVERY_MILLIS = 10;
  private static final long ADD_EVERY_MILLIS = 40;

  private final URI names;
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private int added;

  GoodClient(String server) throws IOException, InterruptedException {
    names = URI.create(server + "/names/good/");
    send(put("name?parents"));
  }

  /**
   * What it saw.
   *
   * @param queryMillis times of the queries, ascending
   * @param addMillis times of the additions, ascending
   * @param failures what was not answered as it must be
   */
  record Seen(List<Double> queryMillis, List<Double> addMillis, List<String> failures) {
    double queryP99() {
      return p99(queryMillis);
    }

    double addP99() {
      return p99(addMillis);
    }

    private static double p99(List<Double> ascending) {
      return ascending.isEmpty() ? Double.NaN : ascending.get((int) (0.99 * (ascending.size() - 1)));
    }

    @Override
    public String toString() {
      return "query p99 %.1f ms of %d, add p99 %.1f ms of %d, %d failures"
          .formatted(queryP99(), queryMillis.size(), addP99(), addMillis.size(), failures.size());
    }
  }

  /** Works until {@code over}, and for at least {@code least}. */
  Seen work(Duration least, CountDownLatch over) throws InterruptedException {
    List<Double> queries = Collections.synchronizedList(new ArrayList<>());
    List<Double> adds = Collections.synchronizedList(new ArrayList<>());
    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    long end = System.nanoTime() + least.toNanos();
    Thread reader = Thread.ofPlatform().start(
        () -> repeat(() -> HttpRequest.newBuilder(names.resolve("name")), QUERY_EVERY_MILLIS, queries, failures, end,
            over));
    Thread writer = Thread.ofPlatform().start(
        () -> repeat(() -> put("n" + added++), ADD_EVERY_MILLIS, adds, failures, end, over));
    reader.join();
    writer.join();
    Collections.sort(queries);
    Collections.sort(adds);
    return new Seen(List.copyOf(queries), List.copyOf(adds), List.copyOf(failures));
  }

  private interface Requests {
    HttpRequest.Builder next();
  }

  private void repeat(
      Requests requests, long everyMillis, List<Double> times, List<String> failures, long end, CountDownLatch over) {
    long every = TimeUnit.MILLISECONDS.toNanos(everyMillis);
    for (long due = System.nanoTime(); System.nanoTime() < end || over.getCount() > 0; due += every) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      try {
        send(requests.next());
      } catch (IOException e) {
        failures.add(e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      times.add((System.nanoTime() - due) / 1e6);
    }
  }

  private HttpRequest.Builder put(String name) {
    return HttpRequest.newBuilder(names.resolve(name))
        .PUT(BodyPublishers.ofString("{\"references\": [\"http://h/\"]}"));
  }

  private void send(HttpRequest.Builder request) throws IOException, InterruptedException {
    var response = http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
