package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.server.Eventually;
import io.rns.server.namespace.TreeReader.Read;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import io.rns.server.store.EntryKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is cached is read without the database, whatever is published meanwhile. */
class WarmReadsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final EntryKey KEY = new EntryKey(1, EntryName.of("n"));

  /** Nothing listens there. */
  private static final DatabaseSettings NOWHERE =
      new DatabaseSettings(
          "jdbc:mysql://127.0.0.1:1/rns", "rns", "rns", 1, SHORT, SHORT, Duration.ofMinutes(30), BOUND, 0);

  /** While the thread that publishes is kept from running, a read could run any number of times. */
  @Test
  void aReadThatMeetsAPublicationWaitsForItsEnd() throws Exception {
    try (Database database = new Database(NOWHERE)) {
      EntryCache cache = new EntryCache(1 << 20);
      ServedPosition served = new ServedPosition(new Position(0, 1, 10), Positions.NONE, Instant.EPOCH);
      TreeReader reader = new TreeReader(database, cache, served);
      cache.keep(Map.of(KEY, CachedBinding.MISSING), cache.published());
      FutureTask<Read<CachedBinding>> reading =
          new FutureTask<>(() -> reader.consistently(TreeAccess.ALL, source -> source.peek(KEY)));
      Thread thread = Thread.ofPlatform().unstarted(reading);
      cache.announce(Set.of(), Set.of(), Set.of()).publish(Map.of(), () -> {
        thread.start();
        assertThatNoException().isThrownBy(
            () -> Eventually.until("the read waits, or has ended", BOUND,
                () -> thread.getState() == Thread.State.WAITING || reading.isDone()));
        served.advance(new Position(0, 1, 11), Positions.NONE, Instant.EPOCH);
      });
      Read<CachedBinding> read = reading.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(read).isEqualTo(new Read<>(CachedBinding.MISSING, new Position(0, 1, 11), Positions.NONE, 0));
    }
  }
}
