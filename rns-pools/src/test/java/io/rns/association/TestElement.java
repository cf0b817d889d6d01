package io.rns.association;

import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** A minimal pool element and user: answers keep-alives from any registrar. */
final class TestElement implements AutoCloseable {
  private final Octets handle;
  private final int id;
  private final ServerSocket control;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  final BlockingQueue<AsapMessage> received = new LinkedBlockingQueue<>();

  /** The registrar that last claimed to be the home. */
  volatile int newHome;

  TestElement(Octets handle, int id) throws IOException {
    this.handle = handle;
    this.id = id;
    this.control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        live(control.accept());
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void live(Socket socket) {
    sockets.add(socket);
    Thread.ofVirtual().start(() -> read(socket));
  }

  Socket connect(InetSocketAddress registrar) throws IOException {
    Socket socket = new Socket(registrar.getAddress(), registrar.getPort());
    live(socket);
    return socket;
  }

  static void send(Socket to, AsapMessage message) throws IOException {
    to.getOutputStream().write(AsapCodec.encode(message));
  }

  void register(Socket at) throws IOException {
    ElementDescription element =
        new ElementDescription(
            id,
            0,
            600,
            Associations.transport((InetSocketAddress) control.getLocalSocketAddress()),
            new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE),
            Optional.of(Associations.transport((InetSocketAddress) control.getLocalSocketAddress())),
            Optional.empty(),
            Optional.empty());
    send(at, new AsapMessage.Registration(handle, element));
  }

  private void read(Socket socket) {
    try (socket) {
      FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[4_096];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        for (byte[] frame : frames.accept(buffer, 0, count)) {
          hear(socket, ((Decoded.Understood<AsapMessage>) AsapCodec.decode(frame)).message());
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void hear(Socket from, AsapMessage message) throws IOException {
    if (message instanceof AsapMessage.KeepAlive keepAlive) {
      if (keepAlive.newHome()) {
        newHome = keepAlive.server();
      }
      send(from, new AsapMessage.KeepAliveAck(handle, id));
    } else {
      received.add(message);
    }
  }

  @Override
  public void close() throws IOException {
    control.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
