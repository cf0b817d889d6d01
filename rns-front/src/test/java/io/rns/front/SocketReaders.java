package io.rns.front;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which sockets a process reads, or accepts from: those that Linux is to tell it of when something arrives. */
final class SocketReaders {
  private static final Pattern WATCHED = Pattern.compile("(?m)^tfd: *(\\d+) events: *([0-9a-f]+) .* ino:([0-9a-f]+) ");
  private static final int READABLE = 1;

  private SocketReaders() {}

  /** The sockets that both read. Of the second one they may have become the first one's, never the other way. */
  static Set<String> common(Process successor, Process predecessor) {
    // In this order: what the predecessor reads later it has read before, too.
    Set<String> common = new HashSet<>(of(successor));
    common.retainAll(of(predecessor));
    return common;
  }

  /** The sockets that a process reads; none if it has ended. */
  static Set<String> of(Process process) {
    Path proc = Path.of("/proc/" + process.pid());
    Set<String> read = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (target(descriptor).equals("anon_inode:[eventpoll]")) {
          Matcher watched = WATCHED.matcher(
              Files.readString(proc.resolve("fdinfo").resolve(descriptor.getFileName().toString())));
          while (watched.find()) {
            if ((Integer.parseUnsignedInt(watched.group(2), 16) & READABLE) != 0) {
              // The number alone may be that of another socket by now.
              String socket = "socket:[" + Long.parseLong(watched.group(3), 16) + "]";
              if (target(proc.resolve("fd").resolve(watched.group(1))).equals(socket)) {
                read.add(socket);
              }
            }
          }
        }
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // It has ended.
      return Set.of();
    }
    return read;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
