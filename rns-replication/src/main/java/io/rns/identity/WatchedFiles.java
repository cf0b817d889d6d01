package io.rns.identity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is made of a file, or of the files in a directory and its subdirectories. They are looked at every 10 s; when
 * they have changed, it is made anew, and while that fails, the former stays. Thread-safe.
 *
 * @param <T> what is made of the files
 */
final class WatchedFiles<T> {
  /** How often the files are looked at. */
  static final Duration LOOK = Duration.ofSeconds(10);

  /** Files in a directory of trust anchors: some 1,000. */
  private static final int MOST_FILES = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

  private final Path root;
  private final Reader<T> reader;
  private final InstantSource clock;
  private volatile Made<T> made;

  /** Makes something of files. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Reads the files.
     *
     * @throws IOException saying what is wrong with them
     */
    T read(Path root) throws IOException;
  }

  private record Made<T>(T content, List<String> files, long generation, long lookedMillis) {}

  /**
   * Reads the files for the first time.
   *
   * @throws IllegalArgumentException if they cannot be used
   */
  WatchedFiles(Path root, Reader<T> reader, InstantSource clock) {
    this.root = root;
    this.reader = reader;
    this.clock = clock;
    try {
      List<String> files = files();
      this.made = new Made<>(reader.read(root), files, 1, clock.millis());
    } catch (IOException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What was made of the files last. */
  T content() {
    return current().content();
  }

  /** Changes whenever the content does. */
  long generation() {
    return current().generation();
  }

  private Made<T> current() {
    Made<T> before = made;
    return isFresh(before) ? before : renewed();
  }

  private boolean isFresh(Made<T> before) {
    return Math.abs(clock.millis() - before.lookedMillis()) < LOOK.toMillis();
  }

  private synchronized Made<T> renewed() {
    Made<T> before = made;
    if (!isFresh(before)) {
      made = renewed(before);
    }
    return made;
  }

  private Made<T> renewed(Made<T> before) {
    List<String> files = before.files();
    try {
      files = files();
      if (files.equals(before.files())) {
        return new Made<>(before.content(), files, before.generation(), clock.millis());
      }
      T content = reader.read(root);
      LOG.info("read {} again", root);
      return new Made<>(content, files, before.generation() + 1, clock.millis());
    } catch (IOException | RuntimeException e) {
      LOG.error("what was read from {} before stays valid: {}", root, e.toString());
      return new Made<>(before.content(), files, before.generation(), clock.millis());
    }
  }

  /**
   * What differs when a file does. Links are followed, those to directories, too: sites mount these files elsewhere.
   */
  private List<String> files() throws IOException {
    List<String> states = new ArrayList<>();
    states.add(state(root));
    if (Files.isDirectory(root)) {
      for (Path file : listed(root)) {
        states.add(state(file));
        if (Files.isDirectory(file)) {
          listed(file).stream().map(WatchedFiles::state).forEach(states::add);
        }
      }
    }
    return List.copyOf(states.subList(0, Math.min(states.size(), MOST_FILES)));
  }

  private static List<Path> listed(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.limit(MOST_FILES).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw new IOException(directory + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static String state(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return file + " " + attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException e) {
      return file + " -";
    }
  }
}
