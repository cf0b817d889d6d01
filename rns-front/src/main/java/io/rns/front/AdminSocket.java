package io.rns.front;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The administration of a front: a Unix domain socket in a private directory, so that only the user who runs it has
 * access. A request is one line: {@code health}, {@code drain SECONDS}, {@code migrate HOST:PORT}, {@code answers} or
 * {@code takeover FORMAT PATH}; the response to all but the last two is one line of JSON.
 */
final class AdminSocket {
  private static final Logger LOG = Logger.getLogger(AdminSocket.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_CHARS = 1_024;
  private static final long MOST_DRAIN_SECONDS = 3_600;

  private final Path path;
  private final FrontServer server;
  private final ServerSocketChannel socket;
  private final AtomicBoolean handingOver = new AtomicBoolean();

  AdminSocket(Path path, FrontServer server) throws IOException {
    this.path = path;
    this.server = server;
    Files.deleteIfExists(path);
    this.socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(path));
  }

  void start() {
    Thread.ofPlatform().name("rns-front-admin").daemon().start(this::accept);
  }

  private void accept() {
    while (socket.isOpen()) {
      try {
        SocketChannel caller = socket.accept();
        Thread.ofPlatform().name("rns-front-admin-call").daemon().start(() -> serve(caller));
      } catch (IOException e) {
        LOG.log(Level.FINE, "the admin socket does not accept", e);
      }
    }
  }

  private void serve(SocketChannel caller) {
    try (caller;
        DataInputStream in = new DataInputStream(Channels.newInputStream(caller));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(caller))) {
      String line = line(in);
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "health" -> answer(out, server.health());
        case "drain" -> {
          server.drain(Duration.ofSeconds(Math.clamp(Long.parseLong(words[1]), 0, MOST_DRAIN_SECONDS)));
          answer(out, server.health());
        }
        case "migrate" -> migrate(words[1], out);
        case "answers" -> AnswerHandover.send(server, out);
        case "takeover" -> handOver(words[1].split(" ", 2), caller, in, out);
        default -> LOG.warning("an unknown request to the admin socket was ignored");
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, () -> "a request to the admin socket failed: " + e.getMessage());
    }
  }

  /** Moves the front to another machine; the answer has an error if it stays. */
  private void migrate(String successor, DataOutputStream out) throws IOException {
    if (!handingOver.compareAndSet(false, true)) {
      answer(out, Map.of("error", "the front is being handed over"));
      return;
    }
    RemoteHandoverSender sender;
    Map<String, Object> result;
    try {
      sender = new RemoteHandoverSender(server, HostAndPort.of("--to", successor));
      result = sender.run();
    } catch (IOException | RuntimeException e) {
      handingOver.set(false);
      LOG.log(Level.WARNING, () -> "the front stays here: " + e.getMessage());
      answer(out, Map.of("error", "the front stays where it is: " + e.getMessage()));
      return;
    }
    try {
      answer(out, result);
    } finally {
      sender.end();
    }
  }

  /** Hands over to a successor, which says in which format, and where it receives descriptors. */
  private void handOver(String[] to, SocketChannel caller, DataInputStream in, DataOutputStream out)
      throws IOException {
    if (to.length != 2 || !to[0].equals(HandoverStep.FORMAT)) {
      HandoverSender.refuse(out, "it has another version");
      return;
    }
    if (!handingOver.compareAndSet(false, true)) {
      HandoverSender.refuse(out, "it is being handed over");
      return;
    }
    try {
      new HandoverSender(server, Path.of(to[1]), caller, in, out).run();
    } catch (IOException e) {
      throw new IOException("connections that were not handed over stay here: " + e.getMessage(), e);
    } finally {
      handingOver.set(false);
    }
  }

  private static void answer(DataOutputStream out, Object document) throws IOException {
    out.write(JSON.writeValueAsBytes(document));
    out.write('\n');
    out.flush();
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int octet = in.read();
    while (octet >= 0 && octet != '\n' && line.length() < MOST_CHARS) {
      line.append((char) octet);
      octet = in.read();
    }
    byte[] utf8 = line.toString().getBytes(StandardCharsets.ISO_8859_1);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  void close() {
    try {
      socket.close();
      // The file may be that of a successor by now only if it has the same path, which is refused.
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.log(Level.FINE, "the admin socket could not be closed", e);
    }
  }
}
