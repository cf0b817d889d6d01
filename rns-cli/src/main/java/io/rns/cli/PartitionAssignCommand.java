package io.rns.cli;

import io.rns.api.RnsPath;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "assign", header = "Assign a directory to a group.", description = "The group owns everything below it from then on; what is there moves, while it is read and written. Returns when the group serves it. Can be repeated after an interruption. Assign it to the group that still has it to cancel a move.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition assign /experiments --to 1"})
final class PartitionAssignCommand extends OperatorCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Directory") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--to", paramLabel = "GROUP", required = true, description = "Number of the group, as 'partition ls' shows it") private int group;

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    if (group < 0) {
      throw usage("--to must be the number of a group, 0 or more, not " + group);
    }
    Assigner assigner =
        new Assigner(operator, PartitionList.of(servers(), rns().trust(), credentials()).rootServers(server), output);
    ServerDocument result = assigner.assign(path.toString(), Integer.toString(group), "");
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      assigner.show(result.json());
    }
    return ExitCode.DONE;
  }
}
