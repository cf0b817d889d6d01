package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.local.LocalService;
import io.rns.server.Eventually;
import io.rns.wire.HostileMessages;
import io.rns.wire.Namespaces;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that send slowly, read slowly, or make the server wait, while a good one is served. GlassFish has 256
 * threads.
 */
@Tag("slow")
class SlowClientsIT {
  private static final int MANY = 300;
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Whoever had to wait for slow clients would wait until they are given up: five seconds and more. */
  private static final Duration NOT_HELD_UP = Duration.ofSeconds(4);

  /** It waits for the database, if that is stalled, but for no client. */
  private static final Duration HEALTH = Duration.ofSeconds(10);

  private static final String QUERY = HostileMessages.message("", "<r:query/>");

  @TempDir private static Path temporary;
  private static LocalService service;
  private static HttpClient http;

  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void start() {
    LocalService.Settings settings =
        LocalService.Settings.in(temporary.resolve("data")).withEnvironment(Map.of("RNS_WATCHERS", "8"));
    service = LocalService.start(settings, line -> {});
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
    service.close();
  }

  @AfterEach
  void disconnect() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket connect(String message) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    // What it does not read stays with the server.
    socket.setReceiveBufferSize(4_096);
    socket.setSoTimeout((int) BOUND.toMillis());
    URI server = URI.create(service.url());
    socket.connect(new InetSocketAddress(InetAddress.getByName(server.getHost()), server.getPort()));
    socket.getOutputStream().write(message.getBytes(ISO_8859_1));
    return socket;
  }

  private static String head(String request, String type, String length) {
    return request + " HTTP/1.1\r\nHost: " + URI.create(service.url()).getAuthority() + "\r\nContent-Type: " + type
        + "\r\n" + length + "\r\n\r\n";
  }

  private static String post(String type, String message) {
    return head("POST /rns/services/rns", type, "Content-Length: " + message.length()) + message;
  }

  private static String all(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  private static HttpResponse<String> ask(HttpRequest.Builder request) throws Exception {
    return http.send(request.timeout(BOUND).build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return ask(HttpRequest.newBuilder(URI.create(service.url() + path)));
  }

  private static String soap(String message) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.soapUrl())).header("Content-Type", "text/xml");
    return ask(request.POST(BodyPublishers.ofString(message))).body();
  }

  /** A cached query and {@code /health} are answered while the others are there. */
  private static void assertServed(Integer... health) throws Exception {
    for (int i = 0; i < 20; i++) {
      long start = System.nanoTime();
      assertThat(soap(QUERY)).contains("queryResponse");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).as("a cached query").isLessThan(NOT_HELD_UP);
    }
    long start = System.nanoTime();
    HttpResponse<String> answer = get("/health");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as("/health").isLessThan(HEALTH);
    assertThat(answer.statusCode()).as(answer.body()).isIn((Object[]) health);
  }

  private static String add(String name) {
    return HostileMessages.message("", "<n:AddRequest><n:entry entry-name='" + name + "'/></n:AddRequest>");
  }

  @Test
  void slowBodiesHoldNobodyUpAndAreRefused() throws Exception {
    assertThat(soap(QUERY)).contains("queryResponse");
    List<String> heads =
        List.of(
            head("POST /rns/services/rns", "text/xml", "Content-Length: 1000") + "<a",
            head("POST /rns/services/rns", "application/soap+xml", "Transfer-Encoding: chunked") + "2\r\n<a\r\n",
            head("PUT /rns/names/slow", "application/json", "Content-Length: 1000") + "{",
            head("PUT /rns/pools/slow?element=1", "application/json", "Content-Length: 1000") + "{");
    for (int i = 0; i < MANY; i++) {
      Socket unused = connect(heads.get(i % heads.size()));
    }
    assertServed(200);
    for (Socket socket : sockets) {
      assertThat(all(socket)).contains("TIMEOUT", "arrives too slowly").containsIgnoringCase("connection: close");
    }
    assertServed(200);
  }

  @Test
  void bodiesThatComeInPiecesAreUnderstood() throws Exception {
    String message = add("pieces" + "x".repeat(100));
    Socket socket = connect(
        head("POST /rns/services/rns", "text/xml", "Content-Length: " + message.length() + "\r\nConnection: close"));
    for (int from = 0; from < message.length(); from += 100) {
      socket.getOutputStream().write(message.substring(from, Math.min(message.length(), from + 100)).getBytes(UTF_8));
      socket.getOutputStream().flush();
    }
    assertThat(all(socket)).contains(" 200 ", "AddResponse");
    StringBuilder chunks = new StringBuilder();
    String large = message.replace("</s:Envelope>", " ".repeat(2 * SoapFilter.LARGE_BYTES) + "</s:Envelope>")
        .replace("pieces", "chunks");
    for (int from = 0; from < large.length(); from += 50_000) {
      String chunk = large.substring(from, Math.min(large.length(), from + 50_000));
      chunks.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
    }
    String head = head("POST /rns/services/rns", "text/xml", "Transfer-Encoding: chunked\r\nConnection: close");
    assertThat(all(connect(head + chunks + "0\r\n\r\n"))).contains(" 200 ", "AddResponse");
  }

  @Test
  void aStalledDatabaseHoldsUpOnlyWhoNeedsIt() throws Exception {
    assertThat(soap(QUERY)).contains("queryResponse");
    String foreign = "<f:foreign xmlns:f='urn:foreign'>1</f:foreign>";
    service.database().pause();
    try {
      for (int i = 0; i < MANY; i++) {
        String cold = "<r:query><r:entry-pattern>/cold" + i + "</r:entry-pattern></r:query>";
        String in12 = HostileMessages.message("", cold).replace(Namespaces.SOAP_11, Namespaces.SOAP_12);
        var unused =
            switch (i % 4) {
              case 0 -> connect(post("text/xml", add("stalled" + i)));
              case 1 -> connect(post("text/xml", HostileMessages.message("", cold)));
              case 2 -> connect(post("text/xml", HostileMessages.message(foreign, cold)));
              default -> connect(post("application/soap+xml", in12));
            };
      }
      assertServed(200, 503);
      Eventually.until("health reports it", BOUND, () -> get("/health").statusCode() == 503);
    } finally {
      service.database().resume();
    }
    Eventually.until("it serves again", BOUND, () -> get("/health").statusCode() == 200);
    byte[] first = new byte[12];
    for (int i = 0; i < MANY; i += 4) {
      assertThat(sockets.get(i).getInputStream().readNBytes(first, 0, first.length)).isEqualTo(first.length);
    }
  }

  @Test
  void clientsThatDoNotReadAreCutAndHoldNobodyUp() throws Exception {
    fill("large", 1_000);
    // Its answer is handed to the container at once.
    fill("medium", 20);
    String list = list("large");
    assertThat(list("medium")).satisfies(medium -> assertThat(soap(medium).length()).isBetween(20_000, 60_000));
    List<String> requests =
        List.of(
            post("text/xml", list),
            post("text/xml", list("medium")).repeat(15),
            post("application/soap+xml", list.replace(Namespaces.SOAP_11, Namespaces.SOAP_12)),
            head("GET /rns/names/large?list&size=1000", "text/xml", "X: y"),
            post("text/xml\r\nAccept-Encoding: gzip", list));
    for (int i = 0; i < 60; i++) {
      Socket unused = connect(requests.get(i % requests.size()).repeat(20));
    }
    assertServed(200);
    long whole = soap(list).length();
    assertThat(whole).isGreaterThan(1_000_000);
    // Cut while nobody reads: what comes then is what the operating system held, or nothing at all.
    Eventually.until("all are cut", BOUND, () -> sockets.stream().allMatch(SlowClientsIT::isDisconnected));
    // The container may drop one in the same moment, which is not counted.
    assertThat(statistic("cutClients")).isGreaterThan(50);
    for (int i = 0; i < 60; i++) {
      assertThat(rest(sockets.get(i))).isLessThan(20 * whole);
    }
    assertServed(200);
  }

  private static String list(String directory) {
    return HostileMessages.message("<x:Path>/" + directory + "</x:Path>", "<n:LookupRequest/>");
  }

  /** A directory of entries with 1,000 bytes each. */
  private static void fill(String directory, int count) throws Exception {
    assertThat(soap(add(directory))).contains("AddResponse");
    Random random = new Random(7);
    for (int from = 0; from < count; from += 100) {
      StringBuilder entries = new StringBuilder();
      for (int i = from; i < Math.min(count, from + 100); i++) {
        entries.append("<n:entry entry-name='e").append(i).append("'><n:metadata><p xmlns='urn:p'>");
        entries.append(noise(random, 1_000)).append("</p></n:metadata></n:entry>");
      }
      String message =
          HostileMessages.message("<x:Path>/" + directory + "</x:Path>",
              "<n:AddRequest>" + entries + "</n:AddRequest>");
      assertThat(soap(message)).doesNotContain("ault>");
    }
  }

  /** Text that does not become much shorter by compression. */
  private static String noise(Random random, int length) {
    return random.ints(length, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
  }

  private static long statistic(String name) throws Exception {
    String status = get("/status").body();
    int at = status.indexOf("\"" + name + "\":");
    return at < 0 ? 0 : Long.parseLong(status.substring(at + name.length() + 3).split("[^0-9]", 2)[0]);
  }

  /** Whether the server has ended a connection, without reading what it has sent. */
  private static boolean isDisconnected(Socket socket) {
    try {
      socket.getOutputStream().write(' ');
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static long rest(Socket socket) throws IOException {
    try {
      return socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (SocketException e) {
      return 0;
    }
  }

  @Test
  void oneCallerHasAShareOfThePlacesForWatchers() throws Exception {
    String watch = head("GET /rns/watch", "text/xml", "X: y");
    for (int i = 0; i < 2; i++) {
      assertThat(connect(watch).getInputStream().readNBytes(12)).asString(UTF_8).isEqualTo("HTTP/1.1 200");
    }
    HttpResponse<String> refused = get("/watch");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("5");
    assertThat(refused.body()).contains("BUSY", "watches 2 times already; the limit is 2, a quarter of 8", "retry in");
  }

  @Test
  void requestsWhoseEndIsAmbiguousAreRefused() throws Exception {
    List<String> lengths =
        List.of("Transfer-Encoding: gzip, chunked", "Transfer-Encoding: x",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked");
    for (String path : List.of("PUT /rns/names/a", "GET /rns/health", "GET /rns/watch", "PUT /rns/pools/a?element=1",
        "GET /rns/nothing", "POST /rns/services/rns")) {
      for (String length : lengths) {
        String answer =
            all(connect(head(path, "text/xml", length) + "0\r\n\r\nGET /rns/health HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertThat(answer).as(path + " " + length).startsWith("HTTP/1.1 400 ").doesNotContain("serving");
      }
    }
  }
}
