package io.rns.loadtest.drill;

import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Reads recent writes from server to server: as a session with the tokens that writers hand over, or with bounds. For
 * one thread.
 */
final class RecentReader {
  private static final List<Duration> BOUNDS =
      List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(2));
  private static final long PAUSE_MILLIS = 10;
  /** A server that has not answered is left alone, so that a reader does not wait for it all the time. */
  private static final Duration AWAY = Duration.ofSeconds(2);

  private final String name;
  private final List<RecordedClient> servers;
  private final BlockingQueue<Write> recent;
  private final List<Write> known = new ArrayList<>();
  private final long[] awayUntil;
  private int turn = ThreadLocalRandom.current().nextInt(8);
  private Optional<Position> token = Optional.empty();

  RecentReader(String name, List<RecordedClient> servers, BlockingQueue<Write> recent) {
    this.name = name;
    this.servers = List.copyOf(servers);
    this.recent = recent;
    this.awayUntil = new long[servers.size()];
  }

  /** Reads what was written last, or before, and again at the next server: what was seen must not go away. */
  void readInSession() throws InterruptedException {
    Optional<Write> handed = Optional.ofNullable(recent.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    handed.ifPresent(write -> {
      known.add(write);
      see(write.position());
    });
    if (!known.isEmpty()) {
      String path = handed.orElseGet(this::anyKnown).path();
      read(turn, Optional.empty(), path);
      read(turn + 1, Optional.empty(), path);
    }
    turn++;
  }

  void readBounded() throws InterruptedException {
    recent.drainTo(known, 1);
    if (!known.isEmpty()) {
      Duration bound = BOUNDS.get(ThreadLocalRandom.current().nextInt(BOUNDS.size()));
      read(turn, Optional.of(bound), anyKnown().path());
    }
    turn++;
    Thread.sleep(PAUSE_MILLIS);
  }

  private Write anyKnown() {
    return known.get(ThreadLocalRandom.current().nextInt(known.size()));
  }

  private void read(int atTurn, Optional<Duration> bound, String path) {
    int server = server(atTurn);
    Optional<Position> position = servers.get(server).read(name, bound, token, path);
    if (position.isEmpty()) {
      awayUntil[server] = System.nanoTime() + AWAY.toNanos();
    } else if (bound.isEmpty()) {
      see(position.get());
    }
  }

  /** The server for a turn; one that is away is passed over unless all are. */
  private int server(int atTurn) {
    for (int i = 0; i < servers.size(); i++) {
      int server = Math.floorMod(atTurn + i, servers.size());
      if (awayUntil[server] <= System.nanoTime()) {
        return server;
      }
    }
    return Math.floorMod(atTurn, servers.size());
  }

  private void see(Position position) {
    if (token.isEmpty() || position.compareTo(token.get()) > 0) {
      token = Optional.of(position);
    }
  }
}
