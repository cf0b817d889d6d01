package io.rns.server.namespace;

import io.rns.server.store.Database;
import java.time.Duration;
import java.time.InstantSource;

/** Settings for services over test databases. */
final class TestServices {
  static final WriterSettings WRITER =
      new WriterSettings(4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO);

  private TestServices() {}

  static LocalNameService start(Database database) {
    database.migrate();
    return LocalNameService.start(database, 16 << 20, WRITER, InstantSource.system());
  }
}
