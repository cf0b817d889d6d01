package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.local.DatabaseProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartupTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir private static Path temporary;

  /** A first request right after "serving" was refused with "the service is starting". */
  @Test
  void doesNotSayThatItServesBeforeRequestsAreAnswered() throws Exception {
    try (DatabaseProcess database = TestDatabase.own(temporary)) {
      ServerConfig config =
          ServerConfig.read(
              Map.of(
                  "RNS_DB_URL", database.jdbcUrl(),
                  "RNS_DB_USER", database.user(),
                  "RNS_DB_PASSWORD", database.password()));
      AtomicReference<Startup> startup = new AtomicReference<>();
      AtomicReference<Boolean> saidBefore = new AtomicReference<>();
      try (Startup starting = new Startup(config, new ServerLoad(() -> 0), ready -> saidBefore.set(startup.get().server() != null))) {
        startup.set(starting);
        starting.start();
        Eventually.until("it serves", BOUND, () -> starting.server() != null);
        assertThat(saidBefore.get()).isFalse();
      }
    }
  }
}
