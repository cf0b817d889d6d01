package io.rns.loadtest.pool;

import io.rns.api.RnsPath;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.client.pool.PoolUser;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.pool.Requests.Bursts;
import io.rns.loadtest.pool.Requests.Demand;
import io.rns.loadtest.pool.Requests.Sizes;
import io.rns.pool.ElementsRequest;
import io.rns.rserpool.Octets;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Kills pool elements under load with {@code kill -9}: whether users see errors, and how long it takes until no user is
 * sent to the dead one any more. Elements are processes of their own, registered by ASAP; requests may be repeated.
 */
public record ElementKill(int elements, double perSecond, int kills, Duration calm, Duration keepAliveTimeout) {
  private static final RnsPath HANDLE = RnsPath.parse("/bench/kill");
  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration AFTERMATH = Duration.ofMillis(500);
  private static final long MILLI = 1_000_000;
  private static final double MILLIS = 1e3;
  private static final int MOST = 100;
  private static final int ENOUGH = 1_024;

  public List<Row> run(Consumer<String> progress) throws InterruptedException {
    List<ServerProcess> serving = new ArrayList<>();
    try (RegistrarServer registrar = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
        ElementConnections connections = new ElementConnections()) {
      registrar.start(List.of(), Cluster.settings(keepAliveTimeout.toMillis()), new SplittableRandom(),
          () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
      RegistrarPools pools = new RegistrarPools(registrar, TTL, TIMEOUT);
      for (int id = 1; id <= elements; id++) {
        serving.add(element(registrar, id));
      }
      progress.accept(elements + " elements serve");
      PoolUser user = PoolUser.of(pools);
      List<Row> rows = new ArrayList<>();
      for (int kill = 1; kill <= kills; kill++) {
        progress.accept("kill " + kill + " of " + kills);
        rows.add(kill(kill, serving.removeFirst(), pools, user, connections));
        if (kill < kills) {
          serving.add(element(registrar, elements + kill));
        }
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException("listening for elements", e);
    } finally {
      serving.forEach(ServerProcess::close);
    }
  }

  private static ServerProcess element(RegistrarServer registrar, int id) {
    ServerProcess element = ServerProcess.start(ElementMain.class,
        String.valueOf(registrar.elementsAddress().getPort()), HANDLE.toString(), String.valueOf(id));
    String unused = element.readLine();
    return element;
  }

  private Row kill(int id, ServerProcess victim, RegistrarPools pools, PoolUser user, ElementConnections connections)
      throws InterruptedException {
    LongAdder repeated = new LongAdder();
    AtomicLong lastRepeated = new AtomicLong();
    Balancer balancer = Balancer.pooled(user, HANDLE, (port, nanos) -> {
      try {
        return connections.send(port, nanos);
      } catch (IOException e) {
        repeated.increment();
        lastRepeated.accumulateAndGet(System.nanoTime(), Math::max);
        throw e;
      }
    });
    // Those of the next 250 ms are drawn in advance, one by each client.
    Demand demand =
        new Demand((int) Math.ceil(Math.max(64, perSecond / 4)), Bursts.atRandom(perSecond), 1, Sizes.even(20 * MILLI));
    Requests requests = new Requests(demand, id, Duration.ZERO, LONGEST);
    Workload load =
        new Workload("load", 1, () -> requests.clients(List.of(balancer), () -> {}), new RequestArrivals.OfClients(),
            TIMEOUT);
    long killed;
    long noticed;
    try (ExecutorService background = Executors.newSingleThreadExecutor()) {
      Future<Measurement> running = background.submit(() -> load.run(Schedule.untilDone(LONGEST)));
      try {
        TimeUnit.NANOSECONDS.sleep(calm.toNanos());
        killed = System.nanoTime();
        victim.close();
        Poll.until("the registrar removes the killed element " + id, () -> !isRegistered(pools, id));
        noticed = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(AFTERMATH.toNanos());
      } finally {
        requests.end();
      }
      Measurement met = running.get();
      long last = lastRepeated.get();
      return Row.of("kill -9 of element " + id)
          .with("requests", (double) met.latencies().getTotalCount() + met.failures().total())
          .with("errors", (double) met.failures().total())
          .with("repeated", (double) repeated.sum())
          .with("detectedMillis", (double) (noticed - killed) / MILLI)
          .with("lastMetMillis", last == 0 ? 0 : Math.max(0, (double) (last - killed) / MILLI))
          .with("p99Millis", met.micros(99) / MILLIS)
          .with("longestMillis", met.maxMicros() / MILLIS);
    } catch (ExecutionException e) {
      throw new RnsException(RnsError.INTERNAL, "the load failed: " + e.getCause(), e);
    }
  }

  private static boolean isRegistered(RegistrarPools pools, int id) {
    return pools.elements(new ElementsRequest(HANDLE, MOST, 0)).elements().stream().anyMatch(e -> e.id() == id);
  }

  /** A pool element in a process of its own: a server that takes its time, registered by ASAP. */
  static final class ElementMain {
    private ElementMain() {}

    /**
     * Prints its port when it is registered, and runs until its connection or its input ends. The arguments are the
     * port of the registrar, the pool handle and the id.
     */
    public static void main(String[] arguments) throws IOException {
      InetSocketAddress registrar =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
      int id = Integer.parseInt(arguments[2]);
      try (ConnectionServer server = new ConnectionServer(Service.sleeping(1), ENOUGH);
          AsapElement element = new AsapElement(registrar, Octets.utf8(arguments[1]), id, server.port())) {
        element.register();
        System.out.println(server.port());
        Thread.ofPlatform().daemon().start(ElementMain::endWithParent);
        element.stay();
      } catch (EOFException | SocketException e) {
        // The registrar is gone: it is over.
      }
    }

    private static void endWithParent() {
      try {
        ServerProcess.awaitEndOfInput();
      } catch (IOException e) {
        // The same as its end.
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
