package io.rns.local;

import io.rns.replication.Topology;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns up}: runs the whole service on this machine until it is stopped. */
@Command(name = "rns up", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Run the whole service on this machine, with an embedded database, until Ctrl-C or './rns down'.",
    "It listens only on 127.0.0.1. With --replicas it is a group of servers, each with its own database, with --groups",
    "several groups, to which './rns partition assign' gives subtrees."
}, footer = {
    "",
    "Examples:",
    "  ./rns up                                  on port 8080, data in ~/.rns",
    "  ./rns up --detach                         in the background",
    "  ./rns up --port 8090 --data /srv/rns      a second service",
    "  ./rns up --replicas 2 --data /srv/group   three servers on ports 8080 to 8082",
    "  ./rns up --replicas 2 --data /srv/mysql --engine mysql --topology group",
    "                                            the same with MySQL group replication",
    "  ./rns up --groups 2                       two groups, ports 8080 and 8081",
    "  ./rns up --tls                            HTTPS on port 8080",
    "  ./rns up --secure --data /srv/closed      closed to all but its administrator",
    "",
    "Exit codes: 0 stopped or (--detach) ready, 1 failed, 2 invalid usage."
})
public final class Up implements Callable<Integer> {
  static final String READY = "RNS ready at ";
  private static final int USUAL_PORT = 8080;
  private static final String MARIADB = "mariadb";
  private static final String MYSQL = "mysql";
  private static final List<String> TRY_SERVICE =
      List.of("mkdir -p /demo/docs", "add /demo/docs/home https://www.rfc-editor.org/rfc/rfc2606", "tree /");
  static final List<String> TRY_GROUP = List.of("status", "mkdir -p /demo/docs", "switchover --to server-2");
  static final List<String> TRY_GROUPS = List.of("status", "mkdir /demo", "partition assign /demo --to 1");
  private static final List<String> SET_BY_GROUPS = List.of("RNS_GROUP", "RNS_ROOT_SERVERS");

  @Option(names = "--port", paramLabel = "PORT", defaultValue = ""
      + USUAL_PORT, description = "HTTP port (default: ${DEFAULT-VALUE}); 0 for any free port. Other servers use the next ones.") private int port;

  @Option(names = "--database-port", paramLabel = "PORT", defaultValue = "0", description = "With --replicas or --groups: port of the first database, the others use the next ones (default: any free ports).") private int databasePort;

