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
 * One server on this machine: a database and its GlassFish. A crashed part is restarted; more than five crashes in ten
 * minutes within 10 s of serving stop everything under its supervisor. Parts may be killed and paused at will.
 * Thread-safe.
 */
public final class MemberProcesses {
  /** The path of the SOAP endpoint below the application. */
  static final String SOAP_PATH = "/services/rns";

  private static final Duration FIRST_ANSWER_BOUND = Duration.ofMinutes(3);
  /** The first line comes after 5 s, on a very busy machine after 25 s. */
  private static final Duration FIRST_LINE_BOUND = Duration.ofSeconds(60);
  private static final int STUCK_STARTS = 3;
  private static final int RESTARTS = 5;
  private static final Duration RESTART_WINDOW = Duration.ofMinutes(10);
  private static final Duration SERVED_ENOUGH = Duration.ofSeconds(10);
  /** How long a crashed GlassFish waits at most for another server to lead. */
  private static final Duration TAKE_OVER_BOUND = Duration.ofSeconds(5);
  private static final int TAIL_LINES = 8;

  private final Plan plan;
  private final Supervisor supervisor;
  private final Consumer<String> progress;
  private final Duration firstLineBound;
  private volatile @Nullable DatabaseProcess database;
  private volatile @Nullable GlassFishProcess glassFish;
  // Held while a GlassFish starts or stops, so that none starts unnoticed during a stop.
  private final Object glassFishLock = new Object();

  /**
   * How a member is run.
   *
   * @param name of a member of a group; empty for a single server
   * @param group the number of its group
   * @param database its database
   * @param server its GlassFish; the database address is added
   * @param environment server settings known only once its database runs
   */
  record Plan(
      String name,
      int group,
      DatabaseProcess.Settings database,
      GlassFishProcess.Settings server,
      Function<DatabaseProcess, Map<String, String>> environment) {}

  /** The two parts of every member. */
  enum Part {
    DATABASE(DatabaseProcess.NAME), SERVER(GlassFishProcess.NAME);

    private final String title;

    Part(String title) {
      this.title = title;
    }

    /** The name of this part of a member among all processes. */
    String of(String member) {
      return member.isEmpty() ? title : title + " of " + member;
    }
  }

  MemberProcesses(Plan plan, Supervisor supervisor, Consumer<String> progress) {
    this(plan, supervisor, progress, FIRST_LINE_BOUND);
  }

  /** With another time after which a GlassFish that has logged nothing is started again. */
  MemberProcesses(Plan plan, Supervisor supervisor, Consumer<String> progress, Duration firstLineBound) {
    this.plan = plan;
    this.supervisor = supervisor;
    this.progress = line -> progress.accept(says(line));
    this.firstLineBound = firstLineBound;
  }

  /** Prefixes a line with the member's name. */
  String says(String line) {
    return name().isEmpty() ? line : name() + ": " + line;
  }

  /** Its name in a group, such as {@code server-1}; empty for a single server. */
  public String name() {
    return plan.name();
  }

  /** The number of its group. */
  int group() {
    return plan.group();
  }

  /** Where clients reach it: {@code http://127.0.0.1:PORT/rns}, or with HTTPS. */
  public String url() {
    return glassFish().url("rns");
  }

  /** Its SOAP endpoint. */
  public String soapUrl() {
    return url() + SOAP_PATH;
  }

  /** Its database; the same object after a restart. */
  public DatabaseProcess database() {
    return started(database);
  }

  /** Its application server; a new object after a restart. */
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

  /** The password of the account that controls replication; null for a single server. */
  @Nullable
  String controlPassword() {
    DatabaseProcess.Replication replication = plan.database().replication();
    return replication == null ? null : replication.controlPassword();
  }

  /** The process of a part, under its name among all processes. */
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

  /**
   * Waits until its GlassFish answers, then watches it.
   *
   * @param replaced whether another server leads, or none is going to by itself: a start takes both processors of a
   *        small machine for many seconds, and the failover would take twice as long beside it
   */
  void awaitAnswer(BooleanSupplier answers, BooleanSupplier replaced) {
    awaitFirstAnswer(answers);
    Runnable restart = () -> {
      supervisor.awaitAtMost(TAKE_OVER_BOUND, replaced);
      restartGlassFish(answers);
    };
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
      // Even if it is down: a restart may be in progress.
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
                what + " Restarted " + RESTARTS + " times in " + RESTART_WINDOW.toMinutes() + " minutes; giving up."
                    + tail.get()));
        return;
      }
      progress.accept(what + tail.get() + "\nrestarting " + part);
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
      // Retried while the budget lasts, since its process has ended again.
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
      awaitFirstAnswer(answers);
    } catch (LocalServiceException e) {
      glassFish().kill();
      throw e;
    }
  }

  /** A GlassFish was seen that did not go on in its boot and logged nothing, for a reason that is not known. */
  private void awaitFirstAnswer(BooleanSupplier answers) {
    for (int start = 1; start < STUCK_STARTS && !logsInTime(); start++) {
      progress.accept(
          "GlassFish logged nothing within " + firstLineBound.toSeconds() + " s; its threads are in "
              + glassFish().killWithDump() + "\nstarting it again");
      startGlassFish();
    }
    glassFish().waitUntil(() -> supervisor.giveUpIfOver() || answers.getAsBoolean(), FIRST_ANSWER_BOUND);
  }

  private boolean logsInTime() {
    return glassFish().logsWithin(firstLineBound, supervisor::giveUpIfOver);
  }

  /** The applications: the service, and optionally the yardstick. */
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
