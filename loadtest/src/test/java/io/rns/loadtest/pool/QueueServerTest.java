package io.rns.loadtest.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.client.pool.ElementBusyException;
import io.rns.loadtest.launcher.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueueServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LONG_NANOS = Duration.ofSeconds(1).toNanos();

  private static long firstByteAfter(Connections connections, SimulatedServer server, long nanos) throws IOException {
    long begun = System.nanoTime();
    long first = connections.send(server.port(), nanos);
    assertThat(first - begun).isGreaterThanOrEqualTo(nanos);
    return first - begun;
  }

  private static void reportsWhatWaits(SimulatedServer server, Connections connections) throws Exception {
    List<Future<Long>> sent = new ArrayList<>();
    try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5; i++) {
        sent.add(users.submit(() -> firstByteAfter(connections, server, LONG_NANOS)));
      }
      Poll.until("two are served and three wait",
          () -> server.requests() == 2 && server.admission().occupancy().occupied() == 5);
      for (Future<Long> each : sent) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isPositive();
      }
    }
    Poll.until("nothing waits", () -> server.admission().occupancy().occupied() == 0);
    assertThat(server.requests()).isEqualTo(5);
  }

  @Test
  void datagramsThatWaitForAWorkerAreReported() throws Exception {
    try (SimulatedServer server = QueueServer.datagrams(2);
        Connections connections = new DatagramConnections(PATIENCE)) {
      reportsWhatWaits(server, connections);
    }
  }

  @Test
  void connectionsThatWaitForAWorkerAreReported() throws Exception {
    try (SimulatedServer server = QueueServer.connections(2); Connections connections = new PageConnections(PATIENCE)) {
      reportsWhatWaits(server, connections);
    }
  }

  @Test
  void aLostDatagramIsRejectedAndTheNextOneIsAnswered() throws Exception {
    try (SimulatedServer server = QueueServer.datagrams(1);
        Connections connections = new DatagramConnections(Duration.ofMillis(500))) {
      assertThatExceptionOfType(ElementBusyException.class)
          .isThrownBy(() -> connections.send(server.port(), LONG_NANOS)).withMessage("no answer within 500 ms");
      Poll.until("the server is idle", () -> server.admission().occupancy().occupied() == 0);
      assertThat(firstByteAfter(connections, server, 0)).isPositive();
    }
  }
}
