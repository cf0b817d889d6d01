package io.rns.server.local;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The whole service on this machine: one database and one GlassFish on a data directory, which no other service has at
 * the same time. A database that dies is started again, up to five times in ten minutes; the server waits for it and
 * goes on. A GlassFish that dies ends the service. Safe to share between threads.
 */
public final class LocalService implements AutoCloseable {
  static final String SUPERVISOR = "supervisor";

  /** What {@link #awaitEnd()} says when it was closed. */
  static final String STOPPED = "stopped";

  /** Where the SOAP endpoint is below the application. */
  static final String SOAP_PATH = "/services/rns";

  private static final Duration FIRST_ANSWER_BOUND = Duration.ofMinutes(3);
  static final Duration LEFTOVER_BOUND = Duration.ofSeconds(60);
  private static final int RESTARTS = 5;
  private static final Duration RESTART_WINDOW = Duration.ofMinutes(10);
  private static final int TAIL_LINES = 8;

  private final Settings settings;
  private final Consumer<String> progress;
  private final DataDirectory data;
  private final JvmExit jvmExit = new JvmExit("stop the service", this::close);
  private final CompletableFuture<String> end = new CompletableFuture<>();

  // begin() and close() exclude each other by the monitor of this. A close() asks a begin() that still works to give up,
  // and the database is started again also while begin() works, so what these need is not under that monitor.
  private volatile boolean closing;
  private volatile @Nullable DatabaseProcess database;
  private volatile @Nullable GlassFishProcess glassFish;
  private final Object stateLock = new Object();
  private volatile @Nullable RunState state;
  private boolean stateDeleted;
  private DataDirectory.@Nullable Lock lock;
  private boolean closed;

