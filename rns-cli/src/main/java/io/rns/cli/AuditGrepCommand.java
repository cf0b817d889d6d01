package io.rns.cli;

import io.rns.api.RnsPath;
import io.rns.audit.AuditLine;
import io.rns.audit.AuditLines;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(name = "grep", header = "Search audit logs.", description = "Prints time, caller, operation, outcome and entries of each request that meets all conditions. Hashes are not verified.", footerHeading = "%nExamples:%n", footer = {
    "  rns audit grep --path /cms --outcome refused --since 24h",
    "  rns audit grep --caller local:alice --operation remove --json"})
final class AuditGrepCommand extends AuditCommand {
  private static final int SHOWN_ITEMS = 3;

  @Option(names = "--caller", paramLabel = "NAME", description = "Caller; 'anyone' for those without a name") private @Nullable String caller;

  @Option(names = "--path", paramLabel = "PATH", converter = PathConverter.class, description = "Entries at or below a path, as requests name it") private @Nullable RnsPath path;

  @Option(names = "--operation", paramLabel = "OP", description = "Operation, such as add, remove, move, access") private @Nullable String operation;

  @Option(names = "--outcome", paramLabel = "OUTCOME", description = "done, partly, refused, failed, referred") private @Nullable Outcome outcome;

  @Option(names = "--since", paramLabel = "TIME", converter = OfTime.class, description = "UTC time like 2026-11-26T18:00:00Z, or how long ago: 30m") private @Nullable Instant since;

  @Option(names = "--until", paramLabel = "TIME", converter = OfTime.class, description = "The same; default: no end") private @Nullable Instant until;

  private long unreadable;
  private long cut;
  private long unlisted;

  enum Outcome {
    done, partly, refused, failed, referred
  }

  static final class OfTime implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String argument) {
      try {
        return Instant.parse(argument);
      } catch (DateTimeParseException e) {
        try {
          return Instant.now().minus(new Converters.OfDuration().convert(argument));
        } catch (TypeConversionException second) {
          throw new TypeConversionException("'" + argument + "' is not a time like 2026-11-26T18:00:00Z or 30m");
        }
      }
    }
  }

  @Override
  int run(List<Log> logs, Output output) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeArrayFieldStart("events");
    }
    for (Log log : logs) {
      for (Path file : log.files()) {
        search(file, output);
      }
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
    }
    if (cut > 0) {
      rns().terminal().err().println(
          "rns: " + cut + " more requests of the same kind are about more entries than their lines list");
    }
    if (unlisted > 0) {
      rns().terminal().err().println(
          "rns: " + unlisted + " more refused requests without a name are only counted, by lines 'unlisted'");
    }
    if (unreadable > 0) {
      rns().terminal().err().println("rns: " + unreadable + " lines cannot be read; see rns audit verify");
    }
    return ExitCode.DONE;
  }

  private void search(Path file, Output output) throws IOException {
    try (AuditLines lines = new AuditLines(file)) {
      while (lines.advance()) {
        Optional<AuditRecord> found = AuditRecord.parse(lines.bytes(), lines.length());
        if (found.isEmpty()) {
          unreadable += isLine(lines) ? 0 : 1;
        } else if (found.get().isUnlisted()) {
          unlisted += isOfRefused(found.get()) ? found.get().count() : 0;
        } else if (isWanted(found.get())) {
          print(found.get(), output);
        }
      }
    } catch (NoSuchFileException e) {
      // The server has removed it as the oldest meanwhile.
      return;
    }
  }

  /** Whether there is a line, of any event, or the beginning of the last one, which is being written. */
  private static boolean isLine(AuditLines lines) {
    return !lines.isWhole() || AuditLine.parse(lines.bytes(), lines.length()).isPresent();
  }

  /** Whether requests that a line counts may be wanted. */
  private boolean isOfRefused(AuditRecord line) {
    return (caller == null || caller.equals("anyone")) && outcome != Outcome.done && isInTime(line);
  }

  private boolean isInTime(AuditRecord line) {
    return (since == null || !line.time().isBefore(since)) && (until == null || line.time().isBefore(until));
  }

  private boolean isWanted(AuditRecord line) {
    boolean others =
        (caller == null || line.field("caller").equals(caller.equals("anyone") ? "" : caller))
            && (operation == null || line.field("operation").equals(operation))
            && (outcome == null || line.field("outcome").equals(outcome.name()))
            && isInTime(line);
    if (!others || path == null || line.concerns(path.toString())) {
      return others;
    }
    cut += line.count() > line.items().size() ? 1 : 0;
    return false;
  }

  private static void print(AuditRecord line, Output output) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeRawValue(line.line());
      return;
    }
    String name = line.field("caller");
    StringBuilder shown = new StringBuilder(line.field("time"));
    shown.append("  ").append(name.isEmpty() ? "anyone" : Printable.of(name));
    shown.append("  ").append(Printable.of(line.field("operation"))).append("  ").append(line.field("outcome"));
    if (!line.field("error").isEmpty()) {
      shown.append(' ').append(line.field("error"));
    }
    for (Map<String, String> item : line.items().subList(0, Math.min(SHOWN_ITEMS, line.items().size()))) {
      shown.append("  ").append(Printable.of(item.getOrDefault("path", "")));
      if (item.containsKey("to")) {
        shown.append(" -> ").append(Printable.of(item.get("to")));
      }
    }
    if (line.count() > SHOWN_ITEMS) {
      shown.append("  and ").append(line.count() - SHOWN_ITEMS).append(" more");
    }
    output.line(shown.toString());
  }
}
