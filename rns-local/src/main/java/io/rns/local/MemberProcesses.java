package io.rns.local;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server on this machine: a database and the GlassFish beside it. A part that crashes is restarted. One that
 * crashes within 10 s of serving, more than five times in ten minutes, ends all that its supervisor runs. Parts may be
 * killed and paused at will. Safe to share between threads.
 */
public final class MemberProcesses {
  /** Where the SOAP endpoint is below the application. */
  static final String SOAP_PATH = "/services/rns";

  private static final Duration FIRST_ANSWER_BOUND = Duration.ofMinutes(3);
  private static final int RESTARTS = 5;
  private static final Duration RESTART_WINDOW = Duration.ofMinutes(10);
  private static final Duration SERVED_ENOUGH = Duration.ofSeconds(10);
  private static final int TAIL_LINES = 8;

  private final Plan plan;
  private final Supervisor supervisor;
  private final Consumer<String> progress;
  private volatile @Nullable DatabaseProcess database;
  private volatile @Nullable GlassFishProcess glassFish;
  // Held while a GlassFish comes or goes, so that none is started behind the back of the one who stops it.
  private final Object glassFishLock = new Object();

  /**
   * How a member is run.
   *
   * @param name of a member of a group; empty for a server of its own
   * @param database its database
   * @param server its GlassFish; how to reach the database is added
   * @param environment more settings of the server, that are known when its database runs
   */
  record Plan(
      String name,
      DatabaseProcess.Settings database,
      GlassFishProcess.Settings server,
      Function<DatabaseProcess, Map<String, String>> environment) {}

  /** The two parts by name, of every member. */
  enum Part {
    DATABASE(DatabaseProcess.NAME), SERVER(GlassFishProcess.NAME);

    private final String title;

    Part(String title) {
      this.title = title;
    }

    /** What the part of this member is called among all processes. */
    String of(String member) {
      return member.isEmpty() ? title : title + " of " + member;
    }
  }

  MemberProcesses(Plan plan, Supervisor supervisor, Consumer<String> progress) {
    this.plan = plan;
    this.supervisor = supervisor;
    this.progress = line -> progress.accept(says(line));
  }

  /** A line about it. */
  String says(String line) {
    return name().isEmpty() ? line : name() + ": " + line;
  }

  /** Its name in a group: {@code server-1}; empty for a server of its own. */
  public String name() {
    return plan.name();
  }

  /** Where clients reach it: {@code http://127.0.0.1:PORT/rns}. */
  public String url() {
    return glassFish().url("rns");
  }

  /** Its SOAP endpoint. */
  public String soapUrl() {
    return url() + SOAP_PATH;
  }

  /** Its database; the same object, also after it was started again. */
  public DatabaseProcess database() {
    return started(database);
  }

  /** Its application server; another one after it was started again. */
  public GlassFishProcess glassFish() {
    return started(glassFish);
  }

  /** The address of an application; null before its GlassFish runs, or without that application. */
  @Nullable
  String urlIfStarted(String application) {
    GlassFishProcess server = glassFish;
    return server == null || !plan.server().wars().containsKey(application) ? null : server.url(application);
  }

  @Nullable
  DatabaseProcess databaseIfStarted() {
    return database;
  }

  /** The password of the account that controls replication; null for a server of its own. */
  @Nullable
  String controlPassword() {
    DatabaseProcess.Replication replication = plan.database().replication();
    return replication == null ? null : replication.controlPassword();
  }

  /** The process of a part, by its name among all. */
  Stream<ProcessIdentity> process(Part part) {
    DatabaseProcess rows = database;
    GlassFishProcess server = glassFish;
    Stream<ProcessIdentity> identity =
        switch (part) {
          case DATABASE -> rows == null ? Stream.empty() : Stream.of(rows.identity());
          case SERVER -> server == null ? Stream.empty() : Stream.of(server.identity());
        };
    return identity.map(process -> process.named(part.of(name())));
  }