  /**
   * How a local service is run.
   *
   * @param data the directory that keeps all it has; made when there is none
   * @param port of HTTP on 127.0.0.1; 0 for any free port
   * @param heap the largest heap of GlassFish: {@code 1g}
   * @param bufferPool the database's memory for pages: {@code 512M}
   * @param war the WAR of the service, deployed at {@code /rns}
   * @param yardstick the WAR to compare it with, deployed at {@code /yardstick}; null for none
   */
  public record Settings(
      Path data, int port, String heap, String bufferPool, Path war, @Nullable Path yardstick) {
    /** Refuses what a part would refuse, before any of them is started. */
    public Settings {
      check(port, heap, bufferPool);
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

  private LocalService(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
    this.data = DataDirectory.create(settings.data());
  }

  /**
   * Starts database and GlassFish and waits until a query is answered. What a former run that was cut off has left
   * running is stopped first. If the JVM ends, it stops first.
   *
   * @param progress gets a line for each step, then and later when something happens
   * @throws LocalServiceException if another service has the data directory, the port is in use, or a part does not come
   *     up; nothing is left running then
   */
  public static LocalService start(Settings settings, Consumer<String> progress) {
    LocalService service = new LocalService(settings, progress);
    service.jvmExit.register();
    try {
      service.begin();
      return service;
    } catch (LocalServiceException | IllegalArgumentException e) {
      try {
        service.close();
      } catch (LocalServiceException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** Where clients reach it: {@code http://127.0.0.1:PORT/rns}. */
  public String url() {
    return glassFish().url("rns");
  }

  /** The SOAP endpoint. */
  public String soapUrl() {
    return url() + SOAP_PATH;
  }

  /** Its database; may be killed and paused at will, and is started again when it has died. */
  public DatabaseProcess database() {
    return started(database);
  }

  /** Its application server. */
  public GlassFishProcess glassFish() {
    return started(glassFish);
  }

  /** What {@code run.json} says of it. */
  RunState state() {
    return started(state);
  }

  /**
   * Waits until it cannot go on, because GlassFish has ended, the database does not stay up, or it was closed.
   *
   * @return what happened, with the end of the log; {@code stopped} if it was closed
   */
  public String awaitEnd() {
    return end.join();
  }

  /** Stops GlassFish, then the database, and gives the data directory free. May be called at any time, also again. */
  @Override
  public void close() {
    closing = true;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      jvmExit.unregister();
      GlassFishProcess server = glassFish;
      if (server != null && server.isAlive()) {
        progress.accept("stopping GlassFish");
        server.close();
      }
      DatabaseProcess rows = database;
      if (rows != null) {
        if (rows.isAlive()) {
          progress.accept("stopping the database");
        }
        // Also when it is down: it might be on its way up again.
        rows.close();
      }
      DataDirectory.Lock held = lock;
      if (held != null) {
        deleteRecord();
        held.close();
        lock = null;
      }
      end.complete(STOPPED);
    }
  }

  private synchronized void begin() {
    lock = data.tryLock().orElseThrow(this::alreadyRunning);
    stopLeftovers();
    if (settings.port() != 0) {
      Ports.requireFree(settings.port());
    }
    record(none -> RunState.begun(ProcessIdentity.current(SUPERVISOR)));
    startDatabase();
    startGlassFish();
    try (ReadyProbe probe = new ReadyProbe(soapUrl())) {
      progress.accept("waiting for the first answer");
      glassFish().waitUntil(() -> giveUpIfOver() || probe.answers(), FIRST_ANSWER_BOUND);
    }
    record(RunState::nowReady);
    var unused = glassFish().onExit().thenAccept(this::glassFishEnded);
  }

  private void startDatabase() {
    giveUpIfOver();
    database =
        DatabaseProcess.start(
            DatabaseProcess.Settings.in(data.database())
                .withPassword(data.password())
                .withBufferPool(settings.bufferPool()),
            progress);
    record(now -> now.with(database()));
    Thread.ofVirtual().name("database watch").start(this::watchDatabase);
  }

  private void startGlassFish() {
    giveUpIfOver();
    Map<String, Path> wars = new LinkedHashMap<>();
    wars.put("rns", settings.war());
    if (settings.yardstick() != null) {
      wars.put("yardstick", settings.yardstick());
    }
    GlassFishProcess.Settings server =
        GlassFishProcess.Settings.in(data.glassFish(), wars)
            .withPort(settings.port())
            .withHeap(settings.heap())
            .withEnvironment(
                Map.of(
                    "RNS_DB_URL", database().jdbcUrl(),
                    "RNS_DB_USER", database().user(),
                    "RNS_DB_PASSWORD", database().password()));
    glassFish = GlassFishProcess.start(server, progress);
    record(now -> now.with(glassFish(), settings.yardstick() != null));
  }

  private void watchDatabase() {
    RestartBudget budget = new RestartBudget(RESTARTS, RESTART_WINDOW, InstantSource.system());
    while (true) {
      int code = database().onExit().join();
      if (closing) {
        return;
      }
      String what = "the database ended with code " + code + ".";
      if (!budget.take()) {
        end.complete(
            what + " It was started " + RESTARTS + " times in " + RESTART_WINDOW.toMinutes() + " minutes; given up."
                + database().logTail(TAIL_LINES));
        return;
      }
      progress.accept(what + database().logTail(TAIL_LINES) + "\nstarting the database again");
      restartDatabase();
    }
  }

  private void restartDatabase() {
    try {
      database().restart();
      record(now -> now.with(database()));
      progress.accept("the database is back");
    } catch (LocalServiceException e) {
      // Tried again, as long as the budget lasts: its process has ended once more.
      if (!closing) {
        progress.accept("the database does not start: " + e.getMessage());
      }
    }
  }

  private void glassFishEnded(int code) {
    if (!closing) {
      end.complete("GlassFish ended with code " + code + "." + glassFish().logTail(TAIL_LINES));
    }
  }

  /** False; or ends a start that is no longer wanted. */
  private boolean giveUpIfOver() {
    if (closing) {
      throw new LocalServiceException("stopped while starting");
    }
    if (end.isDone()) {
      throw new LocalServiceException(end.join());
    }
    return false;
  }

  private void record(UnaryOperator<RunState> change) {
    synchronized (stateLock) {
      RunState now = change.apply(state);
      state = now;
      if (!stateDeleted) {
        now.write(data.runFile());
      }
    }
  }

  private void deleteRecord() {
    synchronized (stateLock) {
      stateDeleted = true;
      RunState.delete(data.runFile());
    }
  }

  private void stopLeftovers() {
    List<String> stopped = Leftovers.stop(Leftovers.on(data), LEFTOVER_BOUND);
    if (!stopped.isEmpty()) {
      progress.accept("stopped what a former run had left running: " + String.join(", ", stopped));
    }
  }

  private LocalServiceException alreadyRunning() {
    String who =
        RunState.read(data.runFile())
            .map(
                run ->
                    " (process " + run.processes().getFirst().pid()
                        + (run.url() == null ? ", still starting)" : ", " + run.url() + ")"))
            .orElse("");
    return new LocalServiceException(
        "a service runs on " + data.root() + " already" + who + "; stop it with: ./rns down --data " + data.root());
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the service has not been started");
    }
    return part;
  }
}
