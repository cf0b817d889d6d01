package io.rns.loadtest.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DrillFaultTest {
  private static void awaitState(Process process, String state) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    String seen;
    do {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      seen = stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
      LockSupport.parkNanos(1_000_000);
    } while (!seen.equals(state) && System.nanoTime() < end);
    assertThat(seen).isEqualTo(state);
  }

  @Test
  void processesArePausedAndGoOnAlsoWhenAnotherIsGone() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sleep", "60").start();
    Process gone = new ProcessBuilder("true").start();
    try {
      assertThat(gone.waitFor()).isZero();
      DrillFault.signal("STOP", List.of(process.pid()));
      awaitState(process, "T");
      assertThatThrownBy(() -> DrillFault.signal("CONT", List.of(gone.pid(), process.pid())))
          .isInstanceOf(RnsException.class);
      awaitState(process, "S");
      DrillFault.signal("KILL", List.of(process.pid()));
      assertThat(process.waitFor()).isEqualTo(128 + 9);
    } finally {
      process.destroyForcibly();
    }
  }
}
