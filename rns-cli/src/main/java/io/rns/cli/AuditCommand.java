package io.rns.cli;

import io.rns.api.NameService;
import io.rns.audit.AuditFiles;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The shape of commands that read the files of audit logs. */
@Command
abstract class AuditCommand extends ServiceCommand {
  @Parameters(paramLabel = "FILE|DIR", arity = "0..*", description = "Files in their order, or directories of logs; default: all in 'audit' of the data directory") private List<Path> places =
      List.of();

  /**
   * A log.
   *
   * @param name for output
   * @param files oldest first
   */
  record Log(String name, List<Path> files) {}

  /** Runs the command, and returns its exit code. */
  abstract int run(List<Log> logs, Output output) throws IOException;

  @Override
  final int run(NameService service, Output output) throws IOException {
    return run(logs(), output);
  }

  private List<Log> logs() throws IOException {
    List<Log> logs = new ArrayList<>();
    List<Path> single = new ArrayList<>();
    for (Path place : places.isEmpty() ? List.of(data().resolve("audit")) : places) {
      if (!Files.isDirectory(place)) {
        single.add(place);
        continue;
      }
      for (Path directory : AuditFiles.logs(place)) {
        logs.add(new Log(directory.toString(), AuditFiles.in(directory)));
      }
    }
    for (Path file : single) {
      if (!Files.isRegularFile(file)) {
        throw new RnsException(RnsError.INVALID_REQUEST, "no file or directory '" + file + "'");
      }
    }
    if (!single.isEmpty()) {
      logs.add(new Log(single.get(0).toString(), single));
    }
    if (logs.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "no audit log in " + (places.isEmpty() ? data().resolve("audit") : places));
    }
    return logs;
  }

  /** The data directory. */
  final Path data() {
    Path given = rns().data();
    return given == null ? Terminal.usualData(rns().terminal().environment()) : given;
  }
}
