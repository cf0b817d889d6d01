package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.client.http.TlsTrust;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The supervisor within this JVM, real processes below it, and a WAR that answers without a database. */
@Tag("slow")
class LocalServiceIT {
  private static final List<String> PROGRESS = new CopyOnWriteArrayList<>();

  /** Administration, monitoring, health, console, pages, and what its modules for EJB, SOAP and JSP would answer. */
  private static final List<String> MOUNTED_BY_GLASSFISH =
      List.of(
          "/", "/index.html", "/favicon.ico", "/__asadmin", "/__asadmin/version", "/__asadmin/stop-domain",
          "/__asadmin/deploy?force=true", "/command/version", "/management/domain",
          "/management/domain/applications/application", "/management/domain/stop", "/monitoring/domain",
          "/admin", "/admin/", "/asadmin", "/common/index.jsf", "/login.jsf", "/j_security_check", "/metrics",
          "/health",
          "/health/live", "/health/ready", "/openapi", "/openapi/ui", "/__wstx-services",
          "/__wstx-services/CoordinatorPortType",
          "/ejb-timer-service-app", "/__JWSappclients", "/web-ejb-timer", "/WEB-INF/web.xml", "/x.jsp", "/x.do",
          "/rns/%2e%2e/__asadmin/version", "/rns;x/../management/domain", "//__asadmin/version", "/rns-not");

  @TempDir private static Path temporary;
  private static Path war;
  private static LocalService one;

  @BeforeAll
  static void start() throws IOException {
    war = TestWar.write(temporary.resolve("answer.war"), "hello");
    one = start("one", 0);
  }

  @AfterAll
  static void stopsAllOfIt() {
    RunState state = state("one");
    one.close();
    assertThat(state.processes()).extracting(ProcessIdentity::name).containsExactlyInAnyOrder("supervisor",
        "the database", "GlassFish");
    assertThat(state.processes()).filteredOn(ProcessIdentity::isAlive).extracting(ProcessIdentity::name)
        .containsExactly("supervisor");
    assertThat(temporary.resolve("one/run.json")).doesNotExist();
    assertThat(one.awaitEnd()).isEqualTo("stopped");
  }

  @Test
  void answersAndSaysWhere() throws Exception {
    RunState state = state("one");
    assertThat(state.ready()).isTrue();
    assertThat(state.url()).isEqualTo(one.url());
    assertThat(state.soap()).isEqualTo(one.url() + "/services/rns");
    assertThat(state.jdbcUrl()).isEqualTo(one.database().jdbcUrl());
    assertThat(state.databasePassword()).isEqualTo(one.database().password());
    assertThat(get(one)).isEqualTo(one.database().jdbcUrl() + " rns hello");
    assertThat(Listeners.of(one.glassFish().identity().pid())).as("ports GlassFish listens on").hasSize(1);
  }

  /**
   * The build sets them for integration tests: GlassFish starts in half the processor time without the optimizing
   * compiler.
   */
  @Test
  void jvmOptionsOfTheEnvironmentReachGlassFish() throws IOException {
    List<String> further = GlassFishProcess.furtherOptions(System.getenv());
    assertThat(further).contains("-XX:TieredStopAtLevel=1");
    Path command = Path.of("/proc", String.valueOf(one.glassFish().identity().pid()), "cmdline");
    assertThat(Files.readString(command).split("\0")).containsAll(further);
  }

  @Test
  void theOptimizingCompilerLeavesOutWhatOnlyStartsGlassFish() {
    Path console = temporary.resolve("one/glassfish/logs/console.log");
    assertThat(console).content().contains("1 compiler directives added");
  }

  @Test
  void glassFishHasNoTransactionServiceToDeployBesideAnEndpoint() {
    Path applications = LocalInstallation.find().glassFish().resolve("glassfish/lib/install/applications");
    assertThat(applications.resolve("ejb-timer-service-app.war")).exists();
    assertThat(applications.resolve("metro/wstx-services.war")).doesNotExist();
  }

