package io.rns.server.access;

import io.rns.access.AccessLine;
import io.rns.api.Target;
import java.time.Instant;

/** One operation as it waits to be written: its line is made by the thread that writes. */
record PendingLogLine(
    Instant begun,
    String session,
    String caller,
    String operation,
    Target target,
    String newPath,
    String outcome,
    long micros) implements LineLog.Line {
  @Override
  public String text() {
    return new AccessLine(begun, session, caller, operation, target.toString(), newPath, outcome, micros).toString();
  }
}
