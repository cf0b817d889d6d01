package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running front. Thread-safe. */
final class FrontProcess {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAIN = "io.rns.front.FrontProgram";
  private static final Duration START_BOUND = Duration.ofSeconds(60);
  private static final Duration STOP_BOUND = Duration.ofSeconds(10);
  private static final Duration HEALTH_BOUND = Duration.ofSeconds(2);

  private final String name;
  private final String url;
  private final Path admin;
  private final ChildProcess child;

  private FrontProcess(String name, String url, Path admin, ChildProcess child) {
    this.name = name;
    this.url = url;
    this.admin = admin;
    this.child = child;
  }

  /**
   * What fronts pass requests to.
   *
   * @param urls addresses of servers
   * @param tls their certificate, which fronts present, too; null for plain HTTP
   * @param secret file of their secret
   * @param certificates of clients that they take
   */
  record Servers(List<String> urls, @Nullable LocalTls tls, Path secret, CertificateSettings certificates) {}

  /**
   * How a front is run.
   *
   * @param name such as {@code front-1}
   * @param directory for its log
   * @param admin its socket file for administration
   * @param port on 127.0.0.1
   * @param predecessor the socket file of the front that it replaces; null if there is none
   */
  record Plan(String name, Path directory, Path admin, int port, Servers servers, @Nullable Path predecessor) {}

  /** Starts a front; see {@link #awaitServing}. */
  static FrontProcess start(Plan plan) {
    List<String> command = new ArrayList<>(List.of(LocalEnvironment.java()));
    // The state of 12,000 connections takes about 60 MB.
    command.addAll(List.of("-Xms64m", "-Xmx192m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC"));
    // With Java's 21 MiB the classes of a handover would begin a full collection, which stops all clients.
    command.add("-XX:MetaspaceSize=64m");
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
        "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-Dio.netty.leakDetection.level=disabled", marker(plan.directory())));
    command.addAll(GlassFishProcess.furtherOptions(LocalEnvironment.variables()));
    command.addAll(List.of("-cp", LocalInstallation.find().front() + "/*", MAIN));
    command.add("--port=" + plan.port());
    command.add("--server=" + String.join(",", plan.servers().urls()));
    command.add("--secret-file=" + plan.servers().secret());
    command.add("--name=" + plan.name());
    LocalTls tls = plan.servers().tls();
    if (tls != null) {
      command.add("--tls-cert=" + tls.certificate());
      command.add("--tls-key=" + tls.key());
      command.add("--ca=" + tls.authority());
      command.addAll(plan.servers().certificates().options());
    }
    command.add("--admin=" + plan.admin());
    if (plan.predecessor() != null) {
      command.add("--take-over=" + plan.predecessor());
    }
    ChildProcess child =
        ChildProcess.start(
            new ChildProcess.Plan(
                plan.name(), command, marker(plan.directory()), Map.of(), plan.directory(),
                plan.directory().resolve("front.log")));
    return new FrontProcess(plan.name(), GlassFishProcess.url(tls, plan.port(), "rns"), plan.admin(), child);
  }

  /** The argument that a front with this directory has. */
  static String marker(Path directory) {
    return "-Drns.front=" + directory;
  }

  String name() {
    return name;
  }

  String url() {
    return url;
  }

  Path admin() {
    return admin;
  }

  ProcessIdentity identity() {
    return child.identity().named(name);
  }

  boolean isAlive() {
    return child.isAlive();
  }

  CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  String logTail(int lines) {
    return child.log().tail(lines);
  }

  /**
   * Waits until it serves clients.
   *
   * @param over throws if everything ends
   */
  void awaitServing(BooleanSupplier over) {
    child.await("it served clients", () -> over.getAsBoolean() || isServing(), START_BOUND,
        () -> logTail(ChildProcess.TAIL_LINES));
  }

  /**
   * Waits until it serves all clients of its predecessor.
   *
   * @param done whether the predecessor has ended
   */
  void awaitComplete(BooleanSupplier done) {
    child.await("it had taken all connections over", done, START_BOUND, () -> logTail(ChildProcess.TAIL_LINES));
  }

  /** Whether it responds, and serves clients. */
  boolean isServing() {
    try {
      return JSON.readTree(UnixCalls.ask(admin, "health", HEALTH_BOUND)).path("state").asText().equals("serving");
    } catch (IOException e) {
      return false;
    }
  }

  /** Name, address, process, and what it has done; without that if it does not answer. */
  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("name", name);
    report.put("url", url);
    report.put("pid", identity().pid());
    try {
      JSON.readTree(UnixCalls.ask(admin, "health", HEALTH_BOUND)).properties()
          .forEach(each -> report.putIfAbsent(each.getKey(), each.getValue()));
    } catch (IOException e) {
      report.put("error", String.valueOf(e.getMessage()));
    }
    return report;
  }

  /** What it has taken over from its predecessor: connections, requests that a server had, and bytes of their state. */
  Map<String, Long> takenOver() {
    JsonNode health = MissingNode.getInstance();
    try {
      health = JSON.readTree(UnixCalls.ask(admin, "health", HEALTH_BOUND));
    } catch (IOException e) {
      // It serves all the same.
    }
    Map<String, Long> taken = new LinkedHashMap<>();
    taken.put("connections", health.path("takenOver").asLong());
    taken.put("requests", health.path("takenOverRequests").asLong());
    taken.put("requestBytes", health.path("takenOverBytes").asLong());
    return taken;
  }

  /** Has it answer what is pending, and end. */
  void drain(Duration bound, Supplier<String> problem) {
    try {
      String unused = UnixCalls.ask(admin, "drain " + bound.toSeconds(), bound.plus(HEALTH_BOUND));
    } catch (IOException e) {
      throw new LocalServiceException(problem.get() + ": " + e.getMessage(), e);
    }
  }

  void stop() {
    boolean unused = child.stop(STOP_BOUND);
  }

  void kill() {
    child.kill();
  }
}
