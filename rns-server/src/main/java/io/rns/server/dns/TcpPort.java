package io.rns.server.dns;

import io.rns.network.ClientNetwork;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions that come by TCP, each behind its length in two bytes (RFC 1035, section 4.2.2); any number on one
 * connection, one after the other.
 */
final class TcpPort {
  private static final Logger LOG = LoggerFactory.getLogger(TcpPort.class);

  private final ServerSocket socket;
  private final Responder responder;
  private final DnsSettings settings;
  private final LongSupplier nanos;
  private final DnsFailures failures;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  TcpPort(ServerSocket socket, Responder responder, DnsSettings settings, LongSupplier nanos, DnsFailures failures) {
    this.socket = socket;
    this.responder = responder;
    this.settings = settings;
    this.nanos = nanos;
    this.failures = failures;
  }

  /** Serves until the socket is closed. */
  void run() {
    while (!socket.isClosed()) {
      try {
        Connection connection = new Connection(socket.accept());
        failures.none();
        connections.add(connection);
        Thread.ofVirtual().name("dns connection").start(connection::serve);
        makeRoom();
      } catch (IOException e) {
        if (!socket.isClosed()) {
          failures.pauseAfter(e);
        }
      }
    }
  }

  /** Of the client that has most connections, the one that has been quiet longest makes room. */
  private void makeRoom() {
    if (connections.size() > settings.connections()) {
      connections.stream()
          .collect(Collectors.groupingBy(Connection::client))
          .values().stream()
          .max(Comparator.comparingInt(List::size))
          .flatMap(most -> most.stream().min(Comparator.comparingLong(Connection::quietSince)))
          .ifPresent(Connection::close);
    }
  }

  /** Closes what has been quiet for too long. */
  void closeIdle() {
    long now = nanos.getAsLong();
    connections.stream().filter(one -> now - one.quietSince() > settings.idle().toNanos()).forEach(Connection::close);
  }

  void closeAll() {
    connections.forEach(Connection::close);
  }

  private final class Connection {
    private final Socket peer;
    private final String client;
    private volatile long quietSince;

    Connection(Socket peer) {
      this.peer = peer;
      this.client = ClientNetwork.of(peer.getInetAddress());
      this.quietSince = nanos.getAsLong();
    }

    String client() {
      return client;
    }

    long quietSince() {
      return quietSince;
    }

    void serve() {
      try (peer) {
        DataInputStream in = new DataInputStream(peer.getInputStream());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.getOutputStream()));
        boolean open = true;
        while (open) {
          open = serveOne(in, out);
        }
      } catch (IOException e) {
        LOG.debug("a connection has ended: {}", e.toString());
      } catch (RuntimeException e) {
        LOG.error("a TCP query gets no response", e);
      } finally {
        connections.remove(this);
      }
    }

    /** Answers one question; who sends something else is not heard any more. */
    private boolean serveOne(DataInputStream in, DataOutputStream out) throws IOException {
      int length = in.readUnsignedShort();
      if (length > UdpPort.QUESTION_BYTES) {
        return false;
      }
      byte[] question = new byte[length];
      in.readFully(question);
      Optional<byte[]> answer = responder.byStream(question, peer.getInetAddress());
      if (answer.isEmpty()) {
        return false;
      }
      out.writeShort(answer.get().length);
      out.write(answer.get());
      quietSince = nanos.getAsLong();
      out.flush();
      return true;
    }

    void close() {
      connections.remove(this);
      try {
        peer.close();
      } catch (IOException e) {
        LOG.debug("closing a connection: {}", e.toString());
      }
    }
  }
}
