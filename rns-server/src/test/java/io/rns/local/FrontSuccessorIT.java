package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A front whose successor crashes during the migration, before a server that answers when the test wants. */
@Timeout(300)
class FrontSuccessorIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int HEADERS = 1;
  private static final int FLAGS_AND_STREAM = 5;
  /** The beginning of a connection of HTTP/2, with the request {@code GET /rns/names}. */
  private static final byte[] REQUEST =
      HexFormat.of().parseHex("000000" + "0400" + "00000000" + "000011" + "0105" + "00000001" + "8286" + "040a"
          + HexFormat.of().formatHex(bytes("/rns/names")) + "0101" + HexFormat.of().formatHex(bytes("a")));

  @TempDir private Path temporary;
  private final BlockingQueue<Socket> requests = new LinkedBlockingQueue<>();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Leaves requests about names to the test, and answers no other one. */
  private void accept(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket front = server.accept();
        Thread.ofVirtual().start(() -> read(front));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void read(Socket front) {
    try {
      BufferedReader in = new BufferedReader(new InputStreamReader(front.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("GET /rns/names ")) {
          requests.add(front);
        }
      }
    } catch (IOException e) {
      // The front has ended.
    }
  }

  private static JsonNode ask(DataDirectory data, String line) {
    return FrontCalls.ask(LocalFronts.control(data), line, BOUND);
  }

  /** The predecessor was killed, too, with all connections that it had kept. */
  @Test
  void aFrontStaysIfItsSuccessorCrashesDuringTheMigration() throws Exception {
    DataDirectory data = DataDirectory.create(temporary);
    Path secret = Files.writeString(temporary.resolve("secret"), "0123456789abcdef".repeat(2));
    try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Supervisor supervisor = new Supervisor(data, line -> {});
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Thread.ofVirtual().start(() -> accept(server));
      supervisor.begin(
          () -> supervisor.fronts().start(1, 0,
              new FrontProcess.Servers(
                  List.of("http://127.0.0.1:" + server.getLocalPort() + "/rns"), null, secret,
                  CertificateSettings.of(Map.of()))));
      FrontProcess front = supervisor.fronts().running().getFirst();
      URI url = URI.create(front.url());
      // The migration waits for its end: a connection of HTTP/2 does not move.
      try (Socket client = new Socket(url.getHost(), url.getPort())) {
        client.getOutputStream().write(bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
        client.getOutputStream().write(REQUEST);
        Socket request = Objects.requireNonNull(requests.poll(BOUND.toSeconds(), TimeUnit.SECONDS));
        Future<JsonNode> migration = threads.submit(() -> ask(data, "migrate " + front.name()));
        Eventually.holds("the successor serves",
            () -> !supervisor.fronts().running().contains(front) || migration.isDone());
        supervisor.fronts().running().getFirst().kill();
        assertThatThrownBy(migration::get).hasMessageContaining(front.name() + " stays where it is");
        assertThat(front.isAlive()).isTrue();
        request.getOutputStream().write(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertThat(hasResponse(client)).isTrue();
      }
      try (Socket later = new Socket(url.getHost(), url.getPort())) {
        later.getOutputStream().write(bytes("GET /elsewhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        assertThat(new String(later.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 404 ");
      }
      assertThat(supervisor.fronts().running()).containsExactly(front);
      assertThat(ask(data, "migrate " + front.name()).path("pid").asLong()).isNotEqualTo(front.identity().pid());
      assertThat(front.isAlive()).isFalse();
    }
  }

  /** Whether a request gets a response before the connection ends. */
  private static boolean hasResponse(Socket client) throws IOException {
    client.setSoTimeout(Math.toIntExact(BOUND.toMillis()));
    DataInputStream in = new DataInputStream(client.getInputStream());
    for (int first = in.read(); first >= 0; first = in.read()) {
      int length = first << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.skipNBytes(FLAGS_AND_STREAM + length);
      if (type == HEADERS) {
        return true;
      }
    }
    return false;
  }
}
