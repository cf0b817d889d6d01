package io.rns.loadtest.quota;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Cleanup;
import io.rns.loadtest.launcher.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits processes to a share of the processors, each with the processes that it starts from then on. Each has a
 * control group of Linux for that, of the first or second version, which is removed at the end. That takes permissions
 * that mostly only root has.
 */
public final class Quota implements AutoCloseable {
  /** The smallest useful share: a hundredth of a processor. */
  public static final double LEAST = 0.01;

  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final String PROCESSES = "cgroup.procs";
  private static final String NOT_LIMITED = "processes cannot be held to a share of the processors";
  private static final int EMPTYING_ATTEMPTS = 200;
  private static final long EMPTYING_PAUSE_NANOS = 10_000_000;

  private final double processors;
  private final String what;
  private final List<Limited> all = new ArrayList<>();

  private record Limited(Path group, Path former) {}

  private Quota(double processors, String what) {
    this.processors = processors;
    this.what = what;
  }

  /** Limits each process to the same share, {@value #LEAST} or more; 0 limits none. */
  public static Quota each(double processors, List<Long> pids) {
    return of(processors, "processes", pids.stream().map(List::of).toList());
  }

  /** Limits each list of processes, all of one list together, to the same share; 0 limits none. */
  public static Quota together(double processors, List<List<Long>> lists) {
    return of(processors, "lists of processes", lists);
  }

  private static Quota of(double processors, String what, List<List<Long>> lists) {
    Quota quota = new Quota(processors, what);
    try {
      for (List<Long> pids : processors == 0 ? List.<List<Long>>of() : lists) {
        quota.limit(pids);
      }
      return quota;
    } catch (RnsException e) {
      try (quota) {
        throw e;
      }
    }
  }

  /** Tries whether processes can be limited here; returns the limit in words, and by what it is enforced. */
  public static String check(double processors) {
    Path group = make(processors);
    Io.run(leftBehind(group), () -> Files.delete(group));
    return limit(processors);
  }

  private static String limit(double processors) {
    return processors + " processors by " + groupOf("self").limitFile() + " of a control group";
  }

  private void limit(List<Long> pids) {
    Path former = groupOf(Long.toString(pids.getFirst())).parents().getFirst();
    Path group = make(processors);
    all.add(new Limited(group, former));
    for (long pid : pids) {
      Io.run("process " + pid + " cannot be held by " + group,
          () -> write(group.resolve(PROCESSES), Long.toString(pid)));
    }
  }

  private static String leftBehind(Path group) {
    return "the control group " + group + " is left behind";
  }

  private static ControlGroup groupOf(String process) {
    return Io.get(NOT_LIMITED, () -> ControlGroup
        .of(Files.readAllLines(Path.of("/proc/mounts")), Files.readAllLines(Path.of("/proc", process, "cgroup")))
        .orElseThrow(() -> new IOException("no control groups for that are mounted")));
  }

  private static Path make(double processors) {
    if (!(processors >= LEAST)) {
      throw new IllegalArgumentException("a quota is at least " + LEAST + " processors; it was " + processors);
    }
    ControlGroup own = groupOf("self");
    String name = "rns-quota-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
    RnsException failure = new RnsException(RnsError.UNAVAILABLE, NOT_LIMITED + ": no place for a group in " + own);
    for (Path parent : own.parents()) {
      try {
        return make(parent.resolve(name), own, processors);
      } catch (IOException e) {
        failure =
            new RnsException(RnsError.UNAVAILABLE, NOT_LIMITED + ": a limit in " + parent + " mostly takes root: " + e,
                e);
      }
    }
    throw failure;
  }

  static Path make(Path group, ControlGroup own, double processors) throws IOException {
    Files.createDirectory(group);
    try {
      write(group.resolve(own.limitFile()), own.limit(processors));
      return group;
    } catch (IOException e) {
      Files.delete(group);
      throw e;
    }
  }

  /** Never creates a file: a missing one means that the controller is missing. */
  private static void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }

  @Override
  public String toString() {
    return all.isEmpty() ? "no process is limited"
        : all.size() + " " + what + " are limited, each to " + limit(processors);
  }

  /** Lifts all limits, also for an interrupted thread. */
  @Override
  public void close() {
    Cleanup.run(() -> {
      RnsException failure = null;
      for (Limited each : all.reversed()) {
        try {
          Io.run(leftBehind(each.group()), () -> remove(each));
        } catch (RnsException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
    });
  }

  /** A process that has just ended is still in its group for a moment. */
  private static void remove(Limited limited) throws IOException {
    for (int attempt = 1;; attempt++) {
      try {
        for (String pid : Files.readAllLines(limited.group().resolve(PROCESSES))) {
          write(limited.former().resolve(PROCESSES), pid);
        }
        Files.delete(limited.group());
        return;
      } catch (IOException e) {
        if (attempt == EMPTYING_ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(EMPTYING_PAUSE_NANOS);
      }
    }
  }
}
