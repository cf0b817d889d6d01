package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {
  private static final int MIB = 1 << 20;

  @Test
  void whatIsInUseOfTheHeapCountsAndGarbageDoesNot() {
    ProcessMemory memory = new ProcessMemory(ProcessHandle.current().pid());
    double before = memory.liveHeapKib();
    List<byte[]> used = new ArrayList<>(List.of(new byte[32 * MIB]));
    assertThat(memory.liveHeapKib() - before).isBetween(31_000.0, 34_000.0);
    assertThat(used.removeFirst()).hasSize(32 * MIB);
    assertThat(memory.liveHeapKib() - before).isLessThan(2_000);
    assertThat(memory.residentKib()).isGreaterThan(before);
  }
}
