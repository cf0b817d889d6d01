package io.rns.guard;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** All protections of the guard on a listener of HTTPS. */
class GuardOverTlsTest extends GuardTest {
  @TempDir private static Path directory;

  private static GuardedServer.Tls tls;

  @BeforeAll
  static void makeKey() throws Exception {
    tls = GuardedServer.Tls.make(directory);
  }

  @Override
  GuardedServer.Tls tls() {
    return tls;
  }
}
