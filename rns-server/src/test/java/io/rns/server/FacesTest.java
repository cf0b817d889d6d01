package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every address and every port of a server is in a table that says who decides what callers may do there. One that is
 * added is added here, with a test of its own: SOAP operations have {@code SoapRightsTest}, requests of names, pools,
 * watchers and operators {@code ClosedGroupsIT}, tickets {@code IdentityIT}, everything that is a request of a
 * {@code NameService} has {@code AccessEnforcementTest}.
 */
class FacesTest {
  /** Who decides what a caller may do. */
  private enum Decides {
    /** The namespace, as for every request of a {@code NameService}. */
    NAMESPACE,
    /** {@code PermittedPools}. */
    POOLS,
    /** {@code VisibleChanges}. */
    WATCH,
    /** {@code AccessReader.mayOperate}, or the secret of the operators. */
    OPERATORS,
    /** {@code TicketServlet}: callers have their own tickets. */
    MAKERS,
    /** Nobody: it is the same for all callers, and not about names. */
    PUBLIC
  }

  private static final Map<String, Decides> TABLE = new LinkedHashMap<>();

  static {
    TABLE.put("/services/rns", Decides.NAMESPACE);
    TABLE.put("/services/rns-soap12", Decides.NAMESPACE);
    TABLE.put("/names", Decides.NAMESPACE);
    TABLE.put("/names/*", Decides.NAMESPACE);
    TABLE.put("/pools", Decides.POOLS);
    TABLE.put("/pools/*", Decides.POOLS);
    TABLE.put("/watch", Decides.WATCH);
    TABLE.put("/front/changes", Decides.OPERATORS);
    TABLE.put("/group/*", Decides.OPERATORS);
    TABLE.put("/partitions", Decides.OPERATORS);
    TABLE.put("/partitions/*", Decides.OPERATORS);
    TABLE.put("/backup", Decides.OPERATORS);
    TABLE.put("/tickets", Decides.MAKERS);
    TABLE.put("/tickets/*", Decides.MAKERS);
    TABLE.put("/health", Decides.PUBLIC);
    TABLE.put("/status", Decides.PUBLIC);
    TABLE.put("/metrics", Decides.PUBLIC);
    TABLE.put("/servers", Decides.PUBLIC);
    TABLE.put("/wsdl/*", Decides.PUBLIC);
    TABLE.put("", Decides.PUBLIC);
    TABLE.put("/", Decides.PUBLIC);
  }

  /** Classes that open a port, or a socket file, and the test of what callers may do there. */
  private static final Map<String, String> PORTS =
      Map.of(
          "RegistrarServer", "ASAP and ENRP: PoolCallersTest, PoolTlsTest",
          "DnsServer", "RnsServerDnsTest",
          "MulticastAnnouncements", "names addresses to try, and no more: MulticastAnnouncementsTest",
          "FrontListener", "passes requests on: FrontCertificateIT",
          "RemoteHandoverReceiver", "asks for the servers' secret: RemoteHandoverTest",
          "AdminSocket", "a file in a directory of the front's user only: docs/fronts.md");

  private static final Set<String> NAMES_METHODS = Set.of("get", "head", "options", "patch", "delete", "put");
  private static final Set<String> POOLS_METHODS = Set.of("get", "head", "options", "put", "delete", "post");

  @Test
  void everyMappingIsInTheTable() throws IOException {
    Set<String> mapped = new TreeSet<>();
    String listener = Files.readString(Path.of("src/main/java/io/rns/server/RnsContextListener.java"));
    Matcher added =
        Pattern.compile("(?:\\.addMapping\\(|\\badd\\(\\s*context,)(.*?)\\);", Pattern.DOTALL).matcher(listener);
    while (added.find()) {
      Set<String> paths = new TreeSet<>();
      Pattern.compile("\"(/[^\"]*|)\"").matcher(added.group(1)).results().map(each -> each.group(1))
          .forEach(paths::add);
      assertThat(paths.isEmpty() && !added.group(1).matches("paths|ErrorServlet.PATH")).as(added.group()).isFalse();
      mapped.addAll(paths);
    }
    String descriptor = Files.readString(Path.of("src/main/webapp/WEB-INF/web.xml"));
    Pattern.compile("<servlet-mapping>.*?<url-pattern>(.*?)</url-pattern>", Pattern.DOTALL).matcher(descriptor)
        .results().map((MatchResult each) -> each.group(1)).forEach(mapped::add);
    assertThat(mapped).isEqualTo(new TreeSet<>(TABLE.keySet()));
  }

  /** The methods for which the tests of names and pools were made. */
  @Test
  void everyMethodIsInTheTable() throws IOException {
    JsonNode paths =
        new ObjectMapper().readTree(Path.of("src/main/webapp/WEB-INF/openapi.json").toFile()).path("paths");
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      Set<String> methods = new TreeSet<>();
      path.getValue().fieldNames().forEachRemaining(methods::add);
      methods.remove("parameters");
      Set<String> known =
          path.getKey().startsWith("/names") ? NAMES_METHODS
              : path.getKey().startsWith("/pools") ? POOLS_METHODS : Set.of("get", "head", "options");
      assertThat(known).as(path.getKey()).containsAll(methods);
    }
  }

  @Test
  void everyPortIsInTheTable() throws IOException {
    Pattern opening =
        Pattern.compile(
            "new ServerSocket\\(|ServerSocketChannel\\.open\\(|new EpollServerSocketChannel\\(|new DatagramSocket\\("
                + "|DatagramChannel\\.open\\(|HttpServer\\.create\\(|SctpServerChannel\\.open\\(");
    Set<String> opened = new TreeSet<>();
    for (String module : List.of("rns-api", "rns-client", "rns-replication", "rns-pools", "rns-server", "rns-front")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (opening.matcher(Files.readString(file)).find()) {
            opened.add(file.getFileName().toString().replace(".java", ""));
          }
        }
      }
    }
    assertThat(opened).isEqualTo(new TreeSet<>(PORTS.keySet()));
  }

  /** A decoded path may have ends of lines, with which a client could forge lines of a log. */
  @Test
  void noLineOfTheLogHasADecodedPath() throws IOException {
    Pattern decoded = Pattern.compile("LOG\\s*\\.\\w+\\([^;]*get(PathInfo|ServletPath|Parameter)\\(");
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        assertThat(decoded.matcher(Files.readString(file)).find()).as("%s", file).isFalse();
      }
    }
  }
}
