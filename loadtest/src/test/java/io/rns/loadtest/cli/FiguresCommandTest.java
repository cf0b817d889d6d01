package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FiguresCommandTest {
  private static final String LAUNCHER =
      """
      #!/bin/sh
      echo '{"points": [], "claims": [{"id": "M1", "claim": "fast", "source": "figure 3", "expected": "1", "ours": "2", "agrees": "no"}]}'
      """;

  @TempDir private Path directory;

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(Path launcher, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = LoadtestProgram.commandLine(new FiguresCommand(launcher)).setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  private Path launcher(String text) throws IOException {
    Path launcher = Files.writeString(directory.resolve("rns"), text);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    return launcher;
  }

  @Test
  void refusesChaptersThatThereAreNotAndQuickRunsIntoTheDocumentation() throws IOException {
    Path launcher = launcher(LAUNCHER);
    assertThat(run(launcher, "--only", "simulator,weather").err()).contains("[weather] is none of [operations, ");
    Ran quick = run(launcher, "--quick", "--only", "simulator");
    assertThat(quick.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(quick.err()).contains("--quick needs --out");
    assertThat(directory.resolve("docs")).doesNotExist();
  }

  @Test
  void aChapterIsRunWrittenAndWrittenAgain() throws IOException {
    Path launcher = launcher(LAUNCHER);
    Path out = directory.resolve("out");
    Ran ran = run(launcher, "--only", "simulator", "--quick", "--out", out.toString(), "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(new JsonMapper().readTree(ran.out()).at("/simulator/errors").asInt()).isZero();
    assertThat(ran.err()).contains("simulator: ./rns sim --figure 8-linear");
    String written = Files.readString(out.resolve("benchmarks.md"));
    assertThat(written).contains("A quick run: not to be quoted", "Of 1 claims of the paper, 0 hold, not M1;",
        "./rns figures --only operations`");
    Files.delete(out.resolve("benchmarks.md"));
    Ran again = run(directory.resolve("no-launcher"), "--render", "--out", out.toString());
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(out.resolve("benchmarks.md")).content().isEqualTo(written);
  }

  @Test
  void aChapterThatCannotBeRunIsToldWithItsReason() throws IOException {
    Path launcher = launcher("#!/bin/sh\necho 'nothing works' >&2\nexit 2\n");
    Path out = directory.resolve("out");
    Ran ran = run(launcher, "--only", "simulator", "--out", out.toString());
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.REFUSED);
    assertThat(out.resolve("benchmarks.md")).content().contains("Could not be run to its end: ./rns sim",
        "nothing works");
  }
}
