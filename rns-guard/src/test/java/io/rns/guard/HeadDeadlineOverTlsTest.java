package io.rns.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadDeadlineOverTlsTest extends HeadDeadlineTest {
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

  @Test
  void closesAConnectionWhoseHandshakeStops() throws IOException {
    try (Socket socket = server.connectPlainly()) {
      socket.getOutputStream().write(new byte[]{0x16, 3, 1, 2, 0, 1, 0});
      assertThat(isClosed(socket)).isTrue();
    }
  }
}
