package io.rns.loadtest.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells what processes of this machine have used of its processors: this one, and others by what they are.
 *
 * <p>Of others the system counts in steps of 10 ms. What a process used that ends meanwhile is not told.
 */
public final class Processors {
  /** The name of this process. */
  public static final String GENERATOR = "generator";

  public static final Processors OWN = new Processors(Map.of());

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final Duration LOOK = Duration.ofMillis(250);
  /** What an idle server and its database use meanwhile, in the steps of the system. */
  private static final Duration IDLE = Duration.ofMillis(30);
  private static final int MOST_LOOKS = 60;

  private final Map<String, List<ProcessHandle>> others = new LinkedHashMap<>();

  public Processors(Map<String, List<Long>> processes) {
    processes.forEach(
        (name, ids) -> others.put(name, ids.stream().flatMap(id -> ProcessHandle.of(id).stream()).toList()));
  }

  /** What they have used since they were started. */
  Map<String, Duration> used() {
    Map<String, Duration> used = new LinkedHashMap<>();
    used.put(GENERATOR, Duration.ofNanos(SYSTEM.getProcessCpuTime()));
    others.forEach((name, processes) -> used.put(name, processes.stream()
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus)));
    return used;
  }

  /**
   * Waits until the others are idle, so that no run pays for what an earlier one has left to their compilers and their
   * upkeep; for 15 s at most, or until the thread is interrupted, and still is then.
   */
  public void awaitIdle() {
    Map<String, Duration> before = used();
    for (int look = 0; !others.isEmpty() && look < MOST_LOOKS; look++) {
      try {
        Thread.sleep(LOOK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      Map<String, Duration> now = used();
      if (areIdle(between(before, now))) {
        return;
      }
      before = now;
    }
  }

  static boolean areIdle(Map<String, Duration> used) {
    return used.entrySet().stream()
        .allMatch(each -> each.getKey().equals(GENERATOR) || each.getValue().compareTo(IDLE) <= 0);
  }

  static Map<String, Duration> between(Map<String, Duration> before, Map<String, Duration> after) {
    Map<String, Duration> used = new LinkedHashMap<>();
    after.forEach(
        (name, sum) -> {
          Duration more = sum.minus(before.getOrDefault(name, Duration.ZERO));
          used.put(name, more.isNegative() ? Duration.ZERO : more);
        });
    return used;
  }
}
