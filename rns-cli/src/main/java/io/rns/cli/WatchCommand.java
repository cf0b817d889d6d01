package io.rns.cli;

import io.rns.api.Change;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "watch", header = "Print changes at and below a path as they are committed.", description = "Runs until interrupted, across restarts of the server, and fails over to another --server: in order, without gaps or duplicates."
    + " Includes changes to directories above the path, since a move or removal affects everything below. With --json, --count"
    + " or --for ends the document.", footerHeading = "%nExamples:%n", footer = {"  rns watch /demo",
        "  rns watch / --from 0-1-42", "  rns watch /demo --count 1 --for 30s --json"})
final class WatchCommand extends ServiceCommand {
  private static final Duration STEP = Duration.ofSeconds(1);

  @Option(names = "--from", paramLabel = "POSITION", converter = Converters.OfPosition.class, description = "Start after this position; default: changes from now on") private @Nullable Position from;

  @Option(names = "--count", paramLabel = "N", description = "Stop after this many changes") private long count =
      Long.MAX_VALUE;

  @Option(names = "--for", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Stop after this time, such as 500ms, 30s, 2m, 1h") private @Nullable Duration time;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Path to watch") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (count < 1) {
      throw usage("--count " + count + " is below 1");
    }
    ChangeStream.Builder builder =
        ChangeStream.of(servers()).credentials(credentials()).path(path).trust(rns().trust());
    if (from != null) {
      builder.from(from);
    }
    try (ChangeStream changes = builder.open()) {
      if (output.isJson()) {
        output.json().generator().writeStringField("path", path.toString());
        output.json().generator().writeArrayFieldStart("changes");
      }
      watch(changes, output);
      if (output.isJson()) {
        output.json().generator().writeEndArray();
        output.json().generator().writeArrayFieldStart("cuts");
        for (RnsPath cut : changes.cuts()) {
          output.json().generator().writeString(cut.toString());
        }
        output.json().generator().writeEndArray();
        output.json().generator().writeStringField("position", changes.position().toString());
      }
      return ExitCode.DONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted", e);
    }
  }

  private void watch(ChangeStream changes, Output output) throws IOException, InterruptedException {
    long began = System.nanoTime();
    long shown = 0;
    Set<RnsPath> noticed = new HashSet<>();
    while (shown < count) {
      for (RnsPath cut : changes.cuts()) {
        if (noticed.add(cut)) {
          output
              .complain("changes below " + cut + " are not shown: another server group owns its content; watch it too");
        }
      }
      Duration step = STEP;
      if (time != null) {
        Duration left = time.minusNanos(System.nanoTime() - began);
        if (left.isNegative() || left.isZero()) {
          return;
        }
        step = left.compareTo(STEP) < 0 ? left : STEP;
      }
      Optional<Change> change = changes.next(step);
      if (change.isPresent()) {
        show(change.get(), output);
        shown++;
      }
    }
  }

  private static void show(Change change, Output output) throws IOException {
    if (output.isJson()) {
      output.json().change(change);
      return;
    }
    String kind = change.kind().name().toLowerCase(Locale.ROOT);
    String where = change.oldPath().map(old -> old + " -> ").orElse("") + change.path();
    output.line(String.format("%-12s  %-7s  %s", change.position(), kind, where));
    output.flush();
  }
}
