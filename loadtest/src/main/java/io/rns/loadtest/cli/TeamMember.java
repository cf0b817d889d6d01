package io.rns.loadtest.cli;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadReport;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A member process of a load, in its protocol with the starting process: before each run it sends {@value #READY} and
 * waits for {@value #GO}; at the end it sends {@value #REPORT} and its measurements. For one thread.
 */
final class TeamMember {
  static final String READY = "ready";
  static final String GO = "go";
  static final String REPORT = "report ";

  private final BufferedReader in;
  private final PrintWriter out;

  TeamMember(InputStream in, PrintWriter out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Waits for the common start. Interrupts the calling thread if the starting process is gone. */
  void awaitBegin() {
    out.println(READY);
    out.flush();
    if (!GO.equals(Io.<@Nullable String>get("the starting process is gone", in::readLine))) {
      Thread.currentThread().interrupt();
    }
  }

  void send(LoadReport report) {
    out.println(REPORT + Json.line(TeamReport.of(report)));
    out.flush();
  }
}
