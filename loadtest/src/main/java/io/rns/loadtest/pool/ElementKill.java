package io.rns.loadtest.pool;

import io.rns.api.RnsPath;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.client.pool.PoolUser;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Row;
import io.rns.pool.ElementsRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Kills pool elements under load with {@code kill -9}: whether users see errors, and how long it takes until nobody is
 * sent to the dead one any more. Elements are processes of their own, registered by ASAP; requests may be repeated.
 *
 * @param elements how many serve, at least 2
 * @param perSecond requests, of 10 to 30 ms each
 * @param kills how many elements are killed one after the other; each has a successor
 * @param calm before each kill
 * @param keepAliveTimeout how long the registrar waits for a sign of life of an element whose connection is gone
 */
public record ElementKill(int elements, double perSecond, int kills, Duration calm, Duration keepAliveTimeout) {
  private static final RnsPath HANDLE = RnsPath.parse("/bench/kill");
  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration AFTERMATH = Duration.ofMillis(500);
  private static final long MILLI = 1_000_000;
  private static final long POLL_NANOS = 2 * MILLI;
  private static final int MOST = 100;

  /** Requests that met the dead element, and when the last one did. */
  private record Repeated(LongAdder count, AtomicLong lastNanos) {}

  /** Runs it. */
  public List<Row> run(Consumer<String> progress) throws InterruptedException {
    InetAddress here = InetAddress.getLoopbackAddress();
    List<Child> children = new ArrayList<>();
    try (RegistrarServer registrar = RegistrarServer.bind(here, 0, 0);
        Connections connections = new Connections()) {
      registrar.start(List.of(), Cluster.settings(keepAliveTimeout), new SplittableRandom(),
          () -> System.nanoTime() / MILLI);
      RegistrarPools pools = new RegistrarPools(registrar, TTL, PATIENCE);
      for (int id = 1; id <= elements; id++) {
        children.add(element(registrar, id));
      }
      progress.accept(elements + " elements serve");
      PoolUser user = PoolUser.of(pools);
      List<Row> rows = new ArrayList<>();
      for (int kill = 1; kill <= kills; kill++) {
        progress.accept("kill " + kill + " of " + kills);
        rows.add(kill(kill, children.remove(0), pools, user, connections));
        if (kill < kills) {
          children.add(element(registrar, elements + kill));
        }
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException("listening for elements", e);
    } finally {
      children.forEach(Child::close);
    }
  }

  private static Child element(RegistrarServer registrar, int id) {
    Child child =
        Child.start(
            ElementMain.class,
            List.of(String.valueOf(registrar.elementsAddress().getPort()), HANDLE.toString(), String.valueOf(id)));
    int unused = Integer.parseInt(child.hear());
    return child;
  }

  private Row kill(int id, Child victim, RegistrarPools pools, PoolUser user, Connections connections)
      throws InterruptedException {
    Repeated repeated = new Repeated(new LongAdder(), new AtomicLong());
    Balancer balancer = nanos -> send(user, connections, repeated, nanos);
    try (ExecutorService load = Executors.newSingleThreadExecutor()) {
      // Until it is noticed, whenever that is.
      Load running = new Load(new Arriving(perSecond, 1, Sizes.even(20 * MILLI), id), balancer);
      Future<Outcome> outcome = load.submit(running);
      long noticed;
      TimeUnit.NANOSECONDS.sleep(calm.toNanos());
      long killed = System.nanoTime();
      try {
        victim.kill();
        noticed = awaitRemoval(pools, id);
        TimeUnit.NANOSECONDS.sleep(AFTERMATH.toNanos());
      } finally {
        running.stop();
      }
      Outcome met = outcome.get();
      long last = repeated.lastNanos().get();
      return Row.of("kill -9 of element " + id)
          .with("requests", (double) met.latencies().getTotalCount() + met.errors())
          .with("errors", (double) met.errors())
          .with("repeated", (double) repeated.count().sum())
          .with("detectedMillis", (double) (noticed - killed) / MILLI)
          .with("lastMetMillis", last == 0 ? 0 : Math.max(0, (double) (last - killed) / MILLI))
          .with("p99Millis", met.millis(99))
          .with("longestMillis", met.millis(100));
    } catch (ExecutionException e) {
      throw new RnsException(RnsError.INTERNAL, "the load failed: " + e.getCause(), e);
    }
  }

  private static void send(PoolUser user, Connections connections, Repeated repeated, long nanos) throws IOException {
    boolean unused =
        user.session(HANDLE)
            .call(
                element -> {
                  try {
                    connections.request(Pooled.port(element.endpoint()), nanos);
                    return true;
                  } catch (IOException e) {
                    repeated.count().increment();
                    repeated.lastNanos().accumulateAndGet(System.nanoTime(), Math::max);
                    throw e;
                  }
                });
  }

  /** When the registrar no longer knows it. */
  private static long awaitRemoval(RegistrarPools pools, int id) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (pools.elements(new ElementsRequest(HANDLE, MOST, 0)).elements().stream().anyMatch(e -> e.id() == id)) {
      if (System.nanoTime() - deadline > 0) {
        throw new RnsException(RnsError.TIMEOUT, "element " + id + " is dead and still registered after " + PATIENCE);
      }
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
    return System.nanoTime();
  }

  /** Users that make requests until they are stopped. */
  private static final class Load implements Callable<Outcome> {
    private final Arriving requests;
    private final Balancer balancer;
    private volatile boolean stopped;

    Load(Arriving requests, Balancer balancer) {
      this.requests = requests;
      this.balancer = balancer;
    }

    void stop() {
      stopped = true;
    }

    @Override
    public Outcome call() throws InterruptedException {
      return requests.run(balancer, Duration.ZERO, PATIENCE.multipliedBy(2), () -> stopped);
    }
  }
}
