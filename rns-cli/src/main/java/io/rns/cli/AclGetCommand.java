package io.rns.cli;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "get", header = "Show the rules that hold at a path, and where they are from.", footerHeading = "%nExamples:%n", footer = {
    "  rns acl get /cms", "  rns acl get /cms/data --json"})
final class AclGetCommand extends ServiceCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Path to show") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    new AccessOutput(output).show(AccessOutput.read(service, path));
    return ExitCode.DONE;
  }
}
