package io.rns.cli;

import io.rns.api.EntryFilter;
import io.rns.api.EntryFilter.Kind;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.Target;
import io.rns.client.TreeWalk;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "find", header = "Find entries below a directory, printing each at once.", description = "Cost is proportional to the size of the subtree. Exit code 0 if the whole subtree was searched, even without a match; 1 if the"
    + " deadline expired first.", footerHeading = "%nExamples:%n", footer = {
        "  rns find / --name '*.pdf'",
        "  rns find /demo --type d",
        "  rns find /demo --name 's*' --meta year=2000 --deadline 5m"
    })
final class FindCommand extends ServiceCommand {
  /** The kinds of entries, one letter each. */
  enum Type {
    d, j
  }

  @Option(names = "--name", paramLabel = "GLOB", converter = Converters.OfGlob.class, description = "Match names: * any characters, ? one, [a-z] a set, \\ escapes") private @Nullable NamePattern name;

  @Option(names = "--meta", paramLabel = "K=V", description = "Match entries with this metadata; repeatable, all must match") private Map<String, String> meta =
      new LinkedHashMap<>();

  @Option(names = "--type", paramLabel = "d|j", description = "Match only directories (d), or only junctions (j)") private @Nullable Type type;

  @Option(names = "--deadline", paramLabel = "TIME", defaultValue = "60s", converter = Converters.OfDuration.class, description = "Stop after this time, such as 500ms, 30s, 2m, 1h; default: ${DEFAULT-VALUE}") private Duration deadline =
      Duration.ofSeconds(60);

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Directory to search") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeArrayFieldStart("entries");
    }
    @Nullable
    RnsException cutOff = walk(service, output);
    if (output.isJson()) {
      output.json().generator().writeEndArray();
      output.json().generator().writeBooleanField("complete", cutOff == null);
    }
    if (cutOff != null) {
      output.complain(cutOff.getMessage() + "; the result may be incomplete: set a longer --deadline");
    }
    return cutOff == null ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private @Nullable RnsException walk(NameService service, Output output) throws IOException {
    try (TreeWalk walk = TreeWalk.of(service, Target.of(path)).matching(wanted()).deadline(deadline).open()) {
      try {
        while (walk.hasNext()) {
          show(output, walk.next());
          if (!output.isJson() && !walk.isReady()) {
            output.flush();
          }
        }
        return null;
      } catch (RnsException e) {
        if (walk.isCutOff() && e.error() == RnsError.TIMEOUT) {
          return e;
        }
        throw e;
      }
    }
  }

  private static void show(Output output, Visit visit) throws IOException {
    if (output.isJson()) {
      output.json().element(visit.path(), visit.entry());
    } else {
      output.line(visit.path().toString());
    }
  }

  private EntryFilter wanted() {
    Optional<Kind> kind = Optional.ofNullable(type).map(given -> given == Type.j ? Kind.JUNCTION : Kind.DIRECTORY);
    return new EntryFilter(Optional.ofNullable(name), kind, meta);
  }
}
