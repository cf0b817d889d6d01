package io.rns.loadtest.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory with the results of all chapters and what is written of them: {@code benchmarks.md}, and in
 * {@code figures} the results as JSON, the plots, and {@code by-hand.md}, which has what no chapter measures.
 */
public final class Volume {
  private static final String FIGURES = "figures";
  private static final String BY_HAND = "by-hand.md";
  private static final String DOCUMENT = "benchmarks.md";

  private final Path directory;
  private final List<Chapter> chapters;
  private final Map<String, Results> results = new LinkedHashMap<>();

  private Volume(Path directory, List<Chapter> chapters) {
    this.directory = directory;
    this.chapters = List.copyOf(chapters);
  }

  /**
   * What is in a directory, which is made if it is not there.
   *
   * @throws UncheckedIOException if it cannot be made or read
   */
  public static Volume open(Path directory, List<Chapter> chapters) {
    Volume volume = new Volume(directory, chapters);
    try {
      Files.createDirectories(directory.resolve(FIGURES));
      for (Chapter chapter : chapters) {
        Path file = volume.file(chapter.name());
        if (Files.exists(file)) {
          volume.results.put(chapter.name(), Results.of(Results.MAPPER.readTree(file.toFile())));
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

  /**
   * Keeps new results in the place of the former ones; of a chapter that could not be run also those.
   *
   * @throws UncheckedIOException if they cannot be written
   */
  public void keep(Results fresh) {
    Results kept = fresh.orFormer(of(fresh.chapter()));
    results.put(fresh.chapter(), kept);
    write(file(fresh.chapter()), kept.text());
  }

  /**
   * Writes the document and the plots anew.
   *
   * @return the file of the document
   * @throws UncheckedIOException if they cannot be written
   */
  public Path write() {
    Path byHand = directory.resolve(FIGURES).resolve(BY_HAND);
    try {
      Page page = new Document(this, chapters).page(Files.exists(byHand) ? Files.readString(byHand) : "");
      page.pictures().forEach((name, picture) -> write(directory.resolve(FIGURES).resolve(name), picture));
      return write(directory.resolve(DOCUMENT), page.text().strip() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(byHand.toString(), e);
    }
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}
