package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.cli.CommandLineFixture.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchCommandTest {
  @Test
  void printsAChangePerLineOnceEach() {
    try (CommandLineFixture rns = new CommandLineFixture()) {
      Result result = rns.run("watch", "/demo", "--count", "2");
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).containsExactly(
          "0-1-6         added    /demo/new", "0-1-9         moved    /demo/a -> /demo/b");
    }
  }

  @Test
  void printsOneDocumentWithTheLastPosition() {
    try (CommandLineFixture rns = new CommandLineFixture()) {
      Map<String, Object> document = rns.run("watch", "/", "--for", "300ms", "--json").json();
      assertThat(document).containsEntry("path", "/").containsEntry("position", "0-1-9");
      assertThat((List<?>) document.get("changes"))
          .hasSize(2)
          .first()
          .isEqualTo(
              Map.of("position", "0-1-6", "kind", "added", "path", "/demo/new", "id", "0000000000000009",
                  "time", "2026-01-01T00:00:00Z"));
    }
  }

  @Test
  void refusesWrongUsageAndReportsAnUnreachableServer() {
    try (CommandLineFixture rns = new CommandLineFixture()) {
      assertThat(rns.run("watch", "/", "--from", "yesterday").code()).isEqualTo(ExitCode.USAGE);
      assertThat(rns.run("watch", "/", "--count", "0").code()).isEqualTo(ExitCode.USAGE);
      Result nobody = rns.run("watch", "/", "--server", "http://127.0.0.1:1/rns");
      assertThat(nobody.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(nobody.err()).contains("cannot watch http://127.0.0.1:1/rns");
    }
  }
}
