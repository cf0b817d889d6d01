package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "plan", header = "Propose assignments that balance the loads of the groups, with reasons.", description = "Changes nothing: run the commands it prints, or 'partition apply'. LOAD is in reads per second, AFTER what it would be. Recent requests count most.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition plan", "  rns partition plan --half-life 1m --moves 1"})
final class PartitionPlanCommand extends OperatorCommand {
  @Mixin private PlanOptions options = new PlanOptions();

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    ServerDocument plan = options.plan(operator, servers());
    if (output.isJson()) {
      output.json().copy(plan.body());
    } else {
      show(plan.json(), output);
    }
    return ExitCode.DONE;
  }

  private static void show(FlatJson plan, Output output) {
    PlanLines.groups(plan.list("groups")).forEach(output::line);
    output.line("measured for " + PlanLines.rounded(plan.fields(), "seconds") + " s");
    for (Map<String, String> silent : plan.list("silent")) {
      output.line(
          "without " + silent.get("server") + " of group " + silent.get("group") + ": " + silent.get("reason"));
    }
    for (Map<String, String> absent : plan.list("absent")) {
      output.line("without group " + absent.get("group") + ": " + absent.get("reason"));
    }
    PlanLines.moves(plan.objects("moves"), output);
    output.line("");
    output.line(plan.field("verdict"));
  }
}
