package io.rns.loadtest.cli;

import io.rns.loadtest.launcher.LoadtestEnvironment;
import io.rns.loadtest.measure.Second;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Shows the progress of a load on standard error; on a terminal also each second, in one line that is overwritten. */
final class LiveView {
  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean overwrites;

  /** A view; one that is silent shows nothing. */
  LiveView(PrintWriter err, boolean silent) {
    out = silent ? new PrintWriter(Writer.nullWriter()) : err;
    overwrites = !silent && isTerminal();
  }

  private static boolean isTerminal() {
    try {
      Path where = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
      return where.startsWith("/dev") && !where.endsWith("null") && !LoadtestEnvironment.hasDumbTerminal();
    } catch (IOException e) {
      return false;
    }
  }

  void show(Second second) {
    overwrite(
        String.format(
            Locale.ROOT, "%4.0f s  %,9.0f requests/s  p50 %,.0f us  p99 %,.0f us  max %,.0f us  %,d errors",
            second.at(), second.perSecond(), second.p50Micros(), second.p99Micros(), second.maxMicros(),
            second.failures()));
  }

  void say(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  void clear() {
    overwrite("");
  }

  private void overwrite(String text) {
    if (overwrites) {
      out.print(ERASE_LINE + text);
      out.flush();
    }
  }
}
