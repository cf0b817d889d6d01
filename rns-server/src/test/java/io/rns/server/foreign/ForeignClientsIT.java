package io.rns.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rns.server.local.LocalService;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three toolkits that are not ours make clients of the description that the service gives, and the programs in {@code
 * src/test/foreign} do with them all that the standards have.
 */
class ForeignClientsIT {
  private static final Path PROGRAMS = Path.of("src/test/foreign").toAbsolutePath();
  private static final Path AXIS = Path.of("target/axis").toAbsolutePath();
  private static final String DONE = "all checks passed";

  @TempDir private static Path temporary;
  private static LocalService service;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary.resolve("data")), line -> {});
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Path directory(String name) throws IOException {
    return Files.createDirectories(temporary.resolve(name));
  }

  @Test
  void wsimport() throws Exception {
    for (String version : List.of("", "Soap12")) {
      Path generated = directory("wsimport-generated" + version);
      Path classes = directory("wsimport-classes" + version);
      String description = service.soapUrl() + (version.isEmpty() ? "?wsdl" : "?wsdl=soap12");
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      boolean done =
          new WsimportTool(said).run(new String[] {"-extension", "-keep", "-Xnocompile", "-d", generated.toString(), description});
      assertThat(done).as(said.toString(StandardCharsets.UTF_8)).isTrue();
      String classPath = System.getProperty("java.class.path");
      Programs.compile(generated, PROGRAMS.resolve("WsimportClient.java"), classPath, 21, classes);
      String answer =
          Programs.run(
              classes, Programs.java(), "-cp", classes + File.pathSeparator + classPath, "WsimportClient", service.soapUrl(), version);
      assertThat(answer).contains(DONE);
    }
  }

  @Test
  void axis() throws Exception {
    Path generated = directory("axis-generated");
    Path classes = directory("axis-classes");
    String axis = Programs.jars(AXIS);
    String description = service.soapUrl() + "?wsdl";
    Programs.run(
        classes, Programs.java(), "-cp", axis, "org.apache.axis.wsdl.WSDL2Java", "-W", "-o", generated.toString(), description);
    Programs.compile(generated, PROGRAMS.resolve("AxisClient.java"), axis, 8, classes);
    String answer =
        Programs.run(classes, Programs.java(), "-cp", classes + File.pathSeparator + axis, "AxisClient", service.soapUrl());
    assertThat(answer).contains(DONE);
  }

  @Test
  void zeep() throws Exception {
    Optional<String> python = python();
    Assumptions.assumeTrue(python.isPresent(), "no Python here has zeep; src/test/foreign/zeep-debian.sh gets it on Debian");
    for (String version : List.of("", "soap12")) {
      String answer =
          Programs.run(
              directory("zeep"), python.get(), PROGRAMS.resolve("zeep_client.py").toString(), service.soapUrl(), version);
      assertThat(answer).contains(DONE);
    }
  }

  /** A Python that has zeep: what {@code zeep-debian.sh} made, or any of this machine. */
  private static Optional<String> python() throws InterruptedException {
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
    for (String python : List.of(cache + "/rns/zeep-debian/python3", "/usr/bin/python3", "python3")) {
      if (hasZeep(python)) {
        return Optional.of(python);
      }
    }
    return Optional.empty();
  }

  private static boolean hasZeep(String python) throws InterruptedException {
    try {
      ProcessBuilder process = new ProcessBuilder(python, "-c", "import zeep").redirectErrorStream(true);
      return process.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      // There is no such program.
      return false;
    }
  }
}
