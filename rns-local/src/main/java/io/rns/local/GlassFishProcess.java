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

/**
 * A GlassFish of our own: a child process on a domain directory of its own, that listens on one HTTP port of 127.0.0.1
 * and on nothing else, so that several can run beside each other. Safe to share between threads.
 */
public final class GlassFishProcess implements AutoCloseable {
  static final String NAME = "GlassFish";

  private static final Duration STOP_BOUND = Duration.ofSeconds(30);
  private static final String MAIN = "com.sun.enterprise.glassfish.bootstrap.GlassFishMain";

  /**
   * Up to this heap, in bytes, the collector that stops the server is the better one: its pauses are short, and none of
   * the few processors is spent on a collector that works beside the requests.
   */
  private static final long MOST_PAUSED_HEAP = 2L << 30;

  /** Threads that carry virtual ones: twice as many as there are turns of large requests. */
  private static final int CARRIERS_PER_PROCESSOR = 4;

  /** Options of the delivered domain that are ours to say, or belong to what is switched off. */
  private static final Pattern NOT_TAKEN =
      Pattern.compile("-Xmx.*|-XX:NewRatio=.*|-Djdbc\\.drivers=.*|-D.*(osgi|felix|gosh)\\..*");

  private final int port;
  private final GlassFishDomain domain;
  private final LogFile serverLog;
  private final ChildProcess child;
  private final JvmExit jvmExit = new JvmExit("kill GlassFish", this::kill);

  /**
   * How a GlassFish is run.
   *
   * @param directory of its domain; made when there is none, and faster the second time
   * @param port of its HTTP listener on 127.0.0.1; 0 for any free port
   * @param wars name to WAR file; {@code rns} is reached at {@code /rns}. A file that has changed since the last start
   *        is deployed anew
   * @param environment variables of the process, beside those of this one
   * @param heap the largest heap, as {@code -Xmx} takes it: {@code 1g}
   */
  public record Settings(
      Path directory,
      int port,
      Map<String, Path> wars,
      Map<String, String> environment,
      String heap) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    /** Refuses what GlassFish would misunderstand. */
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
        throw new IllegalArgumentException("'" + name + "' is not a name of an application: a-z, 0-9 and '-'");
      }
      return name;
    }

    /** A GlassFish under {@code directory} on a free port, with these applications and 1 GB of heap. */
    public static Settings in(Path directory, Map<String, Path> wars) {
      return new Settings(directory, 0, wars, Map.of(), "1g");
    }

    /** The same on this port. */
    public Settings withPort(int other) {
      return new Settings(directory, other, wars, environment, heap);
    }

    /** The same with these variables in its environment. */
    public Settings withEnvironment(Map<String, String> other) {
      return new Settings(directory, port, wars, other, heap);
    }

    /** The same with this largest heap. */
    public Settings withHeap(String other) {
      return new Settings(directory, port, wars, environment, other);
    }
  }

  private GlassFishProcess(GlassFishDomain domain, int port, Settings settings) {
    this.domain = domain;
    this.port = port;
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
   * Starts a GlassFish; does not wait for it, see {@link #waitUntil}. It ends with this JVM at the latest.
   *
   * @throws LocalServiceException if the port is in use or the domain's directory cannot be made
   */
  public static GlassFishProcess start(Settings settings) {
    GlassFishProcess process = start(settings, line -> {});
    process.jvmExit.register();
    return process;
  }

  /** Starts a GlassFish whose end the caller sees to. */
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

  /** The address of an application: {@code http://127.0.0.1:PORT/NAME}. */
  public String url(String application) {
    return "http://127.0.0.1:" + port + "/" + application;
  }

  /** What the server and the applications have to say, of this and former runs. */
  public Path logFile() {
    return domain.log();
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /**
   * Waits until {@code condition} holds, asking it again and again; it should answer within about a second.
   *
   * @throws LocalServiceException with the end of the log, if the process ends, an application cannot be deployed, or
   *         {@code bound} passes before
   */
  public void waitUntil(BooleanSupplier condition, Duration bound) {
    child.await(
        "GlassFish answered",
        () -> {
          if (serverLog.contains("Application deployment failed")) {
            throw new LocalServiceException("GlassFish could not deploy an application." + logTail(40));
          }
          return condition.getAsBoolean();
        },
        bound,
        () -> logTail(ChildProcess.TAIL_LINES));
  }

  /** Ends the process as a loss of power would (SIGKILL). Returns when it is gone; no harm if it was already. */
  public void kill() {
    child.kill();
  }

  /** Stops it: orderly, and by force when that takes longer than 30 s. The domain's directory stays. */
  @Override
  public void close() {
    jvmExit.unregister();
    child.stop(STOP_BOUND);
  }

  ProcessIdentity identity() {
    return child.identity();
  }

  CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  /** The end of the server's log, or of what the JVM printed if it never came to a log. */
  String logTail(int lines) {
    return (serverLog.isEmpty() ? child.log() : serverLog).tail(lines);
  }

  /** An argument that only the GlassFish of this directory has. */
  static String marker(Path directory) {
    return "-Dcom.sun.aas.instanceRoot=" + directory;
  }

  /** What {@code RNS_JVM_OPTIONS} adds to the options of the JVM, separated by blanks; it wins over ours. */
  static List<String> furtherOptions(Map<String, String> environment) {
    String text = environment.getOrDefault("RNS_JVM_OPTIONS", "").strip();
    return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
  }

  private static List<String> command(GlassFishDomain domain, List<String> options, Settings settings) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--module-path", domain.home().resolve("lib/bootstrap").toString()));
    command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
    options.stream().filter(option -> !NOT_TAKEN.matcher(option).matches()).forEach(command::add);
    command.add("-Xmx" + settings.heap());
    if (MemorySize.HEAP.bytes(settings.heap()) <= MOST_PAUSED_HEAP) {
      command.add("-XX:+UseParallelGC");
      // What is held while clients do not read has to find room beside the cached entries, and what large requests hold
      // for a moment
      // has to be dead before it is old: else each collection becomes one of everything.
      command.addAll(List.of("-XX:NewRatio=3", "-XX:InitialSurvivorRatio=4", "-XX:MinSurvivorRatio=3"));
    }
    // A server that has lost a thread to a full heap is worse than none: the supervisor says so and ends.
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Drns.guard.contexts=/" + String.join(",/", settings.wars().keySet()));
    // No version in its answers; no names of headers that another reader could take for something else.
    command.add("-Dproduct.name=");
    command.add("-Dorg.glassfish.grizzly.http.STRICT_HEADER_NAME_VALIDATION_RFC_9110=true");
    // Virtual threads are not preempted, those that carry them are: large requests keep no small ones waiting.
    command.add("-Djdk.virtualThreadScheduler.parallelism="
        + CARRIERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
    // Of a body that nobody reads yet, each connection holds as much as one read takes.
    command.add("-Dorg.glassfish.grizzly.nio.transport.TCPNIOTransport.max-receive-buffer-size=16384");
    // Messages of the log are read by us and by others.
    command.add("-Duser.language=en");
    command.add("-Djava.io.tmpdir=" + domain.temporary());
    command.addAll(furtherOptions(System.getenv()));
    command.add(marker(domain.directory()));
    command.add("-Dcom.sun.aas.installRoot=" + domain.home());
    command.add(MAIN);
    command.addAll(List.of("-upgrade", "false", "-verbose", "false", "-type", "DAS"));
    command.addAll(List.of("-domaindir", domain.directory().toString()));
    command.addAll(List.of("-domainname", "domain1", "-instancename", "server"));
    return command;
  }
}
