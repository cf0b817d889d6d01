package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.reject;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.Replay;
import io.rns.loadtest.work.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of traces: requests of sessions, with their times. */
final class TraceOptions {
  static final String HEADER = "# milliseconds, session, operation, path, new path of a move\n";
  private static final int MOST_SESSIONS = 50_000;

  @Option(names = "--trace", paramLabel = "FILE", description = "Replay sessions at their recorded times, in one round; create the entries they expect first. One line per operation: "
      + "milliseconds since the start, session, operation of --mix, path, and new path of a move; tab-separated.") private @Nullable Path file;

  @Option(names = "--factor", paramLabel = "N", defaultValue = "1", description = "With --trace: concurrent copies of each session (default: ${DEFAULT-VALUE}).") private int factor;

  @Option(names = "--record", paramLabel = "FILE", description = "With --mix: record the requests as a trace.")
  @Nullable Path record;

  private @Nullable Trace trace;

  boolean isReplay() {
    return file != null;
  }

  /** The number of sessions with all copies, after {@link #read}. */
  int sessions() {
    return trace().sessions().size() * factor;
  }

  /** The replay of the trace, after {@link #read}. */
  Replay replay(LoadSettings others, NameService client, LiveView live) {
    LoadSettings settings = others.ofTrace(sessions(), Duration.ofNanos(trace().length()));
    return new Replay(settings, trace(), factor, client, live::say, live::show);
  }

  private Trace trace() {
    return Objects.requireNonNull(trace, "no trace was read");
  }

  /** Opens the file to record to; null without {@code --record}. */
  @Nullable
  Writer openRecord() {
    if (record == null) {
      return null;
    }
    Path into = record;
    return Io.get(RnsError.INVALID_REQUEST, "--record " + into + " cannot be written", () -> {
      Writer out = Files.newBufferedWriter(into);
      out.write(HEADER);
      return out;
    });
  }

  void read() {
    if (file == null) {
      return;
    }
    try (Stream<String> lines = Files.lines(file)) {
      trace = Trace.parse(lines);
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "--trace " + file + " cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "--trace " + file + ": " + e.getMessage(), e);
    }
    int count = trace.sessions().size();
    int most = Math.max(1, MOST_SESSIONS / count);
    reject(
        factor < 1 || factor > most,
        "--factor " + factor + " must be 1 to " + most + " with " + count + " sessions, so that there are "
            + MOST_SESSIONS + " at most");
  }
}
