package io.rns.loadtest.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for a while. For one thread. */
public final class Scratch implements AutoCloseable {
  private final Path top;

  private Scratch(Path top) {
    this.top = top;
  }

  /**
   * Makes one in another, which is made if it is not there.
   *
   * @param purpose how its name begins
   * @throws UncheckedIOException if it cannot be made
   */
  public static Scratch in(Path place, String purpose) {
    try {
      return new Scratch(Files.createTempDirectory(Files.createDirectories(place.toAbsolutePath()), purpose + "-"));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + place, e);
    }
  }

  /** Makes one where the system has such directories. */
  public static Scratch of(String purpose) {
    return in(Path.of(System.getProperty("java.io.tmpdir")), purpose);
  }

  /** Where it is. */
  public Path path() {
    return top;
  }

  /** Makes an empty directory in it. */
  public Path directory(String name) {
    try {
      return Files.createDirectory(top.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("making a directory in " + top, e);
    }
  }

  /**
   * Removes it with all that is in it.
   *
   * @throws UncheckedIOException if that cannot be done
   */
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
