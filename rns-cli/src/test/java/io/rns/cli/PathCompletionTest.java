package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.cli.CommandLineFixture.Result;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Paths on unfinished command lines. */
@Timeout(120)
@Tag("server")
class PathCompletionTest {
  private final CommandLineFixture rns = new CommandLineFixture();

  @TempDir private Path files;

  static boolean shellsAreThere() {
    return RealTerminalTest.scriptIsThere() && Files.isExecutable(Path.of("/bin/bash"));
  }

  @AfterEach
  void stop() {
    rns.close();
  }

  private List<String> continuations(String line) {
    Result result = rns.run("completion", "--line", line);
    assertThat(result.code()).as(line).isZero();
    assertThat(result.err()).isEmpty();
    return result.lines();
  }

  @Test
  void completesNamesFromTheirPrefix() {
    rns.done("mkdir", "-p", "/demo/docs", "/d*e");
    rns.done("add", "/demo/do it", "urn:x");
    assertThat(continuations("rns ls /")).containsExactly("d\\*e/", "demo/");
    assertThat(continuations("./rns tree -L 1 /d")).containsExactly("\\*e/", "emo/");
    assertThat(continuations("rns rm /d\\*")).containsExactly("e/");
    assertThat(continuations("rns mv /x /demo/do")).containsExactly("\\ it", "cs/");
    assertThat(continuations("rns update /x --parent /de")).containsExactly("mo/");
    assertThat(continuations("rns pool resolve /de")).containsExactly("mo/");
    assertThat(continuations("rns ls /none/")).isEmpty();
    assertThat(continuations("rns ls /a//")).isEmpty();
  }

  @Test
  void completesOnlyPathsOfTheTree() {
    rns.done("mkdir", "/demo");
    for (String line : List.of("rns", "rns /", "rns import /", "rns up /", "rns export / -o /", "rns status --data /",
        "rns ls --root /", "rns ls x")) {
      assertThat(rns.run("completion", "--line", line)).as(line).isEqualTo(new Result(ExitCode.REFUSED, "", ""));
    }
  }

  @Test
  void usesTheServerOfTheLine() {
    rns.done("mkdir", "/demo");
    String address = rns.server().address().toString();
    rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns");
    assertThat(continuations("rns ls /")).isEmpty();
    assertThat(continuations("rns --server " + address + " ls /")).containsExactly("demo/");
    assertThat(continuations("rns ls --server=" + address + " --dialect 1.0 /")).containsExactly("demo/");
  }

  @Test
  void aHangingServerDoesNotDelayTheUser() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      rns.environment("RNS_SERVER", "http://127.0.0.1:" + silent.getLocalPort() + "/rns");
      long begun = System.nanoTime();
      assertThat(continuations("rns ls /")).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void offersTheFirstOfManyNamesWithAMark() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 2 * NamesCommand.MOST_NAMES; i++) {
      lines.append(String.format("/big/n%04d\turn:x%n", i));
    }
    rns.input(lines.toString()).run("import", "-");
    assertThat(continuations("rns ls /big/n")).hasSize(NamesCommand.MOST_NAMES + 1).startsWith("0000", "0001")
        .endsWith(NamesCommand.MORE);
    assertThat(continuations("rns ls /big/n000")).hasSize(10).endsWith("9");
  }

  /** Keys that a person types at a terminal, with Tab: each line then names one entry. */
  @Test
  @EnabledIf("shellsAreThere")
  void bashCompletesPathsAsTheyAreTyped() throws Exception {
    List<String> names = List.of("a b&c", "col:on=x@y", "quo'te", "$HOME*", "deep (1)/end", "käse");
    rns.done("mkdir", "-p", "/demo/deep (1)");
    for (String name : names) {
      rns.done("add", "/demo/" + name, "urn:" + names.indexOf(name));
    }
    String typed =
        """
        rns query /de\ta\t
        rns query "/demo/a\t
        rns query /demo/col\t
        rns query /demo/col:o\t
        rns query /demo/col:on=\t
        rns query /demo/quo\t
        rns query /demo/\\$\t
        rns query '/demo/$\t
        rns query /demo/deep\t\t
        rns query /demo/deep\\ \\(\t\t
        rns query /demo/k\t
        exit
        """;
    assertThat(atTerminal(typed).lines().filter(line -> line.startsWith("urn:")))
        .containsExactly("urn:0", "urn:0", "urn:1", "urn:1", "urn:1", "urn:2", "urn:3", "urn:3", "urn:4", "urn:4",
            "urn:5");
  }

  private String atTerminal(String typed) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path profile =
        Files.writeString(
            files.resolve("profile"),
            "rns() { '" + java + "' -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "' "
                + RnsCommand.class.getName() + " \"$@\"; }\nsource <(rns completion bash)\nPS1='typed> '\n");
    ProcessBuilder script =
        new ProcessBuilder("timeout", "100", "/usr/bin/script", "-qec",
            "bash --noprofile --rcfile '" + profile + "' -i", "/dev/null").redirectErrorStream(true);
    script.environment().put("RNS_SERVER", rns.server().address().toString());
    script.environment().put("TERM", "dumb");
    script.environment().put("LC_ALL", "C.UTF-8");
    Process process = script.start();
    InputStream shown = process.getInputStream();
    StringBuilder screen = new StringBuilder();
    while (screen.indexOf("typed> ") < 0) {
      int next = shown.read();
      assertThat(next).as("bash has ended: %s", screen).isNotNegative();
      screen.append((char) next);
    }
    process.getOutputStream().write(typed.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    screen.append(new String(shown.readAllBytes(), StandardCharsets.UTF_8));
    process.waitFor();
    return screen.toString().replace("\r", "");
  }
}
