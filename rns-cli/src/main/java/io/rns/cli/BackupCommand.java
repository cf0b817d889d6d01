package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "backup", header = "Back up the whole service to a file.", description = "A consistent snapshot, taken while requests continue: entries with their identities and versions, and the stored answers to"
    + " requests with an id. Pools are excluded, since their elements register again. Any server of a group can take the backup."
    + " Requires the operators' secret, and disk space for the file on the server too.", footerHeading = "%nExamples:%n", footer = {
        "  rns backup rns.backup", "  rns backup --data /srv/rns rns.backup"})
final class BackupCommand extends OperatorCommand {
  static final String PATH = "/backup";
  private static final Duration TIMEOUT = Duration.ofHours(6);

  @Parameters(paramLabel = "FILE", description = "Backup file, replaced once complete") private Path file =
      Path.of("");

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    // Deletes it after Ctrl-C too.
    part.toFile().deleteOnExit();
    try {
      Files.deleteIfExists(part);
      Path unused = Files.createFile(part, own());
      operator.download(server, PATH, part, TIMEOUT);
      Path moved = Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      summarise(moved, output);
    } finally {
      Files.deleteIfExists(part);
    }
    return ExitCode.DONE;
  }

  /** Read access for the owner only, on POSIX file systems. */
  private static FileAttribute<?>[] own() {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
        : new FileAttribute<?>[0];
  }

  private static void summarise(Path file, Output output) throws IOException {
    long bytes = Files.size(file);
    if (output.isJson()) {
      output.json().generator().writeStringField("file", file.toString());
      output.json().generator().writeNumberField("bytes", bytes);
    } else {
      output.line(bytes + " bytes written to " + file);
    }
  }
}