  void startDatabase() {
    supervisor.giveUpIfOver();
    database = DatabaseProcess.start(plan.database(), progress);
    supervisor.record();
    watch("the database", () -> database().onExit(), () -> database().logTail(TAIL_LINES), this::restartDatabase);
  }

  void startGlassFish() {
    synchronized (glassFishLock) {
      supervisor.giveUpIfOver();
      Map<String, String> environment = new HashMap<>(plan.server().environment());
      environment.putAll(plan.environment().apply(database()));
      environment.put("RNS_DB_URL", database().jdbcUrl());
      environment.put("RNS_DB_USER", database().user());
      environment.put("RNS_DB_PASSWORD", database().password());
      glassFish = GlassFishProcess.start(plan.server().withEnvironment(environment), progress);
    }
    supervisor.record();
  }

  /** Waits until its GlassFish answers, and watches over it from then on. */
  void awaitAnswer(BooleanSupplier answers) {
    glassFish().waitUntil(() -> supervisor.giveUpIfOver() || answers.getAsBoolean(), FIRST_ANSWER_BOUND);
    Runnable restart = () -> restartGlassFish(answers);
    watch("GlassFish", () -> glassFish().onExit(), () -> glassFish().logTail(TAIL_LINES), restart);
  }

  void closeGlassFish() {
    synchronized (glassFishLock) {
      GlassFishProcess server = glassFish;
      if (server != null && server.isAlive()) {
        progress.accept("stopping GlassFish");
        server.close();
      }
    }
  }

  void closeDatabase() {
    DatabaseProcess rows = database;
    if (rows != null) {
      if (rows.isAlive()) {
        progress.accept("stopping the database");
      }
      // Also when it is down: it might be on its way up again.
      rows.close();
    }
  }

  private void watch(
      String part, Supplier<CompletableFuture<Integer>> exit, Supplier<String> tail, Runnable restart) {
    Thread.ofVirtual().name("watch of " + part + " " + name()).start(() -> keepUp(part, exit, tail, restart));
  }

  private void keepUp(
      String part, Supplier<CompletableFuture<Integer>> exit, Supplier<String> tail, Runnable restart) {
    RestartBudget budget = new RestartBudget(RESTARTS, RESTART_WINDOW, SERVED_ENOUGH, InstantSource.system());
    budget.serves();
    while (true) {
      int code = exit.get().join();
      if (supervisor.isClosing()) {
        return;
      }
      String what = part + " ended with code " + code + ".";
      if (!budget.take()) {
        supervisor.giveUp(
            says(
                what + " It was started " + RESTARTS + " times in " + RESTART_WINDOW.toMinutes() + " minutes; given up."
                    + tail.get()));
        return;
      }
      progress.accept(what + tail.get() + "\nstarting " + part + " again");
      if (restart(part, restart)) {
        budget.serves();
      }
    }
  }

  private boolean restart(String part, Runnable restart) {
    try {
      restart.run();
      supervisor.record();
      progress.accept(part + " is back");
      return true;
    } catch (LocalServiceException e) {
      // Tried again, as long as the budget lasts: its process has ended once more.
      if (!supervisor.isClosing()) {
        progress.accept(part + " does not start: " + e.getMessage());
      }
      return false;
    }
  }

  private void restartDatabase() {
    database().restart();
  }

  private void restartGlassFish(BooleanSupplier answers) {
    startGlassFish();
    try {
      glassFish().waitUntil(() -> supervisor.giveUpIfOver() || answers.getAsBoolean(), FIRST_ANSWER_BOUND);
    } catch (LocalServiceException e) {
      glassFish().kill();
      throw e;
    }
  }

  /** What is deployed: the service, and perhaps what it is compared with. */
  static Map<String, Path> wars(Path service, @Nullable Path yardstick) {
    Map<String, Path> wars = new LinkedHashMap<>();
    wars.put("rns", service);
    if (yardstick != null) {
      wars.put("yardstick", yardstick);
    }
    return wars;
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the member has not been started");
    }
    return part;
  }
}
