package io.rns.loadtest.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class QuotaTest {
  private static final Duration WORK = Duration.ofMillis(150);

  private static final List<String> MOUNTS_ONE =
      List.of(
          "proc /proc proc rw 0 0",
          "cgroup /sys/fs/cgroup/cpuset cgroup rw,relatime,cpuset 0 0",
          "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0",
          "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0");
  private static final List<String> MOUNTS_TWO =
      List.of("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,relatime,nsdelegate 0 0");

  /** One that may be made here, or the test is skipped. */
  private static Quota quota(double processors, Process process) {
    try {
      assertThat(Quota.check(processors)).startsWith(processors + " processors by cpu.");
    } catch (RnsException e) {
      return abort(e.getMessage());
    }
    return Quota.each(processors, List.of(process.pid()));
  }

  private static ControlGroup group(Path groupsOfProcess) throws IOException {
    return ControlGroup.of(Files.readAllLines(Path.of("/proc/mounts")), Files.readAllLines(groupsOfProcess))
        .orElseThrow();
  }

  /** On a machine that is busy otherwise, a process would use little also without. */
  private static void assertLimited(Path groupsOfProcess, double processors) throws IOException {
    ControlGroup group = group(groupsOfProcess);
    assertThat(Files.readString(group.path().resolve(group.limitFile())).strip()).isEqualTo(group.limit(processors));
  }

  /** How long a process takes to use a processor for a while. */
  private static Duration timeToUse(Duration wanted, Process process) {
    long from = System.nanoTime();
    while (process.info().totalCpuDuration().orElseThrow().compareTo(wanted) < 0) {
      Thread.onSpinWait();
    }
    return Duration.ofNanos(System.nanoTime() - from);
  }

  @Test
  void aBusyProcessGetsItsShareAndAfterwardsAllAgain() throws IOException, InterruptedException {
    Process busy = new ProcessBuilder("sh", "-c", "read go; while :; do :; done").start();
    try {
      Path groups = Path.of("/proc", Long.toString(busy.pid()), "cgroup");
      String before = Files.readString(groups);
      try (Quota quota = quota(0.25, busy)) {
        assertThat(quota).asString().startsWith("1 processes are limited, each to 0.25 processors by cpu.");
        assertThat(Files.readString(groups)).isNotEqualTo(before).contains("rns-quota-");
        assertLimited(groups, 0.25);
        busy.getOutputStream().write('\n');
        busy.getOutputStream().flush();
        assertThat(timeToUse(WORK, busy)).as("of one processor, held to a quarter").isGreaterThan(WORK.multipliedBy(2));
      }
      assertThat(Files.readString(groups)).isEqualTo(before);
    } finally {
      busy.destroyForcibly().waitFor();
    }
  }

  @Test
  void processesOfOneListShareALimit() throws IOException, InterruptedException {
    Process one = new ProcessBuilder("sleep", "60").start();
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      Path groups = Path.of("/proc", Long.toString(one.pid()), "cgroup");
      String before = Files.readString(groups);
      try (Quota quota = quota(0.25, one)) {
        assertThat(quota).asString().startsWith("1 processes");
      }
      try (Quota quota = Quota.together(0.25, List.of(List.of(one.pid(), other.pid())))) {
        assertThat(quota).asString().startsWith("1 lists of processes are limited, each to 0.25 processors by cpu.");
        assertThat(Files.readString(groups)).contains("rns-quota-")
            .isEqualTo(Files.readString(Path.of("/proc", Long.toString(other.pid()), "cgroup")));
        assertLimited(groups, 0.25);
      }
      assertThat(Files.readString(groups)).isEqualTo(before);
      assertThat(Files.readString(Path.of("/proc", Long.toString(other.pid()), "cgroup"))).isEqualTo(before);
    } finally {
      one.destroyForcibly().waitFor();
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void isRemovedWhenWhatItHeldHasEndedOrTheThreadIsInterrupted() throws IOException, InterruptedException {
    Process ended = new ProcessBuilder("sleep", "60").start();
    String group;
    try (Quota quota = quota(1, ended)) {
      assertThat(quota).isNotNull();
      group = Files.readString(Path.of("/proc", Long.toString(ended.pid()), "cgroup"));
      ended.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    assertThat(Thread.interrupted()).isTrue();
    String name = group.replaceAll("(?s).*(rns-quota-\\d+-\\d+).*", "$1");
    assertThat(group(Path.of("/proc/self/cgroup")).parents()).isNotEmpty()
        .noneMatch(parent -> Files.exists(parent.resolve(name)));
  }

  @Test
  void refusesWhatIsNoProcessAndWhatIsNoShare() {
    assertThatThrownBy(() -> Quota.each(1, List.of(Long.MAX_VALUE))).isInstanceOf(RnsException.class)
        .hasMessageContaining("cgroup");
    assertThat(Quota.each(0, List.of(Long.MAX_VALUE))).hasToString("no process is limited");
    assertThatThrownBy(() -> Quota.check(0.001)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Quota.check(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theFirstVersionHasTheControllerInItsOptions() {
    ControlGroup group =
        ControlGroup.of(MOUNTS_ONE, List.of("5:cpuset:/other", "4:cpu,cpuacct:/work/a", "0::/unified")).orElseThrow();
    Path top = Path.of("/sys/fs/cgroup/cpu,cpuacct");
    assertThat(group).isEqualTo(new ControlGroup(false, top, top.resolve("work/a")));
    assertThat(group.parents()).containsExactly(top.resolve("work/a"), top.resolve("work"), top);
    assertThat(group.limitFile()).isEqualTo("cpu.cfs_quota_us");
    assertThat(group.limit(0.5)).isEqualTo("50000");
  }

  @Test
  void theSecondVersionHasOneTreeForAll() {
    ControlGroup group = ControlGroup.of(MOUNTS_TWO, List.of("0::/user.slice/session-1.scope")).orElseThrow();
    Path top = Path.of("/sys/fs/cgroup");
    assertThat(group).isEqualTo(new ControlGroup(true, top, top.resolve("user.slice/session-1.scope")));
    assertThat(group.limitFile()).isEqualTo("cpu.max");
    assertThat(group.limit(1.5)).isEqualTo("150000 100000");
    assertThat(ControlGroup.of(MOUNTS_TWO, List.of("0::/../../outside")).orElseThrow().parents()).as("of a container")
        .containsExactly(top);
    assertThat(ControlGroup.of(List.of("proc /proc proc rw 0 0"), List.of("0::/"))).isEmpty();
  }

  @Test
  void makesNoFileThatTheControllerDoesNotHave(@TempDir Path top) throws IOException {
    ControlGroup own = new ControlGroup(true, top, top);
    assertThatThrownBy(() -> Quota.make(top.resolve("group"), own, 0.5)).isInstanceOf(IOException.class)
        .hasMessageContaining("cpu.max");
    assertThat(top).isEmptyDirectory();
  }
}