  @Option(names = "--proxy-port", paramLabel = "PORT", defaultValue = "0", description = {
      "With --replicas or --groups: servers reach each other through proxies that you run: server n at port PORT+2n-2, its database at "
          + "PORT+2n-1, such as those of './rns link'."
  }) private int proxyPort;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "0", description = {
      "Number of replicas, 0 to " + LocalGroup.MOST_REPLICAS + " (default: ${DEFAULT-VALUE}).",
      "Fixed for a group's data directory; a single server's becomes a group's."
  }) private int replicas;

  @Option(names = "--groups", paramLabel = "N", defaultValue = "1", description = {
      "Number of groups, 1 to " + LocalGroup.MOST_GROUPS + " (default: ${DEFAULT-VALUE}), each with --replicas.",
      "A data directory's number of groups may only grow."
  }) private int groups;

  @Option(names = "--fronts", paramLabel = "N", defaultValue = "0", description = "Number of connection servers, 0 to "
      + LocalFronts.MOST
      + " (default: ${DEFAULT-VALUE}): they have --port and the next ports, servers the ports after these.") private int fronts;

  @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "mariadb", description = {
      "Databases of a group: mariadb (embedded, default) or mysql.",
      "MySQL must be installed by docker/mysql-debian.sh; RNS_MYSQL overrides its directory."
  }) private String engine = MARIADB;

  @Option(names = "--topology", paramLabel = "TOPOLOGY", defaultValue = "source-replica", description = {
      "How they replicate: source-replica (default), or, with mysql, group:",
      "the databases elect a new primary automatically."
  }) private String topology = "source-replica";

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: RNS_DATA, or ~/.rns).") private @Nullable Path data;

  @Option(names = "--detach", description = "Return when the service is ready; it continues in the background.") private boolean detach;

  @Option(names = "--secure", description = {
      "Start closed: without a credential a caller may do what access rules grant to everyone, at first nothing.",
      "Commands find the administrator's credential in the data directory, which stays closed from then on."
  }) private boolean secure;

  @Option(names = "--heap", paramLabel = "SIZE", description = "Maximum heap of a server, such as 2g (default: 1g; with --replicas or --groups 512m each).") private @Nullable String heap;

  @Option(names = "--buffer-pool", paramLabel = "SIZE", description = "Database memory for pages (default: 512m; with --replicas or --groups 256m each).") private @Nullable String bufferPool;

  @Option(names = "--binary-log", description = "Without --replicas and --groups: also write the database's binary log, for tools that read it. Slower.") private boolean binaryLog;

  @Option(names = "--tls", description = "HTTPS, with a certificate authority and certificates in the data directory.") private boolean tls;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "HTTPS with your own certificate, a PEM file with its chain; needs --tls-key.") private @Nullable Path tlsCertificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, an unencrypted PEM file.") private @Nullable Path tlsKey;

  @Option(names = "--yardstick", description = "Also deploy the yardstick of './rns load' at /yardstick.") private boolean yardstick;

  @Option(names = "--json", description = "Print one JSON document when ready; progress goes to standard error.") private boolean json;

  /**
   * Runs the command.
   *
   * @param arguments of the command line, without {@code up}
   */
  public static void main(String[] arguments) {
    System.exit(CommandErrors.run(new Up(), arguments));
  }

  @Override
  public Integer call() {
    check();
    PrintStream progress = json ? System.err : System.out;
    DataDirectory directory = DataDirectory.create(dataPath());
    if (secure) {
      directory.secure();
    }
    if (detach) {
      RunState state = Detached.start(directory, withoutDetach(directory), progress);
      if (json) {
        System.out.println(state.json());
      }
      return 0;
    }
    // Not closed here: the shutdown hook closes it.
    Journal journal = new Journal(progress, InstantSource.system());
    String end = isSingle() ? runService(directory, journal) : runGroup(directory, journal);
    if (end.equals(Supervisor.STOPPED)) {
      return 0;
    }
    journal.accept(end);
    return 1;
  }

  private boolean isSingle() {
    return replicas == 0 && groups == 1;
  }

  private void check() {
    if ((tlsCertificate == null) != (tlsKey == null)) {
      throw new IllegalArgumentException("--tls-cert and --tls-key need each other");
    }
    // Before a MySQL is looked for, which need not be there.
    if (replicas == 0 && engine.equals(MYSQL)) {
      throw new IllegalArgumentException("--engine mysql needs --replicas");
    }
    LocalDatabases unused = databases();
    Ports.check(port);
    LocalFronts.check(fronts, port, groups * (replicas + 1));
    if (isSingle()) {
      checkOnlyWithOthers("--database-port", databasePort);
      checkOnlyWithOthers("--proxy-port", proxyPort);
      LocalService.Settings.check(serverPort(), heap(), bufferPool());
    } else {
      LocalGroup.Settings.check(ports(), groups, replicas, heap(), bufferPool());
      checkOnlyAlone();
    }
    RegistrarPorts.check(LocalEnvironment.variables(), groups * (replicas + 1));
  }

  private static void checkOnlyWithOthers(String option, int value) {
    if (value != 0) {
      throw new IllegalArgumentException(option + " needs --replicas or --groups; it was " + value);
    }
  }

  private void checkOnlyAlone() {
    if (binaryLog) {
      throw new IllegalArgumentException(
          "--binary-log is for a single server; the databases of a group with replicas always write it");
    }
    if (groups > 1) {
      checkNumbersOfGroups(LocalEnvironment.variables());
    }
  }

  /** Servers inherit other settings, but these differ between the groups. */
  static void checkNumbersOfGroups(Map<String, String> environment) {
    for (String variable : SET_BY_GROUPS) {
      String value = environment.getOrDefault(variable, "").strip();
      if (!value.isEmpty() && !value.equals("0")) {
        throw new IllegalArgumentException(
            "--groups sets " + variable + " of each server; remove it from the environment, where it is '" + value
                + "'");
      }
    }
  }

  private GroupPorts ports() {
    return new GroupPorts(serverPort(), databasePort, proxyPort);
  }

  /** The port of the first server: behind those of the fronts. */
  private int serverPort() {
    return port == 0 ? 0 : port + fronts;
  }

  private FrontPorts frontPorts() {
    return new FrontPorts(fronts, port);
  }

  private LocalDatabases databases() {
    return new LocalDatabases(
        switch (engine) {
          case MARIADB -> null;
          case MYSQL -> MySqlEngine.in(LocalInstallation.mySql(LocalEnvironment.variables())).root();
          default -> throw new IllegalArgumentException("--engine must be mariadb or mysql, not " + engine);
        },
        switch (topology) {
          case "source-replica" -> Topology.SOURCE_REPLICA;
          case "group" -> Topology.GROUP;
          default -> throw new IllegalArgumentException("--topology must be source-replica or group, not " + topology);
        });
  }

  private String runService(DataDirectory directory, Journal journal) {
    LocalInstallation installation = LocalInstallation.find();
    LocalService.Settings settings =
        new LocalService.Settings(
            directory.root(), serverPort(), heap(), bufferPool(), installation.war(), yardstickWar(installation))
            .withBinaryLog(binaryLog)
            .withTls(certificates());
    LocalService service = LocalService.start(settings, frontPorts(), journal);
    System.out.println(json ? service.state().json() : ready(service.state().entrance(), TRY_SERVICE, directory));
    return service.awaitEnd();
  }

  private String runGroup(DataDirectory directory, Journal journal) {
    LocalInstallation installation = LocalInstallation.find();
    LocalGroup.Settings settings =
        new LocalGroup.Settings(
            directory.root(),
            ports(),
            groups,
            replicas,
            heap(),
            bufferPool(),
            installation.war(),
            yardstickWar(installation),
            databases(),
            certificates());
    LocalGroup group = LocalGroup.start(settings, frontPorts(), journal);
    if (json) {
      System.out.println(group.state().json());
    } else {
      group.members().forEach(member -> journal.accept(member.says("at " + member.url())));
      System.out.println(ready(group.state().entrance(), groups == 1 ? TRY_GROUP : TRY_GROUPS, directory));
    }
    return group.awaitEnd();
  }

  private LocalTls.@Nullable Source certificates() {
    if (tlsCertificate != null && tlsKey != null) {
      return LocalTls.Source.files(tlsCertificate, tlsKey);
    }
    return tls ? LocalTls.Source.authority(LocalEnvironment.variables()) : null;
  }

  private @Nullable Path yardstickWar(LocalInstallation installation) {
    return yardstick ? installation.yardstickWar() : null;
  }

  private String heap() {
    return heap != null ? heap : isSingle() ? "1g" : "512m";
  }

  private String bufferPool() {
    return bufferPool != null ? bufferPool : isSingle() ? "512m" : "256m";
  }

  private Path dataPath() {
    return data == null ? DataDirectory.usual(LocalEnvironment.variables()) : data;
  }

  private List<String> withoutDetach(DataDirectory directory) {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "--port=" + port,
                "--replicas=" + replicas,
                "--groups=" + groups,
                "--fronts=" + fronts,
                "--database-port=" + databasePort,
                "--proxy-port=" + proxyPort,
                "--engine=" + engine,
                "--topology=" + topology,
                "--data=" + directory.root(),
                "--heap=" + heap(),
                "--buffer-pool=" + bufferPool()));
    if (yardstick) {
      arguments.add("--yardstick");
    }
    if (binaryLog) {
      arguments.add("--binary-log");
    }
    if (tls) {
      arguments.add("--tls");
    }
    if (tlsCertificate != null && tlsKey != null) {
      arguments.add("--tls-cert=" + tlsCertificate.toAbsolutePath());
      arguments.add("--tls-key=" + tlsKey.toAbsolutePath());
    }
    if (secure) {
      arguments.add("--secure");
    }
    return arguments;
  }

  /** The message on success, with commands ready to copy. */
  static String ready(String url, List<String> commands, DataDirectory directory) {
    String server = url.equals("http://127.0.0.1:" + USUAL_PORT + "/rns") ? "" : " --server " + url;
    boolean usual = directory.root().equals(DataDirectory.usual(Map.of()).toAbsolutePath());
    List<String> lines = new java.util.ArrayList<>(List.of(READY + url, "Try:"));
    for (String command : commands) {
      // Addresses, the secret, the certificate authority and the administrator are in the data directory.
      boolean needsData = url.startsWith("https:") || directory.isSecure() || command.startsWith("switchover ")
          || command.startsWith("partition ");
      lines.add("  ./rns " + command + (needsData && !usual ? " --data " + directory.root() : server));
    }
    return String.join(System.lineSeparator(), lines);
  }
}
