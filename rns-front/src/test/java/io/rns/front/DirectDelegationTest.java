package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import io.rns.identity.CallerPassing;
import io.rns.identity.DirectTickets;
import io.rns.identity.PassedOn;
import io.rns.identity.RequestPassing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are sent to a server for a large response, and those that are not. */
@Timeout(60)
class DirectDelegationTest {
  private static final String SECRET = "the secret";
  private static final String ACCEPT = "RNS-Direct: accept\r\n";
  private static final Pattern LOCATION = Pattern.compile("Location: (\\S+)\r\n");

  @TempDir private Path temporary;
  private EchoServer server;
  private FrontServer front;
  private final CallerPassing receiver = new CallerPassing(SECRET, "a server", InstantSource.system());

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    front = FrontServer.start(settings("admin"));
  }

  @AfterEach
  void stop() {
    front.close();
    server.close();
  }

  private FrontSettings settings(String admin) throws IOException {
    Path secret = Files.writeString(temporary.resolve("secret"), SECRET);
    return TestSettings.of(temporary.resolve(admin), List.of(server.url()), "--secret-file=" + secret);
  }

  private static String get(String target, String headers) {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
  }

  private static URI location(String response) {
    assertThat(response).startsWith("HTTP/1.1 307 ").contains("Cache-Control: no-store", "Content-Length: 0");
    Matcher location = LOCATION.matcher(response);
    assertThat(location.find()).isTrue();
    return URI.create(location.group(1));
  }

  private Optional<PassedOn.Known> take(URI address, String target, boolean hasCredential) {
    return receiver.takeTicket(address.getRawQuery(), RequestPassing.line("GET", target), hasCredential,
        ("127.0.0.1:" + server.port())::equals);
  }

  @Test
  void aClientThatAcceptsItIsSentToTheServer() throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      for (String target : List.of("/rns/names?subtree", "/rns/names/a%20b?list&size=9", "/rns/names/?depth=1&subtree=",
          "/rns/names/a;b?subtree&pattern=%3F?")) {
        for (String credential : List.of("", "Authorization: Bearer x\r\n")) {
          URI address = location(peer.send(get(target, ACCEPT + credential)).response());
          assertThat(address).hasHost("127.0.0.1").hasPort(server.port());
          assertThat(address.getRawPath() + "?" + DirectTickets.without(address.getRawQuery())).isEqualTo(target);
          assertThat(take(address, target, !credential.isEmpty())).as("what the ticket says of the client").isEmpty();
        }
      }
    }
    assertThat(server.reached).isEmpty();
    assertThat(front.health()).containsEntry("direct", 8L).containsEntry("requests", 8L);
  }

  @Test
  void othersGetTheirResponseThroughTheFront() throws IOException {
    String large = "/rns/names?subtree";
    List<String> requests =
        List.of(get(large, ""), get(large, "RNS-Direct: never\r\n"), get("/rns/names", ACCEPT),
            get("/rns/names?access", ACCEPT), get("/rns/names?sublist", ACCEPT), get("/rns/echo?list", ACCEPT),
            get("/rns/names?pattern=list", ACCEPT), get(large, ACCEPT + "RNS-On-Behalf-Of: x\r\n"),
            "HEAD /rns/names?subtree HTTP/1.1\r\nHost: a\r\n" + ACCEPT + "Connection: close\r\n\r\n");
    try (HttpPeer peer = new HttpPeer(front.port())) {
      for (String request : requests) {
        peer.send(request);
        assertThat(request.startsWith("HEAD") ? peer.head() : peer.response()).startsWith("HTTP/1.1 200 ");
      }
    }
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("GET " + large + " HTTP/1.1\r\nHost: a\r\n" + ACCEPT + "Content-Length: 1\r\n\r\nx");
      assertThat(peer.response()).startsWith("HTTP/1.1 200 ");
      peer.send(get(large + "&pattern=" + "x".repeat(DirectDelegation.MOST_CHARACTERS), ACCEPT));
      assertThat(peer.response()).as("an address that is too long").startsWith("HTTP/1.1 200 ");
    }
    assertThat(server.reached).hasSize(requests.size() + 2);
    assertThat(front.health()).containsEntry("direct", 0L);
  }

  @Test
  void responsesComeInOrderAndConnectionsCloseAsRequested() throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send(get("/rns/names?list&a", ACCEPT) + get("/rns/echo/1", "") + get("/rns/names?list&b", ACCEPT)
          + get("/rns/names?list&c", ACCEPT + "Connection: close\r\n"));
      assertThat(location(peer.response()).getRawQuery()).startsWith("list&a&");
      assertThat(peer.body()).startsWith("GET /rns/echo/1\n");
      assertThat(location(peer.response()).getRawQuery()).startsWith("list&b&");
      String last = peer.rest();
      assertThat(last).contains("Connection: close");
      assertThat(location(last).getRawQuery()).startsWith("list&c&");
    }
  }

  @Test
  void withoutSecretOrIfSoSetEverythingIsPassedOn() throws IOException {
    FrontSettings plain = TestSettings.of(temporary.resolve("plain"), List.of(server.url()));
    FrontSettings off =
        TestSettings.of(
            temporary.resolve("off"), List.of(server.url()), "--secret-file=" + temporary.resolve("secret"),
            "--no-direct");
    for (FrontSettings settings : List.of(plain, off)) {
      try (FrontServer other = FrontServer.start(settings); HttpPeer peer = new HttpPeer(other.port())) {
        assertThat(peer.send(get("/rns/names?subtree", ACCEPT)).response()).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void aServerIsAsSafeAndAsReachableAsTheFront() throws IOException {
    DirectDelegation direct =
        new DirectDelegation(new DirectTickets(SECRET, "front", InstantSource.system()), "/rns");
    ClientHead head = head();
    FrontedServer plain = FrontedServer.at(URI.create("http://192.0.2.1:8080/rns"));
    FrontedServer safe = FrontedServer.at(URI.create("https://192.0.2.1:8080/rns"));
    FrontedServer near = FrontedServer.at(URI.create("https://127.0.0.1:8080/rns"));
    FrontedServer unknown =
        new FrontedServer(safe.url(), InetSocketAddress.createUnresolved("unknown", 8_080), safe.history(),
            safe.sentTo());
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    InetSocketAddress elsewhere = new InetSocketAddress(InetAddress.getByAddress(new byte[]{(byte) 192, 0, 2, 7}), 1);
    assertThat(direct.address(head, null, elsewhere, false, plain)).isPresent();
    assertThat(direct.address(head, null, elsewhere, true, plain)).as("without TLS").isEmpty();
    assertThat(direct.address(head, null, elsewhere, true, safe)).isPresent();
    assertThat(direct.address(head, null, elsewhere, true, near)).as("of the client's own machine").isEmpty();
    assertThat(direct.address(head, null, here, true, near)).isPresent();
    assertThat(direct.address(head, null, here, true, unknown)).isEmpty();
    String alice = RequestPassing.named(new Caller("x509:/CN=Alice", Set.of()));
    assertThat(direct.address(head, alice, here, true, near)).isPresent();
    assertThat(direct.address(head, RequestPassing.refused("expired"), here, true, near))
        .as("a refusal, which the server explains").isEmpty();
  }

  private static ClientHead head() {
    try {
      return ClientHead.read(get("/rns/names?subtree", ACCEPT).getBytes(StandardCharsets.US_ASCII));
    } catch (RefusedMessage e) {
      throw new AssertionError(e);
    }
  }
}
