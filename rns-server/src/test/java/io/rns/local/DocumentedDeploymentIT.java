package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of docs/operations.md, "Deploy the WAR yourself", "Keep everything else off the port" and "systemd
 * service", word for word but for places, ports, owners of files and the database's host: with a GlassFish as its
 * archive has it and a database that offers TLS, the embedded MariaDB or ({@code -Drns.test.engine=mysql}) MySQL.
 */
@Tag("slow")
class DocumentedDeploymentIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> STANDARD_PORTS =
      List.of("8080", "8181", "4848", "8686", "3700", "3820", "3920", "7676");
  private static final boolean MYSQL = System.getProperty("rns.test.engine", "mariadb").equals("mysql");
  private static final int BOUND_SECONDS = 180;
  private static final Pattern BLOCK = Pattern.compile("(?m)^ *```([a-z]*)\\n(.*?)^ *```$", Pattern.DOTALL);

  private record Block(String language, String text) {}

  @TempDir private Path temporary;

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Path glassFish;
  private List<Integer> ports;
  private int http;
  private DatabaseProcess database;

  @BeforeEach
  void prepare() throws IOException {
    glassFish = copy(LocalInstallation.find().glassFish(), temporary.resolve("glassfish8"));
    Path settings = glassFish.resolve("glassfish/domains/domain1/config/domain.xml");
    ports = Ports.free(STANDARD_PORTS.size());
    http = ports.getFirst();
    Files.writeString(settings, withPorts(Files.readString(settings), ports));

    Path administrator = temporary.resolve("administrator.sql");
    Files.writeString(
        administrator,
        """
        DROP DATABASE IF EXISTS rns;
        DROP USER IF EXISTS 'rns'@'127.0.0.1';
        CREATE USER 'administrator'@'127.0.0.1' IDENTIFIED BY 'secret';
        GRANT ALL ON *.* TO 'administrator'@'127.0.0.1' WITH GRANT OPTION;
        """);
    // The build under way has just made it; the launcher would build it again.
    Files.setLastModifiedTime(ROOT.resolve("rns-cli/target/cli/lib"), FileTime.from(Instant.now()));
    DatabaseProcess.Settings database =
        DatabaseProcess.Settings.in(temporary.resolve("database"))
            .withBufferPool("64M")
            .withMySql(MYSQL ? LocalInstallation.mySql(System.getenv()) : null);
    String script = "--init-file=" + administrator;
    this.database =
        DatabaseProcess.start(MYSQL ? database.withArguments(script) : database.withArguments(script, "--ssl"));
  }

  @AfterEach
  void stop() throws Exception {
    try {
      Path pid = glassFish.resolve("glassfish/domains/domain1/config/pid");
      if (Files.exists(pid)) {
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).ifPresent(ProcessHandle::destroyForcibly);
      }
    } finally {
      database.close();
    }
  }

  @Test
  void theStepsOfTheDocumentMakeAServiceThatServesEncrypted() throws Exception {
    List<Block> blocks = blocks("## Deploy the WAR yourself");
    assertThat(blocks).extracting(Block::language).contains("sql", "properties", "");
    StringBuilder said = new StringBuilder();
    for (Block block : blocks) {
      switch (block.language()) {
        case "sql" -> execute(block.text());
        case "properties" -> Files.writeString(temporary.resolve("rns.properties"), adapted(block.text()));
        default -> {
          if (block.text().contains("asadmin undeploy")) {
            assertServes();
            assertTellsMetrics();
            assertInstallationWorks();
            assertCanBeGuarded();
          }
          said.append(run(adapted(block.text())));
        }
      }
    }
    assertThat(said).contains("serving\n", "\nfirst\n", "Command deploy executed successfully",
        "Command stop-domain executed");
  }

  /** GlassFish's administration had no password: any user of the machine could deploy an application of his own. */
  @Test
  void anInstallationIsClosedAndHasNeitherAdministrationNorAnotherListener() throws Exception {
    for (Block block : blocks("## Deploy the WAR yourself")) {
      if (block.language().equals("sql")) {
        execute(block.text());
      }
    }
    List<Block> blocks = blocks("## systemd service, without a checkout");
    assertThat(blocks).hasSize(2);
    run(installed(blocks.getFirst().text()));
    Path settings = temporary.resolve("rns.properties");
    Files.writeString(
        settings, adapted(Files.readString(settings).replace("127.0.0.1:3306", "db.example.org:3306")));
    Process server = startUnit(settings);
    try {
      assertThat(run(installed(blocks.getLast().text()))).contains("serving\n");
      HttpRequest anonymous = HttpRequest.newBuilder(URI.create(service() + "/names/first")).build();
      assertThat(client.send(anonymous, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
      assertThat(get("/names/first")).contains("\"path\":\"/first\"");
      URI administration = URI.create(service().replace("/rns", "/__asadmin/version"));
      assertThat(client.send(HttpRequest.newBuilder(administration).build(), BodyHandlers.discarding()).statusCode())
          .isEqualTo(404);
      assertThat(Listeners.of(server.pid())).containsExactly(http);
      assertThat(serverLog()).contains("access: closed; audit: off").doesNotContain("no caller can prove a name");
    } finally {
      server.destroy();
      assertThat(server.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("the server ends").isTrue();
    }
  }

  /** Without what only root may do, and without systemd. */
  private String installed(String text) {
    return adapted(text.replaceAll("(?m)^(useradd|ln|chown|systemctl|install -m 0644) .*\n", ""))
        .replace("install -o root -g rns", "install")
        .replace("/opt/rns", temporary.resolve("opt-rns").toString())
        .replace("rns-install.tar.gz", ROOT.resolve("rns-server/target/rns-install.tar.gz").toString())
        .replace("/var/lib/rns", temporary.resolve("var-lib-rns").toString());
  }

  /** The command of the unit, which becomes the server itself. */
  private Process startUnit(Path settings) throws IOException {
    String unit = Files.readString(temporary.resolve("opt-rns/rns.service"));
    String command = unit.lines().filter(line -> line.startsWith("ExecStart=")).findFirst().orElseThrow();
    ProcessBuilder server = new ProcessBuilder(installed(command.replace("ExecStart=", "")).split(" "));
    server.environment().putAll(environment());
    server.environment().put("RNS_CONFIG", settings.toString());
    return server.redirectErrorStream(true).redirectOutput(log().toFile()).start();
  }

  /** As the administrator. */
  private String get(String path) throws IOException, InterruptedException {
    String account = "admin:" + Files.readString(temporary.resolve("rns.password")).strip();
    String credential = Base64.getEncoder().encodeToString(account.getBytes(StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service() + path)).header("Authorization", "Basic " + credential).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private int admin() {
    return ports.get(STANDARD_PORTS.indexOf("4848"));
  }

  private String service() {
    return "http://localhost:" + http + "/rns";
  }

  private void assertServes() throws Exception {
    Eventually.until("it serves", Duration.ofSeconds(60), () -> get("/health").equals("serving\n"));
    assertThat(ciphers()).as("ciphers of the service's connections").isNotEmpty().doesNotContain("");
  }

  private void assertTellsMetrics() throws IOException, InterruptedException {
    String metrics = get("/metrics");
    assertThat(metrics)
        .contains(
            "rns_serving 1.0\n",
            "rns_role{role=\"primary\"} 1.0\n",
            "rns_requests_seconds_count{operation=\"add\",outcome=\"ok\"} 1\n",
            "rns_writer_requests_total 1.0\n",
            "rns_watchers 0.0\n")
        .containsPattern("rns_position_sequence [1-9]")
        .containsPattern("rns_cache_hits_total [0-9]")
        .containsPattern("rns_database_read_connections_idle [1-9]")
        .containsPattern("rns_pools 0")
        .containsPattern("jvm_memory_used_bytes\\{area=\"heap\"");
    assertThat(metrics).as("addresses and secrets").doesNotContain("127.0.0.1", "localhost", "jdbc:", "choose-one",
        "administrator");
  }

  /** Nothing but the service is left on its port. */
  private void assertCanBeGuarded() throws Exception {
    List<Block> blocks = blocks("## Keep everything else off the port");
    assertThat(blocks).hasSize(2);
    run(adapted(blocks.getFirst().text()));
    Eventually.until("it serves behind the guard", Duration.ofSeconds(60), () -> get("/health").equals("serving\n"));
    String answers = run(adapted(blocks.getLast().text()));
    assertThat(answers.lines()).hasSize(6).containsOnly("404 0");
    assertThat(get("/names/first")).contains("\"path\":\"/first\"");
    long pid = Long.parseLong(Files.readString(glassFish.resolve("glassfish/domains/domain1/config/pid")).strip());
    assertThat(Listeners.of(pid)).containsExactlyInAnyOrder(http, admin());
  }

  /** What is packed for installations has no need of the checkout. */
  private void assertInstallationWorks() throws IOException, InterruptedException {
    Path unpacked = Files.createDirectory(temporary.resolve("opt-rns"));
    run("tar -xzf rns-server/target/rns-install.tar.gz -C " + unpacked + " --strip-components 1");
    assertThat(unpacked.resolve("rns.war")).hasSameBinaryContentAs(LocalInstallation.find().war());
    assertThat(unpacked.resolve("rns-guard.jar")).isNotEmptyFile();
    String rns = "cd / && " + unpacked.resolve("bin/rns");
    assertThat(run(rns + " --version")).containsPattern("\\d+\\.\\d+");
    assertThat(run(rns + " ls / --server " + service())).contains("first\n");
    Path unit = unpacked.resolve("rns.service");
    Files.writeString(unit, Files.readString(unit).replace("/opt/glassfish8", glassFish.toString()));
    // Where systemd is not installed, its opinion is not asked.
    run("! command -v systemd-analyze || systemd-analyze verify --man=no " + unit);
  }

  /** What the sessions of the service are encrypted by; the empty text for one that is not. */
  private List<String> ciphers() throws SQLException {
    List<String> ciphers = new ArrayList<>();
    try (Connection connection = administrator()) {
      if (MYSQL) {
        try (ResultSet rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT v.VARIABLE_VALUE FROM performance_schema.status_by_thread v JOIN performance_schema.threads t"
                        + " USING (THREAD_ID) WHERE v.VARIABLE_NAME = 'Ssl_cipher' AND t.PROCESSLIST_USER = 'rns'")) {
          while (rows.next()) {
            ciphers.add(rows.getString(1));
          }
        }
      } else {
        // MariaDB tells nobody the cipher of another session; only the service connects with TLS here.
        try (ResultSet rows =
            connection.createStatement().executeQuery("SHOW GLOBAL STATUS LIKE 'Ssl_finished_accepts'")) {
          rows.next();
          ciphers.add(rows.getInt(2) > 0 ? "any" : "");
        }
      }
    }
    return ciphers;
  }

  private static List<Block> blocks(String heading) throws IOException {
    String document = Files.readString(ROOT.resolve("docs/operations.md"));
    int begin = document.indexOf(heading);
    String section = document.substring(begin, document.indexOf("\n##", begin + 3));
    return BLOCK.matcher(section).results().map(block -> new Block(block.group(1), block.group(2).stripIndent()))
        .toList();
  }

  /** For this machine: other places, ports and hosts than those of the example. */
  private String adapted(String text) {
    return text.replace("/opt/glassfish8", glassFish.toString())
        .replaceAll("/etc/(rns\\.(properties|accounts|password)|asadmin\\.password)", temporary + "/$1")
        .replace("localhost:8080", "localhost:" + http)
        .replace("db.example.org:3306", database.jdbcUrl().replaceAll(".*//([^/]*)/.*", "$1"));
  }

  private Connection administrator() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl().replace("/rns", "/"), "administrator", "secret");
  }

  private void execute(String statements) throws SQLException {
    try (Connection connection = administrator()) {
      for (String statement : statements.lines().toList()) {
        connection.createStatement().execute(statement);
      }
    }
  }

  private String run(String commands) throws IOException, InterruptedException {
    Path said = temporary.resolve("said");
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands).directory(ROOT.toFile())
            .redirectErrorStream(true);
    shell.environment().putAll(environment());
    // Each block of the document goes on in the shell of the one before.
    String own = glassFish.resolve("bin") + ":" + temporary.resolve("opt-rns/bin");
    shell.environment().merge("PATH", own, (path, before) -> before + ":" + path);
    shell.environment().putAll(
        Map.of(
            "AS_ADMIN_PORT", Integer.toString(admin()),
            "AS_ADMIN_USER", "admin",
            "AS_ADMIN_PASSWORDFILE", temporary.resolve("asadmin.password").toString(),
            "RNS_SERVER", service(),
            "RNS_USER", "admin",
            "RNS_PASSWORD_FILE", temporary.resolve("rns.password").toString()));
    Process process = shell.redirectOutput(said.toFile()).start();
    try {
      assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("%s ends", commands).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(said);
    assertThat(process.exitValue()).as("%s said %s%n%s", commands, text, serverLog()).isZero();
    return text;
  }

  private static Map<String, String> environment() {
    return Map.of(
        "JAVA_HOME", System.getProperty("java.home"),
        // The optimizing compiler would take half of the time of a start.
        "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
  }

  /** What a unit's server prints. */
  private Path log() {
    return temporary.resolve("log");
  }

  private String serverLog() throws IOException {
    Path log = Files.exists(log()) ? log() : glassFish.resolve("glassfish/domains/domain1/logs/server.log");
    return Files.exists(log) ? Files.readString(log) : "no log";
  }

  private static String withPorts(String settings, List<Integer> ports) {
    // The second configuration is a pattern for servers that are added; its ports are variables.
    int end = settings.indexOf("</config>");
    String own = settings.substring(0, end);
    for (int i = 0; i < STANDARD_PORTS.size(); i++) {
      own = own.replace("port=\"" + STANDARD_PORTS.get(i) + "\"", "port=\"" + ports.get(i) + "\"");
    }
    return own + settings.substring(end);
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return to;
  }
}
