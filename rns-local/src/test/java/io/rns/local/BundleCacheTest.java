package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleCacheTest {
  @TempDir private Path temporary;

  private BundleCache cache;

  @BeforeEach
  void prepare() throws IOException {
    cache = BundleCache.beside(Files.createDirectory(temporary.resolve("glassfish8")));
  }

  /** A domain that was started, if with a module, or a new one. */
  private Path domain(String name, String... module) throws IOException {
    Path domain = Files.createDirectories(temporary.resolve(name));
    for (String content : module) {
      Path bundle = Files.createDirectories(BundleCache.of(domain).resolve("felix/bundle1"));
      Files.writeString(bundle.resolve("bundle.jar"), content);
    }
    return domain;
  }

  private static String module(Path domain) throws IOException {
    return Files.readString(BundleCache.of(domain).resolve("felix/bundle1/bundle.jar"));
  }

  @Test
  void laterDomainsGetTheCacheOfTheFirst() throws IOException {
    Path early = domain("early");
    cache.give(early, "6");
    assertThat(BundleCache.of(early)).doesNotExist();
    cache.keep(domain("first", "six"), "6");
    Path later = domain("later");
    cache.give(later, "6");
    assertThat(module(later)).isEqualTo("six");
    assertNothingElseIn(later, "osgi-cache");
    assertNothingElseIn(temporary, "glassfish8", "osgi-cache", "early", "first", "later");
  }

  @Test
  void aCacheOfItsOwnIsLeftAlone() throws IOException {
    cache.keep(domain("first", "six"), "6");
    Path own = domain("own", "own");
    cache.give(own, "6");
    assertThat(module(own)).isEqualTo("own");
  }

  @Test
  void anotherInstallationGetsItsOwn() throws IOException {
    cache.keep(domain("first", "six"), "6");
    Path other = domain("other");
    cache.give(other, "7");
    assertThat(BundleCache.of(other)).doesNotExist();
    cache.keep(domain("second", "seven"), "7");
    cache.keep(domain("third", "not again"), "7");
    cache.give(other, "7");
    assertThat(module(other)).isEqualTo("seven");
    assertNothingElseIn(temporary, "glassfish8", "osgi-cache", "first", "other", "second", "third");
  }

  @Test
  void anInterruptedCopyDoesNotCount() throws IOException {
    cache.keep(domain("first", "six"), "6");
    Path interrupted = domain("interrupted");
    Files.createDirectories(interrupted.resolve("osgi-cache.new/felix/bundle2"));
    cache.give(interrupted, "6");
    assertThat(module(interrupted)).isEqualTo("six");
    assertThat(BundleCache.of(interrupted).resolve("felix/bundle2")).doesNotExist();
  }

  private static void assertNothingElseIn(Path directory, String... names) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder(names);
    }
  }
}
