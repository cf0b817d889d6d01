package io.rns.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "undo", header = "Assign the directory that moved last back to its former group.", description = "Its content moves back as it is now: no change since is lost. Repeat it to take back the move before. 'partition why' lists the moves.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition undo"})
final class PartitionUndoCommand extends OperatorCommand {
  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    List<URI> rootServers = PartitionList.of(servers(), rns().trust(), credentials()).rootServers(server);
    FlatJson decisions = Decisions.ask(operator, rootServers, "?most=1").json();
    String number = decisions.field("undo.number");
    if (number.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "no move of a directory is recorded that can be taken back");
    }
    Assigner assigner = new Assigner(operator, rootServers, output);
    ServerDocument result =
        assigner.assign(decisions.field("undo.path"), decisions.field("undo.from"), "&by=undo&undoes=" + number);
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      assigner.show(result.json());
    }
    return ExitCode.DONE;
  }
}
