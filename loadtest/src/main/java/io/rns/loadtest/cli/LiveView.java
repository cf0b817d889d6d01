package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Second;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Shows the result of each second of a load, in one line of a terminal that is overwritten. */
final class LiveView {
  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintWriter terminal;

  LiveView(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /** Whether the standard error is a terminal that can overwrite a line. */
  static boolean isWatched() {
    try {
      Path where = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
      return where.startsWith("/dev") && !where.endsWith("null") && !"dumb".equals(System.getenv("TERM"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Shows one second. */
  void show(Second second) {
    terminal.print(ERASE_LINE + line(second));
    terminal.flush();
  }

  /** Prints another text below. */
  void say(String text) {
    terminal.println(ERASE_LINE + text);
    terminal.flush();
  }

  /** Clears the line. */
  void clear() {
    terminal.print(ERASE_LINE);
    terminal.flush();
  }

  private static String line(Second second) {
    return String.format(
        Locale.ROOT,
        "%4.0f s  %,9.0f requests/s  p50 %,.0f us  p99 %,.0f us  max %,.0f us  %,d errors",
        second.at(),
        second.perSecond(),
        second.p50Micros(),
        second.p99Micros(),
        second.maxMicros(),
        second.failures());
  }
}
