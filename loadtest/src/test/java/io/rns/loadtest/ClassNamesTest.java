package io.rns.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class is known by its name alone, in every module. */
class ClassNamesTest {
  @Test
  void everyClassOfTheProjectHasANameOfItsOwn() throws IOException {
    Path project = Path.of("..").toRealPath();
    Map<String, List<Path>> files;
    try (Stream<Path> modules = Files.list(project)) {
      files =
          modules.map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(ClassNamesTest::sources)
              .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    }
    assertThat(files).hasSizeGreaterThan(500);
    assertThat(files.values()).allSatisfy(same -> assertThat(same).hasSize(1));
  }

  private static Stream<Path> sources(Path directory) {
    try (Stream<Path> files = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
