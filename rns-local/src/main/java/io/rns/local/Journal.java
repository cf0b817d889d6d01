package io.rns.local;

import java.io.PrintStream;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * Logs events with their time (UTC, ISO 8601) on the first line of each.
 *
 * @param out the output
 * @param clock the clock
 */
record Journal(PrintStream out, InstantSource clock) implements Consumer<String> {
  @Override
  public void accept(String happened) {
    out.println(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + happened);
  }
}
