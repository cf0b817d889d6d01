package io.rns.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where processes listen, as the kernel has it. */
final class Listeners {
  private Listeners() {}

  /** The TCP port of each socket that a process listens on. */
  static List<Integer> of(long pid) throws IOException {
    List<String> own;
    try (var descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      own = descriptors.map(Listeners::target).filter(target -> target.startsWith("socket:[")).toList();
    }
    List<Integer> ports = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals("0A") && own.contains("socket:[" + fields[9] + "]")) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      // Closed meanwhile.
      return "";
    }
  }
}
