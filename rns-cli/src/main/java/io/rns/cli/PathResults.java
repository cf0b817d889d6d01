package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The results of several paths: entries, and refusals that do not stop the others. */
final class PathResults {
  private static final int BATCH = 500;

  private record Refused(RnsPath path, Refusal refusal) {}

  private final Output output;
  private final List<Refused> refused = new ArrayList<>();
  private boolean started;
  private int code = ExitCode.DONE;

  PathResults(Output output) {
    this.output = output;
  }

  /** The paths in batches that fit a request. */
  static List<List<RnsPath>> batches(List<RnsPath> paths) {
    List<List<RnsPath>> batches = new ArrayList<>();
    for (int from = 0; from < paths.size(); from += BATCH) {
      batches.add(paths.subList(from, Math.min(from + BATCH, paths.size())));
    }
    return batches;
  }

  /**
   * Adds a result; prints a refusal to the standard error.
   *
   * @return whether it succeeded
   */
  boolean add(RnsPath path, Outcome<Entry> outcome) throws IOException {
    if (outcome instanceof Outcome.Done<Entry> done) {
      if (output.isJson()) {
        array().element(path, done.value());
      }
      return true;
    }
    Refusal refusal = ((Outcome.Refused<Entry>) outcome).refusal();
    output.complain(refusal.message());
    refused.add(new Refused(path, refusal));
    int worse = ExitCode.of(refusal.error());
    code = Math.max(code, worse);
    return false;
  }

  private JsonDocument array() throws IOException {
    if (!started) {
      output.json().generator().writeArrayFieldStart("entries");
      started = true;
    }
    return output.json();
  }

  /** Ends the results and returns the exit code. */
  int finish() throws IOException {
    if (output.isJson()) {
      array().generator().writeEndArray();
      if (!refused.isEmpty()) {
        output.json().generator().writeArrayFieldStart("errors");
        for (Refused one : refused) {
          output.json().refusal(one.path(), one.refusal().error().name(), one.refusal().message());
        }
        output.json().generator().writeEndArray();
      }
    }
    return code;
  }
}
