package io.rns.server.pool;

import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** An element or user with one connection, plain or by TLS. */
public final class AsapSocket implements AutoCloseable {
  private static final int BOUND_MILLIS = (int) Duration.ofSeconds(60).toMillis();

  private final Socket socket;
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final Queue<byte[]> waiting = new ArrayDeque<>();
  private final byte[] buffer = new byte[8_192];

  public AsapSocket(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(BOUND_MILLIS);
  }

  public static AsapSocket plain(InetSocketAddress registrar) throws IOException {
    return new AsapSocket(new Socket(registrar.getAddress(), registrar.getPort()));
  }

  /** Checks the name in the certificate. */
  public static AsapSocket tls(InetSocketAddress registrar, SSLSocketFactory factory) throws IOException {
    AsapSocket made = new AsapSocket(secured(registrar, factory));
    ((SSLSocket) made.socket).startHandshake();
    return made;
  }

  static SSLSocket secured(InetSocketAddress registrar, SSLSocketFactory factory) throws IOException {
    SSLSocket socket =
        (SSLSocket) factory.createSocket(registrar.getAddress(), registrar.getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(BOUND_MILLIS);
    return socket;
  }

  public Socket socket() {
    return socket;
  }

  public void send(AsapMessage message) throws IOException {
    socket.getOutputStream().write(AsapCodec.encode(message));
  }

  public AsapMessage receive() throws IOException {
    while (waiting.isEmpty()) {
      int count = socket.getInputStream().read(buffer);
      if (count < 0) {
        throw new EOFException("closed by the registrar");
      }
      waiting.addAll(frames.accept(buffer, 0, count));
    }
    return ((Decoded.Understood<AsapMessage>) AsapCodec.decode(waiting.remove())).message();
  }

  /** Sends a request and returns the answer; what the registrar asks of an element that is slow comes between. */
  public AsapMessage ask(AsapMessage message) throws IOException {
    send(message);
    AsapMessage answer = receive();
    while (answer instanceof AsapMessage.KeepAlive) {
      answer = receive();
    }
    return answer;
  }

  /** An element without a control address. */
  public static AsapMessage registration(String handle, int id) {
    return registration(handle, id, 1_000 + id);
  }

  /** The same at a port. */
  public static AsapMessage registration(String handle, int id, int port) {
    return registration(handle, id, port, false);
  }

  /** An element with a control address at its port. */
  static AsapMessage controlled(String handle, int id, int port) {
    return registration(handle, id, port, true);
  }

  private static AsapMessage registration(String handle, int id, int port, boolean isControlled) {
    IpAddress here = new IpAddress(Octets.of(InetAddress.getLoopbackAddress().getAddress()));
    Transport at = new Transport.Tcp(port, TransportUse.DATA_ONLY, here);
    return new AsapMessage.Registration(
        Octets.utf8(handle),
        new ElementDescription(
            id, 0, 600, at, new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE),
            isControlled ? Optional.of(at) : Optional.empty(), Optional.empty(), Optional.empty()));
  }

  public static AsapMessage resolution(String handle) {
    return new AsapMessage.HandleResolution(false, Octets.utf8(handle));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
