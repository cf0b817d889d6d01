package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimCommandTest {
  @TempDir private Path temporary;

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = LoadtestProgram.commandLine(new SimCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  @ParameterizedTest
  @CsvSource({"--repetitions,0", "--minutes,0", "--figure,9", "--policy,luck", "--seed,x"})
  void refusesWrongValues(String option, String value) {
    Ran ran = run(option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @Test
  void aDirectoryThatCannotBeMadeIsNamedBeforeAnythingRuns() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    Ran ran = run("--figure", "5-raised", "--repetitions", "1", "--minutes", "1", "--out", file.toString());
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(file.toString()).doesNotContain("points");
  }

  @Test
  void writesTablesAndPictures() throws IOException {
    Path out = temporary.resolve("figures");
    Ran ran = run("--figure", "5-raised", "--policy", "lu", "--repetitions", "2", "--minutes", "1", "--out",
        out.toString(), "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode document = new JsonMapper().readTree(ran.out());
    assertThat(document.at("/points")).hasSize(4);
    assertThat(document.at("/points/0/speed/mean").asDouble()).isBetween(0.1, 1.5);
    assertThat(document.at("/missing").asInt()).isZero();
    assertThat(document.at("/claims"))
        .anySatisfy(claim -> assertThat(claim.at("/agrees").asText()).isEqualTo("not measured"));
    assertThat(ran.err()).contains("4 of 4 points");
    assertThat(out.resolve("figure-5-raised.csv")).content().startsWith("figure,")
        .contains("5-raised,lu,500000,5.0,2,");
    BufferedImage picture = ImageIO.read(out.resolve("figure-5-raised-speed.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(900);
    assertThat(out.resolve("figure-5-raised-resolutions.png")).isNotEmptyFile();
  }

  @Test
  void printsATableAndTheClaimsThatCouldBeChecked() {
    Ran ran = run("--figure", "5-raised", "--policy", "lu,rand", "--repetitions", "2", "--minutes", "1");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("Figure 5-raised: handling speed", "lu        q=333333", "rand      q=500000", "M7r",
        "of 1 claims checked");
    assertThat(ran.out()).doesNotContain("M1a", "stopped");
    assertThat(run("--figure", "5-raised", "--policy", "lu,rand", "--repetitions", "2", "--minutes", "1").out())
        .isEqualTo(ran.out());
  }
}
