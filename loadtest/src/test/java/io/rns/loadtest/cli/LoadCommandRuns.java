package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.Target;
import io.rns.client.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs of {@code rns load}, in this process. */
abstract class LoadCommandRuns {
  private static final List<String> SHORT =
      List.of("--clients", "2", "--seconds", "1", "--warm-up", "0.05", "--rounds", "1", "--paths", "200");

  record Ran(int exitCode, String out, String err) {
    JsonNode json() throws IOException {
      return new JsonMapper().readTree(out);
    }
  }

  static Ran run(String server, String... more) {
    List<String> arguments = new ArrayList<>(List.of("--server", server, "--data", "target/no-such-data"));
    arguments.addAll(List.of(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        LoadtestProgram.commandLine(new LoadCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = command.execute(arguments.toArray(String[]::new));
    return new Ran(exitCode, out.toString(), err.toString());
  }

  static String[] shortly(String... more) {
    List<String> arguments = new ArrayList<>(SHORT);
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  static void assertNothingLeft(TestServer server) {
    assertThat(server.service().list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries())
        .isEmpty();
  }
}
