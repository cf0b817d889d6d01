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
    Volume.open(directory, Chapter.ALL).write();
    isAsKept("benchmarks.md", "benchmarks.md");
    assertThat(directory.resolve("figures/operations-rate.svg")).content().contains(">Operations per second<",
        ">remove<",
        "117/s");
    assertThat(directory.resolve("figures/simulator-8-linear.svg")).exists();
  }

  @Test
  void whatIsKeptIsReadAndWrittenAlike() throws Exception {
    Volume volume = Volume.open(directory, Chapter.ALL);
    volume.keep(volume.of("operations"));
    assertThat(directory.resolve("figures/operations.json")).hasSameTextualContentAs(kept("figures/operations.json"));
  }

  @Test
  void withoutResultsEveryChapterSaysHowToGetThem(@TempDir Path empty) throws Exception {
    String text = Files.readString(Volume.open(empty, Chapter.ALL).write());
    for (Chapter chapter : Chapter.ALL) {
      assertThat(text).contains("## " + chapter.title());
      if (chapter.isMeasured()) {
        assertThat(text).contains("Not measured yet: `./rns figures --only " + chapter.name() + "`");
      }
    }
    assertThat(text).doesNotContain("NaN", ".svg");
  }

  @Test
  void quickStepsAreTheSameInLessTime() {
    for (Chapter chapter : Chapter.ALL) {
      List<String> full = chapter.steps(Length.FULL).stream().map(Step::label).distinct().toList();
      assertThat(chapter.steps(Length.QUICK).stream().map(Step::label).distinct().toList()).as(chapter.name())
          .isEqualTo(full);
    }
  }
}
