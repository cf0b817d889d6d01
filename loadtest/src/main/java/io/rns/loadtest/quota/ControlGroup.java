package io.rns.loadtest.quota;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control group of Linux that a process is in, in the tree that limits processors.
 *
 * @param unified whether the tree is of the second version, with one tree for all controllers; those of the first have
 *        one each
 */
record ControlGroup(boolean unified, Path top, Path path) {
  /** Over which the kernel counts unless told otherwise, in both versions. */
  private static final Duration PERIOD = Duration.ofMillis(100);

  /**
   * Finds it. A tree of the first version goes first: the second has no controller of processors beside it.
   *
   * @param mounts the lines of {@code /proc/mounts}: device, mount point, kind, options
   * @param groups the lines of {@code /proc/PID/cgroup}: {@code NUMBER:CONTROLLERS:PATH}
   */
  static Optional<ControlGroup> of(List<String> mounts, List<String> groups) {
    return of(false, mounts, groups).or(() -> of(true, mounts, groups));
  }

  private static Optional<ControlGroup> of(boolean unified, List<String> mounts, List<String> groups) {
    String controllers = unified ? "" : "cpu";
    return mounts.stream()
        .map(mount -> mount.split(" ", -1))
        .filter(mount -> unified ? mount[2].equals("cgroup2") : mount[2].equals("cgroup") && names(mount[3], "cpu"))
        .findFirst()
        .map(mount -> {
          Path top = Path.of(mount[1]);
          Path path =
              groups.stream()
                  .map(group -> group.split(":", 3))
                  .filter(group -> names(group[1], controllers))
                  .findFirst()
                  .map(group -> top.resolve(group[2].replaceFirst("^/+", "")).normalize())
                  .orElse(top);
          return new ControlGroup(unified, top, path);
        });
  }

  private static boolean names(String list, String controller) {
    return List.of(list.split(",", -1)).contains(controller);
  }

  /** Where a new group can be made: in this one, so that its limits still hold, or else further up. */
  List<Path> parents() {
    List<Path> parents = Stream.iterate(path, each -> each != null && each.startsWith(top), Path::getParent).toList();
    // In a container the path may be that of the host, which is not mounted.
    return parents.isEmpty() ? List.of(top) : parents;
  }

  String limitFile() {
    return unified ? "cpu.max" : "cpu.cfs_quota_us";
  }

  /** What the file contains to limit a group to a number of processors: microseconds per period. */
  String limit(double processors) {
    long micros = PERIOD.toNanos() / 1_000;
    return Math.round(processors * micros) + (unified ? " " + micros : "");
  }
}
