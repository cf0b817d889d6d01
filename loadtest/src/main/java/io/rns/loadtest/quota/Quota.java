package io.rns.loadtest.quota;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds processes, with those that they start from then on, to a share of the processors: all that are held by one
 * quota share it. It is a control group of Linux, of the first or second version, which is made for it and removed at
 * its end. That takes permissions that mostly only root has.
 */
public final class Quota implements AutoCloseable {
  /** The least share that makes sense: a process gets a hundredth of a processor. */
  public static final double LEAST = 0.01;

  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final String PROCESSES = "cgroup.procs";
  private static final Path OWN_PLACE = Path.of("/proc/self/cgroup");
  private static final int EMPTYING_ATTEMPTS = 200;
  private static final int EMPTYING_PAUSE_MILLIS = 10;

  private final Place place;
  private final Path group;
  private final double processors;
  private final Map<Long, Path> formerGroups = new LinkedHashMap<>();

  private Quota(Place place, Path group, double processors) {
    this.place = place;
    this.group = group;
    this.processors = processors;
  }

  /**
   * Makes one that holds nobody yet.
   *
   * @param processors how many may be used, such as 0.5; {@value #LEAST} or more
   * @throws RnsException {@link RnsError#UNAVAILABLE} if that is not permitted here, or this is no Linux; the message
   *         says why
   */
  public static Quota of(double processors) {
    if (!(processors >= LEAST)) {
      throw new IllegalArgumentException("a quota is at least " + LEAST + " processors; it was " + processors);
    }
    Place place = place(OWN_PLACE);
    String name = "rns-quota-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
    RnsException failure = null;
    for (Path parent : place.parents()) {
      try {
        return make(place, parent.resolve(name), processors);
      } catch (IOException e) {
        failure = failure == null ? refused(parent, e) : failure;
      }
    }
    throw failure == null ? new IllegalStateException("no place for a group in " + place) : failure;
  }

  static Quota make(Place place, Path group, double processors) throws IOException {
    Files.createDirectory(group);
    try {
      for (Version.Setting setting : place.version().settings(processors)) {
        write(group.resolve(setting.file()), setting.value());
      }
      return new Quota(place, group, processors);
    } catch (IOException e) {
      Files.delete(group);
      throw e;
    }
  }

  private static RnsException refused(Path parent, IOException e) {
    return new RnsException(
        RnsError.UNAVAILABLE,
        "processes cannot be held to a share of the processors: no control group with a limit can be made in " + parent
            + " (" + e
            + "), which mostly takes root",
        e);
  }

  private static Place place(Path groupsOfProcess) {
    try {
      return Place.of(Files.readAllLines(Path.of("/proc/mounts")), Files.readAllLines(groupsOfProcess))
          .orElseThrow(
              () -> new RnsException(
                  RnsError.UNAVAILABLE,
                  "processes cannot be held to a share of the processors: no control groups for that are mounted"));
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "processes cannot be held to a share of the processors: " + e, e);
    }
  }

  /** Never makes a file: one that is not there means that the controller is not, either. */
  private static void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }

  /**
   * Holds one more process.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if there is none of that number, or it belongs to somebody else
   */
  public void hold(long pid) {
    Path former = place(Path.of("/proc", Long.toString(pid), "cgroup")).parents().getFirst();
    try {
      write(group.resolve(PROCESSES), Long.toString(pid));
      formerGroups.putIfAbsent(pid, former);
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE,
          "process " + pid + " cannot be held by " + group + ": " + e.getMessage(), e);
    }
  }

  /** How many processors may be used, and by what that is enforced. */
  @Override
  public String toString() {
    return processors + " processors by " + place.version().settings(processors).getLast().file()
        + " of a control group";
  }

  /** Lets all go on as before, also for an interrupted thread. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      remove();
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the control group " + group + " is left behind: " + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A process that has just ended is still in its group for a moment. */
  private void remove() throws IOException, InterruptedException {
    for (int attempt = 1;; attempt++) {
      try {
        release();
        Files.deleteIfExists(group);
        return;
      } catch (IOException e) {
        if (attempt == EMPTYING_ATTEMPTS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(EMPTYING_PAUSE_MILLIS);
      }
    }
  }

  private void release() throws IOException {
    List<String> held = Files.exists(group) ? Files.readAllLines(group.resolve(PROCESSES)) : List.of();
    for (String pid : held) {
      // One that a held process has started goes where the first of those came from.
      Path former = formerGroups.getOrDefault(Long.valueOf(pid), formerGroups.values().iterator().next());
      write(former.resolve(PROCESSES), pid);
    }
  }
}
