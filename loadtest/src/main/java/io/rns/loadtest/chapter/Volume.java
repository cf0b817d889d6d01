package io.rns.loadtest.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory with {@code benchmarks.md}, and in {@code figures} the results of all chapters as JSON and the pictures.
 */
public final class Volume {
  private static final String FIGURES = "figures";
  private static final String BEGUN = ".begun";
  private static final String DOCUMENT = "benchmarks.md";

  private final Path directory;
  private final List<Chapter> chapters;
  private final Map<String, Results> results = new LinkedHashMap<>();

  private Volume(Path directory, List<Chapter> chapters) {
    this.directory = directory;
    this.chapters = List.copyOf(chapters);
  }

  /** Reads a directory, which is created if it does not exist. */
  public static Volume open(Path directory, List<Chapter> chapters) {
    Volume volume = new Volume(directory, chapters);
    try {
      Files.createDirectories(directory.resolve(FIGURES));
      for (Chapter chapter : chapters) {
        Path file = volume.file(chapter.name());
        if (Files.exists(file)) {
          volume.results.put(chapter.name(), Results.read(file));
        }
      }
      return volume;
    } catch (IOException e) {
      throw new UncheckedIOException(directory.toString(), e);
    }
  }

  private Path file(String chapter) {
    return directory.resolve(FIGURES).resolve(chapter + ".json");
  }

  /** The results of a chapter; none if it was never run. */
  Results of(String chapter) {
    return results.getOrDefault(chapter, Results.none(chapter));
  }

  /** The results of a run of a chapter that was interrupted; none if there was none. */
  public Results begun(String chapter) {
    Path file = file(chapter + BEGUN);
    try {
      return Files.exists(file) ? Results.read(file) : Results.none(chapter);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  /** Keeps the results of a run that goes on, beside those of the chapter. */
  public void keepBegun(Results begun) {
    write(file(begun.chapter() + BEGUN), begun.text());
  }

  /** Replaces the results of a chapter; an incomplete run does not replace a complete one. */
  public void keep(Results fresh) {
    if (fresh.isComplete()) {
      removeBegun(fresh.chapter());
    }
    Results kept = fresh.orFormer(of(fresh.chapter()));
    results.put(fresh.chapter(), kept);
    write(file(fresh.chapter()), kept.text());
  }

  private void removeBegun(String chapter) {
    Path file = file(chapter + BEGUN);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  public Path write() {
    Map<String, Map<String, List<Object>>> printed = new LinkedHashMap<>();
    results.forEach((chapter, found) -> printed.put(chapter, found.printed()));
    ChapterTemplate template = new ChapterTemplate(printed);
    Document document = new Document(chapters, results, template);
    Path figures = directory.resolve(FIGURES);
    template.pictures().forEach((name, picture) -> write(figures.resolve(name), picture));
    return write(directory.resolve(DOCUMENT), document.text());
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}
