package io.rns.cli;

import io.rns.api.AccessRule;
import io.rns.api.Caller;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.client.PathAccess;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "why", header = "Show each right of a caller at a path, and the rule it is from.", description = "Administrators in a server's settings have every right besides.", footerHeading = "%nExamples:%n", footer = {
    "  rns acl why /cms", "  rns acl why /cms/data --as local:alice --group local:cms"})
final class AclWhyCommand extends ServiceCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Path to explain") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--as", paramLabel = "NAME", description = "Name of the caller; the anonymous one without it") private String name =
      "";

  @Option(names = "--group", paramLabel = "GROUP", description = "Group of the caller; repeatable") private List<String> groups =
      List.of();

  @Override
  int run(NameService service, Output output) throws IOException {
    if (name.isEmpty() && !groups.isEmpty()) {
      throw usage("the anonymous caller has no groups: give --as");
    }
    PathAccess access = AccessOutput.read(service, path);
    new AccessOutput(output).why(
        access, name.isEmpty() ? AccessRule.ANYONE : name, access.reasons(new Caller(name, new HashSet<>(groups))));
    return ExitCode.DONE;
  }
}
