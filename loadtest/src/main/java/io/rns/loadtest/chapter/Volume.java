package io.rns.loadtest.chapter;

import io.rns.error.RnsError;
import io.rns.loadtest.launcher.Io;
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
  private static final String DOCUMENT_TEMPLATE = "document.md";

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
    access(directory, () -> Files.createDirectories(directory.resolve(FIGURES)));
    chapters.forEach(chapter -> volume.results.put(chapter.name(), volume.read(chapter.name(), "")));
    return volume;
  }

  private Results read(String chapter, String state) {
    Path file = file(chapter + state);
    return access(file, () -> Files.exists(file) ? Results.read(file) : Results.none(chapter));
  }

  private static <T> T access(Path path, Io.Source<T> access) {
    return Io.get(RnsError.INVALID_REQUEST, "cannot read or write " + path, access);
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
    return read(chapter, BEGUN);
  }

  /** Keeps the results of a run that goes on, beside those of the chapter. */
  public void keepBegun(Results begun) {
    write(file(begun.chapter() + BEGUN), begun.text());
  }

  /** Replaces the results of a chapter; an incomplete run does not replace a complete one. */
  public void keep(Results fresh) {
    if (fresh.isComplete()) {
      Path begun = file(fresh.chapter() + BEGUN);
      boolean unused = access(begun, () -> Files.deleteIfExists(begun));
    }
    Results kept = fresh.orFormer(of(fresh.chapter()));
    results.put(fresh.chapter(), kept);
    write(file(fresh.chapter()), kept.text());
  }

  public Path write() {
    Map<String, Map<String, List<Object>>> printed = new LinkedHashMap<>();
    results.forEach((chapter, found) -> printed.put(chapter, found.printed()));
    ChapterTemplate template = new ChapterTemplate(printed);
    List<Map<String, Object>> described = chapters.stream().map(chapter -> described(chapter, template)).toList();
    String text = template.filled(Io.resource(Volume.class, DOCUMENT_TEMPLATE), Map.of("chapters", described));
    Path figures = directory.resolve(FIGURES);
    template.pictures().forEach((name, picture) -> write(figures.resolve(name), picture));
    return write(directory.resolve(DOCUMENT), text + "\n");
  }

  /** A chapter as the template of the document has it; without a text if it was not measured yet. */
  private Map<String, Object> described(Chapter chapter, ChapterTemplate template) {
    Results found = of(chapter.name());
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("name", chapter.name());
    described.put("title", chapter.title());
    described.put("why", chapter.why());
    described.put("measured", chapter.isMeasured());
    described.put("results", found.facts());
    described.put("errors", found.errors());
    described.put("database", found.find("database"));
    if (!chapter.isMeasured() || found.facts().containsKey("date")) {
      described.put("text", template.filled(chapter));
    }
    return described;
  }

  private static Path write(Path file, String text) {
    return access(file, () -> Files.writeString(file, text));
  }
}
