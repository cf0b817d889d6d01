package io.rns.cli;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "assign", header = "Assign a directory to a group.", description = "The group owns everything below it from then on; what is there moves, while it is read and written. Returns when the group serves it. Can be repeated after an interruption.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition assign /experiments --to 1"})
final class PartitionAssignCommand extends OperatorCommand {
  /** The owner learns of the assignment within seconds. */
  private static final int TIMEOUT_MILLIS = 60_000;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Directory") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--to", paramLabel = "GROUP", required = true, description = "Number of the group, as 'partition ls' shows it") private int group;

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    if (group < 0) {
      throw usage("--to must be the number of a group, 0 or more, not " + group);
    }
    List<URI> rootServers = PartitionList.of(servers()).rootServers();
    ServerDocument result = assign(operator, rootServers);
    try (Progress progress = output.progress(0)) {
      while (isMoving(result.json())) {
        long copied = Long.parseLong(result.json().field("move.copied"));
        progress.show(copied, copied);
        result = assign(operator, rootServers);
      }
    }
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      FlatJson assigned = result.json();
      output.line("partition: " + assigned.field("path"));
      output.line("group:     " + assigned.field("group"));
      output.line("epoch:     " + assigned.field("epoch"));
      if (!assigned.field("move.phase").isEmpty()) {
        output.line(
            "moved:     " + assigned.field("move.copied") + " entries; writes waited for "
                + assigned.field("move.waitedMillis") + " ms");
      }
    }
    return ExitCode.DONE;
  }

  private static boolean isMoving(FlatJson assigned) {
    return !assigned.field("move.phase").isEmpty() && assigned.field("move.waitedMillis").isEmpty();
  }

  /** Sends the request to the first server of the root's group that answers. */
  private ServerDocument assign(Operator operator, List<URI> rootServers) {
    String request =
        "/partitions/assign?path=" + URLEncoder.encode(path.toString(), StandardCharsets.UTF_8) + "&group=" + group;
    RnsException failure = null;
    for (URI server : rootServers) {
      try {
        return operator.ask("POST", server, request, TIMEOUT_MILLIS);
      } catch (RnsException e) {
        if (e.error() != RnsError.UNAVAILABLE) {
          throw e;
        }
        if (failure == null) {
          failure = e;
        }
      }
    }
    throw failure == null
        ? new RnsException(RnsError.UNAVAILABLE, "no server of the root's group answers")
        : failure;
  }
}
