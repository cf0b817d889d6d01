package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.Entries;
import io.rns.client.RnsClient;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the names for shell completion; not for people. */
@Command(name = NamesCommand.NAME, hidden = true, header = "Print names of a directory for shell completion.")
final class NamesCommand extends ServiceCommand {
  static final String NAME = "complete-names";

  /** More than a person reads. */
  static final int MOST_NAMES = 200;

  /** Stands for the omitted names, so that no shell takes the printed ones for all. */
  static final String MORE = "\u2026";

  private static final Duration BOUND = Duration.ofSeconds(2);

  @Option(names = "--prefix", paramLabel = "PREFIX", description = "Prefix of the names") private String prefix =
      "";

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Directory") private RnsPath path =
      RnsPath.ROOT;

  @Override
  RnsClient.Builder settings(RnsClient.Builder builder) {
    return super.settings(builder).attempts(servers().size()).requestTimeout(BOUND).deadline(BOUND);
  }

  @Override
  int run(NameService service, Output output) {
    int count = 0;
    NamePattern wanted = NamePattern.glob(prefix.replaceAll("[*?\\[\\\\]", "\\\\$0") + "*");
    for (Entry entry : Entries.of(service, Target.of(path)).matching(wanted).pagesOf(MOST_NAMES + 1)) {
      if (++count > MOST_NAMES) {
        output.line(prefix + MORE);
        break;
      }
      output.line(entry.displayName() + (entry instanceof VirtualDirectory ? "/" : ""));
    }
    return ExitCode.DONE;
  }
}
