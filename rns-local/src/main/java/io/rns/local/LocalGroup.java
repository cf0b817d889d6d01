package io.rns.local;

import io.rns.local.LocalGroupCalls.View;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups of servers on this machine, each server with its own database, on a data directory that no other service uses.
 * The first group has the root of the tree; the others have the partitions that are assigned to them. A crashed
 * database or GlassFish is restarted; more than five crashes in ten minutes within 10 s of serving end all groups.
 * Thread-safe.
 */
public final class LocalGroup implements AutoCloseable {
  /** More are of no use on one machine. */
  static final int MOST_REPLICAS = 6;

  /** More are of no use on one machine. */
  static final int MOST_GROUPS = 8;

  /** Smaller groups do not replace their primary without a command. */
  private static final int LEAST_TO_REPLACE = 3;

  private static final Duration FIRST_QUERY_BOUND = Duration.ofMinutes(2);
  private static final Duration SERVING_BOUND = Duration.ofSeconds(60);

  private final Settings settings;
  private final FrontPorts fronts;
  private final Consumer<String> progress;
  private final DataDirectory data;
  private final Supervisor supervisor;
  private volatile List<MemberProcesses> members = List.of();
  private volatile @Nullable ReadyProbe probe;
  private volatile @Nullable LocalGroupCalls calls;
  private volatile @Nullable LocalTls tls;

  /**
   * How local groups are run.
   *
   * @param data the directory for all data; created if absent; that of a single server becomes the first group's
   * @param ports where they are reached
   * @param groups the number of groups: 1 to 8, and no fewer than in the run before
   * @param replicas the number of servers beside each primary, and the same in every run: 0 to 6; at least 1 if there
   *        is one group
   * @param heap the maximum heap of each GlassFish: {@code 512m}
   * @param bufferPool each database's memory for pages: {@code 256M}
   * @param war the WAR of the service, deployed at {@code /rns}
   * @param yardstick the WAR to compare it with, deployed at {@code /yardstick}; null for none
   * @param databases their databases; the same in every run
   * @param tls where the certificate of HTTPS comes from; null for plain HTTP
   */
  public record Settings(
      Path data,
      GroupPorts ports,
      int groups,
      int replicas,
      String heap,
      String bufferPool,
      Path war,
      @Nullable Path yardstick,
      LocalDatabases databases,
      LocalTls.@Nullable Source tls) {
    /** Validates all settings before any part is started. */
    public Settings {
      check(ports, groups, replicas, heap, bufferPool);
    }

    /** With plain HTTP. */
    public Settings(
        Path data, GroupPorts ports, int groups, int replicas, String heap, String bufferPool, Path war,
        @Nullable Path yardstick, LocalDatabases databases) {
      this(data, ports, groups, replicas, heap, bufferPool, war, yardstick, databases, null);
    }

    /** With HTTPS and a certificate of an authority in the data directory. */
    public Settings withTls() {
      return withTls(LocalTls.Source.authority(Map.of()));
    }

    /** With HTTPS, or with plain HTTP for null. */
    Settings withTls(LocalTls.@Nullable Source source) {
      return new Settings(data, ports, groups, replicas, heap, bufferPool, war, yardstick, databases, source);
    }

    static void check(GroupPorts ports, int groups, int replicas, String heap, String bufferPool) {
      if (groups < 1 || groups > MOST_GROUPS) {
        throw new IllegalArgumentException("--groups must be from 1 to " + MOST_GROUPS + ", not " + groups);
      }
      int least = groups == 1 ? 1 : 0;
      if (replicas < least || replicas > MOST_REPLICAS) {
        throw new IllegalArgumentException(
            "--replicas must be from " + least + " to " + MOST_REPLICAS + ", not " + replicas);
      }
      ports.check(groups, replicas);
      MemorySize.HEAP.check(heap);
      MemorySize.BUFFER_POOL.check(bufferPool);
    }

    /** The number of all servers. */
    int servers() {
      return groups * (replicas + 1);
    }

    /** Whether the servers of a group replicate, so that it has a primary to find. */
    boolean isReplicated() {
      return replicas > 0;
    }

    /** One group under {@code data} on free ports, with the WAR of this build. */
    public static Settings in(Path data, int replicas) {
      return in(data, 1, replicas);
    }

    /** Groups under {@code data} on free ports, with the WAR of this build. */
    public static Settings in(Path data, int groups, int replicas) {
      return new Settings(data, GroupPorts.ANY, groups, replicas, "512m", "256M", LocalInstallation.find().war(), null,
          LocalDatabases.EMBEDDED);
    }
  }

  private LocalGroup(Settings settings, FrontPorts fronts, Consumer<String> progress) {
    this.settings = settings;
    this.fronts = fronts;
    this.progress = progress;
    this.data = DataDirectory.create(settings.data());
    this.supervisor = new Supervisor(data, progress);
  }

