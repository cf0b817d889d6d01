package io.rns.loadtest.cli;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.client.Dialect;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.http.TlsTrust;
import io.rns.loadtest.dns.ReplayReport;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import io.rns.loadtest.load.Benchmark;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.LoadSettings.Server;
import io.rns.loadtest.load.SizeBenchmark;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "rns load", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure throughput and latency of a running service.",
    "Each client sends its next request after the answer to the previous one (closed loop), or requests are due at a fixed rate "
        + "(--rate, open loop). The load creates its own entries below "
        + "/rns-load-<random> and removes them at the end.",
    "It alternates with yardsticks: an echo servlet and a no-op JAX-WS operation, both in the same "
        + "application server (./rns up --yardstick), and single statements on the same database.",
    "Ctrl-C stops the load, prints the results so far and removes the entries."
}, footer = {
    "",
    "Examples:",
    "  ./rns load --op query --clients 12 --seconds 30",
    "  ./rns load --op query --via client --clients 12 --seconds 30 --json",
    "  ./rns load --op query --clients 1..12 --seconds 30 --no-yardsticks",
    "  ./rns load --op query --clients 64 --rate 2000 --spacing poisson --seconds 30 --no-yardsticks",
    "  ./rns load --mix hdfs --keys zipf --clients 32 --seconds 30",
    "  ./rns load --mix hdfs --clients 33 --think 100 --record trace.tsv --seconds 30",
    "  ./rns load --trace trace.tsv --factor 10",
    "  ./rns load --trace dns.log --dns 127.0.0.1:5353 --factor 400",
    "  ./rns load --op add --clients 64 --seconds 30",
    "  ./rns load --op query --rounds 5 --json > before.json",
    "  ./rns load --op query --rounds 5 --baseline before.json --html report.html",
    "  ./rns load --op size --entries 5000000 --keep"
})
final class LoadCommand extends LoadtestCommand {
  /** The size benchmark, which is no load. */
  static final String SIZE = "size";
  private static final int CLEANING_SECONDS = 60;

  @Option(names = "--op", paramLabel = "OPERATION", completionCandidates = LoadCommand.OperationNames.class, description = {
      "Operation: ${COMPLETION-CANDIDATES}. Optional with --mix and --trace.",
      "query looks up a path of four names; batches have 100 items; list returns pages of 1,000 entries; mixed is "
          + "90 %% query, 8 %% add, 2 %% list; size compares a big directory and a large tree with small ones.",
      "lookup is RNS 1.1 with one name, lookup-batch with 1,000; listing reads a directory of 100,000 entries with an "
          + "iterator, always through the client and with standard messages only.",
      "session looks up the entry that the same client just added, at --read-from; only the lookup is measured."
  }) private String operation = "";

