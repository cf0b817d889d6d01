package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Of processes that do nothing else: the heap of this one changes while other tests end. */
class ProcessMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int KIB_OF_MIB = 1_024;

  /** A process that keeps some memory of its heap, and has made as much garbage. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      int mib = Integer.parseInt(arguments[0]);
      int garbage = new byte[mib * MIB].length;
      byte[] kept = new byte[mib * MIB];
      System.out.write('!');
      System.out.flush();
      int end = System.in.read();
      System.exit(kept.length + garbage + end < 0 ? 0 : 1);
    }
  }

  private record Memory(double live, double resident) {}

  private static Memory holding(int mib) throws IOException {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Holder.class.getName(),
        Integer.toString(mib)).start();
    try {
      assertThat(process.getInputStream().read()).isEqualTo('!');
      ProcessMemory memory = new ProcessMemory(process.pid());
      double live = memory.liveHeapKib();
      return new Memory(live, memory.residentKib());
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void whatIsInUseOfTheHeapCountsAndGarbageDoesNot() throws IOException {
    Memory without = holding(0);
    Memory with = holding(32);
    assertThat(with.live() - without.live()).isBetween(31.0 * KIB_OF_MIB, 34.0 * KIB_OF_MIB);
    assertThat(with.resident()).isGreaterThan(with.live());
  }
}
