package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.reject;
import static io.rns.loadtest.cli.LoadtestCommand.require;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.dns.ImmediateResponder;
import io.rns.loadtest.dns.QuestionReplay;
import io.rns.loadtest.dns.QuestionTrace;
import io.rns.loadtest.dns.ReplayReport;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.Replay;
import io.rns.loadtest.work.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of traces: requests of sessions, with their times. */
final class TraceOptions {
  static final String HEADER = "# milliseconds, session, operation, path, new path of a move\n";
  private static final int MOST_SESSIONS = 50_000;
  /** Copies of a DNS log. */
  private static final int MOST_COPIES = 100_000;
  private static final Pattern PLACE = Pattern.compile("(.+):([0-9]{1,5})");
  private static final int MOST_PORT = 0xffff;
  /** Instead of a place. */
  private static final String NONE = "none";

  @Option(names = "--trace", paramLabel = "FILE", description = "Replay sessions at their recorded times, in one round; create the entries they expect first. One line per operation: "
      + "milliseconds since the start, session, operation of --mix, path, and new path of a move; tab-separated.") private @Nullable Path file;

  @Option(names = "--factor", paramLabel = "N", defaultValue = "1", description = "With --trace: concurrent copies of each session, or of each client of a DNS log (default: ${DEFAULT-VALUE}).") private int factor;

  @Option(names = "--dns", paramLabel = "HOST:PORT", description = "With --trace of a DNS log (RNS_DNS_LOG): send its questions to this server by UDP. "
      + "none: to a responder in this process, to measure the generator alone.") private @Nullable String dns;

  @Option(names = "--record", paramLabel = "FILE", description = "With --mix: record the requests as a trace.")
  @Nullable Path record;

  private @Nullable Trace trace;
  private @Nullable QuestionTrace questions;

  boolean isReplay() {
    return file != null;
  }

  boolean isOfQuestions() {
    return dns != null;
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

  /** Replays questions, after {@link #read}, and prints what came of it. */
  ReplayReport replay(LiveView live, boolean json, Consumer<String> out) {
    String place = Objects.requireNonNull(dns, "no questions");
    if (!place.equals(NONE)) {
      return replay(address(place), live, json, out);
    }
    try (ImmediateResponder responder = ImmediateResponder.start()) {
      return replay(responder.address(), live, json, out);
    }
  }

  private ReplayReport replay(InetSocketAddress server, LiveView live, boolean json, Consumer<String> out) {
    QuestionTrace read = Objects.requireNonNull(questions, "no trace was read");
    QuestionReplay replay = new QuestionReplay(read, factor, server, QuestionReplay.TIMEOUT);
    live.say(String.format(
        Locale.ROOT, "%,d questions in %.1f s", (long) factor * read.questions().size(), read.length() / 1e9));
    ReplayReport report = replay.run();
    out.accept(json ? Json.pretty(QuestionsOutput.of(replay, report)) : QuestionsOutput.text(replay, report));
    return report;
  }

  private static InetSocketAddress address(String place) {
    Matcher parts = PLACE.matcher(place);
    int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
    reject(port < 1 || port > MOST_PORT, "--dns '" + place + "' is not a place like 127.0.0.1:5353 or [::1]:5353");
    InetSocketAddress address = new InetSocketAddress(parts.group(1), port);
    if (address.isUnresolved()) {
      throw new RnsException(RnsError.UNAVAILABLE, "--dns " + place + ": there is no such host");
    }
    return address;
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
    reject(dns != null && file == null, "--dns needs --trace FILE");
    if (file == null) {
      return;
    }
    if (dns != null) {
      require("--factor", factor >= 1 && factor <= MOST_COPIES, "1 to " + MOST_COPIES);
      questions = read(file, QuestionTrace::parse);
      return;
    }
    trace = read(file, Trace::parse);
    int count = trace.sessions().size();
    int most = Math.max(1, MOST_SESSIONS / count);
    reject(
        factor < 1 || factor > most,
        "--factor " + factor + " must be 1 to " + most + " with " + count + " sessions, so that there are "
            + MOST_SESSIONS + " at most");
  }

  static <T> T read(Path file, Function<Stream<String>, T> parse) {
    try (Stream<String> lines = Files.lines(file)) {
      return parse.apply(lines);
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "--trace " + file + " cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "--trace " + file + ": " + e.getMessage(), e);
    }
  }
}
