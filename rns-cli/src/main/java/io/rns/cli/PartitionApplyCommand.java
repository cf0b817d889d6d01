package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "apply", header = "Make the assignments that 'partition plan' proposes now.", description = "One after the other, as 'partition assign' does; takes the same options as 'partition plan'. After an interruption, look at the plan and repeat it. 'partition undo' takes back the last one.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition apply", "  rns partition apply --moves 1"})
final class PartitionApplyCommand extends OperatorCommand {
  @Mixin private PlanOptions options = new PlanOptions();

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    FlatJson plan = options.plan(operator, servers()).json();
    Assigner assigner =
        new Assigner(operator, PartitionList.of(servers(), rns().trust(), credentials()).rootServers(server), output);
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeArrayFieldStart("assigned");
      for (FlatJson move : plan.objects("moves")) {
        ServerDocument assigned = assign(assigner, move);
        json.writeStartObject();
        output.json().copy(assigned.body());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeStringField("verdict", plan.field("verdict"));
    } else {
      for (FlatJson move : plan.objects("moves")) {
        assigner.show(assign(assigner, move).json());
        output.line("");
      }
      output.line(plan.field("verdict"));
    }
    return ExitCode.DONE;
  }

  private static ServerDocument assign(Assigner assigner, FlatJson move) throws IOException {
    return assigner.assign(move.field("path"), move.field("to"), "&by=apply");
  }
}
