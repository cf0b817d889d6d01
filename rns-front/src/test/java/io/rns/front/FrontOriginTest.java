package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Hop;
import io.rns.api.HopStep;
import io.rns.identity.CallerPassing;
import io.rns.identity.FrontReport;
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
  void aServerLearnsHowARequestWasPassedOnThatIsToBeExplained() throws Exception {
    Path secret = Files.writeString(temporary.resolve("secret"), "the secret");
    String explain = "<e><h><x:Explain/></h><Body/></e>";
    String head =
        "POST /rns/services/rns HTTP/1.1\r\nHost: a\r\nRNS-Front: forged 1 HELD u r\r\nContent-Length: "
            + explain.length() + "\r\n\r\n";
    try (EchoServer server = new EchoServer();
        FrontServer front = FrontServer.start(
            TestSettings.of(temporary.resolve("admin"), List.of(server.url()), "--secret-file=" + secret,
                "--name=front-1"));
        HttpPeer peer = new HttpPeer(front.port())) {
      assertThat(peer.send(head + explain.replace("Explain", "Extends")).body()).contains("Extends");
      assertThat(server.reports.remove()).as("the client's own is left out").isEmpty();
      assertThat(peer.send(head + explain).body()).contains("Explain");
      List<String> reports = server.reports.remove();
      assertThat(reports).hasSize(1);
      Hop.Answered report = FrontReport.read(reports.getFirst(), 0).orElseThrow();
      assertThat(report.self().server()).isEqualTo("front-1");
      assertThat(report.steps().getFirst()).isEqualTo(new HopStep.Cache(HopStep.Finding.PRIVATE));
      assertThat(report.steps().getLast()).isInstanceOfSatisfying(HopStep.Passed.class, passed -> {
        assertThat(passed.url()).isEqualTo(server.url().toString());
        assertThat(passed.reason()).startsWith("the only server: named by the client");
      });
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
