package io.rns.loadtest.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.work.AccessLogs;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "rns trace", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Convert access logs (RNS_ACCESS_LOG) of servers into a trace for 'rns load --trace', and print it.",
    "Each connection of the log is a session. Omits refused requests, requests by identity, and requests that cannot be replayed;"
        + " standard error has their numbers."
}, footer = {
    "",
    "Exit codes: 1 the trace is empty, 2 usage or no access log.",
    "",
    "Example: replay the requests below /site with three times as many sessions",
    "  ./rns trace --below /site access.log.1 access.log > trace.tsv",
    "  ./rns load --trace trace.tsv --factor 3"
})
final class TraceCommand extends LoadtestCommand {
  @Option(names = "--below", paramLabel = "PATH", defaultValue = "/", description = "Include only this subtree, with paths relative to it (default: ${DEFAULT-VALUE}).") private String below;

  @Option(names = "--from", paramLabel = "TIME", description = "Include requests from this time on: 2026-01-31T12:00:00Z.") private Instant from =
      Instant.MIN;

  @Option(names = "--to", paramLabel = "TIME", description = "Include requests before this time.") private Instant to =
      Instant.MAX;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Access logs of one or several servers, in any order.") private List<Path> files;

  TraceCommand() {
    super(0);
  }

  @Override
  int run() {
    AccessLogs logs = new AccessLogs(new AccessLogs.Wanted(top(), from, to));
    files.forEach(file -> read(logs, file));
    out().print(TraceOptions.HEADER);
    AccessLogs.Made made = logs.make(line -> out().print(line + "\n"));
    out().flush();
    report(made);
    return made.operations() == 0 ? ErrorReporter.REFUSED : 0;
  }

  private String top() {
    try {
      return RnsPath.parse(below).toString();
    } catch (RnsException e) {
      throw new InvalidOptionException("--below: " + e.getMessage());
    }
  }

  private static void read(AccessLogs logs, Path file) {
    Io.run(RnsError.INVALID_REQUEST, file + " cannot be read", () -> {
      // The incomplete last line of a killed server may not be UTF-8.
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(Files.newInputStream(file), UTF_8))) {
        logs.read(lines.lines());
      } catch (IllegalArgumentException e) {
        throw new RnsException(RnsError.INVALID_REQUEST, file + " " + e.getMessage(), e);
      }
    });
  }

  private void report(AccessLogs.Made made) {
    progress(
        String.format(
            Locale.ROOT, "%,d operations of %,d sessions within %.1f s", made.operations(), made.sessions(),
            made.length().toMillis() / 1e3));
    for (AccessLogs.LeftOut reason : AccessLogs.LeftOut.values()) {
      long count = made.left().getOrDefault(reason, 0L);
      if (count > 0) {
        progress(String.format(Locale.ROOT, "left out: %,d %s", count, reason));
      }
    }
    if (!made.isShortEnough()) {
      progress("a replay takes a day at most: select a part with --from and --to");
    }
  }
}
