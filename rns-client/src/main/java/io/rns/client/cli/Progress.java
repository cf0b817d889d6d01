package io.rns.client.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A line on the standard error that a person sees changing; nothing where nobody watches. */
final class Progress implements AutoCloseable {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BAR_CHARS = 24;

  private final Terminal terminal;
  private final long total;
  private final long started;
  private long drawn;
  private boolean visible;

  /**
   * A progress of {@code total} steps, or of nobody knows how many if that is below 1.
   */
  Progress(Terminal terminal, long total) {
    this.terminal = terminal;
    this.total = total;
    this.started = terminal.nanos().getAsLong();
    this.drawn = started;
  }

  /** Tells how many steps are done, and how many entries that are. */
  void show(long done, long entries) {
    long now = terminal.nanos().getAsLong();
    if (!terminal.interactiveErr() || now - drawn < REDRAW_NANOS) {
      return;
    }
    drawn = now;
    visible = true;
    double seconds = (now - started) / 1e9;
    String counts = String.format(Locale.ROOT, "%,d entries, %,.0f/s", entries, entries / seconds);
    terminal.err().print("\r" + bar(done) + counts + "\u001b[K");
    terminal.err().flush();
  }

  private String bar(long done) {
    if (total < 1) {
      return "";
    }
    int percent = (int) Math.min(100, 100.0 * done / total);
    int full = BAR_CHARS * percent / 100;
    return "[" + "#".repeat(full) + ".".repeat(BAR_CHARS - full) + "] " + percent + " %  ";
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (visible) {
      terminal.err().print("\r\u001b[K");
      terminal.err().flush();
      visible = false;
    }
  }
}
