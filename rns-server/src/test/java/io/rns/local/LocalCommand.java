package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of {@code ./rns} about a local service, in a JVM with its options. */
final class LocalCommand {
  private static final Path CLIENT = Path.of("../rns-cli/target/cli/lib");

  private LocalCommand() {}

  /** What {@code ./rns COMMAND --json} prints, and its exit code. */
  record Printed(int exitCode, JsonNode json) {}

  /** What {@code ./rns COMMAND --json} prints; it has to succeed, unless it is {@code status}. */
  static JsonNode json(Path data, String server, String... arguments) {
    Printed printed = run(data, server, arguments);
    assertThat(printed.exitCode() == 0 || arguments[0].equals("status")).as(printed.json().toString()).isTrue();
    return printed.json();
  }

  static Printed run(Path data, String server, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                LocalEnvironment.java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                CLIENT.toAbsolutePath() + "/*", "io.rns.cli.RnsCommand"));
    command.addAll(List.of(arguments));
    command.add("--json");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("RNS_DATA", data.toString());
    builder.environment().put("RNS_SERVER", server);
    try {
      Process process = builder.start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Printed(process.onExit().join().exitValue(), new ObjectMapper().readTree(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
