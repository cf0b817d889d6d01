package io.rns.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rns.server.SharedService;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Toolkits that are not ours make clients of the description that the service gives. The programs in
 * {@code src/test/foreign} do with wsimport, Axis and zeep all that the standards have, and with the others the
 * operations of RNS 1.1.
 */
@Tag("slow")
class ForeignClientsIT {
  private static final Path PROGRAMS = Path.of("src/test/foreign").toAbsolutePath();
  private static final Path AXIS = Path.of("target/axis").toAbsolutePath();
  private static final String DONE = "all checks passed";
  private static final String DOCUMENTED_URL = "http://127.0.0.1:8080/rns/services/rns";

  @TempDir private static Path temporary;
  private static SharedService service;

  @BeforeAll
  static void start() {
    service = SharedService.empty();
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
          new WsimportTool(said)
              .run(new String[]{"-extension", "-keep", "-Xnocompile", "-d", generated.toString(), description});
      assertThat(done).as(said.toString(StandardCharsets.UTF_8)).isTrue();
      String classPath = System.getProperty("java.class.path");
      Programs.compile(generated, PROGRAMS.resolve("WsimportClient.java"), classPath, 21, classes);
      String answer =
          Programs.run(
              classes, Programs.java(), "-cp", classes + File.pathSeparator + classPath, "WsimportClient",
              service.soapUrl(), version);
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
        classes, Programs.java(), "-cp", axis, "org.apache.axis.wsdl.WSDL2Java", "-W", "-o", generated.toString(),
        description);
    Programs.compile(generated, PROGRAMS.resolve("AxisClient.java"), axis, 8, classes);
    String answer =
        Programs.run(classes, Programs.java(), "-cp", classes + File.pathSeparator + axis, "AxisClient",
            service.soapUrl());
    assertThat(answer).contains(DONE);
  }

  @Test
  void zeep() throws Exception {
    String python = toolkit("zeep").resolve("python3").toString();
    for (String version : List.of("", "soap12")) {
      String answer =
          Programs.run(
              directory("zeep"), python, PROGRAMS.resolve("zeep_client.py").toString(), service.soapUrl(), version);
      assertThat(answer).contains(DONE);
    }
    Path work = directory("zeep");
    assertThat(Programs.run(work, python, example(work, "soap.py"))).contains("zeep-home -> https://example.org/");
  }

  @Test
  void php() throws Exception {
    String php = toolkit("php").resolve("php").toString();
    Path work = directory("php");
    assertThat(Programs.run(work, php, program("php_client.php"), service.soapUrl())).contains(DONE);
    assertThat(Programs.run(work, php, example(work, "soap.php"))).contains("php-home -> https://example.org/");
  }

  @Test
  void node() throws Exception {
    String modules = "NODE_PATH=" + toolkit("node").resolve("node_modules");
    Path work = directory("node");
    assertThat(Programs.run(work, "env", modules, "node", program("node_client.js"), service.soapUrl())).contains(DONE);
    assertThat(Programs.run(work, "env", modules, "node", example(work, "soap.js")))
        .contains("node-home -> https://example.org/");
  }

  @Test
  void gsoap() throws Exception {
    Path gsoap = toolkit("gsoap");
    Path work = directory("gsoap");
    String header = work.resolve("rns.h").toString();
    Programs.run(work, gsoap.resolve("wsdl2h").toString(), "-o", header, service.soapUrl() + "?wsdl=rns-1.1");
    Programs.run(work, gsoap.resolve("soapcpp2").toString(), "-C", "-j", "-w", "-x", "-d", work.toString(), header);
    String client = work.resolve("client").toString();
    Programs.run(
        work, gsoap.resolve("g++").toString(), "-O0", "-w", "-I", work.toString(), "-o", client,
        program("gsoap_client.cpp"),
        work.resolve("soapC.cpp").toString(), work.resolve("soapRNS11Soap11BindingProxy.cpp").toString());
    assertThat(Programs.run(work, client, service.soapUrl())).contains(DONE);
  }

  /** Writes a copy of a program of docs/examples for this service. */
  private static String example(Path directory, String name) throws IOException {
    String program = Files.readString(Path.of("..", "docs", "examples", name));
    assertThat(program).contains(DOCUMENTED_URL);
    return Files.writeString(directory.resolve(name), program.replace(DOCUMENTED_URL, service.soapUrl())).toString();
  }

  @Test
  void cxf() throws Exception {
    String cxf = Programs.jars(toolkit("cxf"));
    Path generated = directory("cxf-generated");
    Path classes = directory("cxf-classes");
    Programs.run(
        classes, Programs.java(), "-cp", cxf, "org.apache.cxf.tools.wsdlto.WSDLToJava", "-d", generated.toString(),
        service.soapUrl() + "?wsdl");
    Programs.compile(generated, PROGRAMS.resolve("CxfClient.java"), cxf, 17, classes);
    String answer = Programs.run(classes, Programs.java(), "-cp", classes + File.pathSeparator + cxf, "CxfClient",
        service.soapUrl());
    assertThat(answer).contains(DONE);
  }

  private static String program(String name) {
    return PROGRAMS.resolve(name).toString();
  }

  /** The directory of a toolkit; a test of one that is not there is skipped. */
  private static Path toolkit(String name) {
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
    Path toolkit = Path.of(cache, "rns", "toolkits", name);
    Assumptions.assumeTrue(Files.isDirectory(toolkit), "no " + name + " here; src/test/foreign/toolkits.sh gets it");
    return toolkit;
  }
}