  /**
   * Starts all databases and GlassFishes and waits until there is a primary and all servers serve. In the first run the
   * first server becomes primary, later the one with the most advanced database. Processes left by an interrupted run
   * are stopped first. The group stops before the JVM ends.
   *
   * @param progress receives a line for each step, and later for each event
   * @throws LocalServiceException if another service uses the data directory, it has other data, a port is in use, or a
   *         part does not start; nothing is left running then
   */
  public static LocalGroup start(Settings settings, Consumer<String> progress) {
    return start(settings, FrontPorts.NONE, progress);
  }

  /** Starts the groups with fronts before their servers. */
  public static LocalGroup start(Settings settings, FrontPorts fronts, Consumer<String> progress) {
    LocalGroup group = new LocalGroup(settings, fronts, progress);
    group.supervisor.begin(group::begin);
    return group;
  }

  /** Its servers, by the numbers in their names: {@code server-1} first. Any of them may be the primary. */
  public List<MemberProcesses> members() {
    return members;
  }

  /** Where clients reach the first server; any other works as well. */
  public String url() {
    return members.getFirst().url();
  }

  /** The secret that operators of the group need. */
  public String secret() {
    return data.groupSecret();
  }

  /** The content of {@code run.json}. */
  RunState state() {
    return supervisor.state();
  }

  /**
   * Waits until the group fails, because a part keeps crashing, or is closed.
   *
   * @return the reason, with the end of the log; {@code stopped} if it was closed
   */
  public String awaitEnd() {
    return supervisor.awaitEnd();
  }

  /**
   * Stops the servers, then the databases, and releases the data directory. May be called at any time, and repeatedly.
   */
  @Override
  public void close() {
    supervisor.close();
    ReadyProbe probing = probe;
    if (probing != null) {
      probing.close();
    }
    LocalTls kept = tls;
    if (kept != null) {
      kept.close();
    }
    LocalGroupCalls open = calls;
    if (open != null) {
      open.close();
    }
  }

  private void begin() {
    // Before anything of the data is changed.
    List<Integer> ports = ports();
    if (data.requireGroups(settings.groups(), settings.replicas(), settings.databases())) {
      progress.accept(
          "the data of the single server is now that of server-1"
              + (settings.isReplicated() ? "; it takes writes when another server has copied it" : ""));
    }
    LocalTls secured = LocalTls.of(data, settings.tls(), progress);
    tls = secured;
    RegistrarPorts registrars = RegistrarPorts.in(LocalEnvironment.variables(), ports.size());
    List<MemberProcesses> made = new ArrayList<>();
    for (int number = 1; number <= ports.size(); number++) {
      MemberProcesses member = new MemberProcesses(plan(number, ports, registrars), supervisor, progress);
      made.add(member);
      supervisor.add(member);
    }
    members = List.copyOf(made);
    supervisor.atOnce(MemberProcesses::startDatabase);
    supervisor.atOnce(MemberProcesses::startGlassFish);
    progress.accept("waiting for the first answers");
    LocalGroupCalls asked = new LocalGroupCalls(secret(), LocalTls.trustOf(secured), progress);
    calls = asked;
    ReadyProbe probing = new ReadyProbe(LocalTls.trustOf(secured));
    probe = probing;
    supervisor
        .atOnce(member -> member.awaitAnswer(() -> answers(asked, probing, member), () -> isReplaced(asked, member)));
    if (settings.isReplicated()) {
      List<GroupPrimary> primaries = primaries(asked);
      primaries.forEach(GroupPrimary::find);
      members.forEach(member -> awaitServing(asked, member));
      primaries.forEach(GroupPrimary::keep);
    }
    groups().forEach(group -> awaitQuery(probing, group));
    if (settings.groups() > 1) {
      members.forEach(member -> awaitGroups(asked, probing, member));
    }
    fronts.start(
        supervisor.fronts(),
        new FrontProcess.Servers(
            members.stream().map(MemberProcesses::url).toList(), secured, data.groupSecretFile(),
            CertificateSettings.of(Map.of())));
  }

  private List<GroupPrimary> primaries(LocalGroupCalls asked) {
    List<List<MemberProcesses>> groups = groups();
    return IntStream.range(0, groups.size())
        .mapToObj(
            number -> new GroupPrimary(
                groups.get(number), asked, supervisor,
                groups.size() == 1 ? progress : line -> progress.accept("group " + number + ": " + line)))
        .toList();
  }

  private List<Integer> ports() {
    int servers = settings.ports().servers();
    List<Integer> ports = servers == 0 ? Ports.free(settings.servers()) : row(servers);
    ports.forEach(Ports::requireFree);
    if (settings.ports().databases() != 0) {
      row(settings.ports().databases()).forEach(port -> Ports.requireFree(port, "--database-port"));
    }
    return ports;
  }

  private List<Integer> row(int first) {
    return IntStream.range(first, first + settings.servers()).boxed().toList();
  }

