package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.client.TreeWalk;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "export", header = "Export a subtree as lines that import reads.", description = "Sorted as by 'LC_ALL=C sort'. A directory has a line only if it is empty or has metadata: import creates the others."
    + " Paths are absolute, so the lines fit another tree. Concurrent changes may or may not be included.", footerHeading = "%nExamples:%n", footer = {
        "  rns export /", "  rns export /demo -o demo.tsv"})
final class ExportCommand extends ServiceCommand {
  @Option(names = {"-o",
      "--output"}, paramLabel = "FILE", description = "Output file, replaced once complete; default: standard output") private @Nullable Path file;

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Directory or junction to export") private RnsPath path =
      RnsPath.ROOT;

  private long written;

  /** Where the entries go. */
  private interface Sink {
    void entry(RnsPath at, Entry entry) throws IOException;
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    Entry start = entry(service, path);
    try (Progress progress = file == null ? output.progressBesideLines() : output.progress(0)) {
      if (file != null) {
        try (NewFile to = new NewFile(file)) {
          export(service, start, progress, toLines(to.writer()));
          to.complete();
        }
      } else if (output.isJson()) {
        output.json().generator().writeStringField("path", path.toString());
        output.json().generator().writeArrayFieldStart("entries");
        export(service, start, progress, output.json()::element);
        output.json().generator().writeEndArray();
      } else {
        export(service, start, progress, (at, entry) -> output.line(EntryLine.of(at, entry)));
      }
    }
    summarise(output);
    return ExitCode.DONE;
  }

  private static Sink toLines(Writer to) {
    return (at, entry) -> to.append(EntryLine.of(at, entry)).append('\n');
  }

  private void export(NameService service, Entry start, Progress progress, Sink sink) throws IOException {
    if (start instanceof Junction) {
      write(path, start, sink, progress);
      return;
    }
    // A directory's line waits until the next entry shows whether it is needed.
    RnsPath heldPath = path;
    @Nullable
    Entry held = start;
    try (TreeWalk walk = TreeWalk.of(service, Target.of(path)).order(Order.LINES).open()) {
      while (walk.hasNext()) {
        Visit visit = walk.next();
        if (held != null && isNeeded(heldPath, held, visit.path())) {
          write(heldPath, held, sink, progress);
        }
        boolean directory = visit.entry() instanceof VirtualDirectory;
        held = directory ? visit.entry() : null;
        heldPath = visit.path();
        if (!directory) {
          write(visit.path(), visit.entry(), sink, progress);
        }
      }
    }
    if (held != null && isNeeded(heldPath, held, RnsPath.ROOT)) {
      write(heldPath, held, sink, progress);
    }
  }

  private static boolean isNeeded(RnsPath path, Entry directory, RnsPath next) {
    boolean empty = next.depth() <= path.depth() && !path.isRoot();
    return empty || !directory.metadata().isEmpty();
  }

  private void write(RnsPath at, Entry entry, Sink sink, Progress progress) throws IOException {
    sink.entry(at, entry);
    written++;
    progress.show(0, written);
  }

  private void summarise(Output output) throws IOException {
    if (file == null) {
      return;
    }
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeStringField("file", file.toString());
      output.json().generator().writeNumberField("written", written);
    } else {
      output.line(written + " entries written to " + file);
    }
  }
}
