package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "restore", header = "Replace the content of a service with a backup.", description = "Reads see the old content until all of it is replaced at once; writes are refused meanwhile. An incomplete backup changes"
    + " nothing. Entries get their identities and versions back; the service starts a new epoch, and watchers start over."
    + " Requires the operators' secret, and a server without a group.", footerHeading = "%nExamples:%n", footer = {
        "  rns restore rns.backup", "  rns restore --force rns.backup"})
final class RestoreCommand extends OperatorCommand {
  private static final Duration TIMEOUT = Duration.ofHours(6);

  @Option(names = "--force", description = "Replace existing entries too: writes since the backup are lost") private boolean force;

  @Parameters(paramLabel = "FILE", description = "Backup file") private Path file = Path.of("");

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    // Check the secret before the upload.
    ServerDocument unused = operator.ask("GET", server, "/status", GroupAccess.STATUS_MILLIS);
    ServerDocument result =
        operator.upload(server, force ? BackupCommand.PATH + "?force=true" : BackupCommand.PATH, file, TIMEOUT);
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      FlatJson restored = result.json();
      output.line(restored.field("entries") + " entries restored from position " + restored.field("from")
          + "; the service continues at " + restored.field("position"));
    }
    return ExitCode.DONE;
  }
}
