package io.rns.loadtest.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is written of results that are kept with the tests. If it is to change, take what the test has left in
 * {@code target/chapter}.
 */
class VolumeTest {
  private static final Path LEFT = Path.of("target/chapter");

  @TempDir private Path directory;

  private static Path kept(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(VolumeTest.class.getResource(name), name).toURI());
  }

  @BeforeEach
  void copyResults() throws IOException, URISyntaxException {
    Path figures = Files.createDirectories(directory.resolve("figures"));
    try (Stream<Path> all = Files.list(kept("figures"))) {
      for (Path file : all.toList()) {
        Files.copy(file, figures.resolve(file.getFileName().toString()));
      }
    }
  }

  private void isAsKept(String file, String name) throws IOException, URISyntaxException {
    Path written = directory.resolve(file);
    Files.createDirectories(LEFT);
    Files.writeString(LEFT.resolve(name), Files.readString(written));
    assertThat(written).hasSameTextualContentAs(kept(name));
  }

  @Test
  void theDocumentTellsOfAllResults() throws Exception {
    Volume.open(directory, Chapters.all()).write();
    isAsKept("benchmarks.md", "benchmarks.md");
    isAsKept("figures/operations-rate.svg", "operations-rate.svg");
    assertThat(directory.resolve("figures/simulator-8-linear.svg")).exists();
  }

  @Test
  void whatIsKeptIsReadAndWrittenAlike() throws Exception {
    Volume volume = Volume.open(directory, Chapters.all());
    volume.keep(volume.of("operations"));
    assertThat(directory.resolve("figures/operations.json")).hasSameTextualContentAs(kept("figures/operations.json"));
  }

  @Test
  void withoutResultsEveryChapterSaysHowToGetThem(@TempDir Path empty) throws Exception {
    String text = Files.readString(Volume.open(empty, Chapters.all()).write());
    for (Chapter chapter : Chapters.all()) {
      assertThat(text).contains("## " + chapter.title());
      if (!chapter.steps(Length.FULL).isEmpty()) {
        assertThat(text).contains("Not measured yet: `./rns figures --only " + chapter.name() + "`");
      }
    }
    assertThat(text).doesNotContain("NaN", "Measured by hand", ".svg");
  }

  @Test
  void quickStepsAreTheSameInLessTime() {
    for (Chapter chapter : Chapters.all()) {
      List<String> full = chapter.steps(Length.FULL).stream().map(Step::label).distinct().toList();
      assertThat(chapter.steps(Length.QUICK).stream().map(Step::label).distinct().toList()).as(chapter.name())
          .isEqualTo(full);
    }
  }
}
