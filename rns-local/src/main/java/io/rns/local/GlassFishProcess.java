package io.rns.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A GlassFish server: a child process with its own domain directory that listens on a single HTTP port of 127.0.0.1, so
 * several can run side by side. Thread-safe.
 */
public final class GlassFishProcess implements AutoCloseable {
  static final String NAME = "GlassFish";

  private static final Duration STOP_BOUND = Duration.ofSeconds(30);
  private static final Duration DUMP_BOUND = Duration.ofSeconds(5);
  private static final String MAIN = "com.sun.enterprise.glassfish.bootstrap.GlassFishMain";

  /**
   * Heaps up to this size, in bytes, use the parallel collector: its pauses are short, and it takes no processor time
   * while requests run.
   */
  private static final long MOST_PAUSED_HEAP = 2L << 30;

  /** Carrier threads of virtual threads: twice the number of large requests that run concurrently. */
  private static final int CARRIERS_PER_PROCESSOR = 4;

  /** Shipped options that we set ourselves, or that belong to disabled features. */
  private static final Pattern NOT_TAKEN =
      Pattern.compile("-Xmx.*|-XX:NewRatio=.*|-Djdbc\\.drivers=.*|-D.*(osgi|felix|gosh)\\..*");

  private final int port;
  private final @Nullable LocalTls tls;
  private final GlassFishDomain domain;
  private final LogFile serverLog;
  private final ChildProcess child;
  private final JvmExit jvmExit = new JvmExit("kill GlassFish", this::kill);
  private volatile boolean served;

  /**
   * How a GlassFish is run.
   *
   * @param directory of its domain; created if absent, and faster to start the second time
   * @param port of its HTTP listener on 127.0.0.1; 0 for any free port
   * @param wars name to WAR file; {@code rns} is reached at {@code /rns}. A file changed since the last start is
   *        redeployed
   * @param environment added to the variables of this process
   * @param heap the maximum heap, in the notation of {@code -Xmx}: {@code 1g}
   * @param tls the certificate of HTTPS; null for plain HTTP
   */
  public record Settings(
      Path directory,
      int port,
      Map<String, Path> wars,
      Map<String, String> environment,
      String heap,
      @Nullable LocalTls tls) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    /** Validates the settings. */
    public Settings {
      directory = directory.toAbsolutePath().normalize();
      Map<String, Path> absolute = new LinkedHashMap<>();
      wars.forEach((name, file) -> absolute.put(checked(name), file.toAbsolutePath().normalize()));
      wars = java.util.Collections.unmodifiableMap(absolute);
      environment = Map.copyOf(environment);
      Ports.check(port);
      MemorySize.HEAP.check(heap);
    }

