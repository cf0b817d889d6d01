package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.NameService;
import io.rns.client.RnsClient;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "import", header = "Import the entries that a file lists.", description = {
    "One entry per line: PATH, tab, URL, and additional columns KEY=VALUE for metadata. A line with only a path is a directory."
        + " Missing directories are created. Empty lines and lines that start with # are skipped.",
    "",
    "Entries that match their line are counted and left alone; entries that differ are bad lines, unless --replace."
        + " Bad lines are reported with their number and do not stop the import; the exit code is then 1."
        + " With --strict, a line that the server refuses stops the import after its batch of up to "
        + ImportBatch.LINES
        + " lines. 'rns export' writes this format.",
    "",
    "An interrupted import reports the last completed line. Repeat the same import to complete it."
}, footerHeading = "%nExamples:%n", footer = {
    "  rns import listing.tsv",
    "  rns import --replace listing.tsv",
    "  rns import --strict -"
})
final class ImportCommand extends ServiceCommand {
  /** The most bad lines in the JSON document; the standard error has all. */
  private static final int LISTED_BAD_LINES = 1_000;

  @Option(names = "--replace", description = "Replace references and metadata of existing entries") private boolean replace;

  @Option(names = "--strict", description = "Stop at the first bad line") private boolean strict;

  @Parameters(paramLabel = "FILE", description = "File to import; - for standard input") private String file = "-";

  // Shared with the hook that reports an interruption: only under this object's lock.
  private final ImportResult total = new ImportResult();
  private long bad;
  private boolean interrupted;

  @Override
  RnsClient.Builder settings(RnsClient.Builder builder) {
    // An import of hours retries longer than a short command.
    return super.settings(builder).attempts(12 * servers().size()).deadline(Duration.ofMinutes(3));
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    long started = rns().terminal().nanos().getAsLong();
    try (LineReader lines = new LineReader(open());
        Progress progress = output.progress(size())) {
      Interruption interruption = new Interruption(() -> interrupt(output, started));
      try {
        read(service, output, lines, progress);
      } finally {
        interruption.end();
      }
    }
    summarise(output, started);
    return bad == 0 ? ExitCode.DONE : ExitCode.REFUSED;
  }

  /** Reports the progress. Batches in flight may still be applied: they are not counted. */
  private synchronized void interrupt(Output output, long started) {
    interrupted = true;
    output.complain(
        (total.lastLine == 0 ? "interrupted before any line was acknowledged"
            : "interrupted after line " + total.lastLine)
            + ": " + counts() + "; some later lines may be imported too. Repeat the same import to complete it:"
            + " repeating is safe");
    if (output.isJson()) {
      try {
        summarise(output, started);
        output.json().generator().writeNumberField("interruptedAfterLine", total.lastLine);
        output.finish();
      } catch (IOException | Output.ReaderGoneException e) {
        output.complain("cannot write the document: " + e.getMessage());
      }
    }
  }

  private InputStream open() throws IOException {
    if (file.equals("-")) {
      return rns().terminal().in();
    }
    if (Files.isDirectory(Path.of(file))) {
      throw new IOException("'" + file + "' is a directory");
    }
    return Files.newInputStream(Path.of(file));
  }

  private long size() throws IOException {
    return file.equals("-") ? 0 : Files.size(Path.of(file));
  }

  private void read(NameService service, Output output, LineReader lines, Progress progress) throws IOException {
    try (Importer importer = new Importer(service, replace, strict, result -> take(output, result))) {
      for (LineReader.Line line = lines.next(); line != null && !isStopped(); line = lines.next()) {
        String text = line.text();
        if (line.fault() != null) {
          refuse(output, line.number(), line.fault());
        } else if (!text.isEmpty() && text.charAt(0) != '#') {
          one(output, importer, line);
        }
        show(progress, lines.bytes());
      }
      importer.finish();
    }
  }

  private synchronized boolean isStopped() {
    return interrupted || (strict && bad > 0);
  }

  private synchronized void show(Progress progress, long bytes) {
    if (!interrupted) {
      progress.show(bytes, entries());
    }
  }

  private long entries() {
    return total.added + total.present + total.changed;
  }

  private void one(Output output, Importer importer, LineReader.Line line) {
    EntryLine entry;
    try {
      entry = EntryLine.parse(line.text());
    } catch (RnsException e) {
      refuse(output, line.number(), e.getMessage());
      return;
    }
    importer.add(line.number(), entry, line.text().length());
  }

  private synchronized void take(Output output, ImportResult result) {
    if (interrupted) {
      return;
    }
    total.lastLine = result.lastLine;
    total.added += result.added;
    total.present += result.present;
    total.changed += result.changed;
    result.bad.forEach(line -> refuse(output, line.line(), line.message()));
  }

  private synchronized void refuse(Output output, long line, String message) {
    if (interrupted) {
      return;
    }
    output.complain((file.equals("-") ? "standard input" : file) + ":" + line + ": " + message);
    bad++;
    if (total.bad.size() < LISTED_BAD_LINES) {
      total.refuse(line, message);
    }
  }

  private String counts() {
    return String.format(
        Locale.ROOT,
        "%d entries: %d added, %d already there, %d changed; %d bad lines",
        entries(), total.added, total.present, total.changed, bad);
  }

  private void summarise(Output output, long started) throws IOException {
    double seconds = Math.max(1e-9, (rns().terminal().nanos().getAsLong() - started) / 1e9);
    if (!output.isJson()) {
      output.line(String.format(Locale.ROOT, "%s; %.1f s, %.0f/s", counts(), seconds, entries() / seconds));
      return;
    }
    JsonGenerator json = output.json().generator();
    json.writeNumberField("added", total.added);
    json.writeNumberField("present", total.present);
    json.writeNumberField("changed", total.changed);
    json.writeNumberField("bad", bad);
    json.writeNumberField("seconds", seconds);
    List<ImportResult.BadLine> listed = new ArrayList<>(total.bad);
    json.writeArrayFieldStart("errors");
    for (ImportResult.BadLine line : listed) {
      json.writeStartObject();
      json.writeNumberField("line", line.line());
      json.writeStringField("message", line.message());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
