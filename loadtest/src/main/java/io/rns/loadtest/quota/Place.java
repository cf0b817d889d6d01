package io.rns.loadtest.quota;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a process is in the tree of control groups that limits processors.
 *
 * @param version of the interface
 * @param top where the tree is mounted
 * @param group of the process, {@code top} or below it
 */
record Place(Version version, Path top, Path group) {
  private static final int MOUNT_POINT = 1;
  private static final int KIND = 2;
  private static final int OPTIONS = 3;
  private static final int FIELDS = 4;

  /**
   * Finds it. A tree of the first version goes before the other, which has no controller of processors beside it.
   *
   * @param mounts the lines of {@code /proc/mounts}
   * @param groups the lines of {@code /proc/PID/cgroup}: {@code NUMBER:CONTROLLERS:PATH}
   * @return empty if no such tree is mounted
   */
  static Optional<Place> of(List<String> mounts, List<String> groups) {
    return of(Version.ONE, mounts, groups).or(() -> of(Version.TWO, mounts, groups));
  }

  private static Optional<Place> of(Version version, List<String> mounts, List<String> groups) {
    for (String mount : mounts) {
      String[] fields = mount.split(" ", -1);
      if (fields.length >= FIELDS && fits(version, fields[KIND], fields[OPTIONS])) {
        Path top = Path.of(fields[MOUNT_POINT]);
        return Optional.of(new Place(version, top, group(version, top, groups)));
      }
    }
    return Optional.empty();
  }

  private static boolean fits(Version version, String kind, String options) {
    return switch (version) {
      case ONE -> kind.equals("cgroup") && List.of(options.split(",", -1)).contains("cpu");
      case TWO -> kind.equals("cgroup2");
    };
  }

  private static Path group(Version version, Path top, List<String> groups) {
    for (String line : groups) {
      String[] fields = line.split(":", 3);
      boolean found =
          fields.length == 3
              && switch (version) {
                case ONE -> List.of(fields[1].split(",", -1)).contains("cpu");
                case TWO -> fields[1].isEmpty();
              };
      if (found) {
        return top.resolve(fields[2].replaceFirst("^/+", "")).normalize();
      }
    }
    return top;
  }

  /** Where a new group could be made: in the own one, so that its limits go on, or else further up. */
  List<Path> parents() {
    List<Path> parents = new ArrayList<>();
    for (Path each = group; each != null && each.startsWith(top); each = each.getParent()) {
      parents.add(each);
    }
    // In a container the path of a group may be that of the host, which is not mounted.
    if (parents.isEmpty()) {
      parents.add(top);
    }
    return parents;
  }
}
