package io.rns.loadtest.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory, removed with its content when it is closed. For one thread. */
public record Scratch(Path path) implements AutoCloseable {
  /** Creates a directory in another one, which is created if it does not exist. */
  public static Scratch in(Path place, String purpose) {
    try {
      return new Scratch(Files.createTempDirectory(Files.createDirectories(place.toAbsolutePath()), purpose + "-"));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + place, e);
    }
  }

  public static Scratch of(String purpose) {
    return in(LoadtestEnvironment.temporary(), purpose);
  }

  public Path directory(String name) {
    try {
      return Files.createDirectory(path.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + path, e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> found = Files.walk(path)) {
      List<Path> all = found.sorted(Comparator.reverseOrder()).toList();
      for (Path each : all) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + path, e);
    }
  }
}
