package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "restore", header = "Replace all that a service has by a backup.", description = "Reads go on with what there was until all of it is replaced at once; writes are refused meanwhile. What is no whole backup"
    + " changes nothing. Entries get their identities and versions back; the service begins a new epoch, and whoever watches"
    + " begins anew. It needs the operators' secret, and a server without a group.", footerHeading = "%nExamples:%n", footer = {
        "  rns restore rns.backup", "  rns restore --force rns.backup"})
final class RestoreCommand extends OperatorCommand {
  private static final Duration TIMEOUT = Duration.ofHours(6);

  @Option(names = "--force", description = "Also if the service has entries: all of them are removed, and writes since the backup are lost") private boolean force;

  @Parameters(paramLabel = "FILE", description = "What backup has written") private Path file = Path.of("");

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    // Before much is sent: whether the server knows the secret.
    ServerDocument unused = operator.ask("GET", server, "/status", GroupAccess.STATUS_MILLIS);
    ServerDocument result =
        operator.upload(server, force ? BackupCommand.PATH + "?force=true" : BackupCommand.PATH, file, TIMEOUT);
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      FlatJson told = result.json();
      output.line(told.field("entries") + " entries restored, of position " + told.field("from") + "; it goes on at "
          + told.field("position"));
    }
    return ExitCode.DONE;
  }
}
