package io.rns.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "failover", header = "Promote another server to primary after the old one failed.", description = "The server must be the most advanced one; the error names a server that is ahead. All servers except the old primary must answer,"
    + " since one of them may hold the only copy of an acknowledged write. With topology group the databases elect their primary"
    + " automatically: this only re-creates a group that lost its quorum, and all databases must answer.", footerHeading = "%nExamples:%n", footer = {
        "  rns failover --to server-2", "  rns failover --to server-2 --force"})
final class FailoverCommand extends PrimaryCommand {
  @Option(names = "--force", description = "Ignore servers that do not answer: acknowledged writes may be lost") private boolean force;

  @Override
  String request() {
    return force ? "failover?force=true" : "failover";
  }
}
