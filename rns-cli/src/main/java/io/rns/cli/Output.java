package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.RnsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a command says: lines, or one JSON document; and complaints. */
final class Output {
  private static final String DIRECTORY = "\u001b[1;34m";
  private static final String DIM = "\u001b[2m";
  private static final String PLAIN = "\u001b[0m";

  /** After so many lines it is looked whether anybody still reads them. */
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

  /** The reader of the output has gone, as {@code head} does: there is nothing left to do. */
  static final class ReaderGoneException extends RuntimeException {}

  /** Whether a JSON document is wanted in place of lines. */
  boolean isJson() {
    return asJson;
  }

  /** The document, which begins with its first use. */
  JsonDocument json() throws IOException {
    if (document == null) {
      document = new JsonDocument(terminal.out());
    }
    return document;
  }

  /** Says a line. */
  void line(String text) {
    terminal.out().println(text);
    if (++lines % FLUSH_LINES == 0) {
      flush();
    }
  }

  /** Brings what was said so far to the reader. */
  void flush() {
    if (terminal.out().checkError()) {
      throw new ReaderGoneException();
    }
  }

  /** Complains, on a line of its own. */
  void complain(String message) {
    terminal.out().flush();
    if (progress != null) {
      progress.hide();
    }
    terminal.err().println("rns: " + message);
  }

  /** Complains about what ended the command, in the document too. */
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

  /** The name of an entry: for a person, directories are coloured and end with {@code /}. */
  String shown(String name, Entry entry) {
    if (!terminal.interactiveOut() || !(entry instanceof VirtualDirectory)) {
      return name;
    }
    return (terminal.isColoured() ? DIRECTORY + name + PLAIN : name) + (name.endsWith("/") ? "" : "/");
  }

  /** Text that is less important. */
  String dim(String text) {
    return terminal.isColoured() ? DIM + text + PLAIN : text;
  }

  /** The progress of a command that says nothing meanwhile: shown where a person watches. */
  Progress progress(long total) {
    return progress(total, terminal.isDrawable());
  }

  /** The progress of a command that writes lines all the while: not shown where these are watched themselves. */
  Progress progressBesideLines() {
    return progress(0, terminal.isDrawable() && !terminal.interactiveOut());
  }

  private Progress progress(long total, boolean shown) {
    Progress made = new Progress(terminal, total, shown);
    progress = made;
    return made;
  }
}
