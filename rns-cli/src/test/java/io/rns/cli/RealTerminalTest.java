package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Commands in separate processes on a pseudo-terminal of the program {@code script}. */
@EnabledIf("scriptIsThere")
@Timeout(120)
@Tag("server")
class RealTerminalTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  private final CommandLineFixture rns = new CommandLineFixture();

  static boolean scriptIsThere() {
    return Files.isExecutable(SCRIPT);
  }

  @BeforeEach
  void fill() {
    rns.done("mkdir", "/d");
  }

  @AfterEach
  void close() {
    rns.close();
  }

  @Test
  void coloursOnlyOnTerminalsThatHaveThem() throws Exception {
    assertThat(onTerminal("ls /", "TERM", "xterm")).isEqualTo("\u001b[1;34md\u001b[0m/\r\n");
    assertThat(onTerminal("ls /", "TERM", "dumb")).isEqualTo("d/\r\n");
    assertThat(onTerminal("ls /", "NO_COLOR", "1")).isEqualTo("d/\r\n");
    assertThat(onTerminal("ls / | cat", "TERM", "xterm")).isEqualTo("d\r\n");
  }

  private String onTerminal(String command, String variable, String value) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String program =
        "'" + java + "' -cp '" + System.getProperty("java.class.path") + "' " + RnsCommand.class.getName() + " ";
    ProcessBuilder script =
        new ProcessBuilder(SCRIPT.toString(), "-qec", program + command, "/dev/null")
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    script.environment().put("RNS_SERVER", rns.server().address().toString());
    script.environment().put("TERM", "xterm");
    script.environment().remove("NO_COLOR");
    script.environment().put(variable, value);
    Process process = script.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
