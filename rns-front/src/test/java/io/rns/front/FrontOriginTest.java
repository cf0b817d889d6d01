package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.identity.CallerPassing;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers are told where clients are, which these cannot say themselves. */
@Timeout(60)
class FrontOriginTest {
  private static final String ASK = "GET /rns/echo HTTP/1.1\r\nHost: a\r\n";

  @TempDir private Path temporary;

  private static HttpPeer from(String address, FrontServer front) throws Exception {
    return new HttpPeer(
        new Socket(InetAddress.getLoopbackAddress(), front.port(), InetAddress.getByName(address), 0));
  }

  @Test
  void aServerIsToldTheAddressOfEachClient() throws Exception {
    CallerPassing servers = new CallerPassing("the secret", "a server", InstantSource.system());
    Path secret = Files.writeString(temporary.resolve("secret"), "the secret\n");
    try (EchoServer server = new EchoServer();
        FrontServer front = FrontServer.start(
            TestSettings.of(temporary.resolve("admin"), List.of(server.url()), "--secret-file=" + secret))) {
      for (String address : List.of("127.0.0.1", "127.0.0.2")) {
        try (HttpPeer peer = from(address, front)) {
          String forged = "RNS-Origin: " + "1 eA x" + "\r\n";
          assertThat(peer.send(ASK + forged + "\r\n").body()).startsWith("GET");
          List<String> told = server.origins.remove();
          assertThat(told).as("the client's own is left out").hasSize(1);
          assertThat(servers.origin(told.getFirst())).contains(address);
        }
      }
    }
  }

  @Test
  void withoutTheSecretNothingIsSaid() throws Exception {
    try (EchoServer server = new EchoServer();
        FrontServer front =
            FrontServer.start(TestSettings.of(temporary.resolve("admin"), List.of(server.url())));
        HttpPeer peer = new HttpPeer(front.port())) {
      assertThat(peer.send(ASK + "RNS-Origin: x\r\n\r\n").body()).startsWith("GET");
      assertThat(server.origins.remove()).isEmpty();
    }
  }
}
