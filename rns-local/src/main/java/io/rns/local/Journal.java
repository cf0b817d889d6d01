package io.rns.local;

import java.io.PrintStream;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * Writes down what happens and when, one line or more for each, the first with the time (UTC, ISO 8601).
 *
 * @param out where to
 * @param clock what time it is
 */
record Journal(PrintStream out, InstantSource clock) implements Consumer<String> {
  @Override
  public void accept(String happened) {
    out.println(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + happened);
  }
}
