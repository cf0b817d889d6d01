package io.rns.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A line on the standard error that a person sees changing; nothing where nobody watches. */
final class Progress implements AutoCloseable {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BAR_CHARS = 24;

  /** Keeps the bar in its place while the counts before it grow. */
  private static final int COUNT_CHARS = 30;

  // A line that is longer than the terminal is wide is cut, not wrapped: what has wrapped could not be drawn over.
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
   * A progress of {@code total} steps, or of nobody knows how many if that is below 1.
   *
   * @param shown whether it is shown at all
   */
  Progress(Terminal terminal, long total, boolean shown) {
    this.terminal = terminal;
    this.total = total;
    this.shown = shown;
    this.started = terminal.nanos().getAsLong();
    this.drawn = started;
    this.atExit = new Thread(this::endLine, "rns-progress-end");
  }

  /** Tells how many steps are done, and how many entries that are. */
  void show(long done, long entries) {
    long now = terminal.nanos().getAsLong();
    if (!shown || now - drawn < REDRAW_NANOS) {
      return;
    }
    drawn = now;
    double seconds = (now - started) / 1e9;
    String counts =
        String.format(Locale.ROOT, "%,d %s, %,.0f/s", entries, entries == 1 ? "entry" : "entries", entries / seconds);
    terminal.err().print(BEGIN + (total < 1 ? counts : measured(done, counts)) + END);
    terminal.err().flush();
    if (!visible) {
      visible = true;
      // Who interrupts the command gets the prompt on a line of its own, below what was done.
      Runtime.getRuntime().addShutdownHook(atExit);
    }
  }

  private String measured(long done, String counts) {
    int percent = (int) Math.min(100, 100.0 * done / total);
    int full = BAR_CHARS * percent / 100;
    String bar = "#".repeat(full) + ".".repeat(BAR_CHARS - full);
    return String.format(Locale.ROOT, "%3d %%  %-" + COUNT_CHARS + "s[%s]", percent, counts, bar);
  }

  /** Takes the line away; it comes back when there is more to show. */
  void hide() {
    if (!visible) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The command was interrupted: the line stays, and what is said now goes below it.
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
