package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LinkCommandTest {
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = LoadtestProgram.commandLine(new LinkCommand());
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void refusesWrongUsage() {
    for (List<String> wrong : List.of(
        List.<String>of(),
        List.of("8080"),
        List.of("0=8080"),
        List.of("9100=65536"),
        List.of("--delay=-1", "9100=8080"),
        List.of("--delay=60001", "9100=8080"),
        List.of("--jitter=much", "9100=8080"))) {
      assertThat(run(wrong.toArray(String[]::new))).as(wrong.toString()).isEqualTo(2);
    }
    assertThat(err.toString()).contains("a port is from 1 to 65535; it was 65536", "it was 60001 ms");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run(taken.getLocalPort() + "=8080")).isEqualTo(1);
      assertThat(err.toString()).contains("port " + taken.getLocalPort() + " cannot be listened on");
    }
  }
}
