package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.dns.QuestionTrace;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.ElementKill;
import io.rns.loadtest.pool.PolicyContest;
import io.rns.loadtest.pool.RenewalLoad;
import io.rns.loadtest.pool.ResolutionContest;
import io.rns.loadtest.pool.ResolutionContest.Dns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands of {@code ./rns bench} for pools. */
final class PoolBenches {
  private static final int LARGEST_PORT = 65_535;

  private PoolBenches() {}

  @Command(name = "renewal", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Measure the processor time of registrars while elements renew.",
      "Elements register repeatedly at the first registrar by ASAP over TCP, each on its own connection. Reports the "
          + "processors that each registrar uses and how long an element waits; at the end all must know the same."
  }, footer = {
      "",
      "Examples:",
      "  ./rns bench renewal --elements 3000 --interval 250",
      "  ./rns bench renewal --registrars 3 --users 100 --user-interval 50 --resolve-at 2"
  })
  static final class Renewal extends Bench {
    @Option(names = "--elements", paramLabel = "N", defaultValue = "3000", description = "Pool elements (default: ${DEFAULT-VALUE}).") private int elements;

    @Option(names = "--interval", paramLabel = "MS", defaultValue = "250", description = "Time between two registrations of an element (default: ${DEFAULT-VALUE}).") private int interval;

    @Option(names = "--registrars", paramLabel = "N", defaultValue = "2", description = "Registrars, synchronized by ENRP (default: ${DEFAULT-VALUE}).") private int registrars;

    @Option(names = "--users", paramLabel = "N", defaultValue = "0", description = "Users that resolve the pool (default: ${DEFAULT-VALUE}).") private int users;

    @Option(names = "--user-interval", paramLabel = "MS", description = "Time between two resolutions of a user (default: that of elements).") private @Nullable Integer userInterval;

    @Option(names = "--resolve-at", paramLabel = "K", defaultValue = "1", description = "The registrar that users ask; 1 is that of the elements (default: ${DEFAULT-VALUE}).") private int resolveAt;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "20", description = "Measured time (default: ${DEFAULT-VALUE}).") private double seconds;

    @Option(names = "--warm-up", paramLabel = "S", defaultValue = "20", description = "Load before that (default: ${DEFAULT-VALUE}).") private double warmUp;

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--elements", elements >= 1 && elements <= 15_000, "1 to 15000");
      require("--interval", interval >= 1 && interval <= 60_000, "1 to 60000");
      require("--registrars", registrars >= 1 && registrars <= 6, "1 to 6");
      require("--users", users >= 0 && users <= 2_000, "0 to 2000");
      int between = userInterval == null ? interval : userInterval;
      require("--user-interval", between >= 1 && between <= 60_000, "1 to 60000");
      require("--resolve-at", resolveAt >= 1 && resolveAt <= registrars, "1 to " + registrars);
      TurnOptions.checkTimes(seconds, warmUp);
      RenewalLoad load = new RenewalLoad(
          elements, ofMillis(interval), registrars, users, ofMillis(between), resolveAt, ofSeconds(warmUp),
          ofSeconds(seconds));
      return new Contest.Report(load.run(progress), Map.of());
    }
  }

  @Command(name = "policies", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare ways to choose a server, over real sockets on this machine.",
      "slow: 16 servers, 2 of them 16 times slower without announcing it. sinks: 20 servers, 2 of which fail at once. "
          + "credits: 3 servers of known, different strength that reject what is too much, and bursts. "
          + "mixed, bursts: 8 equal servers of 2 workers, requests of 2 or 80 ms, bursts of 10. "
          + "dns, web: a recorded trace by datagrams or connections, at 3 servers of known, different strength that "
          + "report the queue of their socket.",
      "Servers, users and registrar are in this process; requests go over sockets, resolutions do not."
  }, footer = {
      "",
      "Examples:",
      "  ./rns bench policies --contest slow,sinks --users 1,50",
      "  ./rns bench policies --contest dns --factor 10,20,40 --trace /tmp/logs/dns.log",
      "  ./rns bench policies --seconds 20 --rounds 5 --json"
  })
  static final class Policies extends Bench {
    private static final String RECORDED = "dns.tsv";

    @Option(names = "--contest", paramLabel = "C", split = ",", defaultValue = "slow,sinks,credits", description = "Contests to run: ${COMPLETION-CANDIDATES} (default: slow, sinks, credits).") private List<PolicyContest.Kind> contests;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "Measured time of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

    @Option(names = "--warm-up", paramLabel = "S", defaultValue = "2", description = "Load before that (default: ${DEFAULT-VALUE}).") private double warmUp;

    @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Turns of each; figures are over all rounds (default: ${DEFAULT-VALUE}).") private int rounds;

    @Option(names = "--users", paramLabel = "N", split = ",", defaultValue = "1", description = "Users that share the requests of slow and sinks, each with what it has learnt itself (default: ${DEFAULT-VALUE}).") private List<Integer> users;

    @Option(names = "--factor", paramLabel = "N", split = ",", defaultValue = "10,20,40", description = "Copies of each request of dns and web (default: ${DEFAULT-VALUE}).") private List<Integer> factors;

    @Option(names = "--trace", paramLabel = "FILE", description = "When the requests of dns and web come: the DNS log of a server (default: one of 32 clients).") private @Nullable Path trace;

    @Option(names = "--registrars", paramLabel = "N", defaultValue = "1", description = "Registrars that servers and users share in turn, connected by ENRP (default: ${DEFAULT-VALUE}).") private int registrars;

    @Option(names = "--again", description = "Run the last way of each contest a second time under another name: that difference is chance.") private boolean again;

    @Option(names = "--ttl", paramLabel = "MS", defaultValue = "5000", description = "How long users cache a resolution, as RNS_POOL_TTL of a server (default: ${DEFAULT-VALUE}).") private int ttl;

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      TurnOptions.checkTimes(seconds, warmUp);
      TurnOptions.checkRounds(rounds);
      require("--ttl", ttl >= 0 && ttl <= 3_600_000, "0 to 3600000");
      require("--users", users.stream().allMatch(number -> number >= 1 && number <= 1_000), "1 to 1000 each");
      require("--factor", factors.stream().allMatch(number -> number >= 1 && number <= 10_000), "1 to 10000 each");
      require("--registrars", registrars >= 1 && registrars <= 6, "1 to 6");
      PolicyContest contest =
          new PolicyContest(rounds, ofSeconds(warmUp), ofSeconds(seconds), ofMillis(ttl), registrars, times(), again);
      List<Row> rows = new ArrayList<>();
      for (PolicyContest.Kind kind : contests) {
        for (int number : kind.isOfUsers() ? users : kind.isOfTrace() ? factors : List.of(1)) {
          rows.addAll(contest.run(kind, number, progress));
        }
      }
      return new Contest.Report(rows, Map.of());
    }

    private List<Long> times() {
      QuestionTrace recorded = trace == null
          ? QuestionTrace.parse(Io.resource(PolicyContest.class, RECORDED).lines())
          : TraceOptions.read(trace, QuestionTrace::parse);
      return recorded.questions().stream().map(QuestionTrace.TimedQuestion::nanos).toList();
    }
  }

  @Command(name = "failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Kill pool elements under load and report what users notice.",
      "Each element is a process of its own, registered by ASAP, and killed by SIGKILL; requests are repeatable. Reports "
          + "failed and repeated requests, the time until the registrar removed the element, and the last request that "
          + "reached it."
  }, footer = {"", "Example: ./rns bench failover --kills 3"})
  static final class Failover extends Bench {
    @Option(names = "--elements", paramLabel = "N", defaultValue = "4", description = "Pool elements (default: ${DEFAULT-VALUE}).") private int elements;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Requests per second (default: ${DEFAULT-VALUE}).") private double rate;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "3", description = "Elements to kill (default: ${DEFAULT-VALUE}).") private int kills;

    @Option(names = "--calm", paramLabel = "S", defaultValue = "2", description = "Seconds of load before each kill (default: ${DEFAULT-VALUE}).") private double calm;

    @Option(names = "--timeout", paramLabel = "MS", defaultValue = "5000", description = {
        "How long the registrar waits for an element whose connection is lost (default: ${DEFAULT-VALUE}, as servers do)."
    }) private int timeout;

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--elements", elements >= 2 && elements <= 50, "2 to 50");
      require("--rate", rate > 0 && rate <= 10_000, "above 0 and up to 10000");
      require("--kills", kills >= 1 && kills <= 100, "1 to 100");
      require("--calm", calm >= 0 && calm <= 50, "0 to 50");
      require("--timeout", timeout >= 1 && timeout <= 30_000, "1 to 30000");
      ElementKill kill = new ElementKill(elements, rate, kills, ofSeconds(calm), ofMillis(timeout));
      return new Contest.Report(kill.run(progress), Map.of());
    }
  }

  @Command(name = "resolution", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Resolve a pool of a running service by SOAP, ASAP and DNS, beside queries of cached names.",
      "ASAP and DNS are contacted on 127.0.0.1 if their ports are given. Beside each, the same clients call a process "
          + "that always returns the same answer (echo): what the machine and they can do at most."
  }, footer = {
      "",
      "Example:",
      "  RNS_DNS_ZONE=rns.example.org RNS_DNS_PORT=5353 ./rns up --detach",
      "  ./rns status --json | grep asap",
      "  ./rns bench resolution --asap 33801 --dns 5353        with the port that the former printed"
  })
  static final class Resolution extends Bench {
    @Mixin private ServerOption server = new ServerOption();

    @Option(names = "--asap", paramLabel = "PORT", defaultValue = "0", description = "ASAP port of the server.") private int asap;

    @Option(names = "--dns", paramLabel = "PORT", defaultValue = "0", description = "RNS_DNS_PORT of the server.") private int dns;

    @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "rns.example.org", description = "RNS_DNS_ZONE of the server (default: ${DEFAULT-VALUE}).") private String zone;

    @Mixin private TurnOptions turns = new TurnOptions(12, 3, 8, 3);

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      ResolutionContest contest =
          new ResolutionContest(
              server.endpoint(), port("--asap", asap), port("--dns", dns).map(at -> new Dns(at, zone)),
              turns.clients(), turns.contest());
      try (RnsConnection connection =
          RnsClient.builder().server(server.url).connections(turns.clients()).build()) {
        return new Contest.Report(contest.run(connection, connection.pools(), progress), Map.of());
      }
    }

    /** A port of this machine; empty if it is 0. */
    private static Optional<InetSocketAddress> port(String option, int port) {
      require(option, port >= 0 && port <= LARGEST_PORT, "0 to " + LARGEST_PORT);
      return port == 0 ? Optional.empty() : Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }
}