  private MemberProcesses.Plan plan(int number, List<Integer> ports, RegistrarPorts registrars) {
    DataDirectory own = data.member(number);
    Map<String, String> environment = registrars.environment(number, LocalTls.hostOf(tls));
    if (number > 1) {
      // This machine has one DNS port, used by the first server if a zone is configured.
      environment.put("RNS_DNS_ZONE", "");
      environment.put("RNS_DNS_LOG", "");
    }
    environment.put("RNS_SERVER_NAME", DataDirectory.memberName(number));
    environment.put("RNS_SERVER_URL", knownUrl(number, ports));
    environment.put("RNS_GROUP_SECRET", secret());
    LocalTls secured = tls;
    if (secured != null) {
      environment.putAll(secured.settings());
    }
    environment.putAll(data.accessSettings(LocalEnvironment.variables()));
    int group = group(number);
    if (group > 0) {
      environment.put("RNS_GROUP", Integer.toString(group));
      environment.put("RNS_ROOT_SERVERS", knownUrls(0, ports));
    }
    DatabaseProcess.Settings database =
        DatabaseProcess.Settings.in(own.database())
            .withPort(settings.ports().database(number))
            .withPassword(data.password())
            .withBufferPool(settings.bufferPool())
            .withMySql(settings.databases().mySql());
    if (settings.isReplicated()) {
      environment.put("RNS_TOPOLOGY", settings.databases().topologyName());
      environment.put("RNS_GROUP_SERVERS", knownUrls(group, ports));
      database =
          database.withReplication(
              new DatabaseProcess.Replication(settings.databases().topology(), number, data.controlPassword()));
    }
    return new MemberProcesses.Plan(
        DataDirectory.memberName(number),
        group,
        database,
        GlassFishProcess.Settings.in(own.glassFish(), MemberProcesses.wars(settings.war(), settings.yardstick()))
            .withPort(ports.get(number - 1))
            .withHeap(settings.heap())
            .withTls(secured)
            .withEnvironment(environment),
        running -> settings.isReplicated() ? replication(number, running) : Map.of());
  }

  private Map<String, String> replication(int number, DatabaseProcess database) {
    return Map.of(
        "RNS_DB_ADDRESS", "127.0.0.1:" + settings.ports().knownDatabase(number, database.port()),
        "RNS_DB_CONTROL_USER", database.controlUser(),
        "RNS_DB_CONTROL_PASSWORD", data.controlPassword());
  }

  /** The group of a server: each has consecutive ones. */
  private int group(int number) {
    return (number - 1) / (settings.replicas() + 1);
  }

  private List<List<MemberProcesses>> groups() {
    int size = settings.replicas() + 1;
    return IntStream.range(0, settings.groups())
        .mapToObj(group -> members.subList(group * size, (group + 1) * size))
        .toList();
  }

  private String knownUrls(int group, List<Integer> ports) {
    return IntStream.rangeClosed(1, ports.size())
        .filter(number -> group(number) == group)
        .mapToObj(number -> knownUrl(number, ports))
        .collect(Collectors.joining(","));
  }

  private String knownUrl(int number, List<Integer> ports) {
    return GlassFishProcess.url(tls, settings.ports().known(number, ports.get(number - 1)), "rns");
  }

  /** Whether a server itself answers: the first group need not run for a server of another one. */
  private boolean answers(LocalGroupCalls asked, ReadyProbe probing, MemberProcesses member) {
    return settings.isReplicated() ? asked.look(member.url()).isPresent() : probing.isHealthy(member.url());
  }

  /** Whether another server of the group leads, or none is going to by itself. */
  private boolean isReplaced(LocalGroupCalls asked, MemberProcesses member) {
    List<MemberProcesses> group = groups().get(member.group());
    return group.size() < LEAST_TO_REPLACE || group.stream().filter(other -> !other.equals(member))
        .anyMatch(other -> asked.look(other.url()).filter(View::isPrimary).isPresent());
  }

  /** A server that does not serve reports why, and does not stop the others from serving. */
  private void awaitServing(LocalGroupCalls asked, MemberProcesses member) {
    try {
      supervisor.await(
          () -> "it served", SERVING_BOUND, () -> asked.look(member.url()).filter(View::isServing).isPresent());
    } catch (LocalServiceException e) {
      supervisor.giveUpIfOver();
      progress.accept(
          member.says(
              asked.look(member.url()).map(it -> "is " + it.role() + ": " + it.state()).orElse("does not answer")));
    }
  }

  /** A query of the root, which the first group answers. */
  private void awaitQuery(ReadyProbe probing, List<MemberProcesses> group) {
    MemberProcesses first = group.getFirst();
    supervisor.await(
        () -> first.name() + " answered a query of the root",
        FIRST_QUERY_BOUND,
        () -> probing.answers(first.soapUrl()));
  }

  /** Until then a partition cannot be assigned, and one of another group is not served here. */
  private void awaitGroups(LocalGroupCalls asked, ReadyProbe probing, MemberProcesses member) {
    supervisor.await(
        () -> member.name() + " knew all server groups",
        FIRST_QUERY_BOUND,
        () -> asked.knowsGroups(member.url(), settings.groups()) || !probing.isHealthy(member.url()));
  }
}
