package io.rns.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "failover", header = "Make another server the primary when the old one is gone.", description = "The server must have all that any other has; it says which one is ahead of it. All servers but the old primary must answer,"
    + " since one of them may be the only one to have an acknowledged write. Databases that choose their primary by themselves"
    + " (topology group) are only made a group anew by this, and all must answer.", footerHeading = "%nExamples:%n", footer = {
        "  rns failover --to server-2", "  rns failover --to server-2 --force"})
final class FailoverCommand extends PrimaryCommand {
  @Option(names = "--force", description = "Go on without servers that do not answer: acknowledged writes may be lost") private boolean force;

  @Override
  String request() {
    return force ? "failover?force=true" : "failover";
  }
}
