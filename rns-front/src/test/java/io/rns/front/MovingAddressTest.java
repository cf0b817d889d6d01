package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which addresses a front may move with. */
class MovingAddressTest {
  @TempDir private Path temporary;

  private String refusal(String... more) {
    StringWriter printed = new StringWriter();
    CommandLine program =
        new CommandLine(new FrontProgram()).setErr(new PrintWriter(printed))
            .setExecutionExceptionHandler((failure, command, parsed) -> {
              command.getErr().println(failure.getMessage());
              return failure instanceof IllegalArgumentException ? 2 : 1;
            });
    List<String> arguments = new ArrayList<>(
        List.of("--server=http://10.0.0.4:8080/rns", "--admin=" + temporary.resolve("admin")));
    arguments.addAll(List.of(more));
    assertThat(program.execute(arguments.toArray(String[]::new))).isEqualTo(2);
    return printed.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::1", "front.example.org"})
  void itIsOneOfTheSubnet(String host) {
    assertThat(refusal("--interface=eth0", "--secret-file=s", "--host=" + host)).contains("--interface needs an IPv4");
  }

  @Test
  void itNeedsTheSecretOfServers() {
    assertThat(refusal("--interface=eth0", "--host=10.0.0.100")).contains("--interface needs --secret-file");
  }

  @Test
  void whoWaitsNeedsOne() {
    assertThat(refusal("--await=10.0.0.2:8099")).contains("--await needs --interface");
  }
}
