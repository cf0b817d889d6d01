package io.rns.loadtest.drill;

import io.rns.loadtest.history.History;
import io.rns.loadtest.history.Violation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes a history as text, a record on a line: to be searched with the tools for text. */
final class HistoryFile {
  private HistoryFile() {}

  static void write(Path file, History history, List<Violation> violations) {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      lines(out, violations);
      lines(out, history.claims());
      lines(out, history.calm());
      lines(out, List.of("watched from " + history.watchedFrom(), "ended at " + history.ending().position()));
      for (var write : history.writes()) {
        line(out,
            write + " -> " + write.told() + write.directly().map(server -> " by " + server + " alone").orElse(""));
      }
      lines(out, history.reads());
      lines(out, history.failedReads());
      lines(out, history.events());
      for (Map.Entry<String, Map<String, Long>> tree : history.ending().trees().entrySet()) {
        for (Map.Entry<String, Long> entry : tree.getValue().entrySet()) {
          line(out, "at the end " + tree.getKey() + " has " + entry.getKey() + " version " + entry.getValue());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the history cannot be written to " + file, e);
    }
  }

  private static void lines(BufferedWriter out, Collection<?> records) throws IOException {
    for (Object each : records) {
      line(out, each.toString());
    }
  }

  private static void line(BufferedWriter out, String text) throws IOException {
    out.write(text.replace('\n', ' '));
    out.newLine();
  }
}
