package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.RnsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The output of a command: lines, or one JSON document; and error messages. What goes to a terminal is made
 * {@link Printable}; files and other programs get every byte as it is.
 */
final class Output {
  private static final String DIRECTORY = "\u001b[1;34m";
  private static final String DIM = "\u001b[2m";
  private static final String PLAIN = "\u001b[0m";

  /** Lines between checks that the reader is still there. */
  private static final int FLUSH_LINES = 512;

  private final Terminal terminal;
  private final boolean asJson;
  private @Nullable JsonDocument document;
  private @Nullable Progress progress;
  private long lines;

  Output(Terminal terminal, boolean asJson) {
    this.terminal = terminal;
    this.asJson = asJson;
  }

  /** The reader of the output is gone, as {@code head} is after its lines: the command ends. */
  static final class ReaderGoneException extends RuntimeException {}

  /** Whether the command prints a JSON document instead of lines. */
  boolean isJson() {
    return asJson;
  }

  /** The document, started on first use. */
  JsonDocument json() throws IOException {
    if (document == null) {
      document = new JsonDocument(terminal.out(), terminal.interactiveOut());
    }
    return document;
  }

  /** Prints a line. */
  void line(String text) {
    terminal.out().println(terminal.interactiveOut() ? Printable.of(text, "\n", "\t", DIRECTORY, DIM, PLAIN) : text);
    if (++lines % FLUSH_LINES == 0) {
      flush();
    }
  }

  /** Flushes the output. */
  void flush() {
    if (terminal.out().checkError()) {
      throw new ReaderGoneException();
    }
  }

  /** Prints an error message, on a line of its own. */
  void complain(String message) {
    terminal.out().flush();
    if (progress != null) {
      progress.hide();
    }
    terminal.complain(message);
  }

  /** Prints the error that ended the command, in the document too. */
  void fail(RnsException error) throws IOException {
    complain(String.valueOf(error.getMessage()));
    if (asJson) {
      json().fail(error);
    }
  }

  /** Ends the document and flushes. */
  void finish() throws IOException {
    if (document != null) {
      document.close();
    }
    flush();
  }

  /** The name of an entry: on a terminal, directories are coloured and end with {@code /}. */
  String shown(String name, Entry entry) {
    if (!terminal.interactiveOut() || !(entry instanceof VirtualDirectory)) {
      return name;
    }
    return (terminal.isColoured() ? DIRECTORY + name + PLAIN : name) + (name.endsWith("/") ? "" : "/");
  }

  /** Dims less important text. */
  String dim(String text) {
    return terminal.isColoured() ? DIM + text + PLAIN : text;
  }

  /** The progress of a command without output: shown on a terminal. */
  Progress progress(long total) {
    return progress(total, terminal.isDrawable());
  }

  /** The progress of a command that prints lines: hidden if these go to a terminal. */
  Progress progressBesideLines() {
    return progress(0, terminal.isDrawable() && !terminal.interactiveOut());
  }

  private Progress progress(long total, boolean shown) {
    Progress made = new Progress(terminal, total, shown);
    progress = made;
    return made;
  }
}
