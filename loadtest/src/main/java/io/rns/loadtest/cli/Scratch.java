package io.rns.loadtest.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for a while. */
final class Scratch implements AutoCloseable {
  private final Path top;

  private Scratch(Path top) {
    this.top = top;
  }

  /** Makes one in another, which is made if it is not there. */
  static Scratch in(Path place) {
    try {
      return new Scratch(Files.createTempDirectory(Files.createDirectories(place.toAbsolutePath()), "peers-"));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + place, e);
    }
  }

  /** Makes an empty directory in it. */
  Path directory(String name) {
    try {
      return Files.createDirectory(top.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + top, e);
    }
  }

  /** Removes it with all that is in it. */
  @Override
  public void close() {
    try (Stream<Path> found = Files.walk(top)) {
      List<Path> all = found.sorted(Comparator.reverseOrder()).toList();
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + top, e);
    }
  }
}
