package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "resolve", header = "Select elements of a pool, the best first.", description = "The first counts as used: the next resolution starts with the policy's next element.", footerHeading = "%nExamples:%n", footer = {
    "  rns pool resolve /svc/print", "  rns pool resolve /svc/print --items 1 --json"})
final class PoolResolveCommand extends ServiceCommand {
  private static final int ITEMS = 3;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Path of the pool") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--items", paramLabel = "N", description = "Maximum number of elements, 1 to "
      + PoolService.RESOLUTION_ITEMS + "; default: " + ITEMS) private int items = ITEMS;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (items < 1 || items > PoolService.RESOLUTION_ITEMS) {
      throw usage("--items " + items + " is not between 1 and " + PoolService.RESOLUTION_ITEMS);
    }
    PoolResolution resolution = pools().resolve(path, items);
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStringField("path", path.toString());
      json.writeStringField("policy", resolution.policy().toString());
      json.writeNumberField("ttlMillis", resolution.ttlMillis());
      json.writeArrayFieldStart("elements");
      for (Selected element : resolution.elements()) {
        json.writeStartObject();
        PoolLines.element(output.json(), element.id(), element.endpoints());
        PoolLines.parameters(json, element.standing().parameters());
        json.writeNumberField("reportedMillis", element.reportedMillis());
        json.writeEndObject();
      }
      json.writeEndArray();
      return ExitCode.DONE;
    }
    for (Selected element : resolution.elements()) {
      output.line(String.format("%-10s  %s", PoolLines.id(element.id()), PoolLines.goal(element.endpoints())));
    }
    return ExitCode.DONE;
  }
}