    private static String checked(String name) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is not an application name: a-z, 0-9 and '-'");
      }
      return name;
    }

    /** A GlassFish under {@code directory} on a free port, with these applications and 1 GB of heap. */
    public static Settings in(Path directory, Map<String, Path> wars) {
      return new Settings(directory, 0, wars, Map.of(), "1g", null);
    }

    /** With this port. */
    public Settings withPort(int other) {
      return new Settings(directory, other, wars, environment, heap, tls);
    }

    /** With these variables in its environment. */
    public Settings withEnvironment(Map<String, String> other) {
      return new Settings(directory, port, wars, other, heap, tls);
    }

    /** With this maximum heap. */
    public Settings withHeap(String other) {
      return new Settings(directory, port, wars, environment, other, tls);
    }

    /** With HTTPS, or with plain HTTP for null. */
    Settings withTls(@Nullable LocalTls other) {
      return new Settings(directory, port, wars, environment, heap, other);
    }
  }

  private GlassFishProcess(GlassFishDomain domain, int port, Settings settings) {
    this.domain = domain;
    this.port = port;
    this.tls = settings.tls();
    List<String> options = domain.prepare(port, settings.wars());
    this.serverLog = LogFile.open(domain.log());
    this.child =
        ChildProcess.start(
            new ChildProcess.Plan(
                NAME,
                command(domain, options, settings),
                marker(domain.directory()),
                settings.environment(),
                domain.directory(),
                domain.directory().resolve("logs/console.log")));
  }

  /**
   * Starts a GlassFish without waiting for it; see {@link #waitUntil}. The process ends with this JVM at the latest.
   *
   * @throws LocalServiceException if the port is in use or the domain directory cannot be created
   */
  public static GlassFishProcess start(Settings settings) {
    GlassFishProcess process = start(settings, line -> {});
    process.jvmExit.register();
    return process;
  }

  /** Starts a GlassFish that the caller must stop. */
  static GlassFishProcess start(Settings settings, Consumer<String> progress) {
    int port = settings.port() == 0 ? Ports.free() : settings.port();
    Ports.requireFree(port);
    progress.accept("starting GlassFish on port " + port);
    GlassFishDomain domain = new GlassFishDomain(LocalInstallation.find().glassFish(), settings.directory());
    return new GlassFishProcess(domain, port, settings);
  }

  /** The port of its HTTP listener. */
  public int port() {
    return port;
  }

  /** The address of an application: {@code http://127.0.0.1:PORT/NAME}, or with HTTPS. */
  public String url(String application) {
    return url(tls, port, application);
  }

  /** The address of an application of a GlassFish with such a certificate. */
  static String url(@Nullable LocalTls tls, int port, String application) {
    return (tls == null ? "http://127.0.0.1" : "https://" + tls.host()) + ":" + port + "/" + application;
  }

  /** The log of the server and its applications, of this and earlier runs. */
  public Path logFile() {
    return domain.log();
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /**
   * Waits until {@code condition} holds, polling it; it should return within about a second.
   *
   * @throws LocalServiceException with the end of the log, if the process ends, an application cannot be deployed, or
   *         {@code bound} passes first
   */
  public void waitUntil(BooleanSupplier condition, Duration bound) {
    child.await(
        "it answered",
        () -> {
          if (serverLog.contains("Application deployment failed")) {
            throw new LocalServiceException("GlassFish could not deploy an application." + logTail(40));
          }
          return condition.getAsBoolean();
        },
        bound,
        () -> logTail(ChildProcess.TAIL_LINES));
    served = true;
  }

  /**
   * Waits until it has logged something; false if {@code bound} passes first.
   *
   * @param over aborts the wait by throwing
   * @throws LocalServiceException with the end of the log, if the process ends first
   */
  boolean logsWithin(Duration bound, Runnable over) {
    return child.holdsWithin(
        "it logged anything",
        () -> {
          over.run();
          return !serverLog.isEmpty();
        },
        bound,
        () -> logTail(ChildProcess.TAIL_LINES));
  }

  /** Kills a process that does not go on, with the stacks of its threads in the log that is returned. */
  Path killWithDump() {
    child.dumpThreads();
    // The statistics of the heap follow the threads. A paused process does not write any.
    boolean unused =
        child.holdsWithin("it wrote its threads", () -> child.log().contains("\nHeap"), DUMP_BOUND, () -> "");
    child.kill();
    return child.log().path();
  }

  /** Kills the process as a power failure would (SIGKILL). Returns when it is gone; no effect if it already was. */
  public void kill() {
    child.kill();
  }

  /** Stops it gracefully; kills it after 30 s. The domain directory stays. */
  @Override
  public void close() {
    jvmExit.unregister();
    boolean wasAlive = child.isAlive();
    if (child.stop(STOP_BOUND) && wasAlive && served) {
      domain.keepCache();
    }
  }

  ProcessIdentity identity() {
    return child.identity();
  }

  CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  /** The end of the server's log, or of the JVM's output if the server has not logged yet. */
  String logTail(int lines) {
    return (serverLog.isEmpty() ? child.log() : serverLog).tail(lines);
  }

  /** An argument unique to the GlassFish of this directory. */
  static String marker(Path directory) {
    return "-Dcom.sun.aas.instanceRoot=" + directory;
  }

  /** Additional JVM options from {@code RNS_JVM_OPTIONS}, separated by blanks; they override ours. */
  static List<String> furtherOptions(Map<String, String> environment) {
    String text = environment.getOrDefault("RNS_JVM_OPTIONS", "").strip();
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
  }

  private static List<String> command(GlassFishDomain domain, List<String> options, Settings settings) {
    List<String> command = new ArrayList<>();
    command.add(LocalEnvironment.java());
    command.addAll(List.of("--module-path", domain.home().resolve("lib/bootstrap").toString()));
    command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
    options.stream().filter(option -> !NOT_TAKEN.matcher(option).matches()).forEach(command::add);
    command
        .addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:CompilerDirectivesFile=" + domain.compilerDirectives()));
    // What is in use after a start; from the default of 21 MB on, growing it took three full collections.
    command.add("-XX:MetaspaceSize=128m");
    command.add("-Xmx" + settings.heap());
    if (MemorySize.HEAP.bytes(settings.heap()) <= MOST_PAUSED_HEAP) {
      command.add("-XX:+UseParallelGC");
      // Data held for slow clients must fit beside the cached entries, and data held briefly by large requests must die
      // young; otherwise every collection becomes a full one.
      command.addAll(List.of("-XX:NewRatio=3", "-XX:InitialSurvivorRatio=4", "-XX:MinSurvivorRatio=3"));
    }
    // A server that lost a thread to a full heap is unreliable: the JVM exits and the supervisor reports it.
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Drns.guard.contexts=/" + String.join(",/", settings.wars().keySet()));
    LocalTls tls = settings.tls();
    if (tls != null) {
      command.add("-Drns.guard.certificate=" + tls.certificate());
      command.add("-Drns.guard.key=" + tls.key());
      command.add("-Djdk.tls.rejectClientInitiatedRenegotiation=true");
      if (CertificateSettings.of(settings.environment()).asks()) {
        command.add("-Drns.guard.client-certificates=ask");
      }
    }
    // No version in responses; no header names that another parser could misread.
    command.add("-Dproduct.name=");
    command.add("-Dorg.glassfish.grizzly.http.STRICT_HEADER_NAME_VALIDATION_RFC_9110=true");
    // Virtual threads are not preempted, carrier threads are: large requests do not delay small ones.
    command.add("-Djdk.virtualThreadScheduler.parallelism="
        + CARRIERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
    // Bounds the unread body bytes buffered per connection to one read.
    command.add("-Dorg.glassfish.grizzly.nio.transport.TCPNIOTransport.max-receive-buffer-size=16384");
    // Log messages must be in English: we search them.
    command.add("-Duser.language=en");
    command.add("-Djava.io.tmpdir=" + domain.temporary());
    command.addAll(furtherOptions(LocalEnvironment.variables()));
    command.add(marker(domain.directory()));
    command.add("-Dcom.sun.aas.installRoot=" + domain.home());
    command.add(MAIN);
    command.addAll(List.of("-upgrade", "false", "-verbose", "false", "-type", "DAS"));
    command.addAll(List.of("-domaindir", domain.directory().toString()));
    command.addAll(List.of("-domainname", "domain1", "-instancename", "server"));
    return command;
  }
}
