package io.rns.front;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Settings of fronts under test. */
final class TestSettings {
  private TestSettings() {}

  /** As usual, at any free port, unless options say otherwise. */
  static FrontSettings of(Path admin, List<URI> servers, String... options) {
    String all = servers.stream().map(URI::toString).collect(Collectors.joining(","));
    return FrontProgram.settings(
        Stream.concat(Stream.of("--port=0", "--admin=" + admin, "--server=" + all), Stream.of(options))
            .toArray(String[]::new));
  }
}
