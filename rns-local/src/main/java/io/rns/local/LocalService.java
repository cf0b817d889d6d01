package io.rns.local;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole service on this machine: one database and one GlassFish on a data directory that no other service uses. A
 * crashed database or GlassFish is restarted; more than five crashes in ten minutes within 10 s of serving end the
 * service. Thread-safe.
 */
public final class LocalService implements AutoCloseable {
  private final Settings settings;
  private final FrontPorts fronts;
  private final Consumer<String> progress;
  private final DataDirectory data;
  private final Supervisor supervisor;
  private volatile @Nullable MemberProcesses member;
  private volatile @Nullable ReadyProbe probe;
  private volatile @Nullable LocalTls tls;

  /**
   * How a local service is run.
   *
   * @param data the directory for all its data; created if absent
   * @param port of HTTP on 127.0.0.1; 0 for any free port
   * @param heap the maximum heap of GlassFish: {@code 1g}
   * @param bufferPool the database's memory for pages: {@code 512M}
   * @param war the WAR of the service, deployed at {@code /rns}
   * @param yardstick the WAR to compare it with, deployed at {@code /yardstick}; null for none
   * @param binaryLog whether its database writes a binary log, which the service does not need
   * @param environment added to the server's variables from this process
   * @param tls where the certificate of HTTPS comes from; null for plain HTTP
   */
  public record Settings(
      Path data,
      int port,
      String heap,
      String bufferPool,
      Path war,
      @Nullable Path yardstick,
      boolean binaryLog,
      Map<String, String> environment,
      LocalTls.@Nullable Source tls) {
    /** Validates all settings before any part is started. */
    public Settings {
      check(port, heap, bufferPool);
      environment = Map.copyOf(environment);
    }

    /** Without binary log and additional variables. */
    public Settings(Path data, int port, String heap, String bufferPool, Path war, @Nullable Path yardstick) {
      this(data, port, heap, bufferPool, war, yardstick, false, Map.of(), null);
    }

    /** With these variables. */
    public Settings withEnvironment(Map<String, String> variables) {
      return new Settings(data, port, heap, bufferPool, war, yardstick, binaryLog, variables, tls);
    }

    /** With a binary log, or without. */
    public Settings withBinaryLog(boolean wanted) {
      return new Settings(data, port, heap, bufferPool, war, yardstick, wanted, environment, tls);
    }

    /** With HTTPS and a certificate of an authority in the data directory. */
    public Settings withTls() {
      return withTls(LocalTls.Source.authority(environment));
    }

    /** With HTTPS, or with plain HTTP for null. */
    Settings withTls(LocalTls.@Nullable Source source) {
      return new Settings(data, port, heap, bufferPool, war, yardstick, binaryLog, environment, source);
    }

    static void check(int port, String heap, String bufferPool) {
      Ports.check(port);
      MemorySize.HEAP.check(heap);
      MemorySize.BUFFER_POOL.check(bufferPool);
    }

    /** A service under {@code data}, on any free port, with the WAR of this build. */
    public static Settings in(Path data) {
      return new Settings(data, 0, "1g", "512M", LocalInstallation.find().war(), null);
    }
  }

  private LocalService(Settings settings, FrontPorts fronts, Consumer<String> progress) {
    this.settings = settings;
    this.fronts = fronts;
    this.progress = progress;
    this.data = DataDirectory.create(settings.data());
    this.supervisor = new Supervisor(data, progress);
  }

  /**
   * Starts the database and GlassFish and waits until a query is answered. Processes left by an interrupted run are
   * stopped first. The service stops before the JVM ends.
   *
   * @param progress receives a line for each step, and later for each event
   * @throws LocalServiceException if another service uses the data directory, the port is in use, or a part does not
   *         start; nothing is left running then
   */
  public static LocalService start(Settings settings, Consumer<String> progress) {
    return start(settings, FrontPorts.NONE, progress);
  }

  /** Starts the service with fronts before its server. */
  public static LocalService start(Settings settings, FrontPorts fronts, Consumer<String> progress) {
    LocalService service = new LocalService(settings, fronts, progress);
    service.supervisor.begin(service::begin);
    return service;
  }

  /** Where clients reach it: {@code http://127.0.0.1:PORT/rns}, or with HTTPS. */
  public String url() {
    return member().url();
  }

  /** The SOAP endpoint. */
  public String soapUrl() {
    return member().soapUrl();
  }

  /** Its database; may be killed and paused at will, and is restarted after a crash. */
  public DatabaseProcess database() {
    return member().database();
  }

  /** Its application server; a new object after a restart. */
  public GlassFishProcess glassFish() {
    return member().glassFish();
  }

  /** The content of {@code run.json}. */
  RunState state() {
    return supervisor.state();
  }

  /**
   * Waits until the service fails, because a part keeps crashing, or is closed.
   *
   * @return the reason, with the end of the log; {@code stopped} if it was closed
   */
  public String awaitEnd() {
    return supervisor.awaitEnd();
  }

  /** Stops GlassFish, then the database, and releases the data directory. May be called at any time, and repeatedly. */
  @Override
  public void close() {
    supervisor.close();
    ReadyProbe open = probe;
    if (open != null) {
      open.close();
    }
    LocalTls kept = tls;
    if (kept != null) {
      kept.close();
    }
  }

  private void begin() {
    data.requireNoGroup();
    if (settings.port() != 0) {
      Ports.requireFree(settings.port());
    }
    // Fixed across restarts: clients know it.
    int port = settings.port() == 0 ? Ports.free() : settings.port();
    LocalTls secured = LocalTls.of(data, settings.tls(), progress);
    tls = secured;
    MemberProcesses only = new MemberProcesses(plan(port, secured), supervisor, progress);
    member = only;
    supervisor.add(only);
    only.startDatabase();
    only.startGlassFish();
    progress.accept("waiting for the first answer");
    ReadyProbe query = new ReadyProbe(LocalTls.trustOf(secured));
    probe = query;
    only.awaitAnswer(() -> query.answers(soapUrl()), () -> true);
    fronts.start(
        supervisor.fronts(),
        new FrontProcess.Servers(
            List.of(url()), secured, data.groupSecretFile(), CertificateSettings.of(settings.environment())));
  }

  private MemberProcesses.Plan plan(int port, @Nullable LocalTls secured) {
    return new MemberProcesses.Plan(
        "",
        0,
        DatabaseProcess.Settings.in(data.database())
            .withPassword(data.password())
            .withBufferPool(settings.bufferPool())
            .withBinaryLog(settings.binaryLog()),
        GlassFishProcess.Settings.in(data.glassFish(), MemberProcesses.wars(settings.war(), settings.yardstick()))
            .withPort(port)
            .withHeap(settings.heap())
            .withTls(secured)
            .withEnvironment(environment(secured)),
        database -> Map.of());
  }

  private Map<String, String> environment(@Nullable LocalTls secured) {
    Map<String, String> environment =
        new HashMap<>(
            RegistrarPorts.in(LocalEnvironment.variables(), 1).environment(1, LocalTls.hostOf(secured)));
    environment.put("RNS_GROUP_SECRET", data.groupSecret());
    if (secured != null) {
      environment.putAll(secured.settings());
    }
    environment.putAll(data.accessSettings(LocalEnvironment.variables()));
    environment.putAll(settings.environment());
    return environment;
  }

  private MemberProcesses member() {
    MemberProcesses only = member;
    if (only == null) {
      throw new IllegalStateException("the service has not been started");
    }
    return only;
  }
}