  /** A crash, a start and a stop, as a client sees them. */
  private static void comesBackOnTheSamePort(LocalService two) {
    String url = two.url();
    try (TightLoop loop = new TightLoop(two.soapUrl(), "changed")) {
      ProcessIdentity former = two.glassFish().identity();
      two.glassFish().kill();
      Eventually.holds("GlassFish is back", () -> PROGRESS.contains("GlassFish is back"));
      assertThat(two.url()).isEqualTo(url);
      assertThat(state("two").processes()).contains(two.glassFish().identity()).doesNotContain(former);
      int before = loop.right();
      Eventually.holds("it serves again", () -> loop.right() > before);
      two.close();
      assertThat(two.awaitEnd()).isEqualTo("stopped");
      assertThat(loop.wrong()).isEmpty();
    }
  }

  @Test
  void offersNothingButTheApplicationOnItsPort() throws Exception {
    String root = "http://127.0.0.1:" + one.glassFish().port();
    byte[] body = Files.readAllBytes(war);
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String path : MOUNTED_BY_GLASSFISH) {
        for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND")) {
          boolean sends = method.equals("POST") || method.equals("PUT");
          HttpRequest request =
              HttpRequest.newBuilder(URI.create(root + path))
                  .version(HttpClient.Version.HTTP_1_1)
                  .method(method,
                      sends ? HttpRequest.BodyPublishers.ofByteArray(body) : HttpRequest.BodyPublishers.noBody())
                  .header("X-Requested-By", "test")
                  .header("Content-Type", "application/octet-stream")
                  .build();
          HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
          assertThat(response.statusCode()).as(method + " " + path).isIn(403, 404);
          assertThat(response.body()).as(method + " " + path).isEmpty();
          assertThat(response.headers().map()).doesNotContainKeys("server", "x-powered-by");
        }
      }
      HttpRequest unknown = HttpRequest.newBuilder(URI.create(one.url() + "/nothing")).build();
      HttpResponse<String> response = client.send(unknown, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(404);
      assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
      assertThat(response.body()).doesNotContain("GlassFish").contains("\"status\":404");
    }
    assertThat(one.glassFish().isAlive()).isTrue();
    assertThat(get(one)).endsWith("hello");
  }

  @Test
  void refusesADataDirectoryThatIsInUse() {
    assertThatThrownBy(() -> start("one", 0))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("already")
        .hasMessageContaining(one.url())
        .hasMessageContaining("./rns down");
    assertThat(one.glassFish().isAlive()).isTrue();
    assertThat(state("one").ready()).isTrue();
  }

  @Test
  void namesAPortInUse() {
    int taken = one.glassFish().port();
    assertThatThrownBy(() -> start("three", taken))
        .isInstanceOf(LocalServiceException.class)
        .hasMessage("port " + taken + " is in use by another process; choose another with --port");
    assertThat(temporary.resolve("three/run.json")).doesNotExist();
  }

  @Test
  void startsADatabaseThatDiedAgain() throws Exception {
    ProcessIdentity former = one.database().identity();
    String url = one.database().jdbcUrl();
    one.database().kill();
    Eventually.holds("the database is back", () -> PROGRESS.contains("the database is back"));
    assertThat(one.database().identity()).isNotEqualTo(former);
    assertThat(one.database().jdbcUrl()).isEqualTo(url);
    assertThat(state("one").processes()).contains(one.database().identity()).doesNotContain(former);
    assertThat(state("one").ready()).isTrue();
    assertThat(get(one)).endsWith("hello");
  }

  @Test
  void startsADatabaseAgainThatDiesWhileGlassFishStarts() {
    List<String> progress = new CopyOnWriteArrayList<>();
    Consumer<String> killing =
        line -> {
          progress.add(line);
          if (line.startsWith("starting GlassFish")) {
            killDatabase("five");
          }
        };
    try (LocalService five = LocalService.start(settings("five", 0, war), killing)) {
      assertThat(progress).contains("the database is back")
          .anyMatch(line -> line.endsWith("restarting the database"));
      assertThat(five.database().isAlive()).isTrue();
      assertThat(state("five").processes()).contains(five.database().identity()).hasSize(3);
    }
  }

  @Test
  void givesUpWithADatabaseThatDoesNotStayUpWhileGlassFishStarts() throws IOException {
    Path silent = TestWar.writeSilent(temporary.resolve("silent.war"));
    Consumer<String> killing =
        line -> {
          if (line.startsWith("starting GlassFish") || line.equals("the database is back")) {
            killDatabase("six");
          }
        };
    assertThatThrownBy(() -> LocalService.start(settings("six", 0, silent), killing))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("Restarted 5 times in 10 minutes; giving up.");
    assertThat(Leftovers.on(DataDirectory.create(temporary.resolve("six")))).isEmpty();
    assertThat(temporary.resolve("six/run.json")).doesNotExist();
  }

  /** As it was seen in the start of a group: GlassFish was alive for 180 s and had logged nothing. */
  @Test
  @Tag("long")
  void startsAGlassFishAgainThatIsStuckBeforeItLogsAnything() throws IOException {
    DataDirectory data = DataDirectory.create(temporary.resolve("stuck"));
    Deque<String> options = new ArrayDeque<>(List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y"));
    MemberProcesses.Plan plan =
        new MemberProcesses.Plan(
            "",
            0,
            DatabaseProcess.Settings.in(data.database()),
            GlassFishProcess.Settings.in(data.glassFish(), MemberProcesses.wars(war, null)).withPort(Ports.free()),
            database -> options.isEmpty() ? Map.of() : Map.of("JAVA_TOOL_OPTIONS", options.remove()));
    List<String> progress = new CopyOnWriteArrayList<>();
    try (Supervisor supervisor = new Supervisor(data, progress::add)) {
      // If the second one is slower than that, a third one has all its time.
      MemberProcesses stuck = new MemberProcesses(plan, supervisor, progress::add, Duration.ofSeconds(15));
      supervisor.add(stuck);
      supervisor.begin(
          () -> {
            stuck.startDatabase();
            stuck.startGlassFish();
            try (ReadyProbe probe = new ReadyProbe(TlsTrust.SYSTEM)) {
              stuck.awaitAnswer(() -> probe.answers(stuck.soapUrl()), () -> true);
            }
          });
      Path console = data.glassFish().resolve("logs/console.log");
      assertThat(progress)
          .contains("GlassFish logged nothing within 15 s; its threads are in " + console + "\nstarting it again");
      assertThat(Files.readString(console)).contains("Full thread dump", "\"main\"");
    }
  }

  @Test
  void leavesNothingInTheDirectoryForTemporaryFilesOfAll() throws IOException {
    assertThat(one.glassFish().isAlive()).isTrue();
    try (var own = Files.list(temporary.resolve("one/glassfish/tmp"))) {
      assertThat(own).anyMatch(file -> file.getFileName().toString().startsWith("fileinstall-"));
    }
  }

  private static void killDatabase(String name) {
    long pid =
        state(name).processes().stream()
            .filter(process -> process.name().equals(DatabaseProcess.NAME))
            .findFirst()
            .orElseThrow()
            .pid();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  @Test
  void runsBesideAnotherAndDeploysAChangedWar() throws Exception {
    try (LocalService two = start("two", 0)) {
      assertThat(get(two)).startsWith(two.database().jdbcUrl()).endsWith("hello");
      assertThat(two.url()).isNotEqualTo(one.url());
    }
    assertThat(get(one)).startsWith(one.database().jdbcUrl());

    TestWar.write(war, "changed");
    Files.setLastModifiedTime(war, FileTime.from(Instant.now().plusSeconds(2)));
    try (LocalService two = start("two", 0)) {
      assertThat(get(two)).endsWith("changed");
      comesBackOnTheSamePort(two);
    } finally {
      TestWar.write(war, "hello");
    }
  }

  @Test
  void saysWhyAWarCannotBeDeployed() throws IOException {
    Path broken = TestWar.writeBroken(temporary.resolve("broken.war"));
    assertThatThrownBy(() -> LocalService.start(settings("four", 0, broken), PROGRESS::add))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("could not deploy");
    assertThat(Leftovers.on(DataDirectory.create(temporary.resolve("four")))).isEmpty();
  }

  private static LocalService start(String name, int port) {
    return LocalService.start(settings(name, port, war), PROGRESS::add);
  }

  private static LocalService.Settings settings(String name, int port, Path war) {
    return new LocalService.Settings(temporary.resolve(name), port, "256m", "64M", war, null);
  }

  private static RunState state(String name) {
    return RunState.read(temporary.resolve(name).resolve("run.json")).orElseThrow();
  }

  private static String get(LocalService service) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(URI.create(service.soapUrl())).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
