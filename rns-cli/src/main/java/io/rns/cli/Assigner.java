package io.rns.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Assigns directories to groups, and shows how their content moves. */
final class Assigner {
  /** The owner learns of the assignment within seconds. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Operator operator;
  private final List<URI> rootServers;
  private final Output output;

  Assigner(Operator operator, List<URI> rootServers, Output output) {
    this.operator = operator;
    this.rootServers = rootServers;
    this.output = output;
  }

  /**
   * Assigns a directory; returns when the group serves it.
   *
   * @param reason parameters that are recorded with the move
   */
  ServerDocument assign(String path, String group, String reason) throws IOException {
    String request =
        "/partitions/assign?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8) + "&group=" + group + reason;
    ServerDocument result = ask(request);
    try (Progress progress = output.progress(0)) {
      while (isMoving(result.json())) {
        long copied = Long.parseLong(result.json().field("move.copied"));
        progress.show(copied, copied, result.json().field("move.phase"));
        result = ask(request);
      }
    }
    return result;
  }

  private static boolean isMoving(FlatJson assigned) {
    return !assigned.field("move.phase").isEmpty() && assigned.field("move.waitedMillis").isEmpty();
  }

  /** Prints what has come of it. */
  void show(FlatJson assigned) {
    output.line("partition: " + assigned.field("path"));
    output.line("group:     " + assigned.field("group"));
    output.line("epoch:     " + assigned.field("epoch"));
    if (assigned.field("move.phase").equals("cancelled")) {
      output.line("cancelled: a move to another group, which had copied " + assigned.field("move.copied") + " entries");
    } else if (!assigned.field("move.phase").isEmpty()) {
      output.line(
          "moved:     " + assigned.field("move.copied") + " entries; writes waited for "
              + assigned.field("move.waitedMillis") + " ms");
    }
  }

  /** Sends the request to the first server of the root's group that answers. */
  private ServerDocument ask(String request) {
    RnsException failure = null;
    for (URI server : rootServers) {
      try {
        return operator.ask("POST", server, request, TIMEOUT_MILLIS);
      } catch (RnsException e) {
        if (e.error() != RnsError.UNAVAILABLE) {
          throw e;
        }
        if (failure == null) {
          failure = e;
        }
      }
    }
    throw failure == null
        ? new RnsException(RnsError.UNAVAILABLE, "no server of the root's group answers")
        : failure;
  }
}
