package io.rns.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A progress line on the standard error of a terminal; nothing elsewhere. */
final class Progress implements AutoCloseable {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BAR_CHARS = 24;

  /** Keeps the bar in place while the counts before it grow. */
  private static final int COUNT_CHARS = 30;

  // Cut a line that is wider than the terminal: a wrapped line could not be redrawn.
  private static final String BEGIN = "\r\u001b[?7l";
  private static final String END = "\u001b[K\u001b[?7h";
  private static final String CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private final long total;
  private final boolean shown;
  private final long started;
  private final Thread atExit;
  private long drawn;
  private boolean visible;
  private boolean ended;

  /**
   * A progress of {@code total} steps; below 1 for an unknown number.
   *
   * @param shown whether to show it
   */
  Progress(Terminal terminal, long total, boolean shown) {
    this.terminal = terminal;
    this.total = total;
    this.shown = shown;
    this.started = terminal.nanos().getAsLong();
    this.drawn = started;
    this.atExit = new Thread(this::endLine, "rns-progress-end");
  }

  /** Shows the number of completed steps and of entries. */
  void show(long done, long entries) {
    show(done, entries, "");
  }

  /** The same with what is being done, if that is not always the same. */
  void show(long done, long entries, String phase) {
    long now = terminal.nanos().getAsLong();
    if (!shown || now - drawn < REDRAW_NANOS) {
      return;
    }
    drawn = now;
    double seconds = (now - started) / 1e9;
    String counts =
        String.format(Locale.ROOT, "%,d %s, %,.0f/s", entries, entries == 1 ? "entry" : "entries", entries / seconds);
    String line = total < 1 ? counts : measured(done, counts);
    terminal.err().print(BEGIN + line + (phase.isEmpty() ? "" : ", " + phase) + END);
    terminal.err().flush();
    if (!visible) {
      visible = true;
      // After an interruption the prompt starts on a new line.
      Runtime.getRuntime().addShutdownHook(atExit);
    }
  }

  private String measured(long done, String counts) {
    int percent = (int) Math.min(100, 100.0 * done / total);
    int full = BAR_CHARS * percent / 100;
    String bar = "#".repeat(full) + ".".repeat(BAR_CHARS - full);
    return String.format(Locale.ROOT, "%3d %%  %-" + COUNT_CHARS + "s[%s]", percent, counts, bar);
  }

  /** Clears the line until the next {@link #show}. */
  void hide() {
    if (!visible) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The command was interrupted: the line stays, and further output goes below it.
      endLine();
      return;
    }
    visible = false;
    terminal.err().print(CLEAR);
    terminal.err().flush();
  }

  private synchronized void endLine() {
    if (!ended) {
      ended = true;
      terminal.err().println();
    }
  }

  @Override
  public void close() {
    hide();
  }
}