  @Mixin private ArrivalOptions arrivals = new ArrivalOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "10", description = "Measured time of all rounds together, and of each yardstick (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Number of alternations of load and yardsticks; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "5", description = "Warm-up seconds of the first round; a quarter in later rounds (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--via", paramLabel = "HOW", defaultValue = "raw", description = "raw: prepared messages; client: Java client library, compared with raw (default: ${DEFAULT-VALUE}).") private LoadTransport via;

  @Mixin private ServerOption server = new ServerOption();

  @Option(names = "--token-file", paramLabel = "FILE", description = "Bearer token (default: RNS_USER and RNS_PASSWORD_FILE, BEARER_TOKEN, BEARER_TOKEN_FILE, or the administrator in --data).") private @Nullable Path tokenFile;

  @Option(names = "--read-from", paramLabel = "URL", description = "With --op session: server for the lookups (default: --server).") private @Nullable URI readFrom;

  @Option(names = "--target", paramLabel = "WHAT", defaultValue = "rns", description = "rns: the service. To measure the generator alone, none: create requests without sending them, or socket: send them to an "
      + "idle process that answers at once (default: ${DEFAULT-VALUE}).") private Server target;

  @Option(names = "--yardsticks", negatable = true, defaultValue = "true", fallbackValue = "true", description = "Measure yardsticks for comparison (default: yes).") private boolean yardsticks;

  @Option(names = "--jdbc", paramLabel = "URL", description = "Database of the service, for yardsticks; detected for ./rns up.") private @Nullable String jdbcUrl;

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of ./rns up, to find database and processes (default: RNS_DATA, or ~/.rns).") private @Nullable Path data;

  @Option(names = "--timeout", paramLabel = "S", defaultValue = "30", description = "Timeout of a request in seconds (default: ${DEFAULT-VALUE}).") private double timeout;

  @Option(names = "--entries", paramLabel = "N", defaultValue = "5000000", description = "With --op size: entries of the big directory and the large tree (default: ${DEFAULT-VALUE}).") private long entries;

  @Option(names = "--keep", description = "With --op size: keep the entries and print their path.") private boolean keep;

  @Option(names = "--reuse", paramLabel = "PATH", description = "With --op size: measure entries that an earlier run kept.") private @Nullable String reuse;

  @Mixin private ProcessOptions team = new ProcessOptions();

  @Mixin private TraceOptions traces = new TraceOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  @Option(names = "--json", description = "Print one JSON document.") private boolean json;

  static final class OperationNames extends ArrayList<String> {
    OperationNames() {
      Arrays.stream(LoadOperation.values()).map(LoadOperation::toString).forEach(this::add);
      add(SIZE);
    }
  }

  LoadCommand() {
    super(CLEANING_SECONDS);
  }

  @Override
  int run() throws InterruptedException {
    checkWork();
    checkNumbers();
    LiveView live = new LiveView(err(), json);
    if (traces.isOfQuestions()) {
      return questions(live);
    }
    try (NameService client = client().server(server.url).consistency(work.consistency()).build();
        NameService standard = client().root(root()).dialect(Dialect.RNS_1_1_PLAIN).build();
        NameService reader =
            client().server(readFrom == null ? server.url : readFrom).consistency(work.consistency()).build()) {
      return operation.equals(SIZE) ? size(client, live) : load(client, standard, reader, live);
    }
  }

  private RnsClient.Builder client() {
    return RnsClient.builder()
        .trust(trust())
        .credentials(credentials())
        .connections(Math.max(traces.isReplay() ? traces.sessions() : Collections.max(arrivals.clients.values()), 8))
        .deadline(Duration.ofMinutes(5));
  }

  private TlsTrust trust() {
    return server.trust(Optional.of(dataDirectory()));
  }

  private CredentialSource credentials() {
    List<URI> servers = readFrom == null ? List.of(server.url) : List.of(server.url, readFrom);
    return server.credentials(tokenFile, dataDirectory(), servers);
  }

  private Path dataDirectory() {
    return data == null ? LoadtestEnvironment.data() : data;
  }

  private EndpointReference root() {
    return EndpointReference.ofAddress(server.endpoint());
  }

  private int load(NameService client, NameService standard, NameService reader, LiveView live)
      throws InterruptedException {
    LoadReport report;
    if (team.isMember()) {
      TeamMember member = new TeamMember(System.in, out());
      member.send(
          new Benchmark(loadSettings(), client, standard, reader, live::say, live::show, Optional.empty(),
              member::awaitBegin).run());
      return 0;
    }
    if (team.isTeam()) {
      live.say(team.processes + " processes");
      report = team.run(loadSettings(), arrivals.rate);
    } else if (traces.isReplay()) {
      report = traces.replay(loadSettings(), client, live).run();
    } else {
      try (Writer record = traces.openRecord()) {
        report =
            new Benchmark(loadSettings(), client, standard, reader, live::say, live::show, Optional.ofNullable(record),
                () -> {}).run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    live.clear();
    boolean worse = output.print(report, json, this::print);
    if (report.interrupted()) {
      return ErrorReporter.INTERRUPTED;
    }
    return worse || report.load().together().completed() == 0 ? ErrorReporter.REFUSED : 0;
  }

  private int questions(LiveView live) {
    ReplayReport report = traces.replay(live, json, this::print);
    if (report.interrupted()) {
      return ErrorReporter.INTERRUPTED;
    }
    return report.answered() == 0 ? ErrorReporter.REFUSED : 0;
  }

  private int size(NameService client, LiveView live) throws InterruptedException {
    SizeReport report = new SizeBenchmark(sizeSettings(), client, live::say).run();
    print(json ? Json.pretty(SizeJson.of(report)) : LoadText.of(report));
    return 0;
  }

  /** Determines the operation from the options that may set it. */
  private void checkWork() {
    String wanted = operation;
    if (traces.isReplay()) {
      wanted = LoadOperation.TRACE.toString();
    } else if (work.mix != null) {
      wanted = LoadOperation.MIX.toString();
    }
    reject(!operation.isEmpty() && !operation.equals(wanted), "--op " + operation + " excludes --mix and --trace");
    reject(traces.isReplay() && work.mix != null, "--mix and --trace exclude each other");
    operation = wanted;
    List<String> names = new OperationNames();
    reject(
        !names.contains(operation),
        "--op '" + operation + "' is none of " + String.join(", ", names));
    boolean mixed = operation.equals(LoadOperation.MIX.toString());
    reject(operation.equals(LoadOperation.TRACE.toString()) && !traces.isReplay(), "--op trace needs --trace FILE");
    reject(traces.record != null && !mixed, "--record needs --mix");
    reject(
        !work.consistency().equals(Consistency.SESSION) && !mixed && !traces.isReplay() && via != LoadTransport.CLIENT,
        "--consistency " + work.consistency() + " needs --mix, --trace or --via client");
    boolean apart = traces.isReplay() || traces.record != null || operation.equals(SIZE);
    reject(team.processes > 1 && apart, "--processes excludes --trace, --record and --op size");
    reject(traces.isOfQuestions() && output.isMore(), "--dns excludes --csv, --html and --baseline");
    traces.read();
  }

  private void checkNumbers() {
    require("--seconds", seconds > 0 && seconds <= 86_400, "above 0 and up to 86400");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    output.check(rounds);
    team.check(arrivals.clients);
    require("--timeout", timeout > 0 && timeout <= 3_600, "above 0 and up to 3600");
    require("--entries", entries >= 1_000 && entries <= 1_000_000_000, "1000 to 1000000000");
  }

  private LoadSettings loadSettings() {
    LoadOperation wanted =
        Arrays.stream(LoadOperation.values()).filter(o -> o.toString().equals(operation)).findFirst().orElseThrow();
    boolean taken =
        switch (target) {
          case RNS -> true;
          case NONE -> !wanted.isConversation() && via == LoadTransport.RAW;
          case SOCKET -> wanted.isPrepared() && via == LoadTransport.RAW;
        };
    reject(!taken, "--target " + target + " takes prepared requests only: not --op " + wanted + " --via " + via);
    RunningService service = RunningService.in(dataDirectory());
    return new LoadSettings(
        wanted,
        via,
        server.endpoint(),
        trust(),
        credentials(),
        target,
        arrivals.clients.values(),
        arrivals.arrivals(team.number(), team.processes),
        rounds,
        ofSeconds(seconds),
        ofSeconds(warmUp),
        work.work(),
        yardsticks,
        Optional.ofNullable(jdbcUrl).or(() -> service.database(server.url)),
        service.processes(server.url),
        ofSeconds(timeout));
  }

  private SizeBenchmark.Settings sizeSettings() {
    return new SizeBenchmark.Settings(
        HttpTarget.of(server.endpoint(), trust(), credentials().authorization(server.url, Optional.empty())), entries,
        Collections.max(arrivals.clients.values()), rounds, ofSeconds(seconds),
        ofSeconds(warmUp), Optional.ofNullable(reuse).map(RnsPath::parse), keep, ofSeconds(timeout));
  }
}
