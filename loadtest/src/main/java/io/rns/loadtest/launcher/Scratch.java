package io.rns.loadtest.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory, removed with its content when it is closed. For one thread. */
public record Scratch(Path path) implements AutoCloseable {
  /** Creates a directory in another one, which is created if it does not exist. */
  public static Scratch in(Path place, String purpose) {
    return Io.get("making a directory in " + place, () -> new Scratch(
        Files.createTempDirectory(Files.createDirectories(place.toAbsolutePath()), purpose + "-")));
  }

  public static Scratch of(String purpose) {
    return in(LoadtestEnvironment.temporary(), purpose);
  }

  public Path directory(String name) {
    return Io.get("making a directory in " + path, () -> Files.createDirectory(path.resolve(name)));
  }

  @Override
  public void close() {
    Io.run("removing " + path, () -> {
      try (Stream<Path> found = Files.walk(path)) {
        List<Path> all = found.sorted(Comparator.reverseOrder()).toList();
        for (Path each : all) {
          Files.deleteIfExists(each);
        }
      }
    });
  }
}
